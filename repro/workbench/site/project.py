"""The sources of the site: README, notebooks, records, figures, and points of maps."""

import csv
import html
import posixpath
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from repro.core.errors import UserError
from repro.workbench.evidence.in_short import conclude, load_conclusions
from repro.workbench.evidence.report import PAGES
from repro.workbench.evidence.scorecard import judge_all
from repro.workbench.lessons.files import find_notebooks
from repro.workbench.lessons.timings import load_timings
from repro.workbench.records import read_json

CLAIM = re.compile(r"figures/README\.md#([a-z]+-[a-z-]*\d[\w-]*)")  # no heading has a digit
SWEEP = re.compile(r"figures/sweeps/(\w+)\.png")
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
# Pages of the site for the link targets of the README and the guides.
MOVED = {
    "README.md": "about.md",
    "ERRATA.md": "errata.md",
    "notebooks/README.md": "teaching.md",
    "repro/README.md": "use.md",
    "figures/README.md": "evidence.md",
    **{f"figures/{page}.md": f"{page}.md" for page in ("claims", "history", "anchors", "rounding")},
    "figures/sweeps/README.md": "making.md",
    ".github/CONTRIBUTING.md": "contributing.md",
}


@dataclass(frozen=True)
class Project:
    """The contents from which the pages are written."""

    root: Path
    written: str  # the hand-written pages, joined, with links as on the site
    notebooks: list  # in the order of the course
    judged: list  # the claims with their verdicts
    timings: dict  # seconds, by notebook
    points: dict  # what `repro.workbench.lessons.save_embeddings` wrote, by notebook
    criteria: dict  # former criteria of claims whose criterion changed
    conclusions: dict  # by the names of claims
    notes: dict  # notes for teachers, by notebook
    urls: dict  # addresses of the papers and, if it is published, of the source

    @classmethod
    def read(cls, root):
        """Read a project's folder; raise UserError if it has no notebooks, or a file is damaged."""
        figures = root / "figures"
        notebooks = sorted(find_notebooks(root / "notebooks"), key=lambda nb: nb.number)
        saved = {nb.stem: figures / "points" / f"{nb.stem}.json" for nb in notebooks}
        lists = dict.fromkeys(("labels", "groups"), list)
        points = {k: read_json(at, maps=dict, **lists) for k, at in saved.items() if at.exists()}
        pages = [root / page for page in PAGES if page == "README.md" or (root / page).exists()]
        written = "\n\n".join(
            relinked(page.read_text(encoding="utf-8"), root, page.parent.relative_to(root))
            for page in pages
        )
        judged, timings = judge_all(figures), load_timings(figures)
        told = load_criteria(figures), load_conclusions(figures)
        notes = {
            path.stem: relinked(path.read_text(encoding="utf-8"), root, "notebooks/teaching")
            for path in sorted((root / "notebooks" / "teaching").glob("*.md"))
        }
        about = root / "pyproject.toml"
        about = tomllib.loads(about.read_text(encoding="utf-8")) if about.exists() else {}
        urls = about.get("project", {}).get("urls", {})
        return cls(root, written, notebooks, judged, timings, points, *told, notes, urls)

    def title(self, stem):
        """Return the title of a notebook, with paper and item if it has one of a paper, escaped."""
        notebook = next(notebook for notebook in self.notebooks if notebook.stem == stem)
        item = notebook.item  # a figure or a section, or where the lesson stands in the course
        place = f"{notebook.paper} {item}: " if item[0].isupper() else ""
        return plain(place + notebook.title)

    def claims(self, stem):
        """List the judged claims of a notebook; empty if it has no runs."""
        return [entry for entry in self.judged if entry.name == stem]

    def conclusion(self, entry):
        """Return the conclusion on a judged claim, or the claim itself if there is none."""
        return conclude(entry, self.conclusions) or entry.claim.says

    def has(self, path):
        """Return whether a file exists, given its path from the root."""
        return (self.root / path).exists()

    def text(self, path):
        """Return the text of a file, given its path from the root; empty if there is none."""
        return (self.root / path).read_text(encoding="utf-8") if self.has(path) else ""

    def section(self, heading):
        """Return the text of the section with a heading; raise UserError if there is none."""
        pattern = rf"^## {re.escape(heading)}\n(.*?)(?=^##? |\Z)"
        found = re.search(pattern, self.written, re.M | re.S)
        if not found:
            raise UserError(f'the pages have no section "{heading}"')
        return found[1].strip()

    def body(self, path):
        """Return the text below the title of another file, with links as on the site."""
        text = (self.root / path).read_text(encoding="utf-8").split("\n", 1)[1]
        return relinked(text, self.root, posixpath.dirname(path)).strip()


def load_criteria(figures):
    """Read what claims asked before their criteria were frozen: a text by the name of the claim."""
    path = figures / "criteria.csv"
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        return {row["claim"]: row["before"] for row in csv.DictReader(file)}


def plain(text):
    """Escape a text for HTML and Markdown; letters after a caret become superscripts."""
    text = re.sub(r"([\\`*_{}\[\]<>|])", r"\\\1", html.escape(text, quote=False))
    return re.sub(r"\^(\w+)", r"{sup}`\1`", text)


def relinked(text, root, folder="."):
    """Point the links of a text to the site's pages; links to other files become plain words.

    ``folder`` is the folder of the text, from the root of the project.
    """

    def replace(found):
        image, words, target = found.groups()
        if "://" in target:
            return found[0]
        target = posixpath.normpath(posixpath.join(folder, target))
        is_file = (root / target).is_file()
        if claim := CLAIM.fullmatch(target):
            return f"[{words}](claims/{claim[1]}.md)"
        if target in MOVED:
            return f"[{words}]({MOVED[target]})"
        sweep = SWEEP.fullmatch(target)
        if sweep and is_file and not image:
            return f"[{words}](#sweep-{sweep[1]})"  # a label of the page "Evidence"
        shown = target.startswith(("notebooks/", "figures/"))
        if is_file and shown and not target.endswith((".md", ".json", ".txt")):
            return f"{image}[{words}]({target})"
        return words

    return LINK.sub(replace, text)
