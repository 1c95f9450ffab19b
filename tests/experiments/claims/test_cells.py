"""The table of measures, and the addresses of its cells."""

import pandas as pd
import pytest

from repro.experiments.claims import address, at_most, cells, score_and_space, table_of

TABLE = pd.DataFrame({"BRE": {"error": 0.25, "loss": 3}, "shuffled": {"error": 1 / 3}})


def test_cells_go_by_score_and_space_and_make_the_table_again():
    found = cells(TABLE)
    assert found == {"error: BRE": 0.25, "error: shuffled": 1 / 3, "loss: BRE": 3.0}
    for measures in (found, pd.Series(found)):
        pd.testing.assert_frame_equal(table_of(measures), TABLE)
    assert [address(*score_and_space(measure)) for measure in found] == list(found)


@pytest.mark.parametrize(
    "table",
    [
        TABLE.rename(index={"loss": "error"}),
        TABLE.rename(columns={"shuffled": "BRE"}),
        TABLE.rename(index={"loss": "loss: mean"}),
    ],
)
def test_two_cells_never_share_an_address(table):
    with pytest.raises(ValueError, match="needs its own name"):
        cells(table)


def test_a_difference_is_shown_with_a_minus_sign():
    """The names of record say "less", which could be read as a comparison."""
    ask = at_most("1-NN error at 15 % less chance", "t-ETE", -0.2)
    assert ask.measure == "1-NN error at 15 % less chance: t-ETE"
    assert ask.quantity == "1-NN error at 15 % − chance: t-ETE"
