"""Live pictures of lessons: a few lines of script that run in any browser, without a kernel."""

import json
from importlib.resources import files
from itertools import count

from IPython.display import HTML

_numbers = count()
STILL = "A live picture: run this cell, or let scripts run, to see it."


def live(name, **data):
    """Show a live picture: the script ``live/NAME.js`` with the data that it draws.

    The script is a function of an element, of the data, and of ``live/make.js``, which makes parts
    of drawings; the data may hold numbers, texts, lists and arrays. The picture works in
    JupyterLab, in VS Code and on the site, as it is in the output. Where scripts may not run, as in
    an untrusted notebook, a sentence says how to see it.
    """
    text = json.dumps(data, default=lambda array: array.tolist(), separators=(",", ":"))
    place = f"live-{name}-{next(_numbers)}"
    text = text.replace("</", r"<\/")  # no text may end the script
    call = f'({script(name)})(document.getElementById("{place}"), {text}, {script("make")});'
    return HTML(f'<div class="live" id="{place}">{STILL}</div>\n<script>\n{call}\n</script>')


def script(name):
    """Return the text of a script of live pictures."""
    return (files("repro.workbench.lessons") / "live" / f"{name}.js").read_text("utf-8").strip()
