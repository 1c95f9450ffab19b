"""Checks of answers to a lesson's exercises, and its folded solutions."""

import re

# Solutions are in Markdown, so that running all cells does not open them.
SOLUTION = re.compile(
    r"<details><summary>Solution (\d)</summary>\s+```python\n(.*?)\n```\s*(.*?)\s*</details>", re.S
)


def check(answer, is_right, hint):
    """Print whether an answer to an exercise is right; ``...`` means not answered yet.

    ``is_right`` takes the answer and returns whether it is right. The hint is printed if the answer
    is wrong or of an unsuitable type.
    """
    if answer is ...:
        print("Not answered yet: put your answer in the place of the dots.")
        return
    try:
        right = bool(is_right(answer))
    except (TypeError, ValueError, AttributeError) as error:
        print(f"This is no answer to the question: {error}. Hint: {hint}")
        return
    print("Right." if right else f"Not yet. Hint: {hint}")


def solutions(cells):
    """Return the code of the folded solutions in the cells of a notebook, by number.

    Each ends with a check of its answer.
    """
    texts = [cell.source for cell in cells if cell.cell_type == "markdown"]
    found = {int(k): code for text in texts for k, code, _ in SOLUTION.findall(text)}
    return {k: f"{code}\n\nassert is_right_{k}(answer_{k})\n" for k, code in found.items()}
