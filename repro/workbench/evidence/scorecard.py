"""The verdicts on all claims, from the runs of the sweeps, as tables."""

import tomllib
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from repro import experiments
from repro.core.errors import UserError
from repro.experiments.claims import Claim, called, filled, settings_of
from repro.workbench.evidence.protocol import is_preview
from repro.workbench.evidence.rows import load_moved, load_runs, name_of, order_of, ours_of, path_of
from repro.workbench.evidence.rule import OUTCOMES
from repro.workbench.evidence.verdicts import Verdict, judge, sensitivity
from repro.workbench.formatting import digits, signed

NOTHING = "–"
PREVIEW = (
    "This is a preview: the runs of {names} are of an earlier version, and {lacking} settings have "
    "no runs yet."
)


@dataclass(frozen=True)
class Judged:
    """A claim of an experiment with its verdict, and the runs of each setting on which it rests.

    ``sensitive`` lists what else leads to another side, but does not count, see
    `repro.workbench.evidence.verdicts.sensitivity`; ``filled`` names the choices that we filled in;
    ``moved`` holds the runs with moved last digits, or None; ``written`` is the conclusion that
    ``figures/in_short.toml`` has on the claim, with the verdict for which it was written, or None.
    """

    name: str
    paper: str
    item: str
    unit: str
    claim: Claim
    verdict: Verdict
    sensitive: list
    filled: list
    runs: dict
    moved: pd.DataFrame | None
    written: dict | None

    @cached_property
    def ask(self):
        """The ask met by the fewest observations of our setting, then of all settings."""
        tables = [
            rows
            for setting, rows in self.runs.items()
            if setting.kind != "other_data" and len(rows) >= self.claim.group
        ]

        def met(ask):
            shares = [ask.met_by(self.claim.values_of(ask, rows)).mean() for rows in tables]
            return shares[0], np.mean(shares)

        return min(self.claim.asks, key=met)

    @property
    def measured(self):
        """What the ask measured under our setting, as text."""
        text = describe(self.claim, self.ask, ours_of(self.runs))
        more = len(self.claim.asks) - 1
        return f"{text}; {more} more" if more else text

    @property
    def how_far(self):
        """How far the median run is from its bound, beside the rival or chance, in words.

        Empty if it meets the bound.
        """
        ask = self.ask
        runs = ours_of(self.runs)
        middle = np.median(self.claim.values_of(ask, runs))
        if ask.met_by(middle):
            return ""
        if ask.than is None:
            chance = ""
            if ask.has_chance(runs):
                level = np.median(self.claim.values_of(ask, runs, by_chance=True))
                chance = f", {ask.chance_name} {signed(level)}"
            return f"median {signed(middle)}{chance}; {ask.sign} {signed(ask.bound)} was asked"
        side = 1 if ask.sign == "≥" else -1
        word = "better" if side * middle > 0 else "worse"
        beside = f"{word} than {ask.than} by {abs(middle):.2g}" if middle else f"as {ask.than}"
        asked = "better by" if side * ask.bound > 0 else "worse by at most"
        return f"{beside}; {asked} {abs(ask.bound):g} was asked"

    @property
    def of_ours(self):
        """The count under our setting, with its unit: "16 of 18 starts"."""
        n = self.claim.group
        plural = "s" * (self.verdict.ours.of != 1)
        unit = f"{self.unit}{plural}" if n == 1 else f"group{plural} of {n} {self.unit}s"
        return f"{self.verdict.ours} {unit}"

    @property
    def of_settings(self):
        """The counts under the other settings in words; a dash if there are none."""
        counts = self.verdict.of_kind("settings").items()
        return "; ".join(f"{setting.words}: {n}" for setting, n in counts) or NOTHING

    @property
    def on_other_data(self):
        """The number of other data sets on which the claim is met; a dash if none was tried."""
        return str(self.verdict.other_data) if self.verdict.other_data.of else NOTHING

    @property
    def beside(self):
        """What stands beside the verdict, in words: counts of ours, other data, combinations."""
        parts = [self.of_ours]
        if self.verdict.other_data.of:
            parts.append(f"other data {self.verdict.other_data}")
        if self.verdict.combinations.of:
            parts.append(f"combinations {self.verdict.combinations}")
        return " · ".join(parts)

    @property
    def conclusion(self):
        """The hand-written conclusion, filled in; empty if there is none.

        Raises UserError if it was written for another verdict, or has an unknown placeholder.
        """
        if not self.written:
            return ""
        claim = self.claim
        ask = self.ask
        runs = ours_of(self.runs)
        ours = self.verdict.ours
        if self.written["verdict"] != self.in_file:
            raise UserError(
                f"the conclusion on {claim.id} is written for {self.written['verdict']!r}, but the "
                f"verdict is {self.in_file!r}: rewrite it in figures/in_short.toml"
            )
        unit = self.unit if claim.group == 1 else "group"
        counted = f"all {ours.of}" if ours.met == ours.of > 1 else ours
        known = {
            "share": f"{counted} {unit}{'s' * (ours.of > 1)}",
            "away": self.on_other_data,
            "n": {setting.words: str(n) for setting, n in self.verdict.counts.items()},
            "bound": ask.bound,
            "median": np.median(claim.values_of(ask, runs)),
            "m": runs.select_dtypes("number").median(),
        }
        if ask.has_chance(runs):
            known["chance"] = np.median(claim.values_of(ask, runs, by_chance=True))
        try:
            return self.written["text"].format_map(known)
        except (KeyError, ValueError) as error:
            message = f"the conclusion on {claim.id} names what is not known: {error}"
            raise UserError(message) from None

    @property
    def in_file(self):
        """The verdict in the form in which ``figures/in_short.toml`` declares it."""
        away = self.verdict.other_data
        return f"{self.verdict.words}{f'; other data {away}' if away.of else ''}"


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
        return NOTHING
    met = claim.observations(runs)
    return f"{sum(met)} of {len(met)}"


