"""What the site is made from: README, notebooks, records, figures, and points of maps."""

import posixpath
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from repro.core.records import read_json
from repro.evidence.course import LESSONS
from repro.evidence.report import PAGES, load_timings
from repro.evidence.scorecard import judge_all
from repro.notebook.runner import find_notebooks
from repro.site.markdown import plain

SWEEP = re.compile(r"figures/sweeps/(\w+)\.png")
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
# Where the site has what the README and the guides link to.
MOVED = {
    "ERRATA.md": "errata.md",
    "notebooks/README.md": "teaching.md",
    "repro/README.md": "use.md",
    "figures/README.md": "index.md#scorecard",
    ".github/CONTRIBUTING.md": "contributing.md",
}
NUMBERS = [int | float]
SAVED = {
    "notebook": str,
    "set": dict | None,
    "rows": list | None,
    "labels": [str],
    "groups": [str],
    "maps": {str: {"x": NUMBERS, "y": NUMBERS}},
}


@dataclass(frozen=True)
class SavedEmbeddings:
    """The embeddings of a notebook, as `repro.notebook.save_embeddings` wrote them.

    Attributes
    ----------
    notebook : str
    set : dict or None
        The data set behind the points: its ``name``, and the ``arguments`` of its fetcher.
    rows : list of int or None
        For each point the row of the set's images; None: all of them in their order.
    labels, groups : list of str
        One per point.
    maps : dict of str to (n, 2) float64 array
    """

    notebook: str
    set: dict | None
    rows: list | None
    labels: list
    groups: list
    maps: dict

    @classmethod
    def read(cls, path):
        """Read a file; one that is damaged is a ValueError that names it."""
        saved = {name: part for name, part in read_json(path, SAVED).items() if name in SAVED}
        lengths = [len(values) for xy in saved["maps"].values() for values in xy.values()]
        if {len(saved["groups"]), *lengths} != {len(saved["labels"])}:
            raise ValueError(f"{path} is damaged: its lists differ in length")
        maps = {
            name: np.array([xy["x"], xy["y"]], dtype=float).T for name, xy in saved["maps"].items()
        }
        return cls(**saved | {"maps": maps})


@dataclass(frozen=True)
class Project:
    """All that the pages are written from.

    Attributes
    ----------
    root : pathlib.Path
    readme : str
        The pages written by hand, one after the other, their links as on the site.
    notebooks : list of Notebook
        In the order of the lessons; those that are no lesson come last.
    judged : list of Judged
        The claims with their verdicts, see `repro.evidence.scorecard`.
    timings : dict of str to float
    points : dict of str to SavedEmbeddings
        By notebook, in their order.
    own_copy : bool
        Whether pictures that may not be passed on are shown, too.
    """

    root: Path
    readme: str
    notebooks: list
    judged: list
    timings: dict
    points: dict
    own_copy: bool = False

    @classmethod
    def read(cls, root, own_copy=False):
        """Read a project's folder.

        Raises
        ------
        ValueError
            If there are no notebooks, or a file is damaged.
        OSError
            If there is no README.md.
        """
        figures = root / "figures"
        order = {stem: k for k, stem in enumerate(LESSONS)}
        notebooks = sorted(
            find_notebooks(root / "notebooks"), key=lambda nb: order.get(nb.stem, len(order))
        )
        saved = {nb.stem: figures / "points" / f"{nb.stem}.json" for nb in notebooks}
        points = {stem: SavedEmbeddings.read(at) for stem, at in saved.items() if at.exists()}
        pages = [root / page for page in PAGES if page == "README.md" or (root / page).exists()]
        readme = "\n\n".join(
            relinked(page.read_text(encoding="utf-8"), root, page.parent.relative_to(root))
            for page in pages
        )
        judged, timings = judge_all(figures), load_timings(figures)
        return cls(root, readme, notebooks, judged, timings, points, own_copy)

    def title(self, stem):
        """Name a notebook: paper, item, and what it shows; escaped for Markdown."""
        notebook = next(notebook for notebook in self.notebooks if notebook.stem == stem)
        return plain(f"{notebook.paper} {notebook.item}: {notebook.title}")

    def claims(self, stem):
        """List the judged claims of a notebook; none if it was not swept."""
        return [of for of in self.judged if of.name == stem]


def opening(readme):
    """Return what stands between the title of a README and its first section."""
    return re.split(r"^## ", readme, maxsplit=1, flags=re.M)[0].split("\n", 1)[1].strip()


def section(readme, heading):
    """Return the text of the section of that heading; a ValueError if there is none."""
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^##? |\Z)", readme, re.M | re.S)
    if not found:
        raise ValueError(f'README.md has no section "{heading}"')
    return found[1].strip()


def relinked(text, root, folder="."):
    """Point the links of a text to the site's pages; what is not on the site stays as words.

    ``folder`` is where the text stands, from the root of the project.
    """

    def replace(found):
        image, words, target = found.groups()
        if "://" in target:
            return found[0]
        target = posixpath.normpath(posixpath.join(folder, target))
        is_file = (root / target).is_file()
        if target in MOVED:
            return f"[{words}]({MOVED[target]})"
        sweep = SWEEP.fullmatch(target)
        if sweep and is_file and not image:
            return f"[{words}](#sweep-{sweep[1]})"  # a label of the page "Evidence"
        if is_file and target.startswith(("notebooks/", "figures/")):
            return f"{image}[{words}]({target})"
        return words

    return LINK.sub(replace, text)
