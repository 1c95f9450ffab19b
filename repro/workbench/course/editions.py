"""The editions of a lesson: for students, for teachers, and a handout to print."""

import re
from copy import deepcopy

from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from repro.core.errors import UserError
from repro.workbench.lessons.exercises import SOLUTION

MADE_OF = "lesson for students"  # in the metadata of a notebook
CRITERION = "**Your criterion.**"
SCEPTIC = "## For the sceptic"
WRITE = "*Your prediction, before you go on: double-click here, write, and press Shift+Enter.*"
TARGET = "**The target**{}:\n![the figure](attachment:target.png)"
ROOM = '<div class="room"></div>'  # to write on paper
PAGE = '<div class="page"></div>\n\n'  # what follows begins on a new page
LINK_AWAY = re.compile(r"(?<!!)\[((?:[^][]|\[[^]]*\])*)\]\((?!\w+:|#|glossary\.md)[^)\s]+\)")
DATA = 'import os\n\nif os.path.isdir("data"):\n    os.environ.setdefault("REPRO_DATA_DIR", "data")'


def quiz_of(notes, when):
    """Return the quiz in notes for teachers, at the "start" or the "end" of a class, or ""."""
    quiz = re.search(rf"^## Quiz at the {when}\n(.*?)(?=^## |\Z)", notes, re.M | re.S)
    return quiz[1].strip() if quiz else ""


def student_edition(lesson, stem, printed=False, notes=""):
    """Make the student edition of a lesson: no solutions, and no output but the target figure.

    If ``printed``, it has the figures before *Predict* and room to write, a page of its own for
    what follows and for the sceptic, omits cells that only draw, and begins and ends with the
    quizzes of the ``notes`` for teachers. The package's own checks, which name what comes out, are
    left out.
    """
    cells = []
    for cell in _without_solutions(lesson, stem):
        if cell.cell_type == "markdown":
            question, mark, rest = cell.source.partition(CRITERION)
            cells += [new_markdown_cell(question.strip(), id=cell.id)] if question else []
            if re.search("^## Predict$", question, re.M):
                cells.append(new_markdown_cell(ROOM if printed else WRITE, id="your-prediction"))
            room = f"\n\n{ROOM}" if printed else ""
            cells += [new_markdown_cell(mark + rest + room, id="your-criterion")] if mark else []
            continue
        if "met_here(" in cell.source:
            continue
        early = printed and all(made.id != "your-prediction" for made in cells)
        pictures = [of.data.get("image/png") for of in cell.outputs if "data" in of]
        source = cell.source.removeprefix("# NBVAL_CHECK_OUTPUT\n")
        cell.update(source=source, outputs=cell.outputs if early else [], execution_count=None)
        draws = "hide-input" in cell.metadata.get("tags", [])
        if printed and re.match(r"answer_\d = ", source):
            cells.append(new_markdown_cell(ROOM, id=cell.id))
        elif cell.outputs or not (printed and draws):
            cell.metadata |= {"transient": {"remove_source": True}} if printed and draws else {}
            cells.append(cell)
        if re.search(rf'save_figure\(\w+, "{stem}"', source) and any(pictures):
            data = ", on the real data" if lesson.metadata.repro.datasets else ""
            cells.append(new_markdown_cell(TARGET.format(data), id="the-target"))
            cells[-1].attachments = {"target.png": {"image/png": pictures[-1].strip()}}
    if printed:  # what follows *Predict* tells what comes out
        predicted = [cell.id for cell in cells].index("your-prediction")
        after = next(cell for cell in cells[predicted:] if cell.source.startswith("## "))
        after.source = PAGE + after.source
    ask = "".join(f"\n- {question}" for question in lesson.metadata.repro.lesson["ask"])
    discuss = new_markdown_cell(f"## To discuss\n{ask}", id="to-discuss")
    last = next((k for k, cell in enumerate(cells) if cell.source == SCEPTIC), len(cells))
    cells.insert(last, discuss)
    if printed and cells[-1] is not discuss:
        cells[last + 1].source = PAGE + SCEPTIC
    for when, place in (("end", len(cells)), ("start", 1)):
        if printed and (quiz := quiz_of(notes, when)):
            text = f"{PAGE if when == 'end' else ''}## Quiz at the {when}\n\n{quiz}"
            cells.insert(place, new_markdown_cell(text, id=f"quiz-{when}"))
    hidden = {"jupyter": {"source_hidden": True}}
    cells[1:1] = [] if printed else [new_code_cell(DATA, id="find-data", metadata=hidden)]
    return new_notebook(cells=cells, metadata=lesson.metadata | {"repro": {MADE_OF: stem}})


def teacher_edition(lesson, stem):
    """Make the teacher edition of a lesson: each solution is in the place of its answer."""
    found = SOLUTION.findall("\n".join(cell.source for cell in lesson.cells))
    opened = {f"answer_{number} = ...\n": [code, words] for number, code, words in found}
    cells = []
    for cell in _without_solutions(lesson, stem):
        cells.append(cell)
        for dots in filter(cell.source.startswith, opened):
            code, words = opened[dots]
            source = f"{code}\n{cell.source.removeprefix(dots)}"
            cell.update(source=source, outputs=[], execution_count=None)
            cells.append(new_markdown_cell(words, id=f"solution-{len(cells)}"))
    return new_notebook(cells=cells, metadata=lesson.metadata)


def _without_solutions(lesson, stem):
    texts = [cell.source for cell in lesson.cells]
    asked = {k for text in texts for k in re.findall(r"^answer_(\d+) *= *\.\.\.", text, re.M)}
    found = {k for text in texts for k, *_ in SOLUTION.findall(text)}
    if lost := ", ".join(sorted(asked - found)):  # students would see them
        raise UserError(f"{stem}: there is no folded solution of answer {lost} in the usual form")
    for cell in deepcopy(lesson.cells):
        if cell.cell_type == "markdown":
            text = SOLUTION.sub("", cell.source).strip().removesuffix("## Solutions")
            cell.source = LINK_AWAY.sub(r"\1", text)
        if cell.source:
            yield cell
