"""Tables in Markdown, and arbitrary text in their cells."""

import re


def table(head, rows):
    """Render a table, given the names of its columns and the cells of each row."""
    lines = [f"| {' | '.join(cells)} |" for cells in (head, *rows)]
    lines.insert(1, f"|{'---|' * len(head)}")
    return "\n".join(lines)


def in_cell(text):
    """Escape text for a table cell: bars, tags and entities, with line breaks as spaces."""
    text = " ".join(line.strip() for line in text.splitlines())
    text = re.sub(r"&(?=#?\w+;)", "&amp;", text)
    return re.sub(r"<(?=[\w/!?])", "&lt;", text).replace("|", "\\|")
