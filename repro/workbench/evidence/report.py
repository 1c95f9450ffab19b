"""The generated pages and blocks: scorecard, evidence, lessons, equations, versions of record."""

import inspect
import pkgutil
import re
from importlib import import_module

import repro
from repro import experiments
from repro.core.environment import PACKAGES
from repro.core.errors import UserError
from repro.workbench.evidence import scorecard
from repro.workbench.evidence.anchors import tables_of_anchors
from repro.workbench.evidence.changes import changes_in_short, table_of_changes
from repro.workbench.evidence.picture import draw_evidence, draw_legend, draw_papers
from repro.workbench.evidence.reproduction import load_record, table_of_rounding
from repro.workbench.evidence.scorecard import by_the_papers, grouped
from repro.workbench.evidence.second_reading import second_reading_in_short
from repro.workbench.formatting import as_printed
from repro.workbench.lessons.files import read_content
from repro.workbench.lessons.timings import load_timings
from repro.workbench.markdown import in_cell, table

EQUATION = re.compile(r"(MRE|BRE|KIE|t-ETE) Eqs?\. ([^.]*)")
NUMBER = re.compile(r"\((\d+)\)(?:–\((\d+)\))?")

# Pages written by hand, with generated blocks.
PAGES = (
    "README.md",
    *(f"figures/{page}.md" for page in ("README", "anchors", "rounding")),
    "figures/second_reading/README.md",
    "notebooks/README.md",
    "repro/README.md",
)


def equation_functions():
    """Find the functions whose docstring's first line names an equation.

    Returns lists of dotted names, such as ``repro.mre.sne.sne_loss``, by (paper, number).
    """
    found = {}
    rooms = repro.mre, repro.bre, repro.tete, repro.kie
    for module in (import_module(name) for room in rooms for name in modules_of(room)):
        for name, member in vars(module).items():
            if inspect.isfunction(member) and member.__module__ == module.__name__:
                first_line = (member.__doc__ or "").strip().split("\n")[0]
                for paper, numbers in EQUATION.findall(first_line):
                    for number in _expand(numbers):
                        found.setdefault((paper, number), []).append(f"{module.__name__}.{name}")
    return found


def modules_of(room):
    """List the names of the modules of a room."""
    modules = pkgutil.iter_modules(room.__path__, f"{room.__name__}.")
    return [module.name for module in modules if not module.ispkg]


def _expand(text):
    """Yield the numbers of "(3)–(5), (7)"."""
    for first, last in NUMBER.findall(text):
        yield from range(int(first), int(last or first) + 1)


def equation_table():
    """Render the table "equation → function" as Markdown."""
    found = equation_functions()
    rows = []
    for paper, number in sorted(found):
        names = ", ".join(f"`{name}`" for name in found[paper, number] if "._" not in name)
        rows.append((f"{paper} ({number})", names))
    return table(("equation", "where"), rows)


def teaching_table(notebooks, timings):
    """Render a row per lesson, in the order of the course: what it shows, and what to ask."""
    rows = []
    for nb in sorted((nb for nb in notebooks if nb.lesson), key=lambda nb: nb.number):
        time = f"{timings[nb.stem]:.0f} s" if nb.stem in timings else "–"
        questions = "<br>".join(map(in_cell, nb.lesson["ask"]))
        title, needs = in_cell(nb.title), in_cell(nb.needs)
        rows.append((f"[{nb.stem}]({nb.stem}.ipynb)", title, time, needs, questions))
    return table(("notebook", "shows", "time", "needs", "to ask"), rows)


def evidence_by_experiment(judged, notebooks):
    """Render a list of the experiments, then each one's conclusion, figure, evidence and claims."""
    lessons = {notebook.stem: notebook for notebook in notebooks}
    rows, parts = [], []
    for name, entries in grouped(judged, "name").items():
        first = entries[0]
        about = f"{first.paper} {first.item}"
        title = lessons[name].title if name in lessons else ""
        counts = scorecard.line_of(entries, causes=False)
        rows.append((f"[{about}](#{name})", in_cell(title), counts))
        parts += [
            f'<a id="{name}"></a>',
            f"### [{about}{title and f': {title}'}](../notebooks/{name}.ipynb)",
            conclusion_of(lessons[name]) if name in lessons else "",
            f"![the figure]({name}.png)",
            f"![its runs](sweeps/{name}.svg)",
            _lines_of(entries),
        ]
    overview = table(("experiment", "shows", "what became of the claims"), rows)
    return "\n\n".join([overview, *filter(None, parts)])


def conclusion_of(notebook):
    """Return the text of a lesson's section "Conclusion", with links from the folder figures."""
    cells = read_content(notebook.path).cells
    text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    _, _, rest = text.partition("\n## Conclusion\n")
    conclusion = re.split(r"^## ", rest, maxsplit=1, flags=re.M)[0].strip()
    return re.sub(r"\]\((?!\w+:|#)", "](../notebooks/", conclusion)


