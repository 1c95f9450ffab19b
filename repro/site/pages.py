"""The pages of the site, as Markdown.

To add a page, write a function that takes a `Project` and returns its Markdown, and name it in
`PAGES`; the menu shows it by its heading. A page of several goes into a folder: its ``index`` names
the others in a ``toctree``, and a function of `FOLDERS` writes them.
"""

import html
import json
import pkgutil
import re
from importlib import import_module
from inspect import ismodule

import repro
from repro.evidence import report
from repro.evidence.scorecard import table_of_claims, totals
from repro.site import claims, explorer
from repro.site.markdown import menu, page
from repro.site.project import opening, relinked, section

# In the order of a reader.
ROOMS = "mre bre tete kie datasets measures plots core kernels claims experiments notebook evidence"


def pills(claims):
    """Write a coloured mark for each claim: it tells what the paper says and leads to the page.

    Where a claim does not hold, the mark says so in a word, too.
    """
    marks = []
    for of in claims:
        verdict, says = of.verdict.word, html.escape(of.claim.says)
        claim = html.escape(of.claim.id)
        words = claim if verdict == "holds" else f"{claim} {verdict}"
        link = f'href="claims/{claim}.html" title="{verdict}: {says}"'
        marks.append(f'<a class="verdict {verdict}" {link}>{words}</a>')
    return " ".join(marks)


def coloured(scorecard):
    """Colour the verdicts of a scorecard in Markdown."""
    mark = r'| <span class="verdict \1">\1</span> '
    return re.sub(r"\| \*\*(holds|depends|fails)\*\* ", mark, scorecard)


def start_page(project):
    """Write the start page: what the project is, the figures, the scorecard."""
    table = table_of_claims(project.judged, project.timings)
    return page(
        "repro",
        opening(project.readme),
        "## Figures and verdicts",
        totals(project.judged)
        + " A figure leads to its notebook; a mark tells its claim when pointed at.",
        '<div class="gallery">',
        *(_card(project, notebook) for notebook in project.notebooks),
        "</div>",
        "## Two commands",
        section(project.readme, "Two commands"),
        "## Scorecard",
        section(project.readme, "Scorecard").split("<!--")[0].strip(),
        '<div class="scorecard">',
        coloured(relinked(table, project.root)),
        "</div>",
        menu([name for name in PAGES if name != "index"]),
    )


def _card(project, notebook):
    """Write the card of a notebook: figure, title, verdicts, and the map if there is one."""
    stem, title = notebook.stem, project.title(notebook.stem)
    link = f"notebooks/{stem}.ipynb"
    figure = ""
    if (project.root / "figures" / f"{stem}.png").exists():
        figure = f"[![{title}](figures/{stem}.png)]({link})"
    map_link = f" · [interactive map](maps/{stem}.md)" if stem in project.points else ""
    lines = [
        '<div class="experiment">',
        figure,
        f"[{title}]({link}){map_link}",
        f"<p>{pills(project.claims(stem))}</p>",
        "</div>",
    ]
    return "\n\n".join(line for line in lines if line)


def slider(names, first, size, picture):
    """Write a slider over the states of a knob, which stand one below the other in a picture.

    ``names``, ``first`` and ``size`` as `repro.notebook.knobs.read_states` returns them;
    ``picture`` is an address.
    """
    width, height = size
    listed = html.escape(json.dumps(names))
    return (
        f'<div class="knob" data-names="{listed}"><label><input type="range" min="0" '
        f'max="{len(names) - 1}" value="{first}"> <output>{html.escape(names[first])}</output>'
        f'</label><div role="img" style="width: {width}px; aspect-ratio: {width} / {height}; '
        f'background-image: url({picture}); background-size: 100% {100 * len(names)}%"></div></div>'
    )


def notebooks_page(project):
    """Write the list of the notebooks, by paper."""
    papers = {}
    for notebook in project.notebooks:
        entry = f"{project.title(notebook.stem)} <{notebook.stem}.ipynb>"
        papers.setdefault(notebook.paper, []).append(entry)
    return page(
        "Notebooks",
        "As committed, with the outputs of their last run; building this site runs none.",
        *(menu(entries, paper, hidden=False) for paper, entries in papers.items()),
    )


def maps_page(project):
    """Write the list of the interactive maps."""
    entries = [f"{project.title(stem)} <{stem}>" for stem in project.points]
    return page(
        "Maps",
        "Hover over a point to see what it is; it is marked in the other map of the page, too.",
        menu(entries, hidden=False),
    )


