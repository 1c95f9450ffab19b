"""The generated tables: scorecard and gallery in figures/README.md, and four in README.md."""

import importlib
import inspect
import json
import pkgutil
import re
from pathlib import Path

import repro
from repro.core.files import alone_in, write_text
from repro.core.records import UserError, read_json, read_record
from repro.evidence import sweeps
from repro.evidence.course import LESSONS
from repro.notebook.runner import find_notebooks

# How many numbered equations each paper has; a test asks that every one be found in the code.
EQUATIONS = {"MRE": 7, "BRE": 7, "KIE": 12, "t-ETE": 13}

EQUATION = re.compile(r"(MRE|BRE|KIE|t-ETE) Eqs?\. ([^.]*)")
NUMBER = re.compile(r"\((\d+)\)(?:–\((\d+)\))?")


def equation_functions():
    """Find the functions whose docstring's first line names an equation.

    Returns
    -------
    found : dict of (paper, number) to list of str
        Dotted names, as ``repro.mre.sne.sne_loss``.
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


def load_records(figures):
    """Read the records of all notebooks, by name, from ``figures/<stem>.json``.

    A claim is fragile, too, if the longer run in ``figures/recorded`` says so or finds otherwise.
    Where ``figures/sweeps`` holds runs over seeds and readings, these decide how firm it is, and
    the claim gets them as ``evidence``: a row of `repro.evidence.sweeps.firmness`.
    """
    records = []
    for path in sorted(Path(figures).glob("*.json")):
        if path.name == "timings.json":
            continue
        record, longer = read_record(path), path.parent / "recorded" / path.name
        others = read_record(longer)["claims"] if longer.exists() else []
        found = {claim["id"]: claim for claim in others}
        for claim in record["claims"]:
            other = found.get(claim["id"], claim)
            if other["firmness"] == "fragile" or other["verdict"] != claim["verdict"]:
                claim["firmness"] = "fragile"
        if sweeps.path_of(figures, path.stem).exists():
            _add_evidence(record, sweeps.evidence_of(figures, path.stem))
        records.append(record)
    return [record for record in records if record["data"] == "real"]


def _add_evidence(record, table):
    of_claims = sweeps.firmness(table)
    for claim in record["claims"]:
        if claim["id"] in of_claims.index:
            claim["evidence"] = of = of_claims.loc[claim["id"]].to_dict()
            under = f"under {of['agree']} of {of['readings']} readings"
            claim["firmness"] = f"{of['word']}: in {of['share']:.0%} of {of['runs']} runs, {under}"


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


def scorecard(records, timings, link=""):
    """Render one row per claim as Markdown, ``link`` before the path of a notebook."""
    lines = [
        "| claim | the paper says | measured: median [range] over seeds | verdict | firmness |",
        "|---|---|---|---|---|",
    ]
    for record in records:
        seconds = timings.get(record["notebook"])
        time = f", {seconds:.0f} s" if seconds else ""
        notebook = f"[{record['notebook']}]({link}notebooks/{record['notebook']}.ipynb)"
        count, swept = len(record["seeds"]), any("evidence" in c for c in record["claims"])
        seeds = "1 seed" if count == 1 else f"{count} seeds"
        curves = f"[all runs]({link}figures/sweeps/{record['notebook']}.png)" if swept else ""
        lines.append(
            f"| **{record['paper']} {record['item']}** | {notebook} ({seeds}{time}) "
            f"| | | {curves} |"
        )
        for claim in record["claims"]:
            measured = "<br>".join(_measured(part) for part in claim["parts"])
            # A bar, as in |Spearman|, would end the cell.
            says, measured = (text.replace("|", "\\|") for text in (claim["says"], measured))
            lines.append(
                f"| {claim['id']} | {says} | {measured} "
                f"| **{claim['verdict']}** | {claim['firmness']} |"
            )
    return "\n".join(lines)


def _measured(part):
    low, high = part["range"]
    spread = "" if len(part["values"]) == 1 else f" [{_number(low)}, {_number(high)}]"
    beside = "".join(f"; {name} {_number(value)}" for name, value in part["beside"].items())
    mark = "" if part["met"] else " ✗"
    value = _number(part["median"])
    clock = ", by the clock" if part.get("timed") else ""
    return f"{part['quantity']}: {value}{spread} ({part['criterion']}{clock}{beside}){mark}"


def _number(value):
    return "–" if value is None else f"{value:.3g}"


def totals(records):
    """Summarise in a sentence how many claims hold."""
    verdicts = [claim["verdict"] for record in records for claim in record["claims"]]
    counts = ", ".join(f"{verdicts.count(v)} {v}" for v in ("holds", "partly", "fails"))
    notebooks = "one notebook" if len(records) == 1 else f"{len(records)} notebooks"
    return f"{len(verdicts)} claims in {notebooks}: {counts}."


def errata_list(records):
    """Render the errata of all papers as a Markdown list."""
    return "\n".join(
        f"- **{record['paper']}** ({record['item']}): {text}"
        for record in records
        for text in record["errata"]
    )


def teaching_table(notebooks, timings):
    """Render one row per notebook, in the order of the lessons: what it shows, and what to ask."""
    titles = {notebook.stem: notebook.title for notebook in notebooks}
    lines = ["| notebook | shows | time | needs | to ask |", "|---|---|---|---|---|"]
    for stem in (stem for stem in LESSONS if stem in titles):
        needs, *questions = LESSONS[stem]
        time = f"{timings[stem]:.0f} s" if stem in timings else "–"
        lines.append(
            f"| [{stem}](notebooks/{stem}.ipynb) | {titles[stem]} | {time} | {needs} "
            f"| {'<br>'.join(questions)} |"
        )
    return "\n".join(lines)


def figures_readme(records, timings):
    """Render figures/README.md."""
    gallery = "\n\n".join(
        f"### {r['paper']} {r['item']}\n\n![{r['notebook']}]({r['notebook']}.png)" for r in records
    )
    swept = any("evidence" in claim for record in records for claim in record["claims"])
    strip = (
        "## All runs\n\nEvery run of every claim, a full square where it holds: first the seeds "
        "of the primary reading, then those of each other one.\n\n"
        "![all runs](sweeps/strip.png)\n\n"
    )
    return (
        "# Scorecard and gallery\n\nGenerated by `repro report`; do not edit.\n\n"
        f"{totals(records)} ✗ marks a part whose median misses its criterion.\n\n"
        f"{scorecard(records, timings, link='../')}\n\n{strip if swept else ''}"
        f"## Gallery\n\n{gallery}\n"
    )


def fill(text, block, content):
    """Replace what stands between the markers of a block of README.md.

    Raises
    ------
    UserError
        If the markers are missing.
    """
    begin, end = f"<!-- {block}: generated -->", f"<!-- /{block} -->"
    if begin not in text or end not in text:
        raise UserError(f"README.md has no markers {begin} … {end}")
    head, rest = text.split(begin, 1)
    return f"{head}{begin}\n{content}\n{end}{rest.split(end, 1)[1]}"


def write_reports(root):
    """Render every generated file.

    Parameters
    ----------
    root : pathlib.Path
        The project's folder.

    Returns
    -------
    files : dict of pathlib.Path to str
        What should stand in them.

    Raises
    ------
    UserError
        If no claims are recorded, a record is damaged, or README.md lacks a marker.
    """
    records = load_records(root / "figures")
    if not records:
        raise UserError(f"no claims are recorded in {root / 'figures'}: repro run records them")
    timings = load_timings(root / "figures")
    readme = (root / "README.md").read_text(encoding="utf-8")
    readme = fill(readme, "scorecard", f"{totals(records)}\n\n{scorecard(records, timings)}")
    readme = fill(readme, "errata", errata_list(records))
    notebooks = find_notebooks(root / "notebooks")
    readme = fill(readme, "lessons", teaching_table(notebooks, timings))
    readme = fill(readme, "equations", equation_table())
    return {
        root / "README.md": readme,
        root / "figures" / "README.md": figures_readme(records, timings),
    }
