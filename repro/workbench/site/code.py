"""The code behind a claim: parts of its experiment, with the lines that measure it marked."""

import ast
import inspect
import re

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from repro import experiments
from repro.experiments.claims import score_and_space

DOCSTRING = re.compile(r'""".*?"""', re.S)


def code_of(entry):
    """Return the code of a judged claim as HTML: its run, its measure, and what this makes use of.

    Lines that name a score of the claim are marked. Of what `measure` names, constants of the
    module are shown, and functions that have a marked line; other functions of the package are
    links to their source. Numbers of lines are those of the module.
    """
    experiment = experiments.load(entry.name)
    measure = DOCSTRING.sub("", inspect.getsource(experiment.measure))
    constants = _constants(experiment, measure)
    named = dict.fromkeys(re.findall(r"\w+", "\n".join([measure, *constants.values()])))
    called = [vars(experiment).get(name) for name in named]
    always = [experiment.run, experiment.measure]
    helpers = [of for of in called if inspect.isfunction(of) and of.__module__.startswith("repro.")]
    sources = {of: inspect.getsource(of) for of in dict.fromkeys([*always, *helpers])}
    names = set()
    for score in {score_and_space(measure)[0] for measure in entry.claim.deciding}:
        whole = {score, score.partition(", ")[0]}
        said = any(_marked(source, whole) for source in sources.values())
        names |= whole if said else set(re.findall(r"[a-zA-Z]{4,}", score))  # it is put together
    parts = [_highlighted(source, first, names) for first, source in constants.items()]
    linked = []
    for function, source in sources.items():
        name, first = function.__name__, inspect.getsourcelines(function)[1]
        module = function.__module__
        link = f'<a href="../api/{module}.html#{module}.{name}">{name}</a>'
        if function in always or _marked(source, names):
            where = f"in {module}, lines {first} to {first + source.count(chr(10)) - 1}"
            parts.append(f'<p class="small">{link} {where}</p>')
            parts.append(_highlighted(source, first, names))
        else:
            linked.append(link)
    if linked:
        parts.append(f'<p class="small">What else is called: {", ".join(linked)}.</p>')
    return "\n".join(parts)


def _constants(module, text):
    """Return the assignments of a module's constants that a text names, by their first lines."""
    source = inspect.getsource(module)
    named = set(re.findall(r"\w+", text))
    return {
        node.lineno: ast.get_source_segment(source, node)
        for node in ast.parse(source).body
        if isinstance(node, ast.Assign)
        and named & {of.id for of in ast.walk(node.targets[0]) if isinstance(of, ast.Name)}
    }


def _marked(source, names):
    """List the lines of a source, from 1, that have one of the names outside a docstring."""
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in names) or "$.")
    blank = DOCSTRING.sub(lambda text: "\n" * text[0].count("\n"), source)
    return [k for k, line in enumerate(blank.splitlines(), 1) if pattern.search(line)]


def _highlighted(source, first, names):
    form = {"linenos": "inline", "linenostart": first, "cssclass": "highlight"}
    form |= {"hl_lines": _marked(source, names)}
    return highlight(source, PythonLexer(), HtmlFormatter(**form))
