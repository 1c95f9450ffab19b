"""Collecting what a class wrote: predictions, criteria and answers, a row per notebook."""

import re

import nbformat
import pandas as pd

from repro.core.folders import reproduced_folder
from repro.core.records import UserError
from repro.course.editions import MADE_OF, WRITE
from repro.notebook.runner import execute, kernel_environment

# Entries of the table, by the output of an answer's cell.
SAID = {"Hint:": "wrong", "Right.": "right", "error": "fails", "Not answered": ""}
FORMULA = r"^(?=[=+@-](?![\d.]+$))"  # text that a spreadsheet would evaluate


def gather(folder, run=False, watch=iter):
    """Return a table of what a class wrote, and the reasons for skipping notebooks, by path.

    With ``run``, the notebooks are run first, which executes the code of others. ``watch`` wraps
    the iteration over the paths, to show progress.
    """
    rows, broken = [], {}
    for path in watch(sorted(folder.rglob("[!.]*.ipynb"))):
        name = path.relative_to(folder).as_posix()
        try:
            rows += [] if ".ipynb_checkpoints" in name else [{"file": name} | _row(path, run)]
        except UserError as why:
            broken[name] = str(why)
    if not (rows or broken):
        raise UserError(f"no notebooks in {folder}")
    return pd.DataFrame(rows).fillna("").replace(FORMULA, "'", regex=True), broken


def _row(path, run):
    try:
        content = nbformat.read(path, as_version=4)
        nbformat.validate(content)
        stem = content.metadata["repro"][MADE_OF]
    except KeyError:
        raise UserError("no notebook of a student edition") from None
    except Exception as damaged:  # its type depends on what is wrong with the file
        raise UserError(f"damaged: {damaged}".split("\n")[0]) from None
    code = [cell for cell in content.cells if cell.cell_type == "code"]
    asked = {k: c for c in code for k in re.findall(r"^check\(answer_(\d),", c.source, re.M)}
    if run:
        _run(content, asked.values())
    predicted = [cell.source for cell in content.cells if cell.get("id") == "your-prediction"]
    criteria = (re.search(r"^my_criterion = ([^#\n]*)", cell.source, re.M) for cell in code)
    row = {"lesson": stem, "prediction": "".join(predicted).replace(WRITE, "").strip()}
    row["criterion"] = "".join(found[1] for found in criteria if found).strip().replace("...", "")
    row["answers are"] = "run" if run else "as saved"
    for k, cell in asked.items():
        answer = re.sub(r"\s*^check\(.*", "", cell.source, flags=re.M)
        row[f"answer {k}"] = re.sub(rf"\Aanswer_{k} = (\.\.\.)?", "", answer)
        text = "".join(output.get("text", output.output_type) for output in cell.outputs)
        row[f"answer {k} is"] = next((SAID[of] for of in SAID if of in text), "not run")
    return row


def _run(content, answers):
    for cell in answers:
        cell.metadata |= {"tags": ["raises-exception"]}  # the others are run in any case
    folder = reproduced_folder() / "class"
    folder.mkdir(parents=True, exist_ok=True)
    if error := execute(None, content, folder, kernel_environment(folder / "figures")):
        said = re.sub(r"\x1b\[[\d;]*m", "", error).strip().split("\n")[-1]
        raise UserError(f"does not run: {said}")
