import pandas as pd

from repro.notebook.display import show_table


def test_tables_are_the_same_at_every_run():
    table = pd.DataFrame({"claim": ["a"], "verdict": ["holds"]})
    assert show_table(table).data == show_table(table).data
    assert "holds" in show_table(table).data


def test_tables_on_stand_ins_say_so(monkeypatch):
    for used in (set(), {"coil20"}):
        monkeypatch.setattr("repro.notebook.display.standins_in_use", lambda used=used: used)
        shown = show_table(pd.DataFrame({"claim": ["a"]})).data
        assert ("no evidence" in shown) == bool(used)
