"""A reader's own copies of notebooks, which `repro open` opens."""

import hashlib
import json
import shutil
from contextlib import suppress

from repro.core.errors import UserError
from repro.core.files import set_aside, write_text
from repro.workbench.folders import reproduced_folder
from repro.workbench.lessons.files import find_notebooks
from repro.workbench.records import read_json


def copy_to_open(notebook, fresh=False):
    """Make a reader's own copy of a notebook if it is missing, unedited or to be ``fresh``.

    The glossary and the other notebooks, to which lessons link, are copied beside it, and trusted
    as they are, so that Jupyter shows their live pictures before a cell is run. Returns its path,
    whether the notebook has changed since the copy was made, and the path at which an edited copy
    is kept that a fresh one replaces, or None.
    """
    kept = None
    folder = reproduced_folder() / "opened"
    folder.mkdir(parents=True, exist_ok=True)
    copy_glossary(notebook.path.parent, folder)
    for path in (nb.path for nb in find_notebooks(notebook.path.parent, damaged=[])):
        content = read_json(path)
        digest = _cells_digest(content)
        copy = folder / path.name
        made_of, now = _made_of(copy) if copy.exists() else (None, None)
        is_edited = made_of != now
        if (not is_edited and made_of != digest) or (fresh and path == notebook.path):
            kept = set_aside(copy) if is_edited else kept
            content["metadata"]["repro"]["copy of"] = digest
            write_text(copy, json.dumps(content, ensure_ascii=False, indent=1) + "\n")
            _trust(copy)
    copy = folder / notebook.path.name
    made_of, _ = _made_of(copy)
    if made_of == "damaged":
        raise UserError(f"{copy} is damaged: --fresh replaces it")
    return copy, made_of != _cells_digest(read_json(notebook.path)), kept


def _trust(copy):
    """Sign a copy in the user's list of trusted notebooks, if that can be written."""
    import nbformat
    from nbformat.sign import NotebookNotary

    with suppress(OSError):
        NotebookNotary().sign(nbformat.read(copy, as_version=4))


def copy_glossary(folder, other):
    """Copy the glossary, to which lessons link, to another folder of notebooks."""
    if (folder / "glossary.md").exists():
        shutil.copyfile(folder / "glossary.md", other / "glossary.md")


def _made_of(copy):
    """Return digests of the cells that were copied, if recorded, and of the copy's cells now."""
    try:
        content = read_json(copy, cells=list, metadata=dict)
        made_of = (content["metadata"].get("repro") or {}).get("copy of")
        return made_of, _cells_digest(content)
    except (UserError, AttributeError, TypeError):  # the reader's file is left as it is
        return "damaged", None


def _cells_digest(content):
    """Return a digest of the sources of a notebook's cells, without outputs."""
    cells = [(cell.get("cell_type"), "".join(cell.get("source", ""))) for cell in content["cells"]]
    return hashlib.sha256(json.dumps(cells).encode()).hexdigest()[:8]
