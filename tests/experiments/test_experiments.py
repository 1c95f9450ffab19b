"""What every experiment declares, and what its committed runs must show."""

import ast
import inspect
import re
import warnings
from inspect import ismodule
from pathlib import Path

import numpy as np
import pytest
from processes import run_python

from repro import experiments
from repro.experiments.claims import filled, settings_of
from repro.workbench.evidence.protocol import is_preview
from repro.workbench.evidence.rows import load_rows, load_runs, order_of, ours_of, paths_of_moved
from repro.workbench.evidence.rule import N_RUNS

ROOT = Path(__file__).parents[2]
# - **paper** ([item](notebook)): text; groups are empty for entries in another form.
ERRATUM = r"^- (?:\*\*(.+?)\*\* \(\[(.+?)\]\(notebooks/(\w+)\.ipynb\)\): (.+)$)?"
FIGURES = ROOT / "figures"
# Number of bounds per claim without a chance level: no shuffling, or another would be met.
WITHOUT_CHANCE = {
    "mre-1b": 2,
    "mre-1e": 1,
    "mre-1f": 4,
    "mre-1h": 2,
    "mre-3a": 1,
    "mre-3f": 2,
    "mre-3j": 2,
    "mre-3n": 2,
    "tete-4c": 1,
    "tete-6h": 1,
}


@pytest.fixture(params=experiments.names())
def name(request):
    return request.param


@pytest.fixture
def experiment(name):
    return experiments.load(name)


@pytest.fixture
def runs(experiment):
    return load_runs(FIGURES, experiment)


def measured(experiment, runs):
    """List the claims of an experiment; by runs of an earlier version those that are measured."""
    if not is_preview(FIGURES, experiment, runs):
        return experiment.CLAIMS
    return [claim for claim in experiment.CLAIMS if claim.measures <= set(ours_of(runs))]


def test_it_declares_its_protocol(name, experiment):
    assert name.startswith(experiment.PAPER.lower().replace("-", "") + "_")
    assert experiment.REPEATS >= 10
    assert experiment.UNIT in ("start", "sample")
    assert list(inspect.signature(experiment.run).parameters) == ["choices", "seed"]
    assert list(inspect.signature(experiment.measure).parameters) == ["run"]


def test_what_orders_its_runs_is_measured_in_every_run(experiment, runs):
    for setting, rows in runs.items():
        assert rows[order_of(experiment)].notna().all(), setting.words


def test_ten_of_its_runs_were_made_with_moved_last_digits(name, experiment, runs):
    paths = paths_of_moved(FIGURES, name)
    assert paths
    for path in paths:
        moved = load_rows(path, experiment.Choices)
        first = ours_of(runs)["seed"].min()
        assert moved["seed"].tolist() == list(range(first, first + 10)), path


def test_each_of_the_errata_leads_to_the_lesson_that_shows_it():
    errata = (ROOT / "ERRATA.md").read_text(encoding="utf-8")
    headings = re.findall("^#.*$", errata, re.M)
    assert headings[1:] == ["## Errors", "## Left open", "## Findings"]
    entries = re.findall(ERRATUM, errata, re.M)
    assert len(entries) >= 73
    assert len({text for *_, text in entries}) == len(entries)
    for paper, item, stem, _ in entries:
        shown_by = experiments.load(stem)
        assert (paper, item) == (shown_by.PAPER, shown_by.ITEM)


def test_settings_differ_in_their_words_and_are_kept_as_python_writes_them(experiment):
    settings = settings_of(experiment.Choices())
    assert len({setting.words for setting in settings}) == len(settings)
    for value in (value for setting in settings for value in vars(setting.choices).values()):
        assert ast.literal_eval(repr(value)) == value


def test_what_a_paper_claims_has_its_words_and_names_the_choices_it_rests_on(experiment):
    for claim in experiment.CLAIMS:
        if claim.by == "paper":
            assert 1 <= len(claim.words.replace("…", " ").split()) <= 12, claim.id
        filled(experiment.Choices, claim.rests_on)  # raises if there is no such choice


def test_each_empirical_claim_of_a_paper_says_in_half_a_line_why_its_bounds_are_as_they_are(
    experiment,
):
    for claim in experiment.CLAIMS:
        if claim.by == "paper":
            assert (claim.reason != "") == (claim.kind != "identity"), claim.id
            assert len(claim.reason) <= 90, claim.id


def test_each_embedding_that_is_kept_is_of_a_setting(name, experiment):
    path = FIGURES / "sweeps" / f"{name}.npz"
    if path.exists():
        assert set(np.load(path)) <= {
            setting.words for setting in settings_of(experiment.Choices())
        }


def test_chance_is_named_for_each_empirical_claim_and_does_not_meet_it(experiment, runs):
    for claim in (claim for claim in measured(experiment, runs) if claim.kind == "empirical"):
        without = sum(not ask.has_chance(ours_of(runs)) for ask in claim.asks)
        assert without == WITHOUT_CHANCE.get(claim.id, 0), claim.id
        by_chance = claim.observations(ours_of(runs), by_chance=True)
        assert 5 * sum(by_chance) <= len(by_chance), claim.id


def test_all_its_settings_were_run_often_enough_with_all_that_its_claims_ask(experiment, runs):
    if is_preview(FIGURES, experiment, runs):
        pytest.skip("the runs that stand are of an earlier version")
    least = {"ours": experiment.REPEATS, "settings": N_RUNS}
    settings = settings_of(experiment.Choices())
    for setting in (of for of in settings if of.kind != "combination"):  # these decide nothing
        assert len(runs.get(setting, ())) >= least.get(setting.kind, 5), setting.words
        if setting.kind != "other_data":  # other data may lack what a claim asks for
            for measure in {m for claim in measured(experiment, runs) for m in claim.measures}:
                assert runs[setting][measure].notna().any(), (setting.words, measure)


def test_claims_have_names_of_their_own():
    known = [claim.id for name in experiments.names() for claim in experiments.load(name).CLAIMS]
    assert len(set(known)) == len(known)


def test_no_experiment_imports_another(experiment):
    modules = {getattr(value, "__module__", "") or "" for value in vars(experiment).values()}
    modules |= {value.__name__ for value in vars(experiment).values() if ismodule(value)}
    others = {f"repro.experiments.{name}" for name in experiments.names()}
    assert modules & others == {experiment.__name__}


def test_importing_experiments_silences_nothing():
    code = "import warnings; before = set(warnings.filters); from repro import experiments; "
    code += "[experiments.load(name) for name in experiments.names()]; "
    code += "new = set(warnings.filters) - before; "  # libraries ignore any `Warning`
    code += "print([f for f in new if f[0] == 'ignore' and f[2] is not Warning])"
    assert run_python("-c", code).stdout == "[]\n"


def test_without_warning_silences_what_begins_so_in_a_block_and_in_a_function_and_nothing_else():
    @experiments.without_warning("a .* is meant")
    def warn():
        warnings.warn("a cat is meant", stacklevel=2)
        warnings.warn("a dog is not", stacklevel=2)

    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        warn()
        with experiments.without_warning():
            warnings.warn("the loss was still falling after 3 iterations", stacklevel=2)
        warnings.warn("the loss was still falling after 4 iterations", stacklevel=2)
    said = [str(warning.message) for warning in seen]
    assert said == ["a dog is not", "the loss was still falling after 4 iterations"]
