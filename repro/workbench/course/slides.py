"""Slides of a lesson, a picture, a question or a claim each, and a sheet of one page."""

import re
from base64 import b64decode
from pathlib import Path
from tempfile import TemporaryDirectory

from repro.workbench.course.editions import CRITERION, LINK_AWAY, quiz_of
from repro.workbench.evidence.picture import draw_claim

HERE = Path(__file__).parent  # where the looks of slides and sheets are
PARTS = {"title", "surprise", "predict", "idea", "main", "prediction", "conclusion"}
ANSWER = re.compile(r"\*\*(?:The prediction|Prediction 1)\.\*\*")


def has_slides(lesson):
    """Return whether a lesson has the parts that slides are made of."""
    return {cell.id for cell in lesson.cells} >= PARTS


def write_slides(lesson, entries, notes):
    """Make what is shown and handed out in a class: ``slides.html``, ``slides.pdf``, ``sheet.pdf``.

    ``entries`` are the judged claims of its experiments by name, ``notes`` the text of its notes
    for teachers, whose quiz is the last slide. Returns the contents by name. It needs pandoc and
    typst.
    """
    import pypandoc
    import typst

    text, pictures = slides_of(lesson, entries, notes)
    with TemporaryDirectory() as made:
        made = Path(made)
        for name, content in pictures.items():
            (made / name).write_bytes(content)
        page = ["--standalone", "--embed-resources", "--mathml", "--section-divs"]
        page += [f"--resource-path={made}", f"--include-in-header={HERE / 'look.html'}"]
        page += [f"--metadata=pagetitle:{lesson.metadata.repro.title}", "--metadata=lang:en"]
        contents = {"slides.html": pypandoc.convert_text(text, "html5", "markdown", page).encode()}
        for name, shown in (("slides", text), ("sheet", sheet_of(lesson))):
            look = (HERE / f"{name}.typ").read_text(encoding="utf-8")
            source = look + pypandoc.convert_text(shown, "typst", "markdown")
            (made / f"{name}.typ").write_text(source, encoding="utf-8")
            typst.compile(str(made / f"{name}.typ"), output=str(made / f"{name}.pdf"))
            contents[f"{name}.pdf"] = (made / f"{name}.pdf").read_bytes()
    return contents


def sheet_of(lesson):
    """Return a lesson on one page as Markdown: question, idea, figure and conclusion."""
    cells = {cell.id: cell.source for cell in lesson.cells}
    title, paper, *_ = cells["title"].split("\n\n")
    parts = {
        "The question": cells["predict"].partition("**You will learn**")[0],
        "The idea": cells["idea"].partition("\n")[2],
        "The figure": "![](main_0.png)",
        "What came out": cells["conclusion"].partition("\n")[2],
    }
    text = "\n\n".join(f"## {name}\n\n{body.strip()}" for name, body in parts.items())
    return LINK_AWAY.sub(r"\1", f"{title}\n\n{paper}\n\n{text}")


def slides_of(lesson, entries, notes):
    """Return the slides of a lesson as Markdown, and its pictures by name."""
    cells = {cell.id: cell for cell in lesson.cells}
    title, paper, *_ = cells["title"].source.split("\n\n")
    why, _, predict = cells["predict"].source.partition("\n## Predict\n")
    question, _, criterion = predict.partition(CRITERION)
    pictures = {}

    def shown(part):
        names = []
        for data in (output.get("data", {}) for output in cells[part].get("outputs", [])):
            if "image/png" in data:
                names.append(f"{part}_{len(names)}.png")
                pictures[names[-1]] = b64decode(data["image/png"])
        return "\n\n".join(f"![]({name})" for name in names)

    slides = [
        (title.removeprefix("# "), paper),
        ("What is odd here?", shown("surprise")),
        ("Why?", why.partition("**You will learn**")[0]),
        ("Predict", re.sub(r" (?=\([abc]\) )", "\n\n", question)),
    ]
    slides += [("Your criterion", criterion)] if criterion else []
    order = [*cells]
    between = order[order.index("main") : order.index("prediction")] or ["main"]
    slides += [("The figure", drawn) for drawn in map(shown, between) if drawn]
    slides.append(("The prediction", ANSWER.split(cells["prediction"].source, maxsplit=1)[1]))
    deciding = re.findall(r'"([\w-]+)"', cells["strips"].source) if "strips" in cells else []
    for name in filter(entries.get, deciding):
        claim = entries[name].claim
        told = f"“{claim.words}”" if claim.words else claim.says
        pictures[f"{name}.svg"] = draw_claim(entries[name]).encode()
        slides.append(("How many runs meet this?", f"{told}\n\n{claim.where}"))
        slides.append(("The runs", f"![]({name}.svg)"))
    slides.append(("Conclusion", cells["conclusion"].source.partition("\n")[2]))
    if quiz := quiz_of(notes, "end"):
        slides.append(("Quiz", quiz))
    text = "\n\n".join(f"# {name}\n\n{body.strip()}" for name, body in slides)
    return LINK_AWAY.sub(r"\1", text), pictures
