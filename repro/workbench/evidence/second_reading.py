"""The second reading: claims and criteria made from the papers without sight of a result.

``figures/second_reading`` has them as data, a file per paper, and ``pairs.csv`` with the claim of
ours that quotes the same sentence. They are judged by the same rule from the same runs, and change
nothing. Of what *can* happen they give no chance level.
"""

import json
import operator
import re
from dataclasses import dataclass
from itertools import product

import numpy as np
import pandas as pd

from repro import experiments
from repro.workbench.evidence.changes import TONES
from repro.workbench.evidence.protocol import is_preview
from repro.workbench.evidence.rows import load_runs
from repro.workbench.evidence.rule import OUTCOMES
from repro.workbench.evidence.verdicts import judge
from repro.workbench.formatting import as_printed
from repro.workbench.markdown import in_cell, table

PAPERS = {"mre": "MRE", "bre": "BRE", "kie": "KIE", "tete": "t-ETE"}
CONDITION = re.compile(r"\[([^]]+)\](?: ([-/]) \[([^]]+)\])? ([<>]=) (\S+)")
OPERATORS = {"-": operator.sub, "/": operator.truediv, ">=": operator.ge, "<=": operator.le}
COLUMNS = ["reading", "claim", "words", "by us", "by the second reading", "agrees"]
COLUMNS += ["lead", "why they differ"]
KINDS = "empirical", "can", "identity", "cost"


@dataclass(frozen=True)
class Reading:
    """A claim of the second reading; it is judged like a `repro.experiments.claims.Claim`.

    ``told`` is its kind as the reading has it, one of `KINDS`.
    """

    id: str
    paper: str
    words: str
    told: str
    experiment: str
    conditions: tuple
    not_measured: str
    group: int = 1
    rests_on: tuple = ()  # on all choices

    @property
    def can(self):
        """Whether the paper says that something can happen."""
        return self.told == "can"

    @property
    def kind(self):
        """Its kind for the rule: what can happen is empirical."""
        return "empirical" if self.can else self.told

    @property
    def deciding(self):
        """The measures that its conditions ask for, sorted."""
        return sorted({m for text in self.conditions for m in re.findall(r"\[([^]]+)\]", text)})

    def observations(self, rows, by_chance=False):
        """Return which runs meet all its conditions; by chance none, as it gives no chance level.

        Raises ValueError if a condition cannot be read.
        """
        met = np.full(len(rows), not by_chance)
        for text in self.conditions:
            parts = CONDITION.fullmatch(text)
            if parts is None:
                raise ValueError(f"{self.id}: the condition {text!r} cannot be read")
            first, operation, second, sign, bound = parts.groups()
            value = OPERATORS[operation](rows[first], rows[second]) if operation else rows[first]
            met = met & OPERATORS[sign](value, float(bound)).to_numpy()
        return met.tolist()


def load_readings(figures):
    """Read the claims of the second reading, paper by paper."""
    readings = []
    for stem, paper in PAPERS.items():
        path = figures / "second_reading" / f"{stem}.json"
        for entry in json.loads(path.read_text(encoding="utf-8")) if path.exists() else ():
            names = "id", "words", "experiment", "not_measured"
            given = {name: entry[name] for name in names} | {"conditions": (*entry["conditions"],)}
            readings.append(Reading(paper=paper, told=entry["kind"], **given))
    return readings


def judge_readings(figures):
    """Judge the second reading by the runs of record: a `Verdict` by `Reading`.

    Also returned is a list of the claims that no cell measures. In neither are those whose runs are
    of an earlier version.
    """
    readings = load_readings(figures)
    verdicts, unmeasured = {}, [reading for reading in readings if not reading.conditions]
    for name in experiments.names():
        experiment = experiments.load(name)
        runs = load_runs(figures, experiment)
        if not runs or is_preview(figures, experiment, runs):
            continue
        columns = {column for rows in runs.values() for column in rows}
        for reading in (r for r in readings if r.conditions and r.experiment == name):
            if columns.issuperset(reading.deciding):
                verdicts[reading] = judge(reading, runs)
            else:
                unmeasured.append(reading)
    return {reading: verdicts[reading] for reading in readings if reading in verdicts}, unmeasured


