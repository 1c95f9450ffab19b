import pytest

from repro.workbench.lessons import check


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (..., "Not answered yet"),
        (4, "Right."),
        (5, "Not yet. Hint: two twos"),
        (None, "Hint: two twos"),
        ("four", "Hint: two twos"),
    ],
)
def test_an_answer_is_right_wrong_missing_or_of_another_kind(answer, said, capsys):
    check(answer, lambda number: abs(number - 4) < 0.1, "two twos")
    assert said in capsys.readouterr().out
