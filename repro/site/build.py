"""Building the site: sources are written to a temporary folder, and Sphinx makes pages of them."""

import html
import io
import json
import os
import re
import shutil
import tempfile
from importlib.util import find_spec
from pathlib import Path

import nbformat

from repro.core.records import UserError
from repro.notebook.knobs import knob_in, knob_path, read_states
from repro.site import claims, pages
from repro.site.project import Project

HERE = Path(__file__).parent
MARKER = ".repro-site"  # in a built site
DIRECTIVE = re.compile(r"^([^\S\n]*(?:`{3,}|~{3,}|:{3,}))[^\S\n]*(\{)", re.M)


def build_site(root, output):
    """Build the site of the project in ``root``, and return its start page.

    Files of an older site in ``output`` are replaced when all is built. A UserError if it holds
    something else than a site, the project is damaged, or Sphinx warns: its warnings are errors.
    """
    output = Path(output).absolute()
    if output.exists() and any(output.iterdir()) and not (output / MARKER).exists():
        raise UserError(f"{output} holds something else than a site, and is left as it is")
    project = Project.read(root)
    with tempfile.TemporaryDirectory(prefix="repro-site-") as work:
        work = Path(work)
        write_sources(project, work / "source")
        run_sphinx(project, work)
        output.mkdir(parents=True, exist_ok=True)
        (output / MARKER).touch()  # first: a copy that fails can be made again
        shutil.copytree(work / "html", output, dirs_exist_ok=True)
    return output / "index.html"


def write_sources(project, folder):
    """Write what Sphinx reads: pages, notebooks, figures, and scripts that the pages load."""
    for name, text in pages.render_pages(project).items():
        path = folder / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for made in ("notebooks", "scripts"):
        (folder / made).mkdir(exist_ok=True)
    for notebook in project.notebooks:
        content = without_directives(notebook.path)
        add_sliders(content, project.root / "figures", notebook.stem)
        nbformat.write(content, folder / "notebooks" / notebook.path.name)
    for states in project.root.glob("figures/knobs/*.png"):
        shutil.copy(states, folder / "scripts" / f"knob_{states.name}")
    for pattern in ("figures/*.png", "figures/sweeps/*.png"):
        for figure in project.root.glob(pattern):
            copy = folder / figure.relative_to(project.root)
            copy.parent.mkdir(exist_ok=True)
            shutil.copy(figure, copy)
    for script in scripts():
        shutil.copy(script, folder / "scripts")
    for kept in project.root.glob("figures/sweeps/*.npz"):
        script = claims.embeddings_script(kept)
        (folder / "scripts" / f"{kept.stem}.js").write_text(script, encoding="utf-8")


def without_directives(path):
    """Read a notebook, and make a listing of what would be a directive, which could run code."""
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = DIRECTIVE.sub(r"\1text \2", cell.source)
    return notebook


def add_sliders(content, figures, stem):
    """Show the states of a notebook's knobs below the cells that turn them, if they were drawn."""
    for cell in content.cells:
        knob = knob_in(cell.source) if cell.cell_type == "code" else None
        if knob and (states := knob_path(figures, stem, knob)).exists():
            shown = slider(*read_states(states), f"../_static/knob_{states.name}")
            cell.outputs = [nbformat.v4.new_output("display_data", {"text/html": shown})]


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


def scripts():
    """Find the scripts that pages load in the packages that bring them: no network is needed."""
    within = {
        "sphinx-mathjax-offline": "static/mathjax/tex-svg.js",
        "bokeh": "server/static/js/bokeh.min.js",
    }
    return [Path(find_spec(module).origin).parent / path for module, path in within.items()]


def run_sphinx(project, work):
    """Make pages of ``work/source`` in ``work/html``; a `UserError` if there is a warning."""
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
    """Return what the head of a notebook's page shows, by the name of the page."""
    return {
        f"notebooks/{notebook.stem}": {
            "claims": [
                {"id": entry.claim.id, "says": entry.claim.says, "verdict": entry.answers.word}
                for entry in project.claims(notebook.stem)
            ],
            "seconds": project.timings.get(notebook.stem),
            "map": f"maps/{notebook.stem}" if notebook.stem in project.points else None,
        }
        for notebook in project.notebooks
    }