def compare(readings, judged, figures):
    """Make a DataFrame of the pairs that quote one sentence: both verdicts, and why they differ.

    ``readings`` are the verdicts of `judge_readings`. A pair agrees if both verdicts are good,
    both mixed or both bad; ``lead`` is positive if the second reading's verdict is the better one.
    """
    if not readings:
        return pd.DataFrame(columns=COLUMNS).astype({"agrees": bool})
    pairs = pd.read_csv(figures / "second_reading" / "pairs.csv", keep_default_na=False)
    ours = {entry.claim.id: entry.verdict for entry in judged}
    theirs = {reading.id: (reading, verdict) for reading, verdict in readings.items()}
    known = pairs["reading"].isin(list(theirs)) & pairs["claim"].isin(list(ours))
    rows = []
    for id_, claim, why in pairs[known].itertuples(index=False):
        reading, verdict = theirs[id_]
        row = {"reading": id_, "claim": claim, "words": as_printed(reading.words)}
        row |= {"by us": ours[claim].words, "by the second reading": verdict.words}
        lead = TONES.index(verdict.tone) - TONES.index(ours[claim].tone)
        row |= {"agrees": not lead, "lead": lead, "why they differ": why}
        rows.append(row)
    return pd.DataFrame(rows, columns=COLUMNS).astype({"agrees": bool})


def counts_of_readings(readings, unmeasured):
    """Render a row per paper and kind: how many are met under ours, everywhere, on other data.

    ``unmeasured`` lists the readings that no cell measures.
    """
    rows = []
    for paper, kind in product(PAPERS.values(), KINDS):
        of_kind = {r: v for r, v in readings.items() if (r.paper, r.told) == (paper, kind)}
        lacking = sum((r.paper, r.told) == (paper, kind) for r in unmeasured)
        if of_kind or lacking:
            met = [v for r, v in of_kind.items() if (v.ours.met if r.can else v.ours.mostly)]
            robust = sum(map(_everywhere, met))
            tried = [v.other_data for v in met if v.other_data.of]
            away = f"{sum(n.side > 0 for n in tried)} of {len(tried)}"
            rows.append((paper, kind, *map(str, (len(of_kind), len(met), robust)), away, lacking))
    head = "paper", "kind", "claims", "met under ours", "under every setting"
    return table((*head, "most other data", "not measured"), [map(str, row) for row in rows])


def _everywhere(verdict):
    """Return whether a verdict is the best one, and every setting that counts agrees."""
    others = verdict.of_kind("settings").values()
    met = all(n.met if verdict.kind == "can" else n.side > 0 for n in others)
    return met and verdict.outcome == next(iter(OUTCOMES[verdict.kind]))


def second_reading_in_short(judged, figures):
    """Render what the second reading finds, as Markdown: counts, agreement, disagreements."""
    readings, unmeasured = judge_readings(figures)
    both = compare(readings, judged, figures)
    differ = both[~both["agrees"]]
    texts = "by us", "by the second reading", "why they differ"
    rows = []
    for _, row in differ.iterrows():
        claim = f"[{row['claim']}](../README.md#{row['claim']})"
        words = f"“{row['words']}” ({row['reading']})"
        rows.append((in_cell(words), claim, *(in_cell(row[text]) for text in texts)))
    agree = f"{len(both)} pairs of a claim of theirs and one of ours quote one sentence"
    return "\n\n".join(
        [
            counts_of_readings(readings, unmeasured),
            f"{agree}. Of {both['agrees'].sum()} both verdicts are good, both mixed or both bad; "
            f"{len(differ)} differ:",
            table(("the paper's words", "our claim", *texts), rows),
        ]
    )
