"""Checks of the answers to a lesson's exercises."""


def check(answer, is_right, hint):
    """Print whether an answer to an exercise is right; it is ``...`` while it is not given.

    ``is_right`` takes the answer, and returns whether it is right. The hint is printed if it is
    wrong, or not of the kind that was asked for.
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
