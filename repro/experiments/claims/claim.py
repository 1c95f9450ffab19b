"""Claims, and what they ask of the measures of a run."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from repro.experiments.claims.tables import CHANCE, address, shown_name

KINDS, VOICES = ("empirical", "identity", "cost"), ("paper", "us", "example")
POOLS = {"mean": np.mean, "median": np.median, "min": np.min, "max": np.max, "sd": np.std}


@dataclass(frozen=True)
class Ask:
    """A bound on a cell of the table of measures, or on the difference of two cells of one score.

    Create one with `at_least`, `at_most`, `more` or `less`.

    Attributes
    ----------
    score, space : str
        The row and the column of the cell, see `repro.experiments.claims.tables`.
    sign : {"≥", "≤"}
    bound : float
    than : str or None
        The space to compare with; the bound is then on the difference, an effect size.
    chance : str or float
        The chance level, for an embedding without information: a number, or the space that has
        it. If the default, `CHANCE`, is not measured, it is unknown; another space must be.
    pool : str or None
        The statistic of a group, a key of `POOLS`, in a claim about groups of runs.
    """

    score: str
    space: str
    sign: str
    bound: float
    than: str | None = None
    chance: str | float = CHANCE
    pool: str | None = None

    @property
    def measure(self):
        """The address of the cell."""
        return address(self.score, self.space)

    @property
    def measures(self):
        """The addresses of the deciding cells: its own, and that of the rival."""
        return [address(self.score, space) for space in (self.space, self.than) if space]

    @property
    def chance_cell(self):
        """The address of the chance level; None if it is a number."""
        return address(self.score, self.chance) if isinstance(self.chance, str) else None

    @property
    def chance_name(self):
        """The name of the chance level, as text."""
        if self.chance_cell is None:
            return "reference"
        return "points shuffled" if self.chance == CHANCE else self.chance

    def has_chance(self, runs):
        """Return whether a table of runs, or a run, has the chance level."""
        return self.chance_cell is None or self.chance_cell in runs

    @property
    def quantity(self):
        """The bounded quantity, as text."""
        pooled = f"{self.pool} of " if self.pool else ""
        less = f" − {self.than}" if self.than else ""
        return f"{pooled}{shown_name(self.measure)}{less}"

    def met_by(self, value):
        """Return whether a value, or each of several, meets the bound; non-finite values do not."""
        kept = value >= self.bound if self.sign == "≥" else value <= self.bound
        return kept & np.isfinite(value)


def at_least(score, space, bound, chance=CHANCE, pool=None):
    """Ask that a score of a space be at least a bound; see `Ask`."""
    return Ask(score, space, "≥", bound, None, chance, pool)


def at_most(score, space, bound, chance=CHANCE, pool=None):
    """Ask that a score of a space be at most a bound; see `Ask`."""
    return Ask(score, space, "≤", bound, None, chance, pool)


def more(score, space, than, by, chance=CHANCE, pool=None):
    """Ask that a score exceed that of another space by an effect size, which may be negative."""
    return Ask(score, space, "≥", by, than, chance, pool)


def less(score, space, than, by, chance=CHANCE, pool=None):
    """Ask that a score be below that of another space by an effect size, which may be negative."""
    return Ask(score, space, "≤", 0 - by, than, chance, pool)


@dataclass(frozen=True)
class Claim:
    """A statement of a paper, and what it asks of a run. A run must meet every ask.

    Parameters
    ----------
    id : str
        For example "mre-1a".
    where : str
        Its place in the paper.
    says : str
        The paper's statement in our words.
    asks : sequence of Ask
    words : str
        The paper's decisive words, at most twelve; "…" joins two parts. Given if ``by`` is
        "paper".
    reason : str
        Why the bounds are as they are, in half a line; identities are asked up to rounding.
    rests_on : sequence of str
        The names of the choices on which it rests; all if empty.
    kind : {"empirical", "identity", "cost"}
        *identity*: mathematics, true for any data. *cost*: a time, or a count of operations.
    by : {"paper", "us", "example"}
        Who says it. Only claims of the paper count for or against it; examples do not count.
    can : bool
        Whether the paper says that something *can* happen; one run then suffices.
    group : int
        Runs per observation: 5 for a claim such as "five starts agree".
    paper_value : str
        The number that the paper gives, if any.
    """

    id: str
    where: str
    says: str
    asks: tuple
    words: str = ""
    reason: str = ""
    rests_on: tuple = ()
    kind: str = "empirical"
    by: str = "paper"
    can: bool = False
    group: int = 1
    paper_value: str = ""

    def __post_init__(self):
        object.__setattr__(self, "asks", tuple(self.asks))
        object.__setattr__(self, "rests_on", tuple(self.rests_on))
        if not self.asks or self.kind not in KINDS or self.by not in VOICES:
            raise ValueError(f"claim {self.id!r} asks nothing, or its kind or its `by` is unknown")
        if any((ask.pool in POOLS) != (self.group > 1) for ask in self.asks):
            raise ValueError(f"claim {self.id!r}: a group of runs is pooled in every ask, or none")

    @property
    def deciding(self):
        """The addresses of the deciding cells, including rivals, sorted."""
        return sorted({name for ask in self.asks for name in ask.measures})

    @property
    def measures(self):
        """The addresses of all required cells, including named chance levels."""
        named = {ask.chance_cell for ask in self.asks if ask.chance != CHANCE} - {None}
        return named.union(self.deciding)

    def observations(self, runs, by_chance=False):
        """Return which observations meet the claim: a bool per run, or per whole group of runs.

        The runs are of one setting, with a column per measure, in the order of their seeds. With
        ``by_chance``, chance levels replace the measures where they are known.
        """
        met = [ask.met_by(self.values_of(ask, runs, by_chance)) for ask in self.asks]
        return np.logical_and.reduce(met).tolist()

    def values_of(self, ask, runs, by_chance=False):
        """Return the bounded quantity of one ask, or its chance level, per observation."""
        values = runs[ask.measure]
        if by_chance and ask.has_chance(runs):
            values = ask.chance if ask.chance_cell is None else runs[ask.chance_cell]
        if ask.than is not None:
            values = values - runs[address(ask.score, ask.than)]
        values = np.broadcast_to(np.asarray(values, dtype=float), len(runs))
        if self.group == 1:
            return values
        whole = len(runs) // self.group * self.group
        return POOLS[ask.pool](values[:whole].reshape(-1, self.group), axis=1)


identity = partial(Claim, kind="identity")
cost = partial(Claim, kind="cost")
question = partial(Claim, by="us")  # of ours: no sentence of the paper