def spread(values):
    """Format a median and a range."""
    low, middle, high = (digits(np.quantile(values, q)) for q in (0, 0.5, 1))
    return middle if low == high else f"{middle} [{low}, {high}]"


def judge_experiment(figures, experiment, runs=None):
    """List the judged claims of an experiment; empty if it has no runs.

    Claims that runs of an earlier version do not measure are left out, see `is_preview`.
    ``runs`` are those that `load_runs` returns, if they are read already.
    """
    name = name_of(experiment)
    runs = load_runs(figures, experiment) if runs is None else runs
    if not any(setting.kind == "ours" for setting in runs):
        return []
    measured = set(ours_of(runs).dropna(axis=1, how="all"))
    claims = experiment.CLAIMS
    if is_preview(figures, experiment, runs):
        claims = [claim for claim in claims if claim.measures <= measured]
    needed = [(m, claim.id) for claim in claims for m in sorted(claim.measures)]
    for measure, by in [(order_of(experiment), "ORDER"), *needed]:
        if measure not in measured:
            raise UserError(f"{path_of(figures, name)} lacks {measure!r}, which {by} asks for")
    moved = load_moved(figures, experiment)
    path = figures / "in_short.toml"
    conclusions = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    verdicts = {claim.id: judge(claim, runs) for claim in claims}
    return [
        Judged(
            *(name, experiment.PAPER, experiment.ITEM, experiment.UNIT, claim),
            verdict=verdicts[claim.id],
            sensitive=sensitivity(claim, runs, verdicts[claim.id], moved),
            filled=filled(experiment.Choices, claim.rests_on),
            runs=runs,
            moved=moved,
            written=conclusions.get(claim.id),
        )
        for claim in claims
    ]


def judge_all(figures):
    """List the judged claims of all experiments with runs; examples are left out.

    Raises UserError if the runs of a setting are missing, unless all are of an earlier version.
    """
    judged = []
    for name in experiments.names():
        experiment = experiments.load(name)
        runs = load_runs(figures, experiment)
        lacking = lacking_settings(experiment, runs)
        if runs and lacking and not is_preview(figures, experiment, runs):
            message = f"{len(lacking)} settings of {name} have no runs, first {lacking[0].words!r}"
            raise UserError(f"{message}: repro sweep {name}")
        judged += judge_experiment(figures, experiment, runs)
    return [entry for entry in judged if entry.claim.by != "example"]


def lacking_settings(experiment, runs):
    """List the declared settings of an experiment that have no runs; combinations do not count."""
    declared = settings_of(experiment.Choices())
    return [of for of in declared if of.kind != "combination" and of not in runs]


def grouped(judged, key):
    """Group judged claims by an attribute, such as ``name`` or ``paper``: a dict of lists."""
    groups = {}
    for entry in judged:
        groups.setdefault(getattr(entry, key), []).append(entry)
    return groups


