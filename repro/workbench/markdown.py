"""Escaping of arbitrary text in Markdown."""

import re


def in_cell(text):
    """Escape text for a table cell: bars, tags and entities, with line breaks as spaces."""
    text = " ".join(line.strip() for line in text.splitlines())
    text = re.sub(r"&(?=#?\w+;)", "&amp;", text)
    return re.sub(r"<(?=[\w/!?])", "&lt;", text).replace("|", "\\|")
