"""A table of runs is complete or refused: truncated tables are never judged."""

import numpy as np
import pandas as pd
import pytest
from toy_experiment import STEM

from repro import experiments
from repro.core.errors import UserError
from repro.workbench.evidence import rows


@pytest.fixture
def path(swept):
    """Return the path of a table whose lines 2 to 6 belong to one reading."""
    return swept


def load(path):
    return rows.load_rows(path, experiments.load(STEM).Choices)


def cut(text):
    return text[: len(text) // 2]


def at(*numbers, **cells):
    """Return a function that changes cells in some lines of the table."""
    names = "level", "noise", "data", "seed", "cpu", "version", "commit"
    names += "size", "chance", "third", "seconds"

    def change(lines):
        for k in numbers:
            values = dict(zip(names, lines[k - 1].split(","), strict=True)) | cells
            lines[k - 1] = ",".join(values.values())
        return lines

    return change


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda lines: [*lines[:-1], cut(lines[-1])], "its last line is incomplete"),
        (lambda lines: [*lines[:-1], cut(lines[-1]) + "\n"], r"line 20: it has \d cells, not 11"),
        (
            lambda lines: [lines[0], *(cut(x) + "\n" for x in lines[1:6]), *lines[6:]],
            r"line 2: it has \d cells, not 11",
        ),
        (lambda lines: [*lines, lines[3]], "line 21: an earlier line is of the same run"),
        (lambda lines: [*lines[:4], "\n", *lines[4:]], "line 5: it has 0 cells, not 11"),
        (at(3, size=""), "line 3: 'size: it' is given for some runs of a setting only"),
        (at(3, size="0.5x"), "could not convert string to float: '0.5x'"),
        (at(3, size="0.5,0.5"), "line 3: it has 12 cells, not 11"),
        (at(1, cpu="CPU"), "it has no column cpu"),
    ],
)
def test_what_is_damaged_is_refused_and_its_line_named(path, damage, says):
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(damage(lines)), encoding="utf-8")
    with pytest.raises(UserError, match=rf"{path.name} is damaged: {says}"):
        load(path)


def test_a_measure_that_is_no_number_is_kept_as_such(path):
    table = load(path)
    first = table.iloc[0].to_dict() | {"size: it": np.nan, "third: it": np.inf}
    rows.add_rows(path, experiments.load(STEM).Choices, [first])
    pd.testing.assert_series_equal(load(path).iloc[0], pd.Series(first), check_names=False)


def test_to_add_rows_leaves_the_others_as_they_are(path):
    before = path.read_bytes()
    table = load(path)
    rows.add_rows(path, experiments.load(STEM).Choices, table.iloc[:3])
    assert path.read_bytes() == before


def test_readings_need_not_have_the_same_measures(path):
    table, choices = load(path), experiments.load(STEM).Choices
    faces = table[table["data"] == "'faces'"].rename(columns={"size: it": "size: faces"})
    path.unlink()
    rows.add_rows(path, choices, table[table["data"] == "'digits'"])
    rows.add_rows(path, choices, faces)
    of_faces, of_digits = load(path)["size: faces"], load(path)["size: it"]
    assert of_faces.notna().sum() == len(faces) == of_digits.isna().sum()


def test_a_choice_that_was_declared_later_has_our_value_in_earlier_runs(path):
    lines = [line.split(",") for line in path.read_text(encoding="utf-8").splitlines()]
    k = lines[0].index("noise")
    earlier = "".join(",".join(cells[:k] + cells[k + 1 :]) + "\n" for cells in lines)
    path.write_text(earlier, encoding="utf-8")
    table = rows.load_rows(path, experiments.load(STEM).Choices)
    assert set(table["noise"]) == {"0.1"}