def evidence_page(project):
    """Write the figures of the notebooks that were swept."""
    figure = "![all runs](figures/sweeps/{}.png)"
    parts = [
        "What became of each claim in many runs, over seeds and over readings of the paper: a row "
        "per reading, a panel per claim, a dot per run, dashed the bound of what fewest runs meet. "
        "The primary reading stands on grey; a reading on yellow turns the verdict.",
        "(sweep-strip)=",
        "## All runs",
        "A square per run: first the primary reading, then, after a gap each, the others. Full and "
        "green where the claim holds whole.",
        figure.format("strip"),
        "## Does it carry over?",
        report.CARRIES_OVER,
        figure.format("elsewhere"),
    ]
    for notebook in project.notebooks:
        stem = notebook.stem
        if (project.root / "figures" / "sweeps" / f"{stem}.png").exists():
            link = f"[The notebook](notebooks/{stem}.ipynb)."
            parts += [f"(sweep-{stem})=", f"## {project.title(stem)}", link, figure.format(stem)]
    return page("Evidence", *parts)


def errata_page(project):
    """Write ERRATA.md as a page."""
    text = (project.root / "ERRATA.md").read_text(encoding="utf-8")
    return page("Errata", relinked(text.split("\n", 1)[1], project.root).strip())


def equations_page(project):
    """Write the equation index; each function is linked to its entry."""
    table = re.sub(r"`(repro\.[\w.]+)`", r"{py:func}`\1`", report.equation_table())
    return page("Equations", "Where each numbered equation of the papers is computed.", table)


def teaching_page(project):
    """Write the guide for teaching, a section of notebooks/README.md."""
    guide = section(project.readme, "Teach with these notebooks")
    return page(
        "Teach",
        guide.replace("<!-- lessons: generated -->", '<div class="lessons">\n').replace(
            "<!-- /lessons -->", "\n</div>"
        ),
    )


def glossary_page(project):
    """Return notebooks/glossary.md, to which the notebooks link."""
    return (project.root / "notebooks" / "glossary.md").read_text(encoding="utf-8")


def use_page(project):
    """Write how to use the library, a section of repro/README.md."""
    return page("Use", section(project.readme, "Use it on your own data"))


def contributing_page(project):
    """Write CONTRIBUTING.md as a page."""
    text = (project.root / ".github" / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return page("Contribute", relinked(text.split("\n", 1)[1], project.root, ".github").strip())


def api_page(project):
    """Write the reference's first page: the public names, and the modules by room."""
    public = {name: getattr(repro, name) for name in sorted(repro.__all__, key=str.lower)}
    listed = "\n   ".join(
        f"~{of.__module__}.{name}" for name, of in public.items() if not ismodule(of)
    )
    groups = [menu(entries, caption, hidden=False) for caption, entries in _groups().items()]
    return page(
        "API",
        "## Public names",
        "All can be imported from `repro` itself, the data sets from `repro.datasets`.",
        f"```{{eval-rst}}\n.. autosummary::\n   :nosignatures:\n\n   {listed}\n```",
        "## Modules",
        *groups,
    )


def _groups():
    """Return the modules of each room, by what the room is for; the data sets are one module."""
    groups = {}
    for room in [import_module(f"repro.{name}") for name in ROOMS.split()]:
        names = [info.name for info in pkgutil.iter_modules(room.__path__, f"{room.__name__}.")]
        caption = room.__doc__.split("\n")[0].rstrip(".")
        groups[caption] = [room.__name__] if room is repro.datasets else names
    return groups


def module_pages(project):
    """Write a page for each public module, by the name of the page."""
    pages = {}
    for name in (name for names in _groups().values() for name in names):
        # The data sets are collected from their modules; others show what they define themselves.
        other = ":imported-members:" if name == "repro.datasets" else ":ignore-module-all:"
        doc = f"```{{eval-rst}}\n.. automodule:: {name}\n   :members:\n   {other}\n```"
        pages[f"api/{name}"] = page(f"`{name}`", doc)
    return pages


def map_pages(project):
    """Write a page for each notebook with points, by the name of the page."""
    return {
        f"maps/{stem}": explorer.explorer_page(project.title(stem), points, project.own_copy)
        for stem, points in project.points.items()
    }


PAGES = {
    "index": start_page,
    "notebooks/index": notebooks_page,
    "notebooks/glossary": glossary_page,
    "maps/index": maps_page,
    "claims": claims.claims_page,
    "evidence": evidence_page,
    "errata": errata_page,
    "equations": equations_page,
    "teaching": teaching_page,
    "use": use_page,
    "api/index": api_page,
    "contributing": contributing_page,
}
FOLDERS = (module_pages, map_pages, claims.claim_pages)
