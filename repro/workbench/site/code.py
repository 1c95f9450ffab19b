"""The code behind a claim: functions of its experiment, with the lines that measure it marked."""

import re
from inspect import getsource, getsourcelines, isfunction

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from repro import experiments
from repro.experiments.claims import score_and_space

DOCSTRING = re.compile(r'""".*?"""', re.S)


def code_of(entry):
    """Return the code of a judged claim as HTML: its run, its measure, and what marks a line there.

    Lines that name a score of the claim are marked; a function that `measure` calls is shown if it
    has such a line. Numbers of lines are those of the module.
    """
    experiment = experiments.load(entry.name)
    named = re.findall(r"\w+", getsource(experiment.measure))
    called = [vars(experiment).get(name) for name in named]
    helpers = [of for of in called if isfunction(of) and of.__module__.startswith("repro.")]
    always = [experiment.run, experiment.measure]
    functions = dict.fromkeys([*always, *helpers])
    names = set()
    for score in {score_and_space(measure)[0] for measure in entry.claim.deciding}:
        whole = {score, score.partition(", ")[0]}
        said = any(_marked(of, whole) for of in functions)
        names |= whole if said else set(re.findall(r"[a-zA-Z]{4,}", score))  # it is put together
    shown = [of for of in functions if of in always or _marked(of, names)]
    return "\n".join(_as_html(of, _marked(of, names)) for of in shown)


def _marked(function, names):
    """List the lines of a function, from 1, that have one of the names outside its docstring."""
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in names) or "$.")
    source = "".join(getsourcelines(function)[0])
    blank = DOCSTRING.sub(lambda text: "\n" * text[0].count("\n"), source)
    return [k for k, line in enumerate(blank.splitlines(), 1) if pattern.search(line)]


def _as_html(function, marked):
    lines, first = getsourcelines(function)
    last = first + len(lines) - 1
    where = f"{function.__module__}, lines {first} to {last}"
    name = f"../api/{function.__module__}.html#{function.__module__}.{function.__name__}"
    shown = HtmlFormatter(hl_lines=marked, linenos="inline", linenostart=first)
    code = highlight("".join(lines), PythonLexer(), shown)
    return f'<p class="small"><a href="{name}">{function.__name__}</a> in {where}</p>\n{code}'
