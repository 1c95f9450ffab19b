"""Checks of answers to a lesson's exercises, and its folded solutions."""

import re
from itertools import chain
from numbers import Number

import numpy as np

# Solutions are in Markdown, so that running all cells does not open them.
SOLUTION = re.compile(
    r"<details><summary>Solution (\d)</summary>\s+```python\n(.*?)\n```\s*(.*?)\s*</details>", re.S
)


def check(answer, is_right, hint):
    """Print whether an answer to an exercise is right; ``...`` means not answered yet.

    ``is_right`` takes the answer, and returns whether it is right, or says in a sentence what the
    usual error in it is. The hint is printed if the answer is wrong or of an unsuitable type. What
    a function of the reader's raises is told as such.
    """
    if answer is ...:
        print("Not answered yet: put your answer in the place of the dots.")
        return
    try:
        right = is_right(_guarded(answer))
    except _ReaderError as raised:
        error = raised.__cause__
        print(f"Your function raised {type(error).__name__}: {error}. Hint: {hint}")
        return
    except (TypeError, ValueError, AttributeError, IndexError, KeyError) as error:
        callable_asked = "not callable" in str(error)
        asked = "a function is asked for" if callable_asked else "not what is asked for"
        print(f"This is {_kind(answer)}, {asked}. Hint: {hint}")
        return
    if isinstance(right, str):
        print(f"Not yet: {right}.")
    else:
        print("Right." if right else f"Not yet. Hint: {hint}")


class _ReaderError(Exception):
    """A function of the reader's raised the error that is the cause of this one."""


def _guarded(answer):
    """Return an answer whose functions raise `_ReaderError` in place of any other error."""
    if type(answer) in (list, tuple):
        return type(answer)(map(_guarded, answer))
    if not callable(answer):
        return answer

    def call(*given, **named):
        try:
            return answer(*given, **named)
        except Exception as error:
            raise _ReaderError from error

    return call


def _kind(answer):
    """Say in words what an answer is, such as "a number" or "an array"."""
    if isinstance(answer, Number):
        return "a number"
    name = type(answer).__name__
    known = {"str": "a text", "NoneType": "None", "ndarray": "an array"}
    return known.get(name, f"a{'n' * (name[0] in 'aeiouAEIOU')} {name}")


def agrees(answer, expected, digits=2, usual=()):
    """Return whether a number is right, or says in a sentence what the usual error in it is.

    ``digits`` are the significant digits that are asked for: a number is right if it lies within
    one unit of the last of them. It may be a text such as "0.24", an array or a list of one number.
    ``usual`` maps wrong numbers to what they are: "the loss, not its logarithm".
    """
    number = float(np.asarray(answer, dtype=float).reshape(-1)[0])
    if np.size(answer) != 1 or not np.isfinite(number):
        raise ValueError("one number is asked for")

    def near(value):
        unit = 10.0 ** (np.floor(np.log10(abs(value))) - digits + 1) if value else 10.0**-digits
        return abs(number - value) <= unit * (1 + 1e-9)

    if near(expected):
        return True
    return next((f"this is {what}" for value, what in dict(usual).items() if near(value)), False)


def compared(found, right, usual, **tolerance):
    """Return whether values are right, or the sentence on the first usual error that gives them.

    ``usual`` yields pairs of a sentence and values; ``tolerance`` is that of `numpy.allclose`.
    """
    known = chain([(True, right)], usual)
    return next((says for says, values in known if np.allclose(found, values, **tolerance)), False)


def solutions(cells):
    """Return the code of the folded solutions in the cells of a notebook, by number.

    Each ends with a check of its answer.
    """
    texts = [cell.source for cell in cells if cell.cell_type == "markdown"]
    found = {int(k): code for text in texts for k, code, _ in SOLUTION.findall(text)}
    return {
        k: f"{code}\n\nassert is_right_{k}(answer_{k}) in (True,)\n" for k, code in found.items()
    }
