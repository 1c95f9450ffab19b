"""The generated tables: scorecard and gallery in figures/README.md, and a block in other pages."""

import importlib
import inspect
import json
import pkgutil
import re
from pathlib import Path

import repro
from repro import experiments
from repro.core.files import alone_in, write_text
from repro.core.records import UserError, read_json
from repro.evidence.cards import with_todays_verdicts
from repro.evidence.course import LESSONS
from repro.evidence.scorecard import papers_in_short, table_of_claims, totals
from repro.notebook.runner import find_notebooks

# How many numbered equations each paper has; a test asks that every one be found in the code.
EQUATIONS = {"MRE": 7, "BRE": 7, "KIE": 12, "t-ETE": 13}

EQUATION = re.compile(r"(MRE|BRE|KIE|t-ETE) Eqs?\. ([^.]*)")
NUMBER = re.compile(r"\((\d+)\)(?:–\((\d+)\))?")

HOW_TO_READ = (
    "Where a paper leaves a choice open, each possible choice is a *reading*; ours is the primary "
    "one. A claim **holds** if it is met in at least four fifths of the runs of the primary "
    "reading, in at least four fifths on average over the other readings, and in more than a fifth "
    "of the runs of each single other reading. It **fails** if it is met in at most a fifth of the "
    "runs, both of the primary reading and on average over the others; one other reading may still "
    "meet it. Otherwise it **depends**, and the table says on what. In brackets: the share of runs "
    "in which it is met; of a claim that something *can* happen, which one run shows, it is all or "
    "none. *Measured* is what decides: the median over the runs of the primary reading, the bound, "
    "and what chance would give. *Carries over*: on how many data sets that the paper did not "
    "mean. Identities, which are mathematics, and costs, which rest on a clock or a count, are "
    "counted apart. A criterion that was changed after numbers were seen is marked, with the old "
    "one. The title of a notebook has [Re], reproduced, if more than half of the paper's empirical "
    "claims in it are met in at least half of the runs of the primary reading, else [¬Re]. Two "
    "have identities and costs only: t-ETE Fig. 2, where all hold, and BRE Secs. 2–3, where two "
    "identities that the paper states are false. Where the paper claims nothing, BRE Sec. 5, there "
    "is no mark. [How the runs are made](sweeps/README.md)."
)

CARRIES_OVER = (
    "Each claim on the paper's data and on data of the same kind that the paper does not use, "
    "chosen before any run on them. The effect of a run says how far its measure is on the way "
    "from chance (0) to the bound (1); the median run of each set is drawn, for the criterion "
    "that is least far and has a chance level. Green: at least four fifths of the runs meet the "
    "whole claim. Beside the claim, on how many of the other sets that is so."
)

# Pages written by hand, with generated blocks.
PAGES = "README.md", "notebooks/README.md", "repro/README.md"


def equation_functions():
    """Find the functions whose docstring's first line names an equation.

    Returns a dict of (paper, number) to a list of dotted names, as ``repro.mre.sne.sne_loss``.
    """
    found = {}
    for module in _modules_of_papers():
        for name, member in vars(module).items():
            if inspect.isfunction(member) and member.__module__ == module.__name__:
                first_line = (member.__doc__ or "").strip().split("\n")[0]
                for paper, numbers in EQUATION.findall(first_line):
                    for number in _expand(numbers):
                        found.setdefault((paper, number), []).append(f"{module.__name__}.{name}")
    return found


def _modules_of_papers():
    """Yield the modules of each paper's room."""
    for room in (repro.mre, repro.bre, repro.tete, repro.kie):
        for info in pkgutil.iter_modules(room.__path__, f"{room.__name__}."):
            yield importlib.import_module(info.name)


def _expand(text):
    """Yield the numbers of "(3)–(5), (7)"."""
    for first, last in NUMBER.findall(text):
        yield from range(int(first), int(last or first) + 1)


