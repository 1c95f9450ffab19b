"""Sphinx settings; `repro.workbench.site.build` adds those that depend on the project."""

import re
from functools import cache, partial
from pathlib import Path

from docutils import nodes
from PIL import Image

import repro
from repro.workbench.formulas import formula, gather_glyphs

project = "repro"
version = release = repro.__version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
]
templates_path = ["templates"]
html_static_path = ["static"]

# Notebooks: the committed outputs, as they are.
nb_execution_mode = "off"
nb_code_prompt_show = "Show the code"
nb_code_prompt_hide = "Hide the code"
myst_enable_extensions = ["amsmath", "dollarmath"]
myst_heading_anchors = 3
smartquotes = False

# The reference: numpy docstrings, in the order of the modules.
default_role = "py:obj"
add_module_names = False
autodoc_member_order = "bysource"
autodoc_typehints = "none"
autosummary_generate = False
napoleon_google_docstring = False
napoleon_use_param = False
napoleon_use_rtype = False
napoleon_use_ivar = True
toc_object_entries_show_parents = "hide"

html_math_renderer = "drawn"
highlight_language = "text"  # for blocks that name no language: commands
html_theme = "pydata_sphinx_theme"
html_title = "repro"
html_css_files = ["site.css"]
html_favicon = "static/favicon.svg"
html_js_files = ["svg.js", "claim.js", "cards.js", "maps.js"]
html_show_search_summary = False  # it would load each page found, which local files cannot do
html_search_scorer = str(Path(__file__).parent / "static" / "scorer.js")
html_context = {"default_mode": "auto"}
html_sourcelink_suffix = ""  # the sources are the notebooks themselves, for download
# Single pages have no sidebar.
html_sidebars = {"*": [], "claims/*": [], "notes/*": []}
html_theme_options = {
    "article_header_end": ["about-notebook"],
    "footer_start": [],
    "search_bar_text": "Search",
    "secondary_sidebar_items": ["page-toc"],
    "show_toc_level": 2,
}


def setup(app):
    """Connect the handlers: formulas, docstrings as plain text, members to skip, lazy images."""
    in_block = partial(_formula, block=True)
    app.add_html_math_renderer("drawn", (_formula, None), (in_block, None))
    app.connect("autodoc-process-docstring", _as_plain_text, priority=900)  # after napoleon
    app.connect("autodoc-skip-member", _skip_generated)
    app.connect("html-page-context", _finish)


def _formula(translator, node, block=False):
    """Write a formula, in a line of text or in one of its own."""
    translator.body.append(formula(node.astext(), block))
    raise nodes.SkipNode


def _finish(app, page, template, context, tree):
    """Give images their sizes, load them when they come into view, and define each glyph once."""
    if "body" in context:
        sources = {name: Path(app.srcdir) / path for path, name in app.builder.images.items()}

        def sized(image):
            wide, high = _size_of(sources[image[2]])
            return f'<img width="{wide}" height="{high}" {image[1]}'

        body = re.sub(r'<img ([^>]*src="[./]*_images/([^"]+)")', sized, context["body"])
        body = re.sub(r"<img (?![^>]*loading=)", '<img loading="lazy" ', body)
        context["body"] = gather_glyphs(body)


@cache
def _size_of(path):
    """Return the width and the height of an image in pixels."""
    if path.suffix == ".svg":
        return re.search(r'width="(\d+)" height="(\d+)"', path.read_text(encoding="utf-8")).groups()
    with Image.open(path) as image:
        return image.size


def _as_plain_text(app, what, name, thing, options, lines):
    r"""Escape \|x - y\| and the underscore of embedding\_, which are markup to Sphinx."""
    for k, line in enumerate(lines):
        if not line.lstrip().startswith((".. ", ">>> ", "... ")):
            parts = re.split(r"(`+[^`]+`+)", line)
            parts[::2] = [re.sub(r"(?<!\\)\||(?<=\w)_(?!\w)", r"\\\g<0>", p) for p in parts[::2]]
            lines[k] = "".join(parts)


def _skip_generated(app, what, name, thing, skip, options):
    """Skip generated members: fields of named tuples, and scikit-learn's set_…_request."""
    is_field = (thing.__doc__ or "").startswith("Alias for field number")
    return True if is_field or name.endswith("_request") else None
