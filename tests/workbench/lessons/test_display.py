import pandas as pd

from repro.workbench.lessons.display import medians, show_measures, show_table


def test_tables_are_the_same_at_every_run_and_say_what_rests_on_stand_ins(monkeypatch):
    table = pd.DataFrame({"claim": ["a"], "verdict": ["holds"]})
    measures = pd.DataFrame({"BRE": {"error": 1 / 3}, "PCA": {"loss": 2.0}})
    for used in (set(), {"coil20"}):
        monkeypatch.setattr(
            "repro.workbench.lessons.display.standins_in_use", lambda used=used: used
        )
        for show, what, cell in ((show_table, table, "holds"), (show_measures, measures, "0.333")):
            shown = show(what).data
            assert shown == show(what).data
            assert f"{cell}</td>" in shown
            assert ("no evidence" in shown) == bool(used)


def test_medians_are_taken_cell_by_cell():
    table = pd.DataFrame({"BRE": {"error": 0.25, "loss": 3}, "shuffled": {"error": 1 / 3}})
    middle = medians([table, table + 1, table + 5])
    assert middle.loc["error", "BRE"] == 1.25
    assert pd.isna(middle.loc["loss", "shuffled"])
