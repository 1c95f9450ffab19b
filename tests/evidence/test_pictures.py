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
    pictures.write_pictures(tmp_path, judged)
    sizes = {path.stem: path.stat().st_size for path in (tmp_path / "sweeps").glob("*.png")}
    assert set(sizes) == {"a_fig1", "strip", "elsewhere"}
    assert min(sizes.values()) > 1000
