"""Figures as files: the same bytes at every run."""

from PIL import Image

from repro.core.files import replacing
from repro.datasets import standins_in_use
from repro.plots import mark_standin
from repro.workbench.folders import figures_folder


def save_figure(fig, stem, colors=None):
    """Write <figures>/<stem>.png in one step, the same bytes at every run.

    The stem is the notebook's name without its suffix. If ``colors`` is given, at most 256, the
    PNG is reduced to so many: a page of photographs shrinks to half its size. Returns its path.
    """
    mark_standin(fig)
    path = figures_dir() / f"{stem}.png"
    write_figure(fig, path, colors)
    return path


def write_figure(fig, path, colors=None):
    """Write a figure as a PNG in one step, the same bytes at every run; see `save_figure`."""
    with replacing(path) as part:
        # A version in the file would change it while the picture is the same.
        fig.savefig(part, format="png", metadata={"Software": None})
        if colors:
            with Image.open(part) as picture:
                # Each colour stays near its own, however few pixels have it.
                method = Image.Quantize.MAXCOVERAGE
                whole = picture.convert("RGB")
                reduced = whole.quantize(colors, method, dither=Image.Dither.NONE)
            reduced.save(part, format="png", optimize=True, dpi=(fig.dpi, fig.dpi))


def figures_dir():
    """Return the folder of figures and claims, see `figures_folder`; stand-ins have their own.

    The folder is made if it does not exist.
    """
    folder = figures_folder() / "standin" if standins_in_use() else figures_folder()
    folder.mkdir(parents=True, exist_ok=True)
    return folder
