"""Names of items, people and classes, from text."""

import re
import unicodedata

import pandas as pd

from repro.core.warn import warn_user

# Control characters, soft hyphen, zero-width space, joiners of graphemes and words, marks of
# direction, selectors of variants, byte-order mark.
INVISIBLE = dict.fromkeys([*range(9), *range(14, 28), 0x7F, 0xAD, 0x34F, 0x61C, 0x180E, 0x200B])
INVISIBLE |= dict.fromkeys([0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFEFF])
INVISIBLE |= dict.fromkeys(range(0xFE00, 0xFE10))
# Quotes and dashes as keyboards write them; and joiners of letters, which some scripts need.
SIGNS = {0xB4: "'", 0x2BC: "'", 0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"'}
SIGNS |= dict.fromkeys([0x2010, 0x2012, 0x2013, 0x2014, 0x2212], "-") | {0x200C: None, 0x200D: None}


def name_of(cell):
    """Return the name that a cell of a table shows; names that look alike mostly are equal.

    Text is in the Unicode form NFC, without invisible characters; one space stands for any white
    space inside, and none at the ends. A whole number is written without decimals, since a column
    with an empty cell stores 1 as 1.0. A cell that is missing stays as it is.
    """
    if pd.api.types.is_scalar(cell) and pd.isna(cell):
        return cell
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)  # without an exponent
    text = cell.decode() if isinstance(cell, bytes) else str(cell)
    text = " ".join(unicodedata.normalize("NFC", text.translate(INVISIBLE)).split())
    return re.sub(r"^-?(0)(?:\.0+)?$|^(-?\d+)\.0+$", r"\1\2", text)


def warn_of_similar(names, what):
    """Warn if names, a sequence of str, look almost alike; ``what`` names them."""
    names = pd.Series(sorted(set(names)), dtype=object)
    letters = names.map(lambda name: unicodedata.normalize("NFKD", name).translate(SIGNS))
    letters = letters.map(lambda text: "".join(c for c in text if not unicodedata.combining(c)))
    letters = letters.map(lambda text: re.sub(r"^0+(?=\d)", "", text.casefold()))
    similar = names[letters.duplicated(keep=False)]
    if len(similar):
        listed = ", ".join(map(repr, similar[:6]))
        warn_user(
            f"some {what} differ by case or accents alone, or by quotes, dashes or leading zeros, "
            f"and count as different: {listed}"
        )