def _lines_of(entries):
    """Render the verdicts on claims, a line for each of the paper and one for our questions."""

    def told(entry):
        return f'<a id="{entry.claim.id}"></a>**{entry.claim.id}** {entry.verdict.words}'

    theirs = [entry for entry in entries if entry.claim.words]
    lines = [f"- {told(entry)}: “{as_printed(entry.claim.words)}”" for entry in theirs]
    ours = [told(entry) for entry in entries if not entry.claim.words]
    return "\n".join([*lines, *([f"- Asked by us: {'; '.join(ours)}"] if ours else [])])


def what_decides(judged):
    """Render how many verdicts on the papers' empirical claims each choice turns, as a table."""
    cells = [
        (choice, paper, str(len(ids)), ", ".join(f"[{id_}](#{id_})" for id_ in ids))
        for (choice, paper), ids in scorecard.turned_by_choice(judged).items()
    ]
    return table(("choice that the text leaves open", "paper", "verdicts", "claims"), cells)


def what_carries_over(judged):
    """Render which reproduced claims of the papers are met on most other sets of data."""
    reproduced = [e for e in by_the_papers(judged, "empirical") if e.verdict.tone == "good"]
    tried = [e for e in reproduced if e.verdict.other_data.of]
    groups = {
        "On most other sets": [e for e in tried if e.verdict.other_data.side > 0],
        "On half of them or fewer": [e for e in tried if e.verdict.other_data.side <= 0],
        "Nothing else was tried": [e for e in reproduced if not e.verdict.other_data.of],
    }
    return "\n".join(f"- {title}: {_ids(entries)}." for title, entries in groups.items() if entries)


def _ids(entries):
    return ", ".join(
        f"[{e.claim.id}](#{e.claim.id})"
        + (f" ({e.on_other_data})" if e.verdict.other_data.of else "")
        for e in entries
    )


def fill(text, block, content):
    """Replace the text between the markers of a block; a page without them is unchanged."""
    begin, end = f"<!-- {block}: generated -->", f"<!-- /{block} -->"
    if begin not in text or end not in text:
        return text
    head, rest = text.split(begin, 1)
    return f"{head}{begin}\n{content}\n{end}{rest.split(end, 1)[1]}"


def constraints(figures):
    """Pin the packages on which last digits depend to the versions of the records, for pip.

    A package whose versions differ between records is left out.
    """
    records = [load_record(figures, name) for name in experiments.names()]
    environments = [record["environment"] for record in records if record]
    lines = ["# The packages with which the runs of record were made: pip install -c this file."]
    for package in PACKAGES:
        versions = {environment.get(package, "none") for environment in environments}
        if len(versions) == 1 and versions != {"none"}:
            lines.append(f"{package}=={versions.pop()}")
    return {figures / "constraints.txt": "\n".join(lines) + "\n"} if environments else {}


def render_reports(root, judged, notebooks):
    """Render the pages of a project that have generated parts, tables and pictures: texts by path.

    ``judged`` lists the claims, ``notebooks`` those of `find_notebooks`. Raises UserError if there
    are no runs, or no page has the markers of a block.
    """
    figures = root / "figures"
    if not judged:
        raise UserError(f"there are no runs in {figures / 'sweeps'}: repro sweep all")
    timings = load_timings(figures)
    changes = table_of_changes(judged, figures)
    blocks = {
        "scorecard": f"{scorecard.totals(judged, figures)}\n\n{scorecard.papers_in_short(judged)}",
        "changes": changes_in_short(judged, changes, figures),
        "anchors": tables_of_anchors(figures, judged),
        "carries over": what_carries_over(judged),
        "decides": what_decides(judged),
        "evidence": evidence_by_experiment(judged, notebooks),
        "rounding": table_of_rounding(judged),
        "second reading": second_reading_in_short(judged, figures),
        "lessons": teaching_table(notebooks, timings),
        "equations": equation_table(),
    }
    paths = [root / page for page in PAGES if (root / page).exists()]
    written = {path: path.read_text(encoding="utf-8") for path in paths}
    for block, content in blocks.items():
        if not any(f"<!-- {block}: generated -->" in text for text in written.values()):
            raise UserError(f"no page has the marker <!-- {block}: generated -->")
        written = {path: fill(text, block, content) for path, text in written.items()}
    written[figures / "claims.csv"] = changes.to_csv(index=False, lineterminator="\n")
    for name, entries in grouped(judged, "name").items():
        written[figures / "sweeps" / f"{name}.svg"] = draw_evidence(entries)
    written[figures / "sweeps" / "legend.svg"] = draw_legend() + "\n"
    written[figures / "sweeps" / "papers.svg"] = draw_papers(judged)
    return written | constraints(figures)
