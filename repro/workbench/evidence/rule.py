"""The rule of version 2: the verdict on a claim, from the runs under all settings.

A *setting* is our value of every choice, with at most one of them changed to another value that the
text admits. It is not counted if it gives our runs bit for bit, or changes nothing on which the
claim rests. Ours has eighteen runs; another setting has six, and eighteen, the six included, if two
to four of the six meet the claim.

**Reproduced**: at least four fifths of the runs meet it under ours, and more than half under every
other setting. **Not reproduced**: at most one fifth under ours, and fewer than half under every
other. Otherwise it **depends**: on the start or the sample if ours lies between, and on each choice
that has a setting on the other side of one half from ours; exactly half is another side.

What the paper says *can* happen is **shown** if a run of ours meets it, **shown only with** the
settings under which a run does, or **not shown**. An identity or a cost is **confirmed** if at
least four fifths of our runs meet it.
"""

from typing import NamedTuple

N_RUNS, N_MORE = 6, 18
CONTESTED = range(2, 5)  # of the first six runs of a setting, those that ask for the others
CHANCE = "the start or the sample"


class Count(NamedTuple):
    """The number of runs that meet a claim, and of those made."""

    met: int
    of: int

    @property
    def side(self):
        """1 if more than half of the runs meet the claim, -1 if fewer do, 0 if half of them."""
        return (2 * self.met > self.of) - (2 * self.met < self.of)


def count(met):
    """Count the runs of a setting other than ours, from whether each meets the claim, in order."""
    first = sum(met[:N_RUNS])
    counted = met[: N_MORE if first in CONTESTED else N_RUNS]
    return Count(sum(counted), len(counted))


def causes(ours, others):
    """List on what a claim depends; empty if it is reproduced, or not reproduced.

    ``ours`` is a Count, and ``others`` holds the Count of each setting by the choice it changes:
    pairs of a name and a Count.
    """
    between = ours.of < 5 * ours.met < 4 * ours.of
    turned = [choice for choice, setting in others if setting.side != ours.side]
    return [CHANCE] * between + list(dict.fromkeys(turned))


def verdict(ours, others):
    """Return the verdict on an empirical claim; the arguments are those of `causes`."""
    if depends_on := causes(ours, others):
        return f"depends on {', '.join(depends_on)}"
    return "reproduced" if ours.side > 0 else "not reproduced"


def verdict_of_can(ours, others):
    """Return the verdict on what the paper says can happen; ``others`` is as in `causes`."""
    if ours.met:
        return "shown"
    with_one = dict.fromkeys(choice for choice, setting in others if setting.met)
    return f"shown only with another value of {', '.join(with_one)}" if with_one else "not shown"


def verdict_of_fact(ours):
    """Return the verdict on an identity or a cost."""
    return "confirmed" if 5 * ours.met >= 4 * ours.of else "not confirmed"
