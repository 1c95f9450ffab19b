from types import SimpleNamespace

import numpy as np
import pandas as pd

from repro.notebook.display import show_source, show_table, table_of_fits


def documented(x):
    """Double a number.

    This line is left out.
    """
    return 2 * x


def test_a_source_is_shown_with_the_first_line_of_its_docstring():
    shown = show_source(documented, test_tables_are_the_same_at_every_run).data
    assert shown.startswith('def documented(x):\n    """Double a number."""\n    return 2 * x\n\n')
    assert "left out" not in shown
    assert "def test_tables_are_the_same_at_every_run():" in shown


def test_tables_are_the_same_at_every_run():
    table = pd.DataFrame({"claim": ["a"], "verdict": ["holds"]})
    assert show_table(table).data == show_table(table).data
    assert "holds" in show_table(table).data


def test_fits_are_tabulated_by_medians_in_their_order():
    def fitted(loss):
        return SimpleNamespace(loss_=loss, embedding_=np.array([[-loss], [loss]]))

    fits = {"z": [fitted(x) for x in (1.0, 2.0, 30.0)], "a": [fitted(5.0)]}
    table = table_of_fits(fits, {"twice": lambda m: 2 * m.loss_})
    assert list(table.index) == ["z", "a"]
    assert list(table.columns) == ["loss", "spread", "twice"]
    np.testing.assert_array_equal(table, [[2, 2, 4], [5, 5, 10]])
