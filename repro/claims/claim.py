"""What a claim asks of the measures of a run."""

from dataclasses import dataclass

import numpy as np

KINDS, VOICES = ("empirical", "identity", "cost"), ("paper", "us", "example")
POOLS = {"mean": np.mean, "median": np.median, "min": np.min, "max": np.max, "sd": np.std}


@dataclass(frozen=True)
class Ask:
    """A bound on a measure, or on the difference of two; made by `at_least`, `below` and so on.

    Attributes
    ----------
    measure : str
        Its name among the measures of a run.
    sign : {"≥", "≤"}
    bound : float
    rival : str or None
        The measure it is compared with; what is bounded is the difference, an effect size.
    chance : str, float or None
        What stands in the measure's place where the embedding tells nothing (shuffled, a
        featureless cloud, the majority class): another measure, or a number.
    pool : str or None
        In a claim about groups of runs: what is taken of a group, a key of `POOLS`.
    """

    measure: str
    sign: str
    bound: float
    rival: str | None = None
    chance: str | float | None = None
    pool: str | None = None

    @property
    def quantity(self):
        """What is bounded, as text."""
        pooled = f"{self.pool} of " if self.pool else ""
        less = f" less {self.rival}" if self.rival else ""
        return f"{pooled}{self.measure}{less}"

    @property
    def criterion(self):
        """The criterion as text."""
        return f"{self.quantity} {self.sign} {self.bound:g}"

    def values(self, run, by_chance=False):
        """Return what is bounded, of one run or of a table of runs; or what chance gives for it."""
        value = run[self.measure]
        if by_chance and self.chance is not None:
            value = run[self.chance] if isinstance(self.chance, str) else self.chance
        return value if self.rival is None else value - run[self.rival]

    def met_by(self, value):
        """Say whether a value, or each of several, keeps the bound; what is not finite does not."""
        kept = value >= self.bound if self.sign == "≥" else value <= self.bound
        return kept & np.isfinite(value)


def at_least(measure, bound, chance=None, pool=None):
    """Ask that a measure be at least a bound; see `Ask`."""
    return Ask(measure, "≥", bound, chance=chance, pool=pool)


def at_most(measure, bound, chance=None, pool=None):
    """Ask that a measure be at most a bound; see `Ask`."""
    return Ask(measure, "≤", bound, chance=chance, pool=pool)


def above(measure, rival, by, chance=None, pool=None):
    """Ask that a measure exceed that of a rival by an effect size; see `Ask`."""
    return Ask(measure, "≥", by, rival, chance, pool)


def below(measure, rival, by, chance=None, pool=None):
    """Ask that a measure be smaller than that of a rival by an effect size; see `Ask`."""
    return Ask(measure, "≤", -by, rival, chance, pool)


@dataclass(frozen=True)
class Claim:
    """What a paper says, and what it asks of a run. It holds in a run that meets all it asks.

    Parameters
    ----------
    id : str
        For example "mre-1a".
    says : str
        The paper's statement in our words.
    where : str
        Its place in the paper.
    asks : sequence of Ask
    kind : {"empirical", "identity", "cost"}
        *identity*: mathematics, true of any data. *cost*: a clock, or a count of operations.
    by : {"paper", "us", "example"}
        Who says it. Only what the paper says counts for or against it; an example counts nowhere.
    can : bool
        Whether the paper says that something *can* happen; then one run shows it.
    group : int
        Runs in one observation: of a claim such as "five starts agree", 5.
    paper_value : str
        The number that the paper gives, if any.
    was : str
        The old criterion, if it was changed after numbers were seen, and why.

    """

    id: str
    says: str
    where: str
    asks: tuple
    kind: str = "empirical"
    by: str = "paper"
    can: bool = False
    group: int = 1
    paper_value: str = ""
    was: str = ""

    def __post_init__(self):
        object.__setattr__(self, "asks", tuple(self.asks))
        if not self.asks or self.kind not in KINDS or self.by not in VOICES:
            raise ValueError(f"claim {self.id!r} asks nothing, or its kind or its `by` is unknown")
        if any((ask.pool in POOLS) != (self.group > 1) for ask in self.asks):
            raise ValueError(f"claim {self.id!r}: a group of runs is pooled in every ask, or none")

    @property
    def measures(self):
        """The names of all measures that it asks for, those of rivals and of chance too."""
        named = {name for ask in self.asks for name in (ask.measure, ask.rival, ask.chance)}
        return {name for name in named if isinstance(name, str)}

    def observations(self, runs, by_chance=False):
        """Say in which observations the claim holds: a bool per run, or per whole group of runs.

        The runs, a DataFrame with a column per measure, are of one reading, in the order of their
        seeds. With ``by_chance`` it is asked of what chance gives, where that is known.
        """
        met = [ask.met_by(self.values_of(ask, runs, by_chance)) for ask in self.asks]
        return np.logical_and.reduce(met).tolist()

    def values(self, runs):
        """Return what each ask bounds: per ask an array with a value per observation."""
        return [self.values_of(ask, runs) for ask in self.asks]

    def values_of(self, ask, runs, by_chance=False):
        """Return what one of its asks bounds, per observation."""
        n = len(runs)
        values = np.broadcast_to(np.asarray(ask.values(runs, by_chance), dtype=float), n)
        if self.group == 1:
            return values
        whole = n // self.group * self.group
        return POOLS[ask.pool](values[:whole].reshape(-1, self.group), axis=1)

    def effects(self, runs):
        """Measure how far each observation is on the way from chance (0) to the bound (1).

        By the ask that is least far; NaN where no ask has a chance level that misses it.
        """
        ways = [np.full(len(runs) // self.group, np.nan)]
        for ask in (ask for ask in self.asks if ask.chance is not None):
            chance = self.values_of(ask, runs, by_chance=True)
            to_go = np.where(ask.met_by(chance), np.nan, ask.bound - chance)
            ways.append((self.values_of(ask, runs) - chance) / to_go)
        return np.fmin.reduce(ways)
