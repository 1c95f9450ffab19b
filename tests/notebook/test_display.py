import pandas as pd

from repro.notebook.display import show_table


def test_tables_are_the_same_at_every_run_and_say_what_rests_on_stand_ins(monkeypatch):
    table = pd.DataFrame({"claim": ["a"], "verdict": ["holds"]})
    for used in (set(), {"coil20"}):
        monkeypatch.setattr("repro.notebook.display.standins_in_use", lambda used=used: used)
        shown = show_table(table).data
        assert shown == show_table(table).data
        assert "holds" in shown
        assert ("no evidence" in shown) == bool(used)
