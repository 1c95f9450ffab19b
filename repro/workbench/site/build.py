"""Building the site: write sources to a temporary folder, and let Sphinx render them."""

import ast
import html
import io
import os
import re
import shutil
import tempfile
from importlib.util import find_spec
from pathlib import Path

import nbformat
from PIL import Image

from repro.core.errors import UserError
from repro.workbench.lessons.knobs import knob_in, knob_path, read_states
from repro.workbench.site import claims, pages
from repro.workbench.site.project import Project

HERE = Path(__file__).parent
MARKER = ".repro-site"  # marks a built site
# Lines of cells for the tests or the run, of no use to a reader.
PLUMBING = re.compile(r"^(# NBVAL\w+|record\(.*\)|my_criterion = .*)\n?", re.M)
SAVES = re.compile(r"^save_embeddings\(", re.M)
EXERCISE, DRAWING = re.compile(r"^check\(answer_\d+", re.M), re.compile(r"\b(plt|fig|axe?s?|key)\b")
FOLDED = "show_evidence(", "met_here(", "@interact(", "show_settings(", "versions()"
THUMB, WIDE = 320, 960  # pixels
LIVE_BEFORE = "## Three triplets"  # the section of "Six points by hand" that follows live SNE


def build_site(root, output):
    """Build the site of the project in ``root``, and return its start page.

    Files of an older site in ``output`` are replaced once the new one is built. Raises UserError if
    ``output`` holds something other than a site, the project is damaged, or Sphinx warns.
    """
    output = Path(output).absolute()
    if output.exists() and any(output.iterdir()) and not (output / MARKER).exists():
        raise UserError(f"{output} holds something other than a site, and is left unchanged")
    project = Project.read(root)
    with tempfile.TemporaryDirectory(prefix="repro-site-") as work:
        work = Path(work)
        write_sources(project, work / "source")
        run_sphinx(project, work)
        output.mkdir(parents=True, exist_ok=True)
        (output / MARKER).touch()  # first, so that a failed copy can be repeated
        shutil.copytree(work / "html", output, dirs_exist_ok=True)
    return output / "index.html"


def write_sources(project, folder):
    """Write the sources for Sphinx: pages, notebooks, figures, and scripts that the pages load."""
    for name, text in pages.render_pages(project).items():
        path = folder / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for made in ("notebooks", "scripts"):
        (folder / made).mkdir(exist_ok=True)
    for notebook in project.notebooks:
        content = nbformat.read(notebook.path, as_version=4)
        add_sliders(content, project.root / "figures", notebook.stem)
        content.cells = list(for_reading(content.cells))
        nbformat.write(content, folder / "notebooks" / notebook.path.name)
    for states in project.root.glob("figures/knobs/*.png"):
        shutil.copy(states, folder / "scripts" / f"knob_{states.name}")
    for pattern in ("figures/*.png", "figures/sweeps/*.png"):
        for figure in project.root.glob(pattern):
            copy = folder / figure.relative_to(project.root)
            copy.parent.mkdir(exist_ok=True)
            shutil.copy(figure, copy)
    for figure in project.root.glob("figures/*.png"):
        for name, width in (("thumb", THUMB), ("wide", WIDE)):
            smaller(figure, width, folder / "scripts" / f"{name}_{figure.stem}.webp")
    mathjax = Path(find_spec("sphinx-mathjax-offline").origin).parent
    shutil.copy(mathjax / "static" / "mathjax" / "tex-svg.js", folder / "scripts")
    for kept in project.root.glob("figures/sweeps/*.npz"):
        script = claims.embeddings_script(kept)
        (folder / "scripts" / f"{kept.stem}.js").write_text(script, encoding="utf-8")


def smaller(figure, width, path):
    """Write a picture as WebP, at most ``width`` pixels wide."""
    with Image.open(figure) as picture:
        picture = picture.convert("RGB")
        picture.thumbnail((width, 4 * width))
        picture.save(path, "webp", quality=75)


