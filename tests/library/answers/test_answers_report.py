from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from planted_answers import planted_answers
from scipy.stats import chi2, chi2_contingency
from tqdm import tqdm

from repro import read_answers, report_answers
from repro.answers import agreement, annotators, summary
from repro.answers.held_out import bootstrap, place_downwards, predicted, share_and_error
from repro.core.errors import UserError


def nothing():
    """Do not move a progress bar."""


@pytest.fixture(scope="module")
def planted():
    X, table = planted_answers(12, 1, 300, 0.1, np.random.default_rng(0))
    table["who"] = np.arange(300) % 3
    answers = read_answers(table, annotator="who")
    return X, answers, report_answers(answers, n_samples=20, random_state=0)


@pytest.mark.parametrize("kind", ["triplets", "odd one out"])
@pytest.mark.parametrize("wrong", [0.05, 0.2])
def test_repeats_tell_how_many_answers_a_map_could_give(kind, wrong):
    rng = np.random.default_rng(0)
    asked = rng.random((1500, 30)).argsort(axis=1)[:, :3].repeat(2, axis=0)
    X, table = planted_answers(30, 2, len(asked), wrong, rng, kind, asked)
    table["who"] = np.tile([0, 1, 1, 1], 750)
    answers = read_answers(table, kind, annotator="who")
    found = agreement(answers)
    assert found["pairs"].tolist()[0] == found["pairs"][1:].sum() >= 1500
    bound = found.loc["all"]
    assert bound["best low"] < 1 - wrong < bound["best high"] < bound["best low"] + 0.1
    # The true places satisfy as many.
    right = predicted([(answers, answers)], len(asked), lambda train: {"planted": X})
    assert bound["best low"] < right["planted"].mean() < bound["best high"]


def test_a_bound_of_repeats_that_all_agree_is_not_sure():
    rows = [["a", "b", "c"], ["a", "b", "c"], ["b", "c", "d"]]
    bound = agreement(read_answers(rows)).loc["all"]
    assert (bound["pairs"], bound["agreement"], bound["high"]) == (1, 1, 1)
    assert bound["low"] == pytest.approx(1 - 1.96 / 2)  # as if by half a pair more
    none = agreement(read_answers(rows[1:])).loc["all"]
    assert none["pairs"] == 0
    assert none[1:].isna().all()
    rows = [["a", "b", "c"], ["a", "c", "b"], ["b", "a", "c"], ["b", "a", "c"]]
    assert agreement(read_answers(rows)).loc["all", "pairs"] == 2
    # What is left without contradictions agrees.
    assert agreement(read_answers(rows, drop="contradictory")).loc["all", "pairs"] == 0


def test_the_planted_dimension_and_places_are_found(planted):
    X, answers, report = planted
    assert report.n_components_ == 1
    assert report.embedding_.shape == (12, 1)
    assert report.ellipses_.shape == (12, 1, 1)
    assert abs(np.corrcoef(X[:, 0], report.embedding_[:, 0])[0, 1]) > 0.97
    assert (report.embedding_**2).sum() == pytest.approx(12)
    assert report.items_["answers"].sum() == 3 * 300
    half_axes = np.sqrt(chi2.ppf(0.95, 1) * report.ellipses_[:, 0, 0])
    np.testing.assert_allclose(report.items_["radius"], half_axes)
    assert "not above chance" not in str(report)
    assert list(report.items_.index) == list(answers.names)


def test_a_report_has_its_tables(planted):
    _, _, report = planted
    chosen = report.accuracy_.loc["tete", 1]
    assert set(report.accuracy_.index.get_level_values("method")) == {
        *("tete", "tste", "ste", "ckl", "gnmds")
    }
    assert sorted(report.accuracy_.loc["tete"].index) == [1, 2, 3, 4, 5, 6]
    assert (chosen["gain"], chosen["gain error"]) == (0, 0)
    curve = report.learning_curve_
    assert list(curve.index) == [30, 60, 120, 240]
    assert curve.loc[240, "accuracy"] == chosen["accuracy"] > curve.loc[30, "accuracy"]
    assert report.annotators_["answers"].tolist() == [100, 100, 100]
    assert np.average(report.annotators_["accuracy"]) == pytest.approx(chosen["accuracy"])


