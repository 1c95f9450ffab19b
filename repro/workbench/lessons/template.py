"""Writing a new experiment from the skeletons of a module and a notebook, which run."""

import re
from importlib.resources import files

from repro.core.errors import UserError
from repro.core.files import write_text
from repro.workbench.lessons.files import Notebook, notebook_files

NAME = re.compile(r"([a-z][a-z0-9]*)_(fig|sec)([0-9]+)_[a-z][a-z0-9_]*")
# Spelling of the papers' names; other names are written in capitals.
PAPERS = {"mre": "MRE", "bre": "BRE", "kie": "KIE", "tete": "t-ETE"}
SKELETON = files("repro.workbench.lessons") / "skeleton"
STEPS = """\
It runs as it is. The remaining steps, in this order:
1. Write what the paper says, what you took and what else is tried into Choices, run, measure and
   CLAIMS of repro/experiments/{stem}.py; set ORDER, which orders the runs.
2. repro freeze {stem} --why first      fixes what is asked, and the seeds of the runs
   repro sweep {stem}                  makes the runs on which the verdicts rest
   repro sweep {stem} --last-digits    finds what counts as rounding
   repro sweep {stem} --check          keeps an embedding of each setting for the site
3. Write the lesson, notebooks/{stem}.ipynb, and what checks its exercises,
   repro/workbench/lessons/checks/{stem}.py.
   Its metadata hold its number in the course, its data, and questions for a class.
4. repro run {stem} --write --record
5. Write what is wrong, left open or new in the paper into ERRATA.md, and run repro report.
6. pytest -n auto --dist loadfile, and commit all that is new.
.github/CONTRIBUTING.md says more."""


def write_new(stem, root):
    """Write the module, the notebook and its checks of a new experiment, and return their paths.

    Its name, such as ``kie_fig7_faces``, has the paper, ``fig`` or ``sec`` with a number, and a
    word; raises UserError if it does not, or is taken. ``root`` is the project's folder.
    """
    name = NAME.fullmatch(stem)
    if not name:
        raise UserError(
            f"{stem!r} is not a valid notebook name: write it as <paper>_fig<number>_<slug> or "
            "<paper>_sec<number>_<slug>, in lower case letters, digits and underscores, "
            "such as kie_fig7_faces"
        )
    short, kind, number = name.groups()
    blanks = {
        "«stem»": stem,
        "«paper»": PAPERS.get(short, short.upper()),
        "«item»": f"{kind.capitalize()}. {int(number)}",
        "«claim»": f"{short}-{int(number)}",
    }
    skeletons = {
        root / "repro" / "experiments" / f"{stem}.py": "experiment.py.in",
        root / "notebooks" / f"{stem}.ipynb": "notebook.ipynb.in",
        root / "repro" / "workbench" / "lessons" / "checks" / f"{stem}.py": "checks.py.in",
    }
    for path in skeletons:
        if not path.parent.is_dir():
            raise UserError(f"no folder {path.parent}: run this in the project's folder")
        if path.exists():
            raise UserError(f"{path.name} already exists; it was left unchanged")
    lessons = [Notebook.read(file) for file in notebook_files(root / "notebooks")[0]]
    numbers = [lesson.number for lesson in lessons if lesson.lesson]
    blanks['"«number»"'] = str(max(numbers, default=0) + 1)  # the last of the course
    for path, skeleton in skeletons.items():
        text = (SKELETON / skeleton).read_text(encoding="utf-8")
        for blank, words in blanks.items():
            text = text.replace(blank, words)
        write_text(path, text)
    return list(skeletons)


def steps_left(stem):
    """Return instructions for the steps after `write_new`, in order."""
    return STEPS.format(stem=stem)
