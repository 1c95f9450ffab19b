import json

import numpy as np
import pytest
from hypothesis import given, strategies as st

from repro.claims import ledger as claims
from repro.claims.ledger import Claim, Ledger, Part
from repro.datasets import Dataset, base


def part(values, comparison="≥", threshold=0.5, **more):
    return Part("a quantity", values, comparison, threshold, **more)


def claim(*parts, **more):
    return Claim("x-1a", "the paper says so", "Sec. 1", parts, **more)


@pytest.fixture
def ledger(tmp_path, monkeypatch):
    monkeypatch.setenv("REPRO_FIGURES_DIR", str(tmp_path))
    monkeypatch.setattr(base, "_standins", set())
    return Ledger("x_fig1", "X", "Fig. 1", range(3), {"choice": "value"})


@pytest.mark.parametrize(
    ("comparison", "value", "met"),
    [("≥", 1.0, True), ("≥", 0.9, False), ("≤", 1.0, True), (">", 1.0, False), ("<", 0.9, True)],
)
def test_a_part_is_met_by_its_median(comparison, value, met):
    assert part([value - 5, value, value + 5], comparison, 1.0).met is met


def test_nan_never_meets_a_criterion():
    for comparison in claims.COMPARISONS:
        assert not part([1.0, np.nan, 1.0], comparison, 0.0).met
        assert part([np.nan], comparison, 0.0).met_by_seed.sum() == 0


@pytest.mark.parametrize(
    ("parts", "verdict"),
    [
        ([part([1, 1, 0])], "holds"),
        ([part([1, 1, 1]), part([0, 0, 1])], "partly"),  # one part of two
        ([part([1, 0, 1, 0])], "holds"),  # the median is on the bound
        ([part([1, 0.4, 1, 0.4]), part([0, 0, 0, 0]), part([0, 0, 0, 0])], "fails"),
        ([part([0, 0, 1])], "fails"),
    ],
)
def test_verdicts(parts, verdict):
    assert claim(*parts).verdict == verdict


def test_partly_by_half_of_the_seeds():
    # Both medians miss, and yet every second seed meets both parts.
    values = [1, 1, 0.45, 0.45]
    both = part(values, "≥", 0.8), part(values, "≥", 0.75)
    assert not any(p.met for p in both)
    assert claim(*both).verdict == "partly"


@given(st.lists(st.floats(-10, 10), min_size=1, max_size=12), st.floats(-10, 10))
def test_verdict_of_one_part_follows_median_and_seeds(values, threshold):
    made = claim(part(values, "≥", threshold))
    share = np.mean(np.array(values) >= threshold)
    if np.median(values) >= threshold:
        assert made.verdict == "holds"
    else:
        assert made.verdict == ("partly" if share >= 0.5 else "fails")


def test_firmness_asks_seeds_and_readings():
    steady = part([1] * 10)
    assert claim(steady).firmness == "robust"
    assert claim(steady, readings={"other": "holds"}).firmness == "robust"
    assert claim(steady, readings={"other": "fails"}).firmness == "fragile"
    assert claim(part([1] * 9 + [0])).firmness == "robust"
    assert claim(part([1] * 8 + [0] * 2)).firmness == "fragile"
    assert claim(part([0] * 10)).firmness == "robust"  # firmly fails
    assert claim(part([0] * 8 + [1] * 2)).firmness == "fragile"


def test_parts_with_one_value_count_for_every_seed():
    assert claim(part([1, 1, 0]), part([1])).share_of_seeds == pytest.approx(2 / 3)
    with pytest.raises(ValueError, match="different numbers of seeds"):
        _ = claim(part([1, 1, 0]), part([1, 1])).share_of_seeds


def test_bad_parts_and_claims_are_refused():
    with pytest.raises(ValueError, match="values"):
        part([])
    with pytest.raises(ValueError, match="comparison"):
        part([1], "==")
    with pytest.raises(ValueError, match="parts"):
        claim()


def test_the_ledger_records_what_it_holds(ledger, tmp_path):
    ledger.add(claim(part([0.123456789, 1, 2], beside={"chance": 1 / 3}), paper_value="0.9"))
    ledger.erratum("a misprint")
    path = ledger.record()
    content = json.loads(path.read_text(encoding="utf-8"))
    assert path == tmp_path / "x_fig1.json"
    assert content["data"] == "real"
    assert content["readings"] == {"choice": "value"}
    assert content["errata"] == ["a misprint"]
    recorded = content["claims"][0]
    assert recorded["verdict"] == "holds"
    assert recorded["paper_value"] == "0.9"
    assert recorded["parts"][0]["values"] == [0.1235, 1.0, 2.0]
    assert recorded["parts"][0]["beside"] == {"chance": 0.3333}


def test_recording_again_changes_no_byte(ledger):
    ledger.add(claim(part([1, 2, 3])))
    first = ledger.record().read_bytes()
    assert ledger.record().read_bytes() == first


def test_an_id_is_used_once(ledger):
    ledger.add(claim(part([1])))
    with pytest.raises(ValueError, match="x-1a"):
        ledger.add(claim(part([1])))


def test_no_claim_is_recorded_on_standins(ledger, tmp_path):
    ledger.add(claim(part([1, 1, 1])))
    ledger.erratum("a misprint")
    Dataset(name="coil20", source="", licence="", citation="", is_standin=True, X=np.zeros((2, 2)))
    path = ledger.record()
    content = json.loads(path.read_text(encoding="utf-8"))
    assert path == tmp_path / "standin" / "x_fig1.json"
    assert content["data"] == "stand-in"
    assert content["claims"] == content["errata"] == []
    assert not (tmp_path / "x_fig1.json").exists()


