"""The verdicts on all claims, from the rows of the sweeps, as tables."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from repro import experiments
from repro.claims import Claim, Verdict, judge, readings_of, variance_shares
from repro.claims.verdicts import MOST, share_of
from repro.core.markdown import in_cell
from repro.core.records import UserError
from repro.evidence.rows import load_runs, loss_of, order_of, path_of, primary_of

PLURALS = {"holds": "hold", "depends": "depend", "fails": "fail"}


@dataclass(frozen=True)
class Judged:
    """A claim of an experiment with its verdict, and the runs of each reading on which it rests."""

    name: str
    paper: str
    item: str
    claim: Claim
    verdict: Verdict
    runs: dict

    @cached_property
    def ask(self):
        """The ask met by the fewest observations: of the primary reading, then of all readings."""
        everywhere = [
            rows
            for reading, rows in self.runs.items()
            if reading.kind != "elsewhere" and len(rows) >= self.claim.group
        ]

        def met(ask):
            first, *shares = (
                ask.met_by(self.claim.values_of(ask, rows)).mean()
                for rows in (primary_of(self.runs), *everywhere)
            )
            return first, np.mean(shares)

        return min(self.claim.asks, key=met)

    @property
    def measured(self):
        """What that ask finds under the primary reading, as text."""
        text = describe(self.claim, self.ask, primary_of(self.runs))
        more = len(self.claim.asks) - 1
        return f"{text}; {more} more" if more else text

    @property
    def met_in(self):
        """How many runs of the primary reading, or groups of them, meet the claim, as text.

        Of what *can* happen one run is enough.
        """
        met, group = self.claim.observations(primary_of(self.runs)), self.claim.group
        groups = f"groups of {group} " if group > 1 else ""
        text = f"{sum(met)} of {len(met)} {groups}runs{', one is enough' if self.claim.can else ''}"
        few = self.verdict.n_distinct < self.verdict.n_runs
        return f"{text}, {self.verdict.n_distinct} distinct" if few else text

    @property
    def effects(self):
        """The claim's effect on each set of data: `Claim.effects` of the median run.

        A list of (effect, whether four fifths of the runs meet the claim, whether the set is the
        paper's), of the paper's data first; sets without a known effect are left out.
        """
        found = []
        for reading, rows in self.runs.items():
            share = share_of(self.claim, rows)
            if reading.kind in ("primary", "elsewhere") and share is not None:
                effect = float(np.median(self.claim.effects(rows)))
                found.append((effect, share >= MOST, reading.kind == "primary"))
        return [place for place in found if np.isfinite(place[0])]

    @property
    def variance(self):
        """Share of the variance that each choice explains, if the claim has one measure."""
        if len(self.claim.asks) > 1:
            return {}
        kept = {r: rows for r, rows in self.runs.items() if r.kind != "elsewhere"}
        return variance_shares({r: self.claim.asks[0].values(rows) for r, rows in kept.items()})


def describe(claim, ask, runs):
    """Say what was measured of one ask of a claim: median and range, the bound, chance.

    Of runs that are fewer than a group of the claim, each is taken alone.
    """
    if len(runs) < claim.group:
        ask = replace(ask, pool=None)
        claim = replace(claim, asks=[ask], group=1)
    found, beside = spread(claim.values_of(ask, runs)), [f"{ask.sign} {ask.bound:g}"]
    if ask.has_chance(runs):
        chance = claim.values_of(ask, runs, by_chance=True)
        beside.append(f"chance {np.median(chance):.3g}")
    return f"{ask.quantity} = {found} ({', '.join(beside)})"


def count_met(claim, runs):
    """Say in how many runs, or groups of them, a claim is met; a dash where it is not measured."""
    if claim.measures - set(runs.dropna(axis=1, how="all")):
        return "–"
    met = claim.observations(runs)
    return f"{sum(met)} of {len(met)}"


def spread(values):
    """Write a median and a range."""
    low, middle, high = (f"{np.quantile(values, q):.3g}" for q in (0, 0.5, 1))
    return middle if low == high else f"{middle} [{low}, {high}]"


def judge_experiment(figures, name):
    """List the judged claims of an experiment; none if it was never swept."""
    experiment = experiments.load(name)
    runs = load_runs(figures, experiment)
    if not any(reading.kind == "primary" for reading in runs):
        return []
    measured = set(primary_of(runs).dropna(axis=1, how="all"))
    asked = [(m, claim.id) for claim in experiment.CLAIMS for m in sorted(claim.measures)]
    for measure, by in [(order_of(experiment), "ORDER"), *asked]:
        if measure not in measured:
            raise UserError(f"{path_of(figures, name)} lacks {measure!r}, which {by} asks for")
    about, loss = (name, experiment.PAPER, experiment.ITEM), loss_of(experiment)
    return [Judged(*about, claim, judge(claim, runs, loss), runs) for claim in experiment.CLAIMS]


def judge_all(figures):
    """List the judged claims of all experiments that were swept; examples are left out.

    A UserError if two claims have one name, or the runs of a reading are missing.
    """
    _refuse_names_taken_twice()
    judged = []
    for name in experiments.names():
        experiment = experiments.load(name)
        if all(claim.by == "example" for claim in experiment.CLAIMS):
            continue
        runs = load_runs(figures, experiment)
        lacks = [r.words for r in readings_of(experiment.Choices()) if runs and r not in runs]
        if lacks:
            said = f"{len(lacks)} readings of {name} have no runs, first {lacks[0]!r}"
            raise UserError(f"{said}: repro sweep {name}")
        judged += [e for e in judge_experiment(figures, name) if e.claim.by != "example"]
    return judged


def _refuse_names_taken_twice():
    places = {}
    for name in experiments.names():
        for claim in experiments.load(name).CLAIMS:
            places.setdefault(claim.id, []).extend([name] if claim.by != "example" else [])
    for claim, taken in places.items():
        if len(taken) > 1:
            raise UserError(f"a claim has one name: {' and '.join(taken)} both have {claim!r}")


def count_words(judged):
    """Summarise verdicts: "5 hold, 1 depends, 2 fail"."""
    found = [entry.verdict.word for entry in judged]
    counts = {word: found.count(word) for word in PLURALS}
    return ", ".join(f"{n} {word if n == 1 else PLURALS[word]}" for word, n in counts.items())


def by_the_papers(judged, kind):
    """Return the judged claims of a kind, without what we ask."""
    return [entry for entry in judged if entry.claim.kind == kind and entry.claim.by == "paper"]


def totals(judged):
    """Summarise all verdicts in some sentences; the empirical claims of the papers come first."""
    empirical = by_the_papers(judged, "empirical")
    parts = [f"{len(empirical)} empirical claims of the papers: {count_words(empirical)}."]
    apart = {
        "Identities, true of any data or of none": by_the_papers(judged, "identity"),
        "Costs, by a clock or a count": by_the_papers(judged, "cost"),
        "Questions of ours that the papers leave open": [
            entry for entry in judged if entry.claim.by == "us"
        ],
    }
    parts += [f"{title}: {len(of)}: {count_words(of)}." for title, of in apart.items() if of]
    return " ".join(parts)


def table_of_claims(judged, timings):
    """Render one row per claim as Markdown, with links from figures/README.md."""
    lines = [
        "| claim | the paper says | measured: median [range] | verdict | it depends on "
        "| carries over |",
        "|---|---|---|---|---|---|",
    ]
    for name in dict.fromkeys(entry.name for entry in judged):
        of_name = [entry for entry in judged if entry.name == name]
        lines.append(_heading(of_name[0], timings))
        lines += [_row(entry) for entry in of_name]
    return "\n".join(lines)


def _heading(entry, timings):
    seconds = f" ({timings[entry.name]:.0f} s)" if entry.name in timings else ""
    notebook = f"[{entry.name}](../notebooks/{entry.name}.ipynb){seconds}"
    picture = f"[all runs](sweeps/{entry.name}.png)"
    n_runs, n_distinct = entry.verdict.n_runs, entry.verdict.n_distinct
    distinct = f", {n_distinct} distinct optim{'um' if n_distinct == 1 else 'a'}"
    runs = f"{n_runs} runs{distinct if n_distinct < n_runs else ''}"
    others = f"{len(entry.runs) - 1} other readings"
    return f"| **{entry.paper} {entry.item}** | {notebook} | {runs}; {others} | | {picture} | |"


def _row(entry):
    claim, verdict = entry.claim, entry.verdict
    says = claim.says + ("" if claim.kind == "empirical" else f" ({claim.kind})")
    says += " (asked by us)" if claim.by == "us" else ""
    says += f"; paper: {claim.paper_value}" if claim.paper_value else ""
    share = f"{float(verdict.primary):.0%}"
    share += "" if verdict.others is None else f", others {float(verdict.others):.0%}"
    carries = "{} of {}".format(*verdict.carries) if verdict.carries[1] else "–"
    word = f"**{verdict.word}** ({share})"
    cells = claim.id, in_cell(says), in_cell(entry.measured), word
    return f"| {' | '.join(cells)} | {in_cell(_depends(entry))} | {carries} |"


def _depends(entry):
    """Say what a verdict depends on, and which choice explains most of the variance."""
    text = entry.verdict.depends_on
    top = next(iter(entry.variance.items()), ("", 0.0))
    if entry.verdict.word == "depends" and top[1] >= 0.3:  # less is hardly worth a word
        text += f"{'; ' if text else ''}{top[0]} explains {top[1]:.0%} of the variance"
    return text or "–"


def papers_in_short(judged):
    """Render a line of verdicts per paper as a Markdown list."""
    lines = []
    for paper in dict.fromkeys(entry.paper for entry in judged):
        of_paper = [entry for entry in by_the_papers(judged, "empirical") if entry.paper == paper]
        lines.append(f"- **{paper}**: {len(of_paper)} claims: {count_words(of_paper)}")
    return "\n".join(lines)
