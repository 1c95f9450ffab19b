"""The rule that gives the three answers on a claim, from the runs of all readings.

1. *Reproduced?* Under the primary reading: *yes* if at least four observations of five meet the
   claim, *no* if at most one of five does, else *partly*. If something *can* happen, one suffices.
2. *Other readings agree?* An open reading turns the first answer if the 95 % interval of its share
   lies on the other side of one half. *No* if a reading does, *undecided* if an interval covers one
   half, else *yes*; "–" if no open reading touches the claim.
3. *Elsewhere?* The number of other data sets on which most observations meet the claim. A set
   counts only if it changes a choice on which the claim rests.

A claim *holds* if the first answer is yes and the second yes or "–"; it *fails* if the first is no
and the second yes or "–"; otherwise it *depends*.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import betaincinv

from repro.experiments.claims.choices import name_singles

FIFTHS = 4, 1  # of the observations: the least for yes, the most for no
NEAR = 0.2  # share of the way from chance to the bound that counts as no effect
LEVEL = 0.95  # of an interval; that of six observations that agree then excludes one half
N_RUNS, N_RUNS_MOST = 6, 18  # runs of an open reading: at first, and at most while it is undecided
NOWHERE = "–"  # the answer if there is nothing to ask
SAME_OPTIMUM = 1e-3  # relative difference in loss below which two runs are in one optimum
SAME_VALUE = 1e-6  # the same in a measure, below which runs in one optimum are equal
LOOSER = 0.1, 0.2  # shares by which bounds are loosened, to see what depends on them


@dataclass(frozen=True)
class Share:
    """The number of observations that meet a claim; if all are the same, one is as good as all."""

    met: int
    of: int
    same: bool = False

    def __str__(self):
        return f"{self.met} of {self.of}"

    @property
    def interval(self):
        """The 95 % Clopper–Pearson interval; None if all observations are equal."""
        if self.same:
            return None
        tail, missed = (1 - LEVEL) / 2, self.of - self.met
        low = betaincinv(self.met, missed + 1, tail) if self.met else 0.0
        high = betaincinv(self.met + 1, missed, 1 - tail) if missed else 1.0
        return float(low), float(high)

    @property
    def side(self):
        """1 if most observations would meet the claim, -1 if most would not, else 0."""
        low, high = self.interval or (self.met / self.of,) * 2
        return int(low > 0.5) - int(high < 0.5)

    @property
    def answer(self):
        """The first answer: yes, partly or no."""
        most, few = FIFTHS
        if 5 * self.met >= most * self.of:
            return "yes"
        return "no" if 5 * self.met <= few * self.of else "partly"


@dataclass(frozen=True)
class Answers:
    """The answers on a claim, and what they rest on.

    ``share`` counts under the primary reading and those as good. ``reproduced`` is yes, partly or
    no; ``whatever`` is yes, no, undecided or "–": whether that answer is the same under all open
    readings. ``turned`` and ``undecided`` are those that turn it, or may. ``elsewhere`` has the
    number of other data sets on which most observations meet the claim, and of those tried.
    ``effect`` is the position of the median observation on the way from chance (0) to the bound
    (1), NaN if unknown. ``n_runs`` and ``n_distinct`` count the runs of the primary reading, and
    the optima in which they ended.
    """

    share: Share
    reproduced: str
    whatever: str
    turned: tuple
    undecided: tuple
    elsewhere: tuple
    effect: float
    n_runs: int
    n_distinct: int

    @property
    def word(self):
        """The claim *holds*, *fails* or *depends*."""
        decided = self.whatever in ("yes", NOWHERE)
        return {"yes": "holds", "no": "fails"}.get(self.reproduced if decided else "", "depends")

    @property
    def strength(self):
        """How far a claim that is not reproduced falls short; empty if that is not known.

        It is not known if the bound that is missed has no chance level.
        """
        if self.reproduced != "no" or not self.effect < 1:
            return ""
        if abs(self.effect) <= NEAR:
            return "nothing"
        return "opposite" if self.effect < 0 else "too little"

    @property
    def named(self):
        """The readings that turn the first answer, or may turn it, in words: "not met if …"."""
        mostly = self.reproduced == "yes" or 2 * self.share.met > self.share.of
        lead = "not met if" if mostly else "met only if"
        found = {lead: self.turned, "undecided if": self.undecided}
        return [f"{lead} {name_singles(readings)}" for lead, readings in found.items() if readings]


def answer(claim, runs, loss=None):
    """Answer the three questions on a claim from ``runs``, a table of measures per `Reading`.

    ``loss`` names the column that shows whether two runs ended in one optimum.
    """
    shares = _shares(claim, runs, loss)
    primary = next(reading for reading in shares if reading.kind == "primary")
    pooled = counted(claim, runs)
    share = _pooled(claim, pooled, loss)
    open_ones = {reading: shares[reading] for reading in touching(claim, runs)}
    turned, undecided = _told(claim, (share, shares[primary]), open_ones)
    away = [shares[reading] for reading in other_data(claim, runs)]
    return Answers(
        share=share,
        reproduced=_reproduced(claim, share),
        whatever=_whatever(turned, undecided, open_ones),
        turned=turned,
        undecided=undecided,
        elsewhere=(sum(_met_mostly(claim, found) for found in away), len(away)),
        effect=float(np.median(np.concatenate([claim.effects(rows) for rows in pooled]))),
        n_runs=len(runs[primary]),
        n_distinct=count_distinct(runs[primary], loss),
    )


def counted(claim, runs):
    """Return the tables of runs on which the first answer on a claim rests.

    They hold the first runs of the primary reading and of each one as good, as many of each.
    """
    tables = [
        rows
        for reading, rows in runs.items()
        if reading.kind in ("primary", "equal") and len(rows) >= claim.group
    ]
    n = min(map(len, tables))
    return [table.head(n) for table in tables]


def is_measured(claim, runs):
    """Return whether runs measure what a claim asks; other data sets may lack it."""
    return bool(runs[claim.deciding].notna().any().all())


def concerns(claim, reading):
    """Return whether a reading changes a choice on which a claim rests; it may rest on all."""
    return not claim.rests_on or not set(claim.rests_on).isdisjoint(reading.changed)


def other_data(claim, runs):
    """List the other data sets on which a claim is asked; the third answer rests on them.

    They measure what it asks, and they change a choice on which it rests: a claim about one kind
    of data is not asked again where only data of another kind change.
    """
    return [
        reading
        for reading, rows in runs.items()
        if reading.kind == "elsewhere"
        and len(rows) >= claim.group
        and concerns(claim, reading)
        and is_measured(claim, rows)
    ]


def touching(claim, runs):
    """List the open readings that can touch a claim; the second answer rests on them."""
    primary = next(rows for reading, rows in runs.items() if reading.kind == "primary")
    return [
        reading
        for reading, rows in runs.items()
        if reading.kind == "open"
        and len(rows) >= claim.group
        and touches(claim, reading, rows, primary)
    ]


def share_of(claim, runs, loss=None, by_chance=False):
    """Count the observations that meet a claim: a `Share`, or None without a whole group of runs.

    With ``by_chance``, count those whose chance level meets it. Observations are the same if all
    bounded quantities are equal: to the last bit, or to a millionth if the ``loss`` shows that all
    runs ended in one optimum.
    """
    met = claim.observations(runs, by_chance)
    if not met:
        return None
    by = SAME_VALUE if loss is not None and count_distinct(runs, loss) == 1 else 0.0
    quantities = [claim.values_of(ask, runs) for ask in claim.asks]
    same = (np.allclose(values, values[0], rtol=by, atol=0) for values in quantities)
    return Share(sum(met), len(met), len(met) > 1 and all(same))


def touches(claim, reading, rows, primary):
    """Return whether a reading can touch a claim.

    It can if it changes a choice on which the claim rests, and a deciding measure at some seed.
    """
    if not concerns(claim, reading):
        return False
    columns = ["seed", *claim.deciding]
    both = [table[columns].set_index("seed") for table in (rows, primary)]
    seeds = both[0].index.intersection(both[1].index)
    return len(seeds) == 0 or not both[0].loc[seeds].equals(both[1].loc[seeds])


def sensitivity(claim, runs, loss=None, moved=None):
    """List in words what else turns the first answer; none of it counts.

    Tried are values that the paper's text rules out, bounds looser by `LOOSER`, and other last
    digits: ``moved`` holds such runs of the primary reading.
    """
    shares, pooled = _shares(claim, runs, loss), _pooled(claim, counted(claim, runs), loss)
    ours = _reproduced(claim, pooled)
    both = pooled, next(of for reading, of in shares.items() if reading.kind == "primary")
    turned, _ = _told(claim, both, {r: of for r, of in shares.items() if r.kind == "stated"})
    parts = []
    for by in LOOSER:
        looser = loosened(claim, by)
        found = _reproduced(looser, _pooled(looser, counted(looser, runs), loss))
        if found != ours:
            parts.append(f"bounds {by:.0%} looser ({found})")
            break
    found = None if moved is None else share_of(claim, moved, loss)
    if found and _told(claim, both, {"rounding": found})[0]:
        parts.append("rounding")
    return (name_singles(turned), *parts) if turned else tuple(parts)


def loosened(claim, by):
    """Return a claim with each bound loosened by a share of its value."""
    asks = [
        replace(ask, bound=ask.bound + (by if ask.sign == "≤" else -by) * abs(ask.bound))
        for ask in claim.asks
    ]
    return replace(claim, asks=asks)


def count_distinct(runs, loss):
    """Count the different optima among runs: those whose losses differ by more than a thousandth.

    ``loss`` names the column of losses; if it is None, every run counts.
    """
    if loss is None:
        return len(runs)
    losses = np.sort(runs[loss].to_numpy(dtype=float))
    return 1 + int(np.sum(np.diff(losses) > SAME_OPTIMUM * np.abs(losses[1:])))


def _shares(claim, runs, loss):
    """Count per reading; those without a whole group of runs are left out.

    So are other data sets on which the claim is not asked.
    """
    away = other_data(claim, runs)
    shares = {
        reading: share_of(claim, rows, loss)
        for reading, rows in runs.items()
        if reading.kind != "elsewhere" or reading in away
    }
    return {reading: share for reading, share in shares.items() if share is not None}


def _pooled(claim, tables, loss):
    """Return the pooled share of equally good readings."""
    shares = [share_of(claim, table, loss) for table in tables]
    same = len(tables) == 1 and shares[0].same
    return Share(sum(s.met for s in shares), sum(s.of for s in shares), same)


def _reproduced(claim, share):
    if claim.can:
        return "yes" if share.met else "no"
    return share.answer


def _met_mostly(claim, share):
    return share.met > 0 if claim.can else share.met > share.of / 2


def _told(claim, ours, shares):
    """Return the readings that turn the first answer, and those that are undecided.

    ``ours`` holds the pooled share and that of the primary reading alone; a reading turns the
    answer if it is on the other side of both. One run shows that something *can* happen;
    `N_RUNS_MOST` runs show that it does not.
    """
    if claim.can:
        sides = {
            reading: 1 if share.met else -1 if share.same or share.of >= N_RUNS_MOST else 0
            for reading, share in shares.items()
        }
        others = {-1 if of.met else 1 for of in ours}
    else:
        sides = {reading: share.side for reading, share in shares.items()}
        others = {np.sign(of.of - 2 * of.met) for of in ours}
    turned = tuple(reading for reading, side in sides.items() if side and others == {side})
    return turned, tuple(reading for reading, side in sides.items() if not side)


def _whatever(turned, undecided, asked):
    if turned:
        return "no"
    if undecided:
        return "undecided"
    return "yes" if asked else NOWHERE
