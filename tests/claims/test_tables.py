"""The table of measures, and the addresses of its cells."""

import pandas as pd
import pytest

from repro.claims import cells, table_of

TABLE = pd.DataFrame({"BRE": {"error": 0.25, "loss": 3}, "shuffled": {"error": 1 / 3}})


def test_cells_go_by_score_and_space_and_make_the_table_again():
    found = cells(TABLE)
    assert found == {"error: BRE": 0.25, "error: shuffled": 1 / 3, "loss: BRE": 3.0}
    pd.testing.assert_frame_equal(table_of(found), TABLE)


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