def equation_table():
    """Render the table "equation → function" as Markdown."""
    found = equation_functions()
    lines = ["| equation | where |", "|---|---|"]
    for paper, number in sorted(found):
        names = ", ".join(f"`{name}`" for name in found[paper, number] if "._" not in name)
        lines.append(f"| {paper} ({number}) | {names} |")
    return "\n".join(lines)


def load_timings(figures):
    """Read the run times, in seconds, by notebook; empty if none were recorded."""
    path = Path(figures) / "timings.json"
    return read_json(path, {str: int | float}) if path.exists() else {}


def record_timings(figures, seconds):
    """Put run times, by notebook, among those recorded."""
    with alone_in(figures):  # two runs that end together keep the times of both
        times = load_timings(figures) | seconds
        text = json.dumps(times, indent=1, sort_keys=True) + "\n"
        write_text(Path(figures) / "timings.json", text)


def teaching_table(notebooks, timings):
    """Render one row per notebook, in the order of the lessons: what it shows, and what to ask."""
    titles = {notebook.stem: notebook.title for notebook in notebooks}
    lines = ["| notebook | shows | time | needs | to ask |", "|---|---|---|---|---|"]
    for stem in (stem for stem in LESSONS if stem in titles):
        needs, *questions = LESSONS[stem]
        time = f"{timings[stem]:.0f} s" if stem in timings else "–"
        lines.append(
            f"| [{stem}]({stem}.ipynb) | {titles[stem]} | {time} | {needs} "
            f"| {'<br>'.join(questions)} |"
        )
    return "\n".join(lines)


def figures_readme(judged, timings):
    """Render figures/README.md."""
    gallery = "\n\n".join(
        f"### {of.paper} {of.item}\n\n![{of.name}]({of.name}.png)"
        for of in {of.name: of for of in judged}.values()
    )
    return (
        "# Scorecard and gallery\n\nGenerated by `repro report`; do not edit.\n\n"
        f"{totals(judged)}\n\n{HOW_TO_READ}\n\n{table_of_claims(judged, timings, link='../')}\n\n"
        "## All runs\n\nEvery run of every claim, a full square where it holds: first the primary "
        "reading, then the others, combinations, and data elsewhere.\n\n"
        f"![all runs](sweeps/strip.png)\n\n## Does it carry over?\n\n{CARRIES_OVER}\n\n"
        f"![effects elsewhere](sweeps/elsewhere.png)\n\n## Gallery\n\n{gallery}\n"
    )


def fill(text, block, content):
    """Replace what stands between the markers of a block of a page; without them, nothing."""
    begin, end = f"<!-- {block}: generated -->", f"<!-- /{block} -->"
    if begin not in text or end not in text:
        return text
    head, rest = text.split(begin, 1)
    return f"{head}{begin}\n{content}\n{end}{rest.split(end, 1)[1]}"


def write_reports(root, judged):
    """Render every generated file of a project: what should stand in it, by its path.

    Raises
    ------
    UserError
        If nothing was swept, or no page has the markers of a block.
    """
    if not judged:
        raise UserError(f"there are no runs in {root / 'figures' / 'sweeps'}: repro sweep all")
    timings, notebooks = load_timings(root / "figures"), find_notebooks(root / "notebooks")
    blocks = {
        "scorecard": f"{totals(judged)}\n\n{papers_in_short(judged)}",
        "lessons": teaching_table(notebooks, timings),
        "equations": equation_table(),
    }
    paths = [root / page for page in PAGES if (root / page).exists()]
    written = {path: path.read_text(encoding="utf-8") for path in paths}
    for block, content in blocks.items():
        if not any(f"<!-- {block}: generated -->" in text for text in written.values()):
            raise UserError(f"no page has the marker <!-- {block}: generated -->")
        written = {path: fill(text, block, content) for path, text in written.items()}
    lessons = {
        notebook.path: with_todays_verdicts(notebook.path)
        for notebook in notebooks
        if notebook.stem in experiments.names()
        and (root / "figures" / f"{notebook.stem}.json").exists()
    }
    return written | lessons | {root / "figures" / "README.md": figures_readme(judged, timings)}