def test_other_readings_are_kept_with_the_claims(ledger):
    ledger.add(claim(part([1] * 3)))
    table = ledger.read_otherwise({"as is": {"x-1a": [part([1] * 3)]}, "b": {"x-1a": [part([0])]}})
    assert dict(table["x-1a"]) == {"as is": "holds", "b": "fails"}
    assert ledger.claims[0].readings == {"as is": "holds", "b": "fails"}
    assert list(ledger.summary()["firmness"]) == ["fragile"]
    with pytest.raises(ValueError, match="x-9"):
        ledger.read_otherwise({"c": {"x-9": [part([1])]}})


def test_the_table_has_a_row_per_part(ledger):
    ledger.add(claim(part([1, 2, 3], beside={"chance": 0.5}), part([0])))
    table = ledger.table()
    assert list(table["claim"]) == ["x-1a", ""]
    assert table["median [range]"][0] == "2 [1, 3]"
    assert table["beside"][0] == "chance 0.5"
    assert list(table["met"]) == ["yes", "no"]
    assert ledger.verdicts() == "x-1a: partly"


def test_what_rests_on_a_clock_is_not_compared(ledger, tmp_path, monkeypatch):
    monkeypatch.setattr(claims, "project_dir", lambda: tmp_path)
    (tmp_path / "figures" / "recorded").mkdir(parents=True)
    ledger.add(claim(part([1, 2, 3], timed=True)))
    monkeypatch.setenv("REPRO_FIGURES_DIR", str(tmp_path / "figures" / "recorded"))
    ledger.record()
    slower = Ledger(ledger.stem, "X", "Fig. 1", range(3), {})
    slower.add(claim(part([0, 0, 0], timed=True)))
    assert slower.verdicts() == ledger.verdicts() == "x-1a: by the clock"
    slower.spot_check()


def test_a_longer_run_is_shown_and_spot_checked(ledger, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "pyproject.toml").touch()
    assert ledger.recorded().empty
    longer = Ledger("x_fig1", "X", "Fig. 1", range(5), {})
    longer.add(claim(part([1, 2, 3, 90, 91]), part([7])))
    monkeypatch.setenv("REPRO_FIGURES_DIR", str(tmp_path / "figures" / "recorded"))
    longer.record()
    ledger.add(claim(part([1, 2.01, 3]), part([8])))
    ledger.spot_check()
    table = ledger.recorded()
    assert list(table["median [range]"]) == ["3 [1, 91]", "7"]
    assert list(table["seeds"]) == [5, 1]
    ledger.claims[0] = claim(part([1, 3, 3]), part([8]))
    with pytest.raises(AssertionError, match="recorded"):
        ledger.spot_check()


@pytest.fixture
def recorded(ledger, tmp_path, monkeypatch):
    """Return a function that records a longer run: its seeds, and the values of its parts."""
    monkeypatch.setattr(claims, "project_dir", lambda: tmp_path)

    def write(seeds, *values):
        longer = Ledger(ledger.stem, "X", "Fig. 1", seeds, {})
        longer.add(claim(*(part(of_part) for of_part in values)))
        with monkeypatch.context() as patch:
            patch.setenv("REPRO_FIGURES_DIR", str(tmp_path / "figures" / "recorded"))
            longer.record()

    return write


def test_only_the_seeds_that_both_runs_have_are_compared(ledger, recorded):
    ledger.add(claim(part([1, 2, 30]), part([8])))
    recorded(range(2), [1, 2], [7])  # shorter, and one value that is of all seeds together
    ledger.spot_check()
    recorded(range(1, 9), [2, 30, 5, 6, 7, 8, 9, 10], [7])  # from another seed on
    ledger.spot_check()
    recorded(range(2, 9), [5, 6, 7, 8, 9, 10, 11], [7])  # one seed has no median
    ledger.spot_check()
    recorded(range(20, 23), [5, 6, 7], [7])
    ledger.spot_check()
    recorded(range(1, 9), [2, 90, 5, 6, 7, 8, 9, 10], [7])
    with pytest.raises(AssertionError, match="46 recorded"):
        ledger.spot_check()


def test_what_was_not_a_number_is_spot_checked_too(ledger, recorded):
    ledger.add(claim(part([1, np.nan, 3])))
    recorded(range(5), [1, np.nan, 3, 4, 5])
    ledger.spot_check()
    recorded(range(5), [1, 2, 3, 4, 5])
    with pytest.raises(AssertionError, match="2 recorded"):
        ledger.spot_check()


def test_of_noes_and_yeses_the_share_is_spot_checked(ledger, tmp_path, monkeypatch):
    monkeypatch.setattr(claims, "project_dir", lambda: tmp_path)
    (tmp_path / "figures" / "recorded").mkdir(parents=True)
    ledger.add(claim(part(np.array([True, True, False]))))
    monkeypatch.setenv("REPRO_FIGURES_DIR", str(tmp_path / "figures" / "recorded"))
    ledger.record()
    ledger.claims[0] = claim(part([0, 1, 1]))
    ledger.spot_check()
    ledger.claims[0] = claim(part([1, 1, 1]))
    with pytest.raises(AssertionError, match=r"0\.6667 recorded"):
        ledger.spot_check()
