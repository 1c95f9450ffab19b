"""The states of a lesson's knobs as images, which the site shows without a kernel."""

import io
import json
import re
from pathlib import Path

import numpy as np
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from repro.core.files import replacing

RESOLUTION, COLORS = 90, 64  # dots per inch; colours per image


def knob_in(source):
    """Return the name of the function that a cell lets the reader turn, or None."""
    found = re.search(r"^@interact\(.*?^def (\w+)\(", source, re.MULTILINE | re.DOTALL)
    return found and found[1]


def knob_path(figures, stem, name):
    """Return the path of the image with the states of a notebook's knob."""
    return Path(figures) / "knobs" / f"{stem}_{name}.png"


def save_states(turn, path):
    """Draw the figure of a knob at each of its values, one below the other, into one image.

    ``turn`` is decorated by ``ipywidgets.interact`` with one slider, and draws one figure. The
    names of the values, and the index of the first one shown, are stored in the image.
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
    """Read the names of a knob's states, the index of the first shown, and their size."""
    with Image.open(path) as whole:
        about = json.loads(whole.text["states"])
        width, height = whole.size
    return about["names"], about["first"], (width, height // len(about["names"]))
