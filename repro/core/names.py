"""Names of items, people and classes, from text."""

import re
import unicodedata

import pandas as pd

from repro.core.warn import warn_user

# Soft hyphen, zero-width space, marks of direction, word joiner, byte-order mark.
INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200e\u200f\u2060\ufeff"))


def name_of(cell):
    """Return the name that a cell of a table shows: equal names look alike, and the reverse.

    Text is in the Unicode form NFC, without invisible characters; one space stands for any white
    space inside, and none at the ends. A whole number is written without decimals, since a column
    with an empty cell stores 1 as 1.0. A cell that is missing stays as it is.
    """
    if pd.api.types.is_scalar(cell) and pd.isna(cell):
        return cell
    text = unicodedata.normalize("NFC", str(cell)).translate(INVISIBLE)
    text = " ".join(text.split())
    return re.sub(r"^(-?\d+)\.0+$", r"\1", text)


def warn_of_similar(names, what):
    """Warn if names, a sequence of str, differ by case or accents alone; ``what`` names them."""
    names = pd.Series(sorted(set(names)), dtype=object)
    letters = names.map(lambda name: unicodedata.normalize("NFKD", name))
    letters = letters.map(lambda text: "".join(c for c in text if not unicodedata.combining(c)))
    similar = names[letters.str.casefold().duplicated(keep=False)] if len(names) else names
    if len(similar):
        listed = ", ".join(map(repr, similar[:6]))
        warn_user(f"some {what} differ by case or accents alone, and count as different: {listed}")
