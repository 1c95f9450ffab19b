"""The pages of the site, from the Jinja templates in the folder `markdown`.

To add a page, write a template, and name it in the ``toctree`` of ``index.md``. Templates can use
what `render_pages` gives them. A template whose name begins with "_" is a part of
pages, or of each of many: a claim, a map, a module.
"""

import html
import re
from importlib import import_module
from inspect import ismodule

from jinja2 import Environment, PackageLoader, StrictUndefined

import repro
from repro import experiments
from repro.datasets.registry import ENTRIES
from repro.workbench.article.writing import fill_in
from repro.workbench.evidence import picture, scorecard
from repro.workbench.evidence.report import equation_table, modules_of
from repro.workbench.evidence.rows import ours_of
from repro.workbench.site.code import code_of
from repro.workbench.site.front import N_CATS, two_readings
from repro.workbench.site.maps import map_of, named_embeddings
from repro.workbench.site.project import plain

# In reading order.
ROOMS = "mre bre tete kie answers datasets measures plots core kernels experiments"
ROOMS += " experiments.claims workbench workbench.evidence workbench.lessons workbench.course"
ROOMS += " workbench.article"
NAME = re.compile(r"`(\w+)`")  # as code in Markdown
LOCAL = re.compile(r"\]\((?!\w+:|#)")  # before the target of a link within the site
ADDRESS = re.compile(r"https?://[^\s;)]+")


def templates():
    """Return the Jinja environment of the folder `markdown`."""
    jinja = Environment(
        loader=PackageLoader("repro.workbench.site", "markdown"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    jinja.policies["json.dumps_kwargs"] = {"ensure_ascii": False}
    return jinja


def render_pages(project):
    """Render all pages of a `Project`; return their Markdown by name."""
    jinja = templates()
    rooms = modules_by_room()
    filters = plain, worded, picture.in_words, with_reference
    jinja.filters |= {function.__name__: function for function in filters}
    jinja.globals |= {
        "code_of": code_of,
        "data_sets": ENTRIES.values(),
        "essay": fill_in("essay.md", project.judged, project.root, strip=strip),
        "experiment_of": experiments.load,
        "equations": re.sub(r"`(repro\.[\w.]+)`", r"{py:func}`\1`", equation_table()),
        "linked": linked,
        "n_cats": N_CATS,
        "named_embeddings": named_embeddings,
        "ours_of": ours_of,
        "picture": picture,
        "project": project,
        "public_names": public_names(),
        "readings": two_readings(project),
        "rooms": rooms,
        "scorecard": scorecard,
        "version": repro.__version__,
    }

    def render(template, **about):
        return jinja.get_template(f"{template}.md").render(about)

    single = [name.removesuffix(".md") for name in jinja.list_templates() if name[0] != "_"]
    modules = [name for names in rooms.values() for name in names]
    return {
        **{name: render(name) for name in single},
        **{f"claims/{entry.claim.id}": render("_claim", entry=entry) for entry in project.judged},
        **{f"notes/{stem}": LOCAL.sub("](../", text) for stem, text in project.notes.items()},
        **{f"maps/{stem}": render("_map", **map_of(p)) for stem, p in project.points.items()},
        **{f"api/{name}": render("_module", name=name) for name in modules},
    }


def strip(entry):
    """Draw the runs of a judged claim, as a block of a page that leads to the claim's page."""
    link = f'<a class="strips" href="claims/{entry.claim.id}.html">{picture.draw_claim(entry)}</a>'
    return f'``````{{raw}} html\n<div class="scrolled" tabindex="0">{link}</div>\n``````'


def linked(text):
    """Turn the addresses in a text into links."""
    return ADDRESS.sub(r"<\g<0>>", text)


def worded(text):
    """Escape a text for HTML; letters after a caret become superscripts."""
    return re.sub(r"\^(\w+)", r"<sup>\1</sup>", html.escape(text, quote=False))


def public_names():
    """List the public names of `repro`, each with its module."""
    public = [getattr(repro, name) for name in sorted(repro.__all__, key=str.lower)]
    return [f"{m.__module__}.{m.__name__}" for m in public if not ismodule(m)]


def with_reference(text):
    """Turn the public names in a text into links to the reference."""
    modules = {path.rpartition(".")[2]: path for path in public_names()}

    def replace(name):
        return f"{{py:obj}}`{name[1]} <{modules[name[1]]}>`" if name[1] in modules else name[0]

    return NAME.sub(replace, text)


def modules_by_room():
    """Return the modules of each room, by its summary; the data sets are one module."""
    groups = {}
    for room in [import_module(f"repro.{name}") for name in ROOMS.split()]:
        caption = room.__doc__.split("\n")[0].rstrip(".")
        groups[caption] = [room.__name__] if room is repro.datasets else modules_of(room)
    return groups
