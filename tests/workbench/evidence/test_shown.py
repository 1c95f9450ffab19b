"""Pictures of the evidence show what the answers rest on."""

from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import pytest
import toy_experiment

from repro import experiments
from repro.core.errors import UserError
from repro.workbench.evidence import in_short, picture, scorecard, show_evidence
from repro.workbench.evidence.shown import criterion_of, lines_of, marks_of


@pytest.fixture
def judged(figures, swept):
    return scorecard.judge_all(figures)


def test_the_marks_of_runs_are_those_that_count(judged):
    for entry in judged:
        marks = marks_of(entry)
        runs = marks[(marks["mark"] == "run") & (marks["line"] == 0)]
        (ask,) = lines_of(entry)[0]
        assert len(runs) == entry.verdict.ours.of
        assert ask.met_by(runs["value"].to_numpy()).sum() == entry.verdict.ours.met
        assert list(marks.loc[marks["mark"] == "bound", "value"]) == [ask.bound]
        assert list(marks.loc[marks["mark"] == "data", "label"]) == ["data = faces"]
        assert not {"turns", "setting", "here"} & set(marks["mark"])


def test_a_bound_of_the_reader_stands_beside_ours(judged):
    mine = {"size: it": 0.7, "third: it": ...}
    marks = [marks_of(entry, mine=mine) for entry in judged]
    own = [of[of["mark"] == "mine"] for of in marks]
    assert [list(of["value"]) for of in own] == [[0.7], [0.7], []]


def test_two_bounds_of_one_quantity_share_a_line():
    from repro.experiments.claims import Claim, at_least, at_most

    asks = [at_least("a", "it", -0.1), at_most("b", "it", 1), at_most("a", "it", 0.1)]
    entry = type("Entry", (), {"claim": Claim("x-1a", "", "", asks), "ask": asks[1]})
    lines = lines_of(entry)
    assert [len(line) for line in lines] == [1, 2]
    assert list(map(criterion_of, lines)) == ["≤ 1", "−0.1 to 0.1"]


def test_a_picture_has_a_row_per_claim_and_its_sentence(judged):
    fig = picture.draw_evidence(judged, {"a-1a": "It is large."})
    told = [text.get_text() for text in fig.texts]
    assert "In short: It is large." in told
    assert {entry.claim.id for entry in judged} <= set(told)
    assert len(fig.axes) == len(judged)
    plt.close(fig)


def test_the_picture_of_a_lesson_says_in_words_what_became_of_each_claim(judged):
    experiment = experiments.load(toy_experiment.STEM)
    measures = {0: experiment.measure(experiment.run(experiment.Choices(), 0))}
    shown = show_evidence(experiment, measures)
    assert shown.alt == (
        "The evidence on each claim: a-1a reproduced, a-1b not reproduced, a-1c confirmed"
    )


def test_a_conclusion_is_filled_in_and_is_for_its_verdict_alone(judged):
    text = "{share}, {away}: {median:.1f} for {bound}, {chance:g} by chance, {m[third: it]:.2f}"
    fits = {"verdict": in_short.verdict_of(judged[0]), "text": text}
    median = np.median(next(iter(judged[0].runs.values()))["size: it"])
    said = f"all 4 samples, 1 of 1: {median:.1f} for 0.5, 0 by chance, 0.33"
    assert replace(judged[0], written=fits).conclusion == said
    assert judged[1].conclusion == ""
    for wrong, says in (
        ({"verdict": "not reproduced; other data 1 of 1"}, "is written for"),
        ({"text": "{m[none: it]}"}, "names what is not known"),
    ):
        entry = replace(judged[0], written=fits | wrong)
        with pytest.raises(UserError, match=says):
            in_short.conclude(entry)