def test_a_seed_gives_the_same_report(planted):
    _, answers, report = planted
    again = report_answers(answers, n_samples=20, random_state=0)
    np.testing.assert_array_equal(again.ellipses_, report.ellipses_)
    pd.testing.assert_frame_equal(again.accuracy_, report.accuracy_)
    assert str(again) == str(report) == "\n".join(report.says_)


def test_the_figure_and_the_page_have_the_names_as_they_are_and_all_accuracies(planted, tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    names = {f"i0{k}": f"<b>{k}" for k in range(5)} | {"i05": r"US$ 5 and $\foo$"}
    table = planted_answers(6, 2, 120, 0.0, np.random.default_rng(0))[1].replace(names)
    report = report_answers(read_answers(table), n_components=2, n_samples=5, random_state=0)
    assert report.n_components_ == 2
    fig = report.plot()
    ax, *panels = fig.axes
    assert set(names.values()) <= {text.get_text() for text in ax.texts}
    assert [len(planted[2].plot().axes[0].patches), len(ax.patches)] == [12, 6]
    assert [len(panel.containers) for panel in panels] == [1, 1, 1]  # error bars
    fig.savefig(tmp_path / "answers.png")
    ((low, high),) = {panel.get_ylim() for panel in panels}
    for table in (report.accuracy_.loc["tete"], report.learning_curve_):
        assert low < (table["accuracy"] - table["error"]).min()
        assert (table["accuracy"] + table["error"]).max() < high
    page = report.to_html(tmp_path / "answers.html")
    assert (tmp_path / "answers.html").read_text(encoding="utf-8") == page
    assert "&lt;b&gt;1" in page
    assert "with 95 %" in page  # the caption
    assert "<b>" not in page
    assert "http" not in page
    settings = {"savefig.bbox": "tight", "savefig.transparent": True}
    with matplotlib.rc_context(settings), pd.option_context("display.chop_threshold", 0.5):
        assert report.to_html() == page
    with pytest.raises(UserError, match="cannot be written: No such file or directory"):
        report.to_html(tmp_path / "no" / "answers.html")


@pytest.mark.parametrize("n_components", [None, 2])
def test_the_progress_bar_ends_when_the_fits_do(planted, monkeypatch, n_components):
    bars = []
    monkeypatch.setattr(summary, "tqdm", lambda **given: bars.append(tqdm(**given)) or bars[0])
    options = {"n_components": n_components, "n_samples": 2, "random_state": 0}
    report_answers(planted[1], progress=True, **options)
    assert bars[0].n == bars[0].total > 100


def test_ellipses_cover_the_planted_places():
    rng, inside = np.random.default_rng(3), []
    for _ in range(2):
        X, table = planted_answers(20, 1, 400, 0.15, rng)
        answers = read_answers(table)
        Y = place_downwards(answers, "tete", 2, 1, nothing)[1]
        S = bootstrap(answers, Y, "tete", 40, rng, nothing)[:, 0, 0]
        x, y = (Z[:, 0] - Z.mean() for Z in (X, Y))
        off = x * (x @ y) / (x @ x) - y
        inside.append(off**2 <= S * chi2.ppf(0.95, 1))
    assert np.mean(inside) >= 0.85


def test_errors_of_one_question_go_together():
    given = pd.DataFrame({"map": [True, True, False, False]})
    share, error = share_and_error(given, [0, 0, 1, 1])
    assert (share["map"], error["map"]) == (0.5, np.sqrt(2) / 4)
    assert share_and_error(given, [0, 1, 2, 3])[1]["map"] == 0.25


def test_answers_that_cannot_tell_say_so():
    _, table = planted_answers(20, 2, 19, 0.0, np.random.default_rng(0))
    with pytest.raises(UserError, match="19 answers about 20 items are too few to tell"):
        report_answers(read_answers(table, items=[f"i{k:02d}" for k in range(20)]))
    with pytest.raises(UserError, match="10 answers about 5 items are too few"):  # for folds
        report_answers(read_answers([["a", "b", "c"], ["d", "e", "c"]] * 5))
    with pytest.raises(UserError, match="answers must be whole"):
        report_answers(read_answers(table, items=[f"i{k:02d}" for k in range(20)])[:10])
    few = read_answers([[*"abc"], [*"bcd"], [*"cde"], [*"dea"], [*"eab"]])
    assert report_answers(few, n_samples=2, random_state=0).learning_curve_.size
    noise = planted_answers(9, 1, 60, 0.5, np.random.default_rng(0))[1]
    says = str(report_answers(read_answers(noise), n_components=1, n_samples=2, random_state=0))
    assert "not above chance" in says
    assert "Fewer than 20 answers for each item" in says


@pytest.mark.parametrize(
    ("option", "value"),
    [("method", "mds"), ("n_samples", 1), ("random_state", "a")]
    + [("n_components", value) for value in (0.5, 0, 12)],
)
def test_wrong_options_are_named(planted, option, value):
    with pytest.raises((ValueError, TypeError), match=option):
        report_answers(planted[1], **{option: value})


@pytest.mark.parametrize("answers", [None, "answers.csv", pd.DataFrame()])
def test_only_answers_that_were_read_are_reported(answers):
    with pytest.raises(TypeError, match="answers must be NamedTriplets, as read_answers returns"):
        report_answers(answers)


def test_items_and_annotators_that_answers_do_not_tell_of_are_named():
    _, table = planted_answers(8, 1, 120, 0.0, np.random.default_rng(0), "odd one out")
    table["who"] = ["once", *119 * ["often"]]
    items = [f"i{k:02d}" for k in range(8)]
    answers = read_answers(table, "odd one out", annotator="who", items=[*items, "never"])
    report = report_answers(answers, n_components=1, n_samples=3, random_state=0)
    assert report.items_["answers"].sum() == 3 * 120
    assert report.items_["radius"].isna().tolist() == [False] * 8 + [True]
    assert np.isnan(report.embedding_).any(axis=1).tolist() == [False] * 8 + [True]
    assert "No answer is about these items, which have no place: never." in report.says_
    assert "Of annotators with fewer than 10 answers nothing can be told: once." in report.says_
    pytest.importorskip("matplotlib")
    assert len(report.plot().axes[0].patches) == 8


@pytest.fixture(scope="module")
def people():
    """Answers of ten people, each asked twice; p3 guesses, p5 nearly always takes the first."""
    rng = np.random.default_rng(0)
    n = 1200
    asked = rng.random((n // 2, 15)).argsort(axis=1)[:, :3].repeat(2, axis=0)
    _, table = planted_answers(15, 2, n, 0.1, rng, "odd one out", asked)
    who = np.arange(n) // 2 % 10
    table["who"] = [f"p{person}" for person in who]
    shown = table[["first", "second", "third"]].to_numpy()
    guessed = np.flatnonzero(who == 3)
    table.loc[guessed, "odd"] = shown[guessed, rng.integers(3, size=len(guessed))]
    first = np.flatnonzero((who == 5) & (rng.random(n) < 0.9))
    table.loc[first, "odd"] = shown[first, 0]
    answers = read_answers(table, "odd one out", annotator="who")
    return report_answers(answers, n_components=2, n_samples=20, random_state=0)


def test_who_is_unreliable_is_named_with_what_changes_without_them(people):
    table = people.annotators_
    assert set(table.index[table["doubtful"]]) == {"p3", "p5"}
    assert "Annotators whom no map gives better than chance: p3" in str(people)
    assert table["consistency"].idxmin() == "p3"
    assert table.loc["p5", "place"] == 1
    assert table.loc["p5", "share"] > 0.85
    assert set(table.index[table["p"] < 1e-4]) == {"p5"}
    assert "p5 chooses place 1 in 9" in str(people)
    both, alone = people.without_
    assert f"maps give {both:.1%} with them and {alone:.1%} without" in str(people)
    assert alone > both - 0.02


def test_of_two_people_the_places_are_compared_with_each_others():
    counts = [[30, 20], [20, 30]]
    rows = [(who, place) for who in (0, 1) for place in (0, 1) for _ in range(counts[who][place])]
    shown = np.array([*combinations(range(12), 3)][:100])  # each question once
    table = pd.DataFrame(shown, columns=["anchor", "left", "right"])
    table["who"] = [f"p{who}" for who, _ in rows]
    table["chosen"] = [row[1 + place] for row, (_, place) in zip(shown, rows, strict=True)]
    answers = read_answers(table, "two alternatives", annotator="who")
    people = annotators.annotators_table(answers, pd.Series(np.ones(100)))
    np.testing.assert_allclose(people["p"], chi2_contingency(counts, correction=False).pvalue)


def test_people_far_below_the_rest_are_named_though_above_chance():
    rng = np.random.default_rng(1)
    _, table = planted_answers(12, 1, 1200, 0.05, rng)
    table["who"] = [f"p{k % 8}" for k in range(1200)]
    careless = np.flatnonzero((table["who"] == "p2") & (rng.random(1200) < 0.25))
    table.loc[careless, ["near", "far"]] = table.loc[careless, ["far", "near"]].to_numpy()
    report = report_answers(
        read_answers(table, annotator="who"), n_components=1, n_samples=2, random_state=0
    )
    assert report.annotators_.loc["p2", "accuracy"] > 0.6
    assert "Annotators far below the rest: p2." in str(report)


def test_people_who_differ_make_wider_ellipses_if_people_are_drawn(people):
    options = {"n_components": 2, "n_samples": 20, "random_state": 0}
    of_people = report_answers(people.answers_, resample="annotator", **options)
    assert of_people.items_["radius"].median() > people.items_["radius"].median()
    assert "20 bootstrap samples of annotators" in of_people.methods_
    with pytest.raises(UserError, match="needs answers of two annotators"):
        report_answers(read_answers([["a", "b", "c"]]), resample="annotator")


def test_a_report_is_written_as_a_table_a_figure_and_a_sentence(people):
    assert people.methods_.startswith("A map of 15 items in 2 dimensions (as asked) was fitted")
    places = people.items_[["axis 1", "axis 2"]].to_numpy()
    np.testing.assert_array_equal(places, people.embedding_)
    pytest.importorskip("matplotlib")
    assert people.plot(axes=(2, 1), figsize=(12, 8), size=5).get_size_inches().tolist() == [12, 8]
    for axes in ((1, 3), (1, 1), 1):
        with pytest.raises(UserError, match="axes must be two of 1 to 2"):
            people.plot(axes=axes)


def test_few_answers_say_nothing_of_a_person_and_judge_nobody():
    people = pd.DataFrame({"annotator": ["main"] * 100 + [f"p{k // 3}" for k in range(30)]})
    people = people.assign(question=np.arange(130), choice=0)
    answers = SimpleNamespace(table=people, n_options=3)
    right = pd.Series([1.0] * 88 + [0.0] * 12 + [1.0] * 20 + [0.0] * 10)
    assert not annotators.annotators_table(answers, right)["doubtful"].any()
    people["annotator"] = np.repeat([f"p{k}" for k in range(13)], 10)
    once = pd.Series(np.arange(130) != 7, dtype=float)  # one miss of all people
    assert not annotators.annotators_table(answers, once)["doubtful"].any()
    # If no map is above chance, the answers are too few, and nobody is to blame.
    by_chance = pd.Series(np.arange(130) % 3 == 0, dtype=float)
    assert not annotators.annotators_table(answers, by_chance)["doubtful"].any()
    half = pd.Series((np.arange(130) % 3 == 0) | (np.arange(130) < 70), dtype=float)
    people["annotator"] = np.repeat(["careful", "guessing"], [70, 60])
    assert annotators.annotators_table(answers, half)["doubtful"].to_dict()["guessing"]
