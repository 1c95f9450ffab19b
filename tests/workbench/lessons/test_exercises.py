import numpy as np
import pytest

from repro.workbench.lessons import agrees, check, compared


def broken(_):
    raise IndexError("index 3 is out of bounds")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (..., "Not answered yet"),
        (4, "Right."),
        (4.1, "Right."),
        ("4", "Right."),
        (np.array([4.0]), "Right."),
        (5, "Not yet. Hint: two twos"),
        (8, "Not yet: this is the cube."),
        ([4, 4], "This is a list, not what is asked for. Hint: two twos"),
        (None, "This is None, not what is asked for"),
        ("four", "This is a text, not what is asked for"),
        (broken, "This is a function, not what is asked for"),
    ],
)
def test_an_answer_is_right_wrong_missing_or_of_another_kind(answer, said, capsys):
    check(answer, lambda number: agrees(number, 4.04, usual={8: "the cube"}), "two twos")
    assert said in capsys.readouterr().out


@pytest.mark.parametrize("answer", [broken, (abs, broken), [broken]])
def test_what_a_function_of_the_readers_raises_is_told_as_such(answer, capsys):
    def is_right(functions):
        functions = functions if isinstance(functions, list | tuple) else [functions]
        return all(function(1) == 1 for function in functions)

    check(answer, is_right, "it takes a list")
    assert capsys.readouterr().out == (
        "Your function raised IndexError: index 3 is out of bounds. Hint: it takes a list\n"
    )
    check(abs, is_right, "")
    assert capsys.readouterr().out == "Right.\n"


@pytest.mark.parametrize(
    ("number", "digits", "right"),
    [(0.24, 2, True), (0.2, 1, True), (0.2, 2, False), (0.23, 2, True), (0.22, 2, False)],
)
def test_a_number_is_right_to_the_digits_that_are_asked_for(number, digits, right):
    assert agrees(number, 0.2351, digits) is right
    assert agrees(-number, -0.2351, digits) is right


@pytest.mark.parametrize(("number", "expected"), [(0.9, 1), (1.1, 1), (0.49, 0.5), (0.24, 0.25)])
def test_a_unit_of_the_last_digit_is_one_though_binary_numbers_are_not(number, expected):
    assert agrees(number, expected) is True


def test_zero_is_right_where_zero_is():
    assert agrees(0, 0.0)
    assert agrees(0.3, 0.0) is False


def test_it_says_when_a_function_is_asked_for(capsys):
    check(0.94, lambda function: function(1) == 1, "it takes a share")
    said = "This is a number, a function is asked for. Hint: it takes a share\n"
    assert capsys.readouterr().out == said


def test_values_are_right_or_a_usual_error_or_wrong_and_errors_are_computed_on_demand():
    def usual():
        yield "half of it", [0.5, 1]
        pytest.fail("the error is known")

    assert compared([1, 2 + 1e-9], [1, 2], usual()) is True
    assert compared([0.5, 1.01], [1, 2], usual(), atol=0.1) == "half of it"
    assert compared([1, 3], [1, 2], [("half of it", 0.5)]) is False
