"""Pieces of the Markdown of which pages are made."""

import html
import re


def page(title, *parts):
    """Join a heading and its parts, of which empty ones are left out."""
    return "\n\n".join([f"# {title}", *(part for part in parts if part)]) + "\n"


def menu(entries, caption="", hidden=True):
    """Write the list of pages below this one: their names, or "title <name>".

    One that is hidden shows in the side bar alone.
    """
    options = (f":caption: {caption}\n" if caption else "") + (":hidden:\n" if hidden else "")
    return "```{toctree}\n:maxdepth: 1\n" + options + "\n" + "\n".join(entries) + "\n```"


def plain(text):
    """Escape what means something in HTML or in Markdown."""
    return re.sub(r"([\\`*_{}\[\]<>|])", r"\\\1", html.escape(text, quote=False))
