"""Building the site: write sources to a temporary folder, and let Sphinx render them."""

import ast
import html
import io
import json
import os
import re
import shutil
import tempfile
from base64 import b64decode
from pathlib import Path
from textwrap import shorten

import nbformat
import numpy as np
from PIL import Image

from repro.core.errors import UserError
from repro.workbench.article.writing import write_article
from repro.workbench.evidence import scorecard
from repro.workbench.site import pages
from repro.workbench.site.project import Project

HERE = Path(__file__).parent
MARKER = ".repro-site"  # marks a built site
# Lines of cells for the tests or the run, of no use to a reader.
PLUMBING = re.compile(r"^(# NBVAL\w+|record\(.*\)|my_criterion = .*)\n?", re.M)
SAVES = re.compile(r"^save_embeddings\(", re.M)
EXERCISE = re.compile(r"^check\(answer_\d+", re.M)
SHOWS = re.compile(r"\b(answer_criterion|live|show_evidence|met_here|show_settings|versions)\(")
# The theme's toggle of a list of pages has no name that could be read aloud.
TOGGLE = '<summary><span class="toctree-toggle"'
NAMED_TOGGLE = '<summary aria-label="pages below"><span class="toctree-toggle"'
WIDTHS = {"thumb": 320, "wide": 960}  # pixels
SCEPTIC = "For the sceptic"
FOLDED = "Settings, all claims, fair rivals, and what the paper leaves open"
VERDICTS = "## Does it hold?"  # the heading below which a lesson may tell what became of its claims
STRIPS = re.compile(r'<img alt="[^"]*" src="data:image/svg\+xml;base64,([^"]*)">')


def build_site(root, judged, output):
    """Build the site of the project in ``root``, and return its start page.

    ``judged`` are the claims with their verdicts. Files of an older site in ``output`` are replaced
    once the new one is built. Raises UserError if ``output`` holds something other than a site, the
    project is damaged, or Sphinx warns.
    """
    output = Path(output).absolute()
    if output.exists() and any(output.iterdir()) and not (output / MARKER).exists():
        raise UserError(f"{output} holds something other than a site, and is left unchanged")
    project = Project.read(root, judged)
    with tempfile.TemporaryDirectory(prefix="repro-site-") as work:
        work = Path(work)
        write_sources(project, work / "source")
        run_sphinx(project, work)
        write_article(project.root, project.judged, work / "html" / "article")
        for notebook in project.notebooks:  # for download, with their exercises
            shutil.copy(notebook.path, work / "html" / "_sources" / "notebooks")
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
    figures = project.root / "figures"
    shutil.copytree(figures, folder / "figures", ignore=shutil.ignore_patterns("*.md"))
    for notebook in project.notebooks:
        content = nbformat.read(notebook.path, as_version=4)
        content.cells = list(for_reading(content.cells))
        if claims := project.claims(notebook.stem):
            told = f"{VERDICTS}\n\n*{scorecard.line_of(claims)}*"
            for cell in content.cells:
                cell.source = cell.source.replace(VERDICTS, told, 1)
        nbformat.write(content, folder / "notebooks" / notebook.path.name)
    scripts = folder / "scripts"
    scripts.mkdir()
    for figure in figures.glob("*.png"):
        for name, width in WIDTHS.items():
            with Image.open(figure) as picture:
                picture = picture.convert("RGB")
                picture.thumbnail((width, 4 * width))
                picture.save(scripts / f"{name}_{figure.stem}.webp", quality=75)
    for kept in figures.glob("sweeps/*.npz"):
        (scripts / f"{kept.stem}.js").write_text(embeddings_script(kept), encoding="utf-8")


def embeddings_script(path):
    """Return the embeddings of an experiment's settings as a script, since pages cannot read files.

    ``path`` is a file that `repro.workbench.evidence.sweeps.write_embeddings` wrote.
    """
    with np.load(path) as kept:
        first_axes = {words: kept[words][:, :2].tolist() for words in kept.files}
    return f"const EMBEDDINGS = {json.dumps(first_axes, separators=(',', ':'))};\n"


