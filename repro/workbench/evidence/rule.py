"""The rule: the verdict on a claim, from the number of runs that meet it under each setting.

It stands in words in ``figures/README.md``; `turns` has what it says of exactly half.
"""

from typing import NamedTuple

N_OURS, N_RUNS, N_MORE = 18, 6, 18
CONTESTED = range(2, 5)  # of the first six runs of a setting, those that ask for the others
CHANCE = "the start or the sample"
# The verdicts without their causes, by kind, the best first, and how each is coloured.
OUTCOMES = {
    "empirical": {"reproduced": "good", "depends": "mixed", "not reproduced": "bad"},
    "can": {"shown": "good", "shown only": "mixed", "not shown": "bad"},
    "fact": {"confirmed": "good", "confirmed only": "mixed", "not confirmed": "bad"},
}


class Count(NamedTuple):
    """The number of runs that meet a claim, and of those made."""

    met: int
    of: int

    def __str__(self):
        return f"{self.met} of {self.of}"

    @property
    def side(self):
        """1 if more than half of the runs meet the claim, -1 if fewer do, 0 if half of them."""
        return (2 * self.met > self.of) - (2 * self.met < self.of)

    @property
    def mostly(self):
        """Whether at least four fifths of the runs meet the claim."""
        return 5 * self.met >= 4 * self.of


def count_ours(met):
    """Count the runs of our setting, from whether each meets the claim, in order."""
    return Count(sum(met[:N_OURS]), len(met[:N_OURS]))


def count(met):
    """Count the runs of a setting other than ours, from whether each meets the claim, in order."""
    first = sum(met[:N_RUNS])
    counted = met[: N_MORE if first in CONTESTED else N_RUNS]
    return Count(sum(counted), len(counted))


def turns(setting, ours):
    """Return whether the Count of a setting is on another side of one half than that of ours.

    Exactly half is another side, and from a half of ours there is none.
    """
    return ours.side != 0 and setting.side != ours.side


def causes(ours, others):
    """List on what a claim depends; empty if it is reproduced, or not reproduced.

    ``ours`` is a Count, and ``others`` holds the Count of each setting by the choice it changes:
    pairs of a name and a Count.
    """
    between = ours.of < 5 * ours.met and not ours.mostly
    turned = [choice for choice, setting in others if turns(setting, ours)]
    return [CHANCE] * between + list(dict.fromkeys(turned))


def verdict(ours, others):
    """Return the verdict on an empirical claim; the arguments are those of `causes`."""
    if depends_on := causes(ours, others):
        return f"depends on {', '.join(depends_on)}"
    return "reproduced" if ours.side > 0 else "not reproduced"


def verdict_of_can(ours, others):
    """Return the verdict on what the paper says can happen; ``others`` is as in `causes`."""
    return _with_one("shown", ours.met > 0, [(choice, n.met > 0) for choice, n in others])


def verdict_of_fact(ours, others):
    """Return the verdict on an identity or a cost; ``others`` is as in `causes`."""
    return _with_one("confirmed", ours.mostly, [(choice, n.mostly) for choice, n in others])


def _with_one(word, met, others):
    """Return a word if ours meets a claim, else the choices of which another value does."""
    with_one = ", ".join(dict.fromkeys(choice for choice, other in others if other))
    if met or not with_one:
        return word if met else f"not {word}"
    return f"{word} only with another value of {with_one}"
