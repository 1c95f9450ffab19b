import pandas as pd

from repro.notebook.display import show_source, show_table


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


def test_tables_on_stand_ins_say_so(monkeypatch):
    for used in (set(), {"coil20"}):
        monkeypatch.setattr("repro.notebook.display.standins_in_use", lambda used=used: used)
        shown = show_table(pd.DataFrame({"claim": ["a"]})).data
        assert ("no evidence" in shown) == bool(used)
