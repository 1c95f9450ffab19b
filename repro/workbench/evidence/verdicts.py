"""The verdict on a claim, and the counts on which it rests."""

from dataclasses import dataclass, replace

from repro.experiments.claims import called
from repro.workbench.evidence import rule
from repro.workbench.evidence.rows import ours_of
from repro.workbench.evidence.rule import OUTCOMES, Count, turns

LOOSER = 0.1  # the share by which bounds are loosened, to see what depends on them


@dataclass(frozen=True)
class Verdict:
    """The verdict on a claim, see `repro.workbench.evidence.rule`.

    ``words`` is the verdict, and ``kind`` a key of `OUTCOMES`. ``counts`` has the runs that meet
    the claim, by `Setting`: ours, those that count, and beside the verdict values that the text
    rules out, other data and combinations.
    """

    words: str
    kind: str
    counts: dict

    @property
    def outcome(self):
        """The verdict without its causes, one of `OUTCOMES`."""
        return max((of for of in OUTCOMES[self.kind] if self.words.startswith(of)), key=len)

    @property
    def tone(self):
        """How the verdict is coloured: good, mixed or bad."""
        return OUTCOMES[self.kind][self.outcome]

    @property
    def ours(self):
        """The count under our setting."""
        return next(count for setting, count in self.counts.items() if setting.kind == "ours")

    def of_kind(self, kind):
        """Return the counts of the settings of one kind, by `Setting`."""
        return {setting: n for setting, n in self.counts.items() if setting.kind == kind}

    @property
    def turning(self):
        """The settings whose choices the verdict names."""
        others = self.of_kind("settings").items()
        if self.kind == "empirical":
            return [setting for setting, n in others if turns(n, self.ours)]
        if self.tone == "good":
            return []
        return [setting for setting, n in others if (n.met if self.kind == "can" else n.mostly)]

    @property
    def causes(self):
        """On what an empirical verdict depends, in words; empty if it does not."""
        return rule.causes(self.ours, _by_choice(self.of_kind("settings")))

    @property
    def other_data(self):
        """The count of other data sets: those on which four fifths of the runs meet the claim."""
        sets = self.of_kind("other_data").values()
        met = [n.met > 0 if self.kind == "can" else n.mostly for n in sets]
        return Count(sum(met), len(met))

    @property
    def combinations(self):
        """The count of combinations of settings, of one run each, that meet the claim."""
        made = self.of_kind("combination").values()
        return Count(sum(n.met for n in made), sum(n.of for n in made))


def judge(claim, runs):
    """Judge a claim by ``runs``, a table of measures by `Setting`, ours among them."""
    ours = ours_of(runs)
    counts = {
        setting: _COUNTED.get(setting.kind, _all)(observed(claim, rows))
        for setting, rows in runs.items()
        if counts_for(claim, setting, rows, ours)
    }
    others = _by_choice({s: n for s, n in counts.items() if s.kind == "settings"})
    of_ours = rule.count_ours(observed(claim, ours))
    if claim.kind != "empirical":
        return Verdict(rule.verdict_of_fact(of_ours, others), "fact", counts)
    if claim.can:
        return Verdict(rule.verdict_of_can(of_ours, others), "can", counts)
    return Verdict(rule.verdict(of_ours, others), "empirical", counts)


def _by_choice(counts):
    """List the name of the choice that each setting changes, and its Count."""
    return [(called(setting.changed[0]), n) for setting, n in counts.items()]


def _all(met):
    return Count(sum(met), len(met))


_COUNTED = {"ours": rule.count_ours, "settings": rule.count}  # of other kinds, all runs count


def observed(claim, rows):
    """Return which observations meet a claim; what *can* happen must not happen by chance."""
    met = claim.observations(rows)
    if not claim.can:
        return met
    by_chance = claim.observations(rows, by_chance=True)
    return [here and not there for here, there in zip(met, by_chance, strict=True)]


def counts_for(claim, setting, rows, ours):
    """Return whether the runs of a setting are counted for a claim.

    They have to be enough for one observation, and to measure what it asks, which other data may
    not do. The setting has to change a choice on which the claim rests; one that the text admits
    has to change a deciding measure at some seed, too.
    """
    if setting.kind == "ours":
        return True
    measured = rows[claim.deciding].notna().any().all() or setting.kind != "other_data"
    if len(rows) < claim.group or not concerns(claim, setting) or not measured:
        return False
    return setting.kind != "settings" or _differs(claim, rows, ours)


def concerns(claim, setting):
    """Return whether a setting changes a choice on which a claim rests; it may rest on all."""
    return not claim.rests_on or not set(claim.rests_on).isdisjoint(setting.changed)


def _differs(claim, rows, ours):
    """Return whether a setting changes a deciding measure at some seed that ours has, too."""
    columns = ["seed", *claim.deciding]
    both = [table[columns].set_index("seed") for table in (rows, ours)]
    seeds = both[0].index.intersection(both[1].index)
    return len(seeds) == 0 or not both[0].loc[seeds].equals(both[1].loc[seeds])


def sensitivity(claim, runs, judged, moved=None):
    """List in words what else leads to another side of one half than ours; none of it counts.

    Tried are values that the paper's text rules out, bounds looser by `LOOSER`, and other last
    digits: ``moved`` holds such runs of our setting. ``judged`` is the verdict on the claim.
    """
    against = [
        setting.words
        for setting, n in judged.of_kind("sensitivity").items()
        if turns(n, judged.ours)
    ]
    looser = [
        replace(ask, bound=ask.bound + (LOOSER if ask.sign == "≤" else -LOOSER) * abs(ask.bound))
        for ask in claim.asks
    ]
    met = observed(replace(claim, asks=looser), ours_of(runs))
    if turns(rule.count_ours(met), judged.ours):
        against.append(f"bounds {LOOSER:.0%} looser")
    if moved is not None:
        ours = ours_of(runs)
        unmoved = ours[ours["seed"].isin(moved["seed"])]
        if turns(_all(observed(claim, moved)), _all(observed(claim, unmoved))):
            against.append("rounding")
    return against
