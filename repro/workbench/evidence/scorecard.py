"""The answers on all claims, from the runs of the sweeps, as tables."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from repro import experiments
from repro.core.errors import UserError
from repro.experiments.claims import Claim, filled, readings_of
from repro.workbench.evidence.answers import NOWHERE, Answers, answer, sensitivity
from repro.workbench.evidence.in_short import conclude, load_conclusions
from repro.workbench.evidence.rows import (
    LOSS,
    load_moved,
    load_runs,
    name_of,
    order_of,
    path_of,
    primary_of,
)
from repro.workbench.formatting import digits
from repro.workbench.markdown import in_cell, table

PLURALS = {"holds": "hold", "depends": "depend", "fails": "fail"}
# Where the median lies if a claim is not reproduced, by `Answers.strength`.
MEDIANS = {
    "too little": "short of the bound",
    "nothing": "near the reference",
    "opposite": "past the reference",
}


@dataclass(frozen=True)
class Judged:
    """A claim of an experiment with its answers, and the runs of each reading on which they rest.

    ``sensitive`` lists what else turns the first answer but does not count, see
    `repro.workbench.evidence.answers.sensitivity`; ``ours`` names the choices that we filled in;
    ``moved`` holds the runs with moved last digits, or None; ``written`` is the hand-written
    conclusion, see `repro.workbench.evidence.in_short`, or None.
    """

    name: str
    paper: str
    item: str
    unit: str
    claim: Claim
    answers: Answers
    sensitive: tuple
    ours: list
    runs: dict
    moved: pd.DataFrame | None
    written: dict | None

    @cached_property
    def ask(self):
        """The ask met by the fewest observations of the primary reading, then of all readings."""
        tables = [
            rows
            for reading, rows in self.runs.items()
            if reading.kind != "elsewhere" and len(rows) >= self.claim.group
        ]

        def met(ask):
            shares = [ask.met_by(self.claim.values_of(ask, rows)).mean() for rows in tables]
            return shares[0], np.mean(shares)

        return min(self.claim.asks, key=met)

    @property
    def measured(self):
        """What the ask measured under the primary reading, as text."""
        text = describe(self.claim, self.ask, primary_of(self.runs))
        more = len(self.claim.asks) - 1
        return f"{text}; {more} more" if more else text

    @property
    def reproduced(self):
        """The first answer in words, with its observations and interval."""
        share, claim = self.answers.share, self.claim
        unit = f"group{'s' * (share.of > 1)} of {claim.group} {self.unit}s"
        unit = f"{self.unit}{'s' * (share.of > 1)}" if claim.group == 1 else unit
        text = f"{self.answers.reproduced}, {share} {unit}"
        if claim.can:
            text += ", one is enough"
        elif share.same:
            text += ", all the same"
        else:
            text += f" ({' to '.join(f'{end:.0%}' for end in share.interval)})"
        return f"{text}: median {self.median}" if self.median else text

    @property
    def median(self):
        """Where the median lies if the claim is not reproduced; empty if that is not known."""
        return MEDIANS.get(self.answers.strength, "")

    @property
    def whatever(self):
        """The second answer in words, with the readings that decide it."""
        named = "; ".join(self.answers.named)  # if undecided: "undecided if …"
        text = "" if self.answers.whatever == "undecided" else self.answers.whatever
        return f"{text}: {named}" if text and named else text or named

    @property
    def elsewhere(self):
        """The third answer in words."""
        met, tried = self.answers.elsewhere
        return f"{met} of {tried}" if tried else NOWHERE

    @property
    def conclusion(self):
        """The hand-written conclusion, filled in; empty if there is none."""
        return conclude(self) if self.written else ""


def describe(claim, ask, runs):
    """Describe what was measured for one ask of a claim: median and range, bound, chance."""
    beside = [f"{ask.sign} {ask.bound:g}"]
    if ask.has_chance(runs):
        chance = claim.values_of(ask, runs, by_chance=True)
        beside.append(f"{ask.chance_name} {np.median(chance):.3g}")
    return f"{ask.quantity} = {spread(claim.values_of(ask, runs))} ({', '.join(beside)})"


def count_met(claim, runs):
    """Count the runs, or groups of runs, that meet a claim, in words; a dash if not measured."""
    if claim.measures - set(runs.dropna(axis=1, how="all")):
        return "–"
    met = claim.observations(runs)
    return f"{sum(met)} of {len(met)}"


def spread(values):
    """Format a median and a range."""
    low, middle, high = (digits(np.quantile(values, q)) for q in (0, 0.5, 1))
    return middle if low == high else f"{middle} [{low}, {high}]"


def judge_experiment(figures, experiment, runs=None):
    """List the judged claims of an experiment; empty if it has no runs.

    ``runs`` are those that `load_runs` returns, if they are read already.
    """
    name = name_of(experiment)
    runs = load_runs(figures, experiment) if runs is None else runs
    if not any(reading.kind == "primary" for reading in runs):
        return []
    measured = set(primary_of(runs).dropna(axis=1, how="all"))
    needed = [(m, claim.id) for claim in experiment.CLAIMS for m in sorted(claim.measures)]
    for measure, by in [(order_of(experiment), "ORDER"), *needed]:
        if measure not in measured:
            raise UserError(f"{path_of(figures, name)} lacks {measure!r}, which {by} asks for")
    moved = load_moved(figures, experiment)
    conclusions = load_conclusions(figures)
    loss = order_of(experiment) if experiment.ORDER[0] == LOSS else None
    return [
        Judged(
            *(name, experiment.PAPER, experiment.ITEM, experiment.UNIT, claim),
            answers=answer(claim, runs, loss),
            sensitive=sensitivity(claim, runs, loss, moved),
            ours=filled(experiment.Choices, claim.rests_on),
            runs=runs,
            moved=moved,
            written=conclusions.get(claim.id),
        )
        for claim in experiment.CLAIMS
    ]


def judge_all(figures):
    """List the judged claims of all experiments with runs; examples are left out.

    Raises UserError if the runs of a reading are missing.
    """
    judged = []
    for name in experiments.names():
        experiment = experiments.load(name)
        runs = load_runs(figures, experiment)
        readings = [r for r in readings_of(experiment.Choices()) if r.kind != "combination"]
        lacks = [reading.words for reading in readings if runs and reading not in runs]
        if lacks:
            message = f"{len(lacks)} readings of {name} have no runs, first {lacks[0]!r}"
            raise UserError(f"{message}: repro sweep {name}")
        judged += judge_experiment(figures, experiment, runs)
    return [entry for entry in judged if entry.claim.by != "example"]


def grouped(judged, key):
    """Group judged claims by an attribute, such as ``name`` or ``paper``: a dict of lists."""
    groups = {}
    for entry in judged:
        groups.setdefault(getattr(entry, key), []).append(entry)
    return groups


def tally(judged):
    """Count claims by verdict: a dict."""
    words = [entry.answers.word for entry in judged]
    return {word: words.count(word) for word in PLURALS}


def count_words(judged):
    """Count claims by verdict in words: "5 hold, 1 depends, 2 fail"; a dash if there are none."""
    counts = tally(judged).items() if judged else ()
    return ", ".join(f"{n} {word if n == 1 else PLURALS[word]}" for word, n in counts) or NOWHERE


def headline(judged):
    """Summarise how many claims are reproduced, under every reading, and on other data."""
    yes = sum(entry.answers.reproduced == "yes" for entry in judged)
    away = [entry.answers.elsewhere for entry in judged if entry.answers.elsewhere[1]]
    most = sum(met > tried / 2 for met, tried in away)
    return (
        f"Of {len(judged)} empirical claims {yes} are reproduced, {tally(judged)['holds']} of them "
        f"under every reading. Of {len(away)} tried on other data {most} are met on most sets."
    )


def by_the_papers(judged, kind):
    """Return the papers' judged claims of a kind, without our own questions."""
    return [entry for entry in judged if entry.claim.kind == kind and entry.claim.by == "paper"]


