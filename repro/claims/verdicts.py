"""The verdict on a claim, from the runs of all readings: the only rule there is.

A claim *holds* if it is met in at least four runs of five, under the primary reading and on average
over the others, and in more than one of five under each single other reading. It *fails* if it is
met in at most one of five, under the primary reading and on average over the others. Else it
*depends*, and the verdict names what it depends on.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from repro.claims.choices import name_singles

# Shares of runs; fractions, so that 4 of 5 is 0.8.
MOST, HALF, FEW = Fraction(4, 5), Fraction(1, 2), Fraction(1, 5)
SINGLE = "open", "stated"  # kinds of readings in which one choice has another value
SAME_OPTIMUM = 1e-3  # relative difference of the loss below which two runs are one observation


@dataclass(frozen=True)
class Verdict:
    """What became of a claim.

    Attributes
    ----------
    word : {"holds", "depends", "fails"}
    primary : Fraction
        Share of the primary reading's runs in which the claim holds.
    others : Fraction or None
        The same over the other readings, averaged per choice first; None if there are none.
    flips : tuple of Reading
        Single choices under which it comes out otherwise than under the primary reading.
    depends_on : str
        In words; empty if it depends on nothing.
    carries : tuple of int
        On how many data sets elsewhere it holds, of how many.
    n_runs, n_distinct : int
        Runs of the primary reading, and how many different optima they ended in.
    """

    word: str
    primary: Fraction
    others: Fraction | None
    flips: tuple
    depends_on: str
    carries: tuple
    n_runs: int
    n_distinct: int


def share_of(claim, runs, by_chance=False):
    """Compute the share of runs in which a claim holds; of what *can* happen, 1 if it ever does.

    With ``by_chance`` the share in which chance meets it. None if there is no whole group of runs.
    """
    held = claim.observations(runs, by_chance)
    if not held:
        return None
    return Fraction(int(any(held))) if claim.can else Fraction(sum(held), len(held))


def judge(claim, runs, loss=None):
    """Judge a claim by the runs of each `Reading`, a DataFrame with a column per measure.

    ``loss`` names the column by which it is told whether two runs ended in one optimum. ValueError
    if the primary reading has no runs.
    """
    shares = {reading: share_of(claim, table) for reading, table in runs.items()}
    shares = {reading: share for reading, share in shares.items() if share is not None}

    def of_kind(*kinds):
        return {reading: share for reading, share in shares.items() if reading.kind in kinds}

    if not of_kind("primary"):
        raise ValueError(f"claim {claim.id!r}: there are no runs of the primary reading")
    ((primary, p),) = of_kind("primary").items()
    alone, m = of_kind(*SINGLE), mean_of_others(shares)
    word = _word(p, p if m is None else m, alone.values())
    flips = tuple(reading for reading, share in alone.items() if _turned(share, p))
    away = of_kind("elsewhere").values()
    return Verdict(
        word=word,
        primary=p,
        others=m,
        flips=flips,
        depends_on=_depends_on(word, p, flips, of_kind("combination").values()),
        carries=(sum(share >= MOST for share in away), len(away)),
        n_runs=len(runs[primary]),
        n_distinct=count_distinct(runs[primary], loss),
    )


def mean_of_others(shares):
    """Average the shares of the other readings: per choice first; all combinations count as one.

    ``shares`` maps each `Reading` to a Fraction. None if there are no other readings.
    """
    groups = {}
    for reading, share in shares.items():
        if reading.kind in (*SINGLE, "combination"):
            key = reading.changed if reading.kind in SINGLE else "combinations"
            groups.setdefault(key, []).append(share)
    means = [sum(group) / len(group) for group in groups.values()]
    return sum(means) / len(means) if means else None


def _word(p, m, alone):
    if p >= MOST and m >= MOST and all(share > FEW for share in alone):
        return "holds"
    return "fails" if p <= FEW and m <= FEW else "depends"


def _turned(share, p):
    """Whether a claim is met in most runs of one reading, and not in most of another."""
    return (share - HALF) * (p - HALF) < 0


def _depends_on(word, p, flips, combined):
    """Name what a verdict depends on, or what is otherwise although it stands."""
    parts = []
    if FEW < p < MOST:
        parts.append(f"on the run: holds in {float(p):.0%} of them")
    if flips:
        turned = "not if " if p > HALF else "only if "
        parts.append(turned + name_singles(flips))
    if word == "depends" and not parts:
        many = [share for share in combined if _turned(share, p)]
        on = f"several choices together ({len(many)} of {len(combined)} combinations)"
        parts.append(f"on {on}" if many else "on the run, under other readings")
    return "; ".join(parts)


def count_distinct(runs, loss):
    """Count the different optima among runs: those whose losses differ by more than a thousandth.

    ``loss`` names their column; if it is None, every run counts.
    """
    if loss is None:
        return len(runs)
    losses = np.sort(runs[loss].to_numpy(dtype=float))
    return 1 + int(np.sum(np.diff(losses) > SAME_OPTIMUM * np.abs(losses[1:])))


def variance_shares(values):
    """Compute what share of a measure's variance over all readings each choice explains.

    ``values`` maps each `Reading` to a value per run. Returns, by the choices that some reading
    changes, the largest first, the variance between the means of the values of the choice over the
    total variance (η²).
    """
    everything = np.concatenate([np.asarray(v, dtype=float) for v in values.values()])
    total = ((everything - everything.mean()) ** 2).sum()
    names = dict.fromkeys(name for reading in values for name in reading.changed)
    shares = {}
    for name in names:
        by_value = {}
        for reading, of_runs in values.items():
            by_value.setdefault(repr(getattr(reading.choices, name)), []).extend(of_runs)
        between = sum(len(v) * (np.mean(v) - everything.mean()) ** 2 for v in by_value.values())
        shares[name] = float(between / total) if total > 0 else 0.0
    return dict(sorted(shares.items(), key=lambda item: -item[1]))
