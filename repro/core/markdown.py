"""Text of others in Markdown."""

import re


def in_cell(text):
    """Escape text for a cell of a table: no bar, tag, entity or end of a line in it is one."""
    text = " ".join(line.strip() for line in text.splitlines())
    text = re.sub(r"&(?=#?\w+;)", "&amp;", text)
    return re.sub(r"<(?=[\w/!?])", "&lt;", text).replace("|", "\\|")
