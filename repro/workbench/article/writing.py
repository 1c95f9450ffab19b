"""Writing the texts: filled in as Markdown, and the article as HTML and PDF."""

from pathlib import Path
from tempfile import TemporaryDirectory

import jinja2

import repro
from repro.core.errors import UserError
from repro.core.extras import needs
from repro.core.files import check_writable, write_bytes
from repro.workbench.article.facts import Facts

TEXTS = Path(__file__).parent / "texts"


def fill_in(text, judged, root, **given):
    """Fill in a text of the folder `texts` from the runs of record, and what is given.

    Raises UserError if the text rests on a verdict that has changed.
    """
    facts = Facts(judged, root / "figures")
    jinja = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEXTS),
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        variable_start_string="<<",
        variable_end_string=">>",
    )
    jinja.globals |= {"f": facts, "version": repro.__version__}
    return jinja.get_template(text).render(given)


def write_article(root, judged, folder):
    """Write the article to a folder as ``article.md``, ``.html`` and ``.pdf``; return the paths.

    ``metadata.yaml`` has its title, its abstract and what it replicates. It needs pandoc and typst,
    which the extra ``article`` installs. Raises UserError if the article cannot be made.
    """
    needs("pypandoc", "typst", extra="article")
    import pypandoc
    import typst

    text = fill_in("article.md", judged, root)
    options = [f"--resource-path={root / 'figures'}", f"--bibliography={root / 'papers.bib'}"]
    options += [f"--bibliography={TEXTS / 'references.bib'}", "--citeproc"]
    with TemporaryDirectory() as made:
        made = Path(made)
        page, pdf = made / "article.html", made / "article.pdf"
        try:
            as_page = [*options, "--standalone", "--embed-resources", "--mathml"]
            pypandoc.convert_text(text, "html", "markdown", as_page, outputfile=str(page))
            source = pypandoc.convert_text(text, "typst", "markdown", [*options, "--standalone"])
            (made / "article.typ").write_text(source, encoding="utf-8")
            for picture in (root / "figures").glob("*.png"):
                (made / picture.name).write_bytes(picture.read_bytes())
            typst.compile(str(made / "article.typ"), output=str(pdf))
        except RuntimeError as error:
            raise UserError(f"the article was not made: {error}") from None
        contents = {"article.md": text.encode(), page.name: page.read_bytes()}
        contents[pdf.name] = pdf.read_bytes()
    abstract = text.partition("abstract: |\n")[2].partition("\n---")[0].strip()
    metadata = fill_in("metadata.yaml", judged, root, abstract=abstract)
    contents["metadata.yaml"] = metadata.encode()
    check_writable(folder)
    for name, content in contents.items():
        write_bytes(folder / name, content)
    return [folder / name for name in contents]
