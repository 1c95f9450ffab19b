"""The states of a lesson's knobs as pictures, which the site shows without a kernel."""

import io
import json
import re
from pathlib import Path

import numpy as np
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from repro.core.files import replacing

RESOLUTION, COLORS = 90, 64  # dots per inch; colours of a picture


def knob_in(source):
    """Return the name of the function that a cell lets the reader turn, or None."""
    found = re.search(r"^@interact\(.*?^def (\w+)\(", source, re.MULTILINE | re.DOTALL)
    return found and found[1]


def knob_path(figures, stem, name):
    """Return where the states of a notebook's knob are kept: one below the other in a picture."""
    return Path(figures) / "knobs" / f"{stem}_{name}.png"


def save_states(turn, path):
    """Draw what a knob shows at each of its values, one below the other, into a picture.

    ``turn`` is decorated by ``ipywidgets.interact`` with one slider, and draws one figure. The
    values' names and which is shown first are stored in the picture.
    """
    import matplotlib.pyplot as plt

    slider = turn.widget.children[0]
    frames = []
    for value in slider.options:
        turn(value[1] if isinstance(value, tuple) else value)
        file = io.BytesIO()
        plt.gcf().savefig(file, format="png", dpi=RESOLUTION, bbox_inches=None)
        plt.close("all")
        frames.append(np.asarray(Image.open(file).convert("RGB")))
    whole = Image.fromarray(np.vstack(frames)).quantize(COLORS, dither=Image.Dither.NONE)
    about = PngInfo()
    names = [f"{slider.description or ''} {label}".strip() for label in slider._options_labels]
    about.add_text("states", json.dumps({"names": names, "first": slider.index}))
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as part:
        whole.save(part, format="png", optimize=True, pnginfo=about)


def read_states(path):
    """Read the names of a knob's states, which is shown first, and (width, height) of each."""
    with Image.open(path) as whole:
        about = json.loads(whole.text["states"])
        width, height = whole.size
    return about["names"], about["first"], (width, height // len(about["names"]))