def for_reading(cells):
    """Yield the cells of a notebook as a page shows them: drawing code folded, plumbing removed.

    An exercise becomes its hint; each picture is named after the heading above it.
    """
    live = pages.templates().get_template("_live_sne.md").render()
    heading = ""
    for cell in cells:
        if cell.cell_type == "markdown":
            cell.source = cell.source.replace(LIVE_BEFORE, live + LIVE_BEFORE)
            headings = re.findall(r"^#+ (.+)$", cell.source, re.M)
            heading = headings[-1] if headings else heading
        elif EXERCISE.search(cell.source):
            hint = ast.literal_eval(ast.parse(cell.source).body[-1].value.args[2])
            folded = f"<details><summary>Hint</summary><p>{html.escape(hint)}</p></details>"
            cell = nbformat.v4.new_markdown_cell(folded)
        else:
            fold(cell)
            name_pictures(cell, heading)
        yield cell


def fold(cell):
    """Remove the plumbing from a code cell, and fold the cell if it mostly draws."""
    saves = SAVES.search(cell.source)
    cell.source = PLUMBING.sub("", cell.source).strip()
    lines = [line for line in cell.source.split("\n") if line]
    draws = 2 * sum(DRAWING.search(line) is not None for line in lines) > len(lines)
    tags = {*cell.metadata.get("tags", [])}
    if saves or not lines:
        tags = (tags - {"hide-input"}) | {"remove-input"}
    elif (draws and "def " not in cell.source) or any(call in cell.source for call in FOLDED):
        tags.add("hide-input")
    cell.metadata["tags"] = sorted(tags)


def name_pictures(cell, heading):
    """Give the pictures of a cell an alternative text."""
    about = [output.get("metadata", {}).get("image/png", {}) for output in cell.outputs]
    said = [of["alt"] for of in about if "alt" in of] or [f"a figure of the section “{heading}”"]
    cell.metadata["mystnb"] = {"image": {"alt": re.sub(r"[$\\*_]", "", said[0])}}


def add_sliders(content, figures, stem):
    """Show the states of a notebook's knobs, if drawn, below the cells that turn them."""
    slider = pages.templates().get_template("_knob.html")
    for cell in content.cells:
        knob = knob_in(cell.source) if cell.cell_type == "code" else None
        if knob and (states := knob_path(figures, stem, knob)).exists():
            names, first, (width, height) = read_states(states)
            shown = slider.render(
                knob=knob,
                names=names,
                first=first,
                width=width,
                height=height,
                picture=f"../_static/knob_{states.name}",
            )
            cell.outputs = [nbformat.v4.new_output("display_data", {"text/html": shown})]


def run_sphinx(project, work):
    """Render ``work/source`` to ``work/html``; raise `UserError` if there is a warning."""
    from sphinx.application import Sphinx
    from sphinx.errors import SphinxError
    from sphinx.util.console import strip_escape_sequences
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    said = io.StringIO()
    settings = {
        "html_static_path": ["static", str(work / "source" / "scripts")],
        "html_context.about": about_notebooks(project),
    }
    source, pages_to = str(work / "source"), str(work / "html")
    try:
        with patch_docutils(), docutils_namespace():
            app = Sphinx(
                source, str(HERE), pages_to, str(work / "trees"), "html", settings, None, said
            )
            app.build()
    except SphinxError as error:
        said.write(str(error))
    warnings = strip_escape_sequences(said.getvalue()).strip().replace(f"{source}{os.sep}", "")
    if warnings:
        raise UserError(f"the site was not built; what was there is unchanged:\n{warnings}")


def about_notebooks(project):
    """Return the contents of the head of each notebook's page, by the name of the page."""
    return {
        f"notebooks/{notebook.stem}": {
            "claims": [
                {"id": entry.claim.id, "says": entry.claim.says, "verdict": entry.answers.word}
                for entry in project.claims(notebook.stem)
            ],
            "seconds": project.timings.get(notebook.stem),
            "paper": project.urls.get(notebook.paper),
            "map": f"maps/{notebook.stem}" if notebook.stem in project.points else None,
            "notes": f"notes/{notebook.stem}" if notebook.stem in project.notes else None,
        }
        for notebook in project.notebooks
    }
