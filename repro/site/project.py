"""What the site is made from: README, notebooks, records, figures, and points of maps."""

import json
import posixpath
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from repro.evidence.course import LESSONS
from repro.evidence.report import PAGES, load_timings
from repro.evidence.scorecard import judge_all
from repro.notebook.runner import find_notebooks
from repro.site.markdown import plain

SWEEP = re.compile(r"figures/sweeps/(\w+)\.png")
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
# Where the site has what the README and CONTRIBUTING link to.
MOVED = {
    "README.md#scorecard": "index.md#scorecard",
    "ERRATA.md": "errata.md",
    "notebooks/README.md": "teaching.md",
    "notebooks/glossary.md": "notebooks/glossary.md",
    "repro/README.md": "use.md",
    "figures/README.md": "index.md#scorecard",
    ".github/CONTRIBUTING.md": "contributing.md",
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
        One a point.
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
        """Read a file.

        Raises
        ------
        ValueError
            If it is damaged, or a list has another length than the others; the message names it.
        """
        try:
            about = json.loads(path.read_text(encoding="utf-8"))
            maps = {
                name: np.array([xy["x"], xy["y"]], dtype=float).T
                for name, xy in about["maps"].items()
            }
            about.pop("title", None)  # pages are named as their notebooks are
            points = cls(**{**about, "maps": maps})
            points._check(path.stem)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"{path} is damaged: {error}") from None
        return points

    def _check(self, stem):
        if self.notebook != stem:
            raise ValueError(f"it is of the notebook {self.notebook!r}")
        lists = {"groups": self.groups, **self.maps}
        if self.rows is not None:
            lists["rows"] = self.rows
        for name, values in lists.items():
            if len(values) != len(self.labels):
                raise ValueError(f"{len(self.labels)} labels, but {len(values)} in {name!r}")
        if not all(isinstance(word, str) for word in (*self.labels, *self.groups)):
            raise ValueError("labels and groups must be strings")
        if not self.maps or not all(np.isfinite(xy).all() for xy in self.maps.values()):
            raise ValueError("there are no maps, or a coordinate is missing")


@dataclass(frozen=True)
class Project:
    """All that the pages are written from.

    Attributes
    ----------
    root : pathlib.Path
    readme : str
        The pages written by hand, one after the other, their links as from the root.
    notebooks : list of Notebook
    judged : list of Judged
        The claims with their verdicts, see `repro.evidence.scorecard`.
    timings : dict of str to float
    points : dict of str to SavedEmbeddings
        By notebook.
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
        notebooks = find_notebooks(root / "notebooks")
        figures = root / "figures"
        points = {
            path.stem: SavedEmbeddings.read(path) for path in (figures / "points").glob("*.json")
        }
        strays = set(points) - {notebook.stem for notebook in notebooks}
        if strays:
            raise ValueError(f"figures/points/{min(strays)}.json belongs to no notebook")
        pages = [root / page for page in PAGES if page == "README.md" or (root / page).exists()]
        readme = "\n\n".join(
            from_root(page.read_text(encoding="utf-8"), page.parent.relative_to(root).as_posix())
            for page in pages
        )
        judged, timings = judge_all(figures), load_timings(figures)
        return cls(root, readme, notebooks, judged, timings, points, own_copy)

    @property
    def in_order(self):
        """The notebooks in the order of the lessons; those that are no lesson come last."""
        order = {stem: k for k, stem in enumerate(LESSONS)}
        return sorted(self.notebooks, key=lambda nb: order.get(nb.stem, len(order)))

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
    """Return the text of the section of that heading.

    Raises
    ------
    ValueError
        If there is none.
    """
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^##? |\Z)", readme, re.M | re.S)
    if not found:
        raise ValueError(f'README.md has no section "{heading}"')
    return found[1].strip()


def from_root(text, folder):
    """Write the links of a page in a folder as from the root of the project."""

    def replace(found):
        image, words, target = found.groups()
        local = "://" not in target and not target.startswith("#")
        target = posixpath.normpath(posixpath.join(folder, target)) if local else target
        return f"{image}[{words}]({target})"

    return LINK.sub(replace, text)


def relinked(text, root):
    """Point the links of the README to the site's pages; what is not on the site stays as words."""

    def replace(found):
        image, words, target = found.groups()
        target = MOVED.get(target, target)
        sweep = SWEEP.fullmatch(target)
        if sweep and not image and (root / target).is_file():
            return f"[{words}](#sweep-{sweep[1]})"  # a label of the page "Evidence"
        page = target.split("#")[0]
        here = page in {moved.split("#")[0] for moved in MOVED.values()}
        kept = ("notebooks/", "figures/")
        here = here or (page.startswith(kept) and (root / page).is_file())
        if "://" in target or here:
            return f"{image}[{words}]({target})"
        return words

    return LINK.sub(replace, text)
