"""Numbers and quotations as text."""

import re


def digits(value):
    """Write a number with three digits, or all before the point up to a million."""
    return f"{value:.0f}" if 1e3 <= abs(value) < 1e6 else f"{value:.3g}"


def signed(number, digits=3):
    """Write a number with a minus sign in place of a hyphen: "−3.2"."""
    return f"{number:.{digits}g}".replace("-", "−")


def as_printed(words):
    """Return words of a paper without what taking the text from its pages has added.

    That is a space beside a bracket or before a comma, and a formula that stands three times.
    """
    words = re.sub(r"(\d\.\d+)\1\1|(?<=‘)(\d)\2\2(?=’)", r"\1\2", words)
    return re.sub(r"(?<=[(“]) | (?=[,.;:)”])", "", words)
