"""The sources of the site: README, notebooks, records, figures, and points of maps."""

import html
import posixpath
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from repro.workbench.lessons.files import find_notebooks
from repro.workbench.lessons.timings import load_timings
from repro.workbench.records import read_json

CLAIM = re.compile(r"figures/(?:README\.md)?#([a-z]+-[a-z-]*\d[\w-]*)")  # no heading has a digit
SWEEP = re.compile(r"figures/sweeps/(\w+)\.svg")
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
# Pages of the site for the link targets of the README and the guides.
MOVED = {
    "README.md": "about.md",
    "ANSWERS.md": "answers.md",
    "ERRATA.md": "errata.md",
    "notebooks/README.md": "teaching.md",
    "repro/README.md": "use.md",
    "figures/README.md": "evidence.md",
    **{f"figures/{page}.md": f"{page}.md" for page in ("anchors", "rounding")},
    "figures/sweeps/README.md": "making.md",
    ".github/CONTRIBUTING.md": "contributing.md",
}


@dataclass(frozen=True)
class Project:
    """The contents from which the pages are written."""

    root: Path
    notebooks: list  # in the order of the course
    judged: list  # the claims with their verdicts
    conclusions: dict  # by the names of claims; what the paper says where none is written
    timings: dict  # seconds, by notebook
    points: dict  # what `repro.workbench.lessons.save_embeddings` wrote, by notebook
    notes: dict  # notes for teachers, by notebook
    urls: dict  # addresses of the papers and, if it is published, of the source

    @classmethod
    def read(cls, root, judged):
        """Read a project's folder; raise UserError if it has no notebooks, or a file is damaged."""
        figures = root / "figures"
        notebooks = sorted(find_notebooks(root / "notebooks"), key=lambda nb: nb.number)
        points = {nb.stem: figures / "points" / f"{nb.stem}.json" for nb in notebooks}
        kinds = {"labels": list, "groups": list, "maps": dict}
        points = {k: read_json(path, **kinds) for k, path in points.items() if path.exists()}
        about = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
        teaching = sorted((root / "notebooks" / "teaching").glob("*.md"))
        return cls(
            root=root,
            notebooks=notebooks,
            judged=judged,
            conclusions={e.claim.id: e.conclusion or e.claim.says for e in judged},
            timings=load_timings(figures),
            points=points,
            notes={path.stem: relinked(root, path.relative_to(root)) for path in teaching},
            urls=about["project"].get("urls", {}),
        )

    def title(self, stem):
        """Return the title of a notebook, with paper and item if it has one of a paper, escaped."""
        notebook = next(notebook for notebook in self.notebooks if notebook.stem == stem)
        item = notebook.item  # a figure or a section, or where the lesson stands in the course
        place = f"{notebook.paper} {item}: " if item[0].isupper() else ""
        return plain(place + notebook.title)

    def claims(self, stem):
        """List the judged claims of a notebook; empty if it has no runs."""
        return [entry for entry in self.judged if entry.name == stem]

    def body(self, path):
        """Return the text below the title of a file, with links as on the site."""
        return relinked(self.root, path).split("\n", 1)[1].strip()

    def section(self, path, heading):
        """Return the text below a heading of a file, with links as on the site."""
        text = relinked(self.root, path).split(f"\n## {heading}\n", 1)[1]
        return re.split(r"^##? ", text, maxsplit=1, flags=re.M)[0].strip()


def plain(text):
    """Escape a text for HTML and Markdown; letters after a caret become superscripts."""
    text = re.sub(r"([\\`*_{}\[\]<>|])", r"\\\1", html.escape(text, quote=False))
    return re.sub(r"\^(\w+)", r"{sup}`\1`", text)


def relinked(root, path):
    """Read a file, given its path from the root, with links as on the site; see `relink`."""
    return relink((root / path).read_text(encoding="utf-8"), root, Path(path).parent)


def relink(text, root, folder="."):
    """Point the links of a text to the site's pages; links to other files become plain words.

    ``folder`` is the folder of the text, from the root of the project.
    """

    def replace(link):
        image, words, target = link.groups()
        if "://" in target:
            return link[0]
        target = posixpath.normpath(posixpath.join(folder, target))
        if claim := CLAIM.fullmatch(target):
            return f"[{words}](claims/{claim[1]}.md)"
        page, hash_, heading = target.partition("#")
        if page in MOVED:
            return f"[{words}]({MOVED[page]}{hash_}{heading})"
        if not (root / target).is_file():
            return words
        if not image and (sweep := SWEEP.fullmatch(target)):
            return f"[{words}](#sweep-{sweep[1]})"  # a label of the page "Evidence"
        is_shown = target.startswith(("notebooks/", "figures/"))
        if is_shown and not target.endswith((".md", ".json", ".txt")):
            return f"{image}[{words}]({target})"
        return words

    return LINK.sub(replace, text)
