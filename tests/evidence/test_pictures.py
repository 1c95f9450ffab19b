import toy_experiment

from repro.evidence import pictures, scorecard


def test_pictures_have_a_row_per_reading_and_turning_ones_come_first(tmp_path, monkeypatch):
    toy_experiment.install(tmp_path, monkeypatch)
    toy_experiment.sweep(tmp_path)
    judged = scorecard.judge_all(tmp_path)
    assert [r.words for r in pictures.order_of_readings(judged)] == [
        "primary",
        "the level is zero",
        "high",
        "data = faces",
    ]
    made = pictures.render_pictures(judged)
    assert set(made) == {"a_fig1.png", "strip.png", "elsewhere.png"}
    assert min(map(len, made.values())) > 1000
