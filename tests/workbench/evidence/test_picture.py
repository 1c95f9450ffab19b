"""The picture of the evidence shows what the verdicts rest on."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
import toy_experiment

from repro import experiments
from repro.core.errors import UserError
from repro.experiments.claims import Claim, at_least, at_most
from repro.workbench.evidence import picture, scorecard, show_evidence
from repro.workbench.evidence.rows import ours_of

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def judged(figures, swept):
    return scorecard.judge_all(figures)


def strips(svg):
    """Return the places of the runs within and outside the bound, by the words of a setting."""
    found = {}
    for group in ElementTree.fromstring(svg).iter(f"{SVG}g"):
        if "data-words" in group.attrib:
            dots = list(group.iter(f"{SVG}circle"))
            met = [float(d.get("cx")) for d in dots if d.get("fill") == picture.MET]
            missed = [float(d.get("cx")) for d in dots if d.get("fill") == picture.MISSED]
            found.setdefault(group.get("data-words"), (met, missed))
    return found


def test_a_strip_has_a_dot_per_run_on_the_side_where_the_run_lies(judged):
    for entry in judged:
        met, missed = strips(picture.draw_claim(entry))["ours"]
        assert (len(met), len(met) + len(missed)) == entry.verdict.ours
        values = np.sort(entry.claim.values_of(entry.ask, ours_of(entry.runs)))
        axis = picture._Axis(entry, [entry.ask], picture.shown_settings(entry), ())
        assert np.allclose(np.sort(met + missed), [axis.place(value) for value in values])


def test_all_strips_are_shown_where_all_are_asked_for(judged):
    for entry in judged:
        shown = strips(picture.draw_claim(entry, every=True))
        assert list(shown) == [setting.words for setting in entry.verdict.counts]
        assert list(strips(picture.draw_claim(entry))) == ["ours"]


def test_the_values_of_a_choice_that_decides_have_strips(project, monkeypatch):
    source = toy_experiment.SOURCE.replace("sensitivity={0.0", "settings={0.0")
    toy_experiment.install(project, monkeypatch, source)
    toy_experiment.sweep(project / "figures")
    entry, *_ = scorecard.judge_all(project / "figures")
    assert entry.verdict.words == "depends on level"
    assert list(strips(picture.draw_claim(entry))) == ["ours", "the level is zero", "high"]
    bold = re.findall(r'font-weight="bold"[^>]*>([^<]*)<', picture.draw_claim(entry))
    assert "the level is zero" in bold
    assert "high" not in bold


def test_chance_and_the_bound_of_the_reader_are_drawn_and_named(judged):
    text = picture.draw_claim(judged[0], mine={"size: it": 0.7, "third: it": ...})
    assert "points shuffled 0" in text
    assert "yours 0.7" in text
    assert "yours" not in picture.draw_claim(judged[0], mine={"size: it": ...})


def test_two_bounds_of_one_quantity_share_an_axis():
    asks = [at_least("a", "it", -0.1), at_most("b", "it", 1), at_most("a", "it", 0.1)]
    entry = type("Entry", (), {"claim": Claim("x-1a", "", "", asks), "ask": asks[1]})
    lines = picture.lines_of(entry)
    assert [len(line) for line in lines] == [1, 2]
    assert list(map(picture.criterion_of, lines)) == ["≤ 1", "−0.1 to 0.1"]


def test_a_file_has_a_row_per_claim_and_says_all_in_words(judged):
    drawn = ElementTree.fromstring(picture.draw_evidence(judged))
    rows = list(drawn.findall(f"{SVG}svg"))
    assert [row.get("aria-label").partition(":")[0] for row in rows] == [
        entry.claim.id for entry in judged
    ]
    said = "reproduced; 4 of 4 samples · other data 1 of 1; ours 4 of 4"
    assert said in rows[0].get("aria-label")
    tops = [int(row.get("y")) for row in rows]
    assert tops == sorted(set(tops))
    assert tops[-1] + int(rows[-1].get("height")) == int(drawn.get("height"))
    assert "2 not reproduced" not in picture.draw_papers(judged)
    assert "1 reproduced" in picture.draw_papers(judged)


def test_a_lesson_shows_six_claims_with_their_conclusions_and_folds_the_others(judged, monkeypatch):
    experiment = experiments.load(toy_experiment.STEM)
    measures = {0: experiment.measure(experiment.run(experiment.Choices(), 0))}
    shown = show_evidence(experiment, measures).data
    assert re.findall('<img alt="(a-.*?)"', shown) == [
        "a-1a reproduced",
        "a-1b not reproduced",
        "a-1c confirmed",
    ]
    assert "<details>" not in shown
    monkeypatch.setattr("repro.workbench.evidence.in_lessons.ROWS", 1)
    folded = show_evidence(experiment, measures).data
    first, rest = folded.split("<summary>More claims: a-1b, a-1c</summary>")
    assert (first.count("<img"), rest.count("<img")) == (2, 2)  # the legend is the first


def test_a_conclusion_is_filled_in_and_is_for_its_verdict_alone(judged):
    text = "{share}, {away}: {median:.1f} for {bound}, {chance:g} by chance, {m[third: it]:.2f}"
    text += ", {n[data = faces]}"
    fits = {"verdict": judged[0].in_file, "text": text}
    median = np.median(next(iter(judged[0].runs.values()))["size: it"])
    said = f"all 4 samples, 1 of 1: {median:.1f} for 0.5, 0 by chance, 0.33, 5 of 5"
    assert replace(judged[0], written=fits).conclusion == said
    assert judged[1].conclusion == ""
    for wrong, says in (
        ({"verdict": "not reproduced; other data 1 of 1"}, "is written for"),
        ({"text": "{m[none: it]}"}, "names what is not known"),
    ):
        entry = replace(judged[0], written=fits | wrong)
        with pytest.raises(UserError, match=says):
            entry.conclusion  # noqa: B018