def by_the_papers(judged, kind):
    """Return the papers' judged claims of a kind of verdict, without our own questions."""
    return [entry for entry in judged if entry.verdict.kind == kind and entry.claim.by == "paper"]


def tally(judged, kind):
    """Count the claims of one kind by the outcome: a dict."""
    outcomes = [entry.verdict.outcome for entry in judged if entry.verdict.kind == kind]
    return {outcome: outcomes.count(outcome) for outcome in OUTCOMES[kind]}


def count_words(judged):
    """Count claims in words: "5 reproduced, 1 depends, 2 not reproduced"; a dash for none."""
    counts = [(n, outcome) for kind in OUTCOMES for outcome, n in tally(judged, kind).items()]
    return ", ".join(counted(n, outcome) for n, outcome in counts if n) or NOTHING


def counted(n, outcome):
    """Count one outcome in words: "1 depends", "3 depend"."""
    return f"{n} {outcome}" if n == 1 else f"{n} {outcome}".replace("depends", "depend")


def line_of(judged, *, causes=True):
    """Say in a line what became of the claims of an experiment: those of the paper, else ours."""
    papers = [entry for entry in judged if entry.claim.by == "paper"]
    entries = by_the_papers(papers, "empirical")
    if not entries:
        return count_words(papers or judged) + ("" if papers else " (questions of ours)")
    reproduced, mixed, missed = tally(entries, "empirical").values()
    parts = [f"{reproduced} of {len(entries)} claims reproduced"]
    if mixed:
        on = dict.fromkeys(cause for entry in entries for cause in entry.verdict.causes)
        parts.append(counted(mixed, "depends") + (f" on {', '.join(on)}" if causes else ""))
    if missed:
        parts.append(f"{missed} not")
    return ", ".join(parts)


def headline(judged):
    """Summarise verdicts of the papers' empirical claims, and on how many data sets they are met.

    ``judged`` holds such claims alone.
    """
    reproduced = [entry for entry in judged if entry.verdict.outcome == "reproduced"]
    away = [entry.verdict.other_data for entry in reproduced if entry.verdict.other_data.of]
    most = sum(n.side > 0 for n in away)
    return (
        f"Of {len(judged)} empirical claims {count_words(judged)}. "
        f"Of {len(away)} reproduced ones that were tried on other data {most} are met on most sets."
    )


def totals(judged, figures):
    """Summarise all verdicts in a few sentences, the empirical claims of the papers first."""
    parts = [headline(by_the_papers(judged, "empirical"))]
    facts = by_the_papers(judged, "fact")
    apart = {
        "What the papers say can happen": by_the_papers(judged, "can"),
        "Identities, true of any data or of none": [e for e in facts if e.claim.kind == "identity"],
        "Costs, by a clock or a count": [e for e in facts if e.claim.kind == "cost"],
        "Questions of ours that the papers leave open": [e for e in judged if e.claim.by == "us"],
    }
    parts += [f"{title}: {count_words(entries)}." for title, entries in apart.items() if entries]
    return " ".join([*parts, *filter(None, [preview_of(judged, figures)])])


def preview_of(judged, figures):
    """Say of which experiments the runs are of an earlier version; empty if of none."""
    made = {experiments.load(entry.name): entry.runs for entry in judged}
    earlier = {of: runs for of, runs in made.items() if is_preview(figures, of, runs)}
    lacking = sum(len(lacking_settings(of, runs)) for of, runs in earlier.items())
    *first, last = [f"{of.PAPER} {of.ITEM}" for of in earlier] or [""]
    names = f"{', '.join(first)} and {last}" if first else last
    return PREVIEW.format(names=names, lacking=lacking) if earlier else ""


def turned_by_choice(judged):
    """List the papers' empirical claims whose verdicts each choice turns, the most first.

    Returns a dict of lists of names of claims, by the choice in words and the paper.
    """
    turned = {}
    for entry in by_the_papers(judged, "empirical"):
        choices = (called(setting.changed[0]) for setting in entry.verdict.turning)
        for choice in dict.fromkeys(choices):
            turned.setdefault((choice, entry.paper), []).append(entry.claim.id)
    return dict(sorted(turned.items(), key=lambda item: (-len(item[1]), item[0])))


def papers_in_short(judged):
    """Render the headline of each paper as a Markdown list."""
    papers = grouped(by_the_papers(judged, "empirical"), "paper")
    return "\n".join(f"- **{paper}**: {headline(entries)}" for paper, entries in papers.items())
