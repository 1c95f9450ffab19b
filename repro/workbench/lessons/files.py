"""The notebooks of a folder: their metadata and their content."""

import json
import math
import re
import warnings
from dataclasses import dataclass
from pathlib import Path

import nbformat

from repro.core.errors import UserError
from repro.workbench.names import find_names
from repro.workbench.records import lacking, read_json

# Metadata of a notebook for `repro`, and those of a lesson.
ABOUT = {"paper": str, "item": str, "title": str, "datasets": dict}
LESSON = {"number": int, "ask": list}
# What a lesson says that one should know, up to a full stop that is not that of "Eq.".
NEEDS = re.compile(r"\*\*You should know\*\* (.+?)(?<!Eq)\.(?=\s|$)", re.S)
GLOSSARY = re.compile(r", \[glossary\]\(\S+?\)| \(\[glossary\]\(\S+?\)\)")  # left out of it


@dataclass(frozen=True)
class Notebook:
    """A notebook and its metadata.

    ``datasets`` holds the arguments of each fetcher that it calls. ``lesson`` holds its place in
    the course (``number``), and the questions to ``ask``; it is None if the notebook is not a
    lesson. ``needs`` is what its text says that one should know, in Markdown.
    """

    path: Path
    paper: str
    item: str
    title: str
    datasets: dict
    lesson: dict | None
    needs: str = ""

    @property
    def stem(self):
        """The name of its figure and of its claims."""
        return self.path.stem

    @property
    def number(self):
        """Its place in the course; notebooks that are not lessons come last."""
        return self.lesson["number"] if self.lesson else math.inf

    @classmethod
    def read(cls, path):
        """Read the metadata of a file; raise UserError if it is no notebook of this project."""
        content = read_json(path, cells=list, metadata=dict)
        if any(lacking(cell, {"cell_type": str, "source": object}) for cell in content["cells"]):
            raise UserError(f"{path} is damaged: a cell lacks its type or its source")
        about = content["metadata"].get("repro")
        lacks = lacking(about, ABOUT)
        if not lacks and (lesson := about.get("lesson")) is not None:
            lacks = lacking(lesson, LESSON)
        if lacks:
            raise UserError(f"{path} is damaged: its metadata for repro lack {lacks}")
        texts = ["".join(of["source"]) for of in content["cells"] if of["cell_type"] == "markdown"]
        found = NEEDS.search("\n".join(texts))
        needs = GLOSSARY.sub("", found[1]) if found else ""
        return cls(path, *(about[name] for name in ABOUT), about.get("lesson"), needs)


def find_notebooks(folder, patterns=(), damaged=None):
    """Find notebooks by name, in alphabetical order; see `find_names`. No pattern means all.

    Raises UserError or OSError if one cannot be read; these errors are added to the list
    ``damaged`` instead if it is given.
    """
    paths = {path.stem: path for path in notebook_files(folder)[0]}
    if not paths:
        raise UserError(f"no notebooks in {folder}")
    chosen = find_names(patterns or ["*"], paths, "notebook")
    notebooks = []
    for path in (path for stem, path in paths.items() if stem in chosen):
        try:
            notebooks.append(Notebook.read(path))
        except (UserError, OSError) as error:
            if damaged is None:
                raise
            damaged.append(error)
    return notebooks


def notebook_files(folder):
    """Return the notebooks in a folder that are the project's, and those that are not.

    The latter have no metadata for `repro`, or their name is not a Python identifier, such as
    ``Untitled`` and ``NAME-Copy1`` by Jupyter. One that cannot be read is the project's.
    """
    ours, others = [], []
    for path in sorted(Path(folder).glob("*.ipynb")):
        (ours if path.stem.isidentifier() and _is_ours(path) else others).append(path)
    return ours, others


def _is_ours(path):
    try:
        return "repro" in read_json(path, metadata=dict)["metadata"]
    except (UserError, OSError):  # named when it is asked for
        return True


def read_content(path):
    """Read a notebook, in the present format; raise a UserError if it is damaged."""
    try:
        text = json.dumps(json.loads(path.read_bytes()), ensure_ascii=False)
        # Half of an emoji, which some editors leave, can be neither written nor run.
        with warnings.catch_warnings(action="ignore", category=FutureWarning):  # of cells' names
            content = nbformat.reads(text.encode(errors="replace").decode(), as_version=4)
            nbformat.validate(content)
    except Exception as error:  # its type depends on what is wrong with the file
        reason = str(error).split("\n")[0]
        raise UserError(f"{path} is damaged: {reason}") from None
    return content
