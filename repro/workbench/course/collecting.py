"""Collecting what a class wrote: predictions, criteria and answers, a row per notebook."""

import os
import re
from itertools import pairwise, starmap

import pandas as pd
from tqdm import tqdm

from repro.core.errors import UserError
from repro.workbench.course.editions import CRITERION, MADE_OF, WRITE
from repro.workbench.folders import reproduced_folder
from repro.workbench.lessons.execution import execute, in_processes, kernel_environment
from repro.workbench.lessons.files import read_content

# Entries of the table, by the output of an answer's cell.
MARKS = {
    "Hint:": "wrong",
    "Not yet:": "wrong",
    "Right.": "right",
    "error": "fails",
    "Not answered": "",
}
# The place before text that a spreadsheet would evaluate, whichever sign separates its cells.
FORMULA = r"(^[\s,;]*|[;\t\r]\s*|\n(?==))(?=[=+@-](?![\d.]+$))"
LONGEST = 30_000  # characters of an entry; a cell of a spreadsheet holds 32,767
LARGEST = 20_000_000  # bytes of a notebook; a lesson with all its outputs has a tenth of it
GIVEN = r"^(?:def +)?answer_(\d+)(?: *=(?!=)|\()"  # the beginning of an answer
# Files that may hold a notebook.
MAY_HOLD = re.compile(r"[^.].*\.(ipynb|(zip|tar|tgz|7z|rar)\b)", re.I)


def gather(folder, run=False):
    """Return a table of what a class wrote, and what is wrong with notebooks, by name.

    With ``run``, the notebooks are run first, one by one, which executes the code of others; a
    terminal then shows a progress bar.
    """
    paths = [path for path in folder.rglob("*") if MAY_HOLD.match(path.name)]
    reads = [(path, run) for path in paths if ".ipynb_checkpoints" not in path.parts]
    if not reads:
        raise UserError(f"no notebooks in {folder}")
    results = in_processes(_read, reads, 1) if run else starmap(_read, reads)
    bar = tqdm(results, total=len(reads), leave=False, disable=None if run else True)
    rows = []
    wrong = {}
    for path, row, why in sorted(bar):
        # A name that is not UTF-8 could not be written.
        name = os.fsencode(path.relative_to(folder).as_posix()).decode(errors="replace")
        rows += [{"file": name} | row] if row else []
        wrong |= {name: why} if why else {}
    table = pd.DataFrame(rows).fillna("").map(lambda text: text[:LONGEST])
    return table.replace(FORMULA, r"\1'", regex=True), wrong


def _read(path, run):
    """Return a path, the row of its notebook if it has one, and what is wrong with it."""
    try:
        if path.is_symlink() or not path.is_file():  # a pipe would wait, a link may lead elsewhere
            raise UserError("it is no file")
        if path.stat().st_size > LARGEST:
            raise UserError("it has over 20 MB: clear its outputs")
        if path.suffix.lower() != ".ipynb":
            raise UserError("unpack it, or rename it to NAME.ipynb")
        row = _row(read_content(path), run)
    except UserError as reason:
        return path, {}, f"was skipped: {reason}"
    ran = row["answers are"]
    return path, row, ran if ran.startswith("not run") else ""


def _row(content, run):
    try:
        stem = content.metadata["repro"][MADE_OF]
    except (KeyError, TypeError):
        raise UserError("no notebook of a student edition") from None
    code = [cell for cell in content.cells if cell.cell_type == "code"]
    # The cells that give an answer and that check it are one, unless a student has split them.
    given = {k: c for c in code for k in re.findall(GIVEN, c.source, re.M)}
    asked = {k: c for c in code for k in re.findall(r"^check\( *answer_(\d+)\b", c.source, re.M)}
    row = {"lesson": stem, "prediction": _prediction(content.cells)}
    criteria = (re.search(r"^my_criterion *=(?!=) *([^#\n]*)", c.source, re.M) for c in code)
    row["criterion"] = "".join(found[1] for found in criteria if found).strip().replace("...", "")
    row["answers are"] = _run(content, [*given.values(), *asked.values()]) if run else "as saved"
    for k, cell in asked.items():
        answer = re.sub(r"\s*^check\(.*", "", given.get(k, cell).source, flags=re.M)
        row[f"answer {k}"] = re.sub(rf"\Aanswer_{k} *=(?!=) *(\.\.\.)?", "", answer)
        text = "".join(output.get("text", output.output_type) for output in cell.outputs)
        row[f"answer {k} is"] = next((MARKS[words] for words in MARKS if words in text), "not run")
    return row


def _prediction(cells):
    """Return what a student predicted; old editors drop the names of cells."""
    found = [cell.source for cell in cells if cell.get("id") == "your-prediction"]
    after = [cell.source for above, cell in pairwise(cells) if "## Predict" in above.source]
    found = found or [text for text in after if not text.startswith((CRITERION, "## "))]
    return "".join(found).replace(WRITE, "").strip()


def _run(content, answers):
    """Run a notebook; return "run", or why it was not run to its end."""
    for cell in answers:
        cell.metadata |= {"tags": ["raises-exception"]}  # the others are run in any case
        cell.outputs = []  # those that are saved do not count
    folder = reproduced_folder() / "class"
    folder.mkdir(parents=True, exist_ok=True)
    if error := execute(content, folder, kernel_environment(folder / "figures")):
        last_line = re.sub(r"\x1b\[[\d;]*m", "", error).strip().split("\n")[-1]
        return f"not run to the end: {last_line}"
    return "run"
