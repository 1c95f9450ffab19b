"""What a text may say of the evidence: numbers from the runs of record, and verdicts."""

from functools import cached_property

import numpy as np
import pandas as pd

from repro import experiments
from repro.core.errors import UserError
from repro.workbench.evidence import second_reading
from repro.workbench.evidence.changes import AGAINST, FOR, table_of_changes
from repro.workbench.evidence.protocol import is_preview
from repro.workbench.evidence.rows import ours_of
from repro.workbench.evidence.rule import CHANCE
from repro.workbench.evidence.scorecard import by_the_papers, preview_of, tally, turned_by_choice
from repro.workbench.formatting import digits


class Facts:
    """Functions for the templates of texts.

    A text declares the verdicts that its sentences rest on with `rests_on`, and takes its numbers
    from the other functions. All raise UserError if there is no such claim or measure.
    """

    def __init__(self, judged, figures):
        self.judged, self.figures = judged, figures
        self.entries = {entry.claim.id: entry for entry in judged}

    def entry(self, claim):
        """Return the judged claim of a name."""
        if claim not in self.entries:
            raise UserError(f"a text names the claim {claim!r}, which is not judged")
        return self.entries[claim]

    def rests_on(self, verdicts):
        """Check verdicts that a sentence rests on: "mre-1b reproduced; mre-1i depends".

        Returns the empty text. Raises UserError if a verdict is another one now.
        """
        for text in verdicts.split("; "):
            claim, _, outcome = text.strip().partition(" ")
            now = self.entry(claim).verdict.outcome
            if now != outcome:
                raise UserError(f"a text rests on {claim} {outcome}, but it is {now}: rewrite it")
        return ""

    def met(self, claim):
        """Return how many runs of ours meet a claim: "16 of 18"."""
        return str(self.entry(claim).verdict.ours)

    def setting(self, claim, words):
        """Return how many runs of another setting, or of other data, meet a claim."""
        counts = {s.words: n for s, n in self.entry(claim).verdict.counts.items()}
        if words not in counts:
            raise UserError(f"{claim} has no setting {words!r}: it has {', '.join(counts)}")
        return str(counts[words])

    def away(self, claim):
        """Return on how many other data sets a claim is met: "2 of 7"."""
        return self.entry(claim).on_other_data

    def median(self, claim, measure, form="{:.2g}"):
        """Return the median of a measure, "score: space", over our runs of a claim's experiment."""
        rows = ours_of(self.entry(claim).runs)
        if measure not in rows:
            raise UserError(f"the runs of {claim} have no measure {measure!r}")
        return form.format(rows[measure].median())

    def count(self, outcome, paper=None, kind="empirical"):
        """Return how many claims of the papers, or of one, have an outcome."""
        entries = by_the_papers(self.judged, kind)
        return tally([e for e in entries if paper in (None, e.paper)], kind)[outcome]

    def total(self, paper=None, kind="empirical"):
        """Return how many claims the papers, or one of them, make."""
        return sum(paper in (None, e.paper) for e in by_the_papers(self.judged, kind))

    @property
    def preview(self):
        """A sentence that says of how many experiments the runs are of an earlier version."""
        return preview_of(self.judged, self.figures)

    @cached_property
    def turned(self):
        """The papers' empirical claims that each choice turns, by choice and paper, most first."""
        return turned_by_choice(self.judged)

    def top_choices(self):
        """Say in a sentence which choices turn the most verdicts."""
        most = max(map(len, self.turned.values()))
        names = [f"{c} ({p})" for (c, p), claims in self.turned.items() if len(claims) == most]
        turn = f"turns {most} verdicts" if len(names) == 1 else f"turn {most} verdicts each"
        return f"The {' and the '.join(names)} {turn}, the most."

    @cached_property
    def _empirical(self):
        return by_the_papers(self.judged, "empirical")

    @property
    def by_ours(self):
        """How many claims most runs of our setting meet, how many hardly any, and the others."""
        ours = [entry.verdict.ours for entry in self._empirical]
        most, few = sum(n.mostly for n in ours), sum(5 * n.met <= n.of for n in ours)
        return most, few, len(ours) - most - few

    @property
    def previewed(self):
        """How many claims, and reproduced ones, are judged by runs of an earlier version."""
        names = {entry.name: entry.runs for entry in self._empirical}
        early = {n for n in names if is_preview(self.figures, experiments.load(n), names[n])}
        outcomes = [e.verdict.outcome for e in self._empirical if e.name in early]
        return len(outcomes), outcomes.count("reproduced")

    @property
    def sensitive(self):
        """How many clear verdicts turn by what never counts, see `Judged.sensitive`."""
        return sum(bool(e.sensitive) for e in self._empirical if e.verdict.tone != "mixed")

    @property
    def constant(self):
        """How many reproduced claims rest on values that are equal in all runs of ours."""

        def varies(entry):
            rows = ours_of(entry.runs)
            return any(np.ptp(entry.claim.values_of(ask, rows)) for ask in entry.claim.asks)

        return sum(e.verdict.outcome == "reproduced" and not varies(e) for e in self._empirical)

    @property
    def errata(self):
        """How many errors of the papers ERRATA.md lists."""
        text = (self.figures.parent / "ERRATA.md").read_text(encoding="utf-8")
        return text.partition("\n## Errors\n")[2].partition("\n## ")[0].count("\n- ")

    @property
    def by_chance(self):
        """The empirical claims of the papers that depend on the start or the sample."""
        depends = [e for e in self._empirical if CHANCE in e.verdict.causes]
        return [entry.claim.id for entry in depends]

    def elsewhere(self, reproduced=True):
        """Count the claims, reproduced or not, met on most other data sets, and those tried."""
        tried = [e for e in self._empirical if e.verdict.other_data.of]
        chosen = [e for e in tried if (e.verdict.tone == "good") == reproduced]
        return sum(e.verdict.other_data.side > 0 for e in chosen), len(chosen)

    @property
    def single_sets(self):
        """How many of both were tried on one other set alone."""
        return sum(entry.verdict.other_data.of == 1 for entry in self._empirical)

    @property
    def combined(self):
        """Of the combinations of settings, in claims that are reproduced: met, and made."""
        counts = [e.verdict.combinations for e in self._empirical if e.verdict.tone == "good"]
        return sum(n.met for n in counts), sum(n.of for n in counts)

    @property
    def runs(self):
        """How many runs of record there are, and how many hours of a processor they took."""
        by_name = {entry.name: entry.runs for entry in self.judged}
        tables = [rows for runs in by_name.values() for rows in runs.values()]
        hours = sum(rows["cpu"].sum() for rows in tables) / 3600
        return f"{sum(map(len, tables)):,}", digits(hours)

    @property
    def moved(self):
        """How many verdicts a new criterion alone moved since version 1: for a paper, against."""
        moved = table_of_changes(self.judged, self.figures)["moved"]
        return int((moved == FOR).sum()), int((moved == AGAINST).sum())

    def register(self, what):
        """Return how many sentences the register lists: "all", "asked", or why not asked."""
        why = pd.read_csv(self.figures / "register.csv", keep_default_na=False)["why"]
        return len(why) if what == "all" else int((why == {"asked": ""}.get(what, what)).sum())

    @cached_property
    def readings(self):
        """The verdicts on the second reading, by reading."""
        return second_reading.judge_readings(self.figures)[0]

    @property
    def second(self):
        """Counts of the second reading: made, judged, empirical, met under ours, reproduced."""
        empirical = [v for reading, v in self.readings.items() if reading.told == "empirical"]
        return {
            "made": len(second_reading.load_readings(self.figures)),
            "judged": len(self.readings),
            "empirical": len(empirical),
            "met": sum(verdict.ours.mostly for verdict in empirical),
            "robust": sum(verdict.outcome == "reproduced" for verdict in empirical),
        }

    @cached_property
    def _both(self):
        return second_reading.compare(self.readings, self.judged, self.figures)

    @property
    def agreement(self):
        """Of how many pairs of claims that quote one sentence the verdicts agree."""
        return int(self._both["agrees"].sum()), len(self._both)

    @property
    def empirical_agreement(self):
        """The same of empirical claims; how often the second verdict is worse, and better."""
        both = self._both[self._both["claim"].isin([e.claim.id for e in self._empirical])]
        worse = (both["lead"] < 0).sum()
        return int(both["agrees"].sum()), len(both), int(worse), int((both["lead"] > 0).sum())

    @property
    def disagreements(self):
        """The other ones, as dicts of texts."""
        return self._both[~self._both["agrees"]].to_dict("records")