def for_reading(cells):
    """Yield the cells of a notebook as a page shows them: drawing code folded, plumbing removed.

    An exercise becomes its hint; each picture is named after the text above it. What follows the
    heading `SCEPTIC`, the last part, is folded.
    """
    heading = said = ""
    for cell in cells:
        if cell.cell_type == "markdown":
            parts = [part for part in cell.source.split("\n\n") if re.match(r"[^#$|<]", part)]
            said = parts[-1] if parts else said
            headings = re.findall(r"^#+ (.+)$", cell.source, re.M)
            heading = headings[-1] if headings else heading
            if headings == [SCEPTIC]:
                cell.source += f"\n\n<details><summary>{FOLDED}</summary>"
        elif EXERCISE.search(cell.source):
            hint = ast.literal_eval(ast.parse(cell.source).body[-1].value.args[2])
            folded = f"<details><summary>Hint</summary><p>{html.escape(hint)}</p></details>"
            cell = nbformat.v4.new_markdown_cell(folded)
        else:
            fold(cell)
            name_pictures(cell, f"{heading}: {said}")
            draw_strips(cell)
        yield cell
    if heading == SCEPTIC:
        yield nbformat.v4.new_markdown_cell("</details>")


def fold(cell):
    """Remove the plumbing from a code cell, and fold the cell if it only shows something.

    The button that unfolds it says whether the code draws.
    """
    saves = SAVES.search(cell.source)
    cell.source = PLUMBING.sub("", cell.source).strip()
    tags = {*cell.metadata.get("tags", [])}
    if saves or not cell.source:
        tags = (tags - {"hide-input"}) | {"remove-input"}
    elif SHOWS.search(cell.source):
        tags.add("hide-input")
    cell.metadata["tags"] = sorted(tags)
    if any("image/png" in output.get("data", {}) for output in cell.outputs):
        cell.metadata["mystnb"] = {"code_prompt_show": "Show the code that draws this"}


def name_pictures(cell, said):
    """Give the pictures of a cell an alternative text: their own, else the text above them."""
    alts = [output.get("metadata", {}).get("image/png", {}).get("alt") for output in cell.outputs]
    plain = re.sub(r"\]\([^)]*\)|[$\\*_`\[\]{}]", "", next(filter(None, alts), said))
    about = cell.metadata.setdefault("mystnb", {})
    about["image"] = {"alt": shorten(plain, 250, placeholder=" …")}


def draw_strips(cell):
    """Put the pictures of claims into the page itself, each a link to the page of its claim."""

    def drawn(image):
        picture = b64decode(image[1]).decode()
        name = re.search(r'aria-label="([\w-]+): ', picture)
        if not name:
            return picture  # the legend
        return f'<a class="strips" href="../claims/{name[1]}.html">{picture}</a>'

    for output in cell.outputs:
        if "text/html" in output.get("data", {}):
            output.data["text/html"] = STRIPS.sub(drawn, output.data["text/html"])


def run_sphinx(project, work):
    """Render ``work/source`` to ``work/html``; raise `UserError` if there is a warning."""
    from sphinx.application import Sphinx
    from sphinx.errors import SphinxError
    from sphinx.util.console import strip_escape_sequences
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    def add_project(app, page, template, context, tree):
        context["repro"] = project

    source, made, trees = (str(work / folder) for folder in ("source", "html", "trees"))
    log = io.StringIO()
    try:
        with patch_docutils(), docutils_namespace():
            app = Sphinx(source, str(HERE), made, trees, "html", status=None, warning=log)
            app.config.html_static_path += [f"{source}/scripts"]
            app.connect("html-page-context", add_project, priority=1)  # before the theme
            app.build()
        for path in Path(made).rglob("*.html"):
            text = path.read_text(encoding="utf-8")
            if TOGGLE in text:
                path.write_text(text.replace(TOGGLE, NAMED_TOGGLE), encoding="utf-8")
    except SphinxError as error:
        log.write(str(error))
    warnings = strip_escape_sequences(log.getvalue()).strip().replace(f"{source}{os.sep}", "")
    if warnings:
        raise UserError(f"the site was not built; what was there is unchanged:\n{warnings}")