def totals(judged):
    """Summarise all answers in a few sentences, the empirical claims of the papers first."""
    empirical = by_the_papers(judged, "empirical")
    undecided = sum(entry.answers.whatever == "undecided" for entry in empirical)
    parts = [headline(empirical), f"In a word: {count_words(empirical)}."]
    if undecided:
        parts.append(f"Of {undecided} it is undecided whether an open reading turns the answer.")
    apart = {
        "Identities, true of any data or of none": by_the_papers(judged, "identity"),
        "Costs, by a clock or a count": by_the_papers(judged, "cost"),
        "Questions of ours that the papers leave open": [
            entry for entry in judged if entry.claim.by == "us"
        ],
    }
    for title, entries in apart.items():
        if entries:
            parts.append(f"{title}: {len(entries)}: {count_words(entries)}.")
    return " ".join(parts)


def table_of_claims(judged, timings):
    """Render a row per claim as Markdown, with links relative to the folder figures."""
    head = "claim", "the paper says", "measured: median [range]", "reproduced?"
    head += "other readings agree?", "on other data?"
    rows = []
    for entries in grouped(judged, "name").values():
        rows += [_heading(entries[0], timings), *map(_row, entries)]
    return table(head, rows)


def _heading(entry, timings):
    seconds = f" ({timings[entry.name]:.0f} s)" if entry.name in timings else ""
    notebook = f"[{entry.name}](../notebooks/{entry.name}.ipynb){seconds}"
    n_runs, n_distinct = entry.answers.n_runs, entry.answers.n_distinct
    distinct = f", {n_distinct} distinct optim{'um' if n_distinct == 1 else 'a'}"
    runs = f"{n_runs} {entry.unit}s{distinct if n_distinct < n_runs else ''}"
    return f"**{entry.paper} {entry.item}**", notebook, runs, "| |"  # three empty cells


def _row(entry):
    claim = entry.claim
    says = claim.says + ("" if claim.kind == "empirical" else f" ({claim.kind})")
    exact = "filled" if entry.ours else "exact"
    says = f"“{claim.words}” ({claim.where}; {exact}): {says}" if claim.words else f"{says} (ours)"
    says += f"; paper: {claim.paper_value}" if claim.paper_value else ""
    whatever = entry.whatever
    if entry.sensitive:
        whatever += f". Sensitive to: {'; '.join(entry.sensitive)}"
    texts = map(in_cell, (says, entry.measured, entry.reproduced, whatever))
    return f"{claim.id} **{entry.answers.word}**", *texts, entry.elsewhere


def papers_in_short(judged):
    """Render the headline of each paper as a Markdown list."""
    papers = grouped(by_the_papers(judged, "empirical"), "paper")
    return "\n".join(f"- **{paper}**: {headline(entries)}" for paper, entries in papers.items())
