"""Writing the editions of lessons to a folder."""

import html
from importlib.metadata import version
from importlib.resources import files

import nbformat
from jinja2 import pass_context

from repro import experiments
from repro.core.errors import UserError
from repro.core.files import check_writable, write_bytes
from repro.workbench.course.editions import LINK_AWAY, student_edition, teacher_edition
from repro.workbench.course.slides import has_slides, write_slides
from repro.workbench.evidence.scorecard import judge_experiment
from repro.workbench.formulas import formula, gather_glyphs
from repro.workbench.lessons.files import read_content

IGNORED = {"build", "dist", "reproduced"}  # folders of the project that git ignores
READ = ["protocol.json", "recorded/*", "in_short.toml"]  # by lessons, beside their own tables


def write_course(root, notebooks, folder):
    """Write the editions of lessons, and return their names.

    Lessons may be added to those of a folder. Raises UserError if none of the notebooks is a
    lesson, or if a file with other content would be replaced.
    """
    if folder.is_relative_to(root) and not {*folder.relative_to(root).parts[:1]} & IGNORED:
        raise UserError(f"{folder} is among the committed files: name a folder elsewhere")
    lessons = {nb.stem: read_content(nb.path) for nb in notebooks if nb.lesson}
    if not lessons:
        raise UserError(f"not a lesson: {', '.join(nb.stem for nb in notebooks)}")
    made = {}
    for stem, lesson in lessons.items():
        title = lesson.metadata.repro.title
        made[f"student/{stem}.ipynb"] = nbformat.writes(student_edition(lesson, stem)).encode()
        made[f"teacher/{stem}.ipynb"] = nbformat.writes(teacher_edition(lesson, stem)).encode()
        text = ""
        if (notes := root / "notebooks" / "teaching" / f"{stem}.md").exists():
            text = LINK_AWAY.sub(r"\1", notes.read_text(encoding="utf-8"))
            cell = nbformat.v4.new_markdown_cell(text, id="notes")
            notes = _page(nbformat.v4.new_notebook(cells=[cell]), f"{title}: notes for teachers")
            made[f"teacher/{stem}_notes.html"] = notes
        printed = student_edition(lesson, stem, printed=True, notes=text)
        made[f"handout/{stem}.html"] = _page(printed, title)
        if has_slides(lesson):
            shown = write_slides(lesson, judged_of(root, lesson), text)
            made |= {f"teacher/{stem}_{name}": content for name, content in shown.items()}
    named = dict.fromkeys(name for lesson in lessons.values() for name in _experiments(lesson))
    read = [*READ, *(f"sweeps/{name}.csv" for name in named)]
    paths = [path for pattern in read for path in (root / "figures").glob(pattern)]
    beside = {path.relative_to(root).as_posix(): path.read_bytes() for path in paths}
    made |= {f"{to}/{path}": beside[path] for to in ("student", "teacher") for path in beside}
    for name in ("glossary.md", "LICENSE.md"):
        text = LINK_AWAY.sub(r"\1", (root / "notebooks" / name).read_text(encoding="utf-8"))
        made |= {f"{to}/{name}": text.encode() for to in ("student", "teacher", "handout")}
    steps = (files(__package__) / "student.md").read_text(encoding="utf-8")
    made["student/README.md"] = steps.replace("«version»", version("repro")).encode()
    for path, content in made.items():
        if (folder / path).exists() and (folder / path).read_bytes() != content:
            raise UserError(f"{folder / path} differs from what is to be written: move it away")
    for path, content in made.items():
        check_writable((folder / path).parent)
        write_bytes(folder / path, content)
    return list(lessons)


def _experiments(lesson):
    """List the experiments that the code of a lesson names."""
    sources = "\n".join(cell.source for cell in lesson.cells if cell.cell_type == "code")
    return [name for name in experiments.names() if name in sources]


def judged_of(root, lesson):
    """Return the judged claims of a lesson's experiments, by name."""
    judged = [
        entry
        for name in _experiments(lesson)
        for entry in judge_experiment(root / "figures", experiments.load(name))
    ]
    return {entry.claim.id: entry for entry in judged}


def _page(notebook, title):
    """Render a notebook as a printable page that needs no other file and no network."""
    from nbconvert import HTMLExporter
    from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

    class Renderer(IPythonRenderer):
        """Renders Markdown with formulas drawn."""

        def inline_math(self, body):
            return formula(body)

        def block_math(self, body):
            return formula(body, block=True)

    class Exporter(HTMLExporter):
        """Renders a notebook without marks of its cells."""

        @pass_context
        def markdown2html(self, context, source):
            attached = context.get("cell", {}).get("attachments", {})
            renderer = Renderer(escape=False, attachments=attached, exclude_anchor_links=True)
            return MarkdownWithMath(renderer=renderer).render(source)

    bare = {f"exclude_{part}_prompt": True for part in ("input", "output")}
    exporter = Exporter(template_name="basic", **bare)
    for output in (output for cell in notebook.cells for output in cell.get("outputs", [])):
        output.get("metadata", {}).setdefault("image/png", {}).setdefault("alt", "the data")
    body = gather_glyphs(exporter.from_notebook_node(notebook)[0])
    page = (files(__package__) / "page.html.in").read_text(encoding="utf-8")
    return page.replace("«title»", html.escape(title)).replace("«body»", body).encode()
