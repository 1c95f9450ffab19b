"""A claim of a paper, its criterion, its verdict; a notebook's ledger of claims; the scorecard."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from repro.core.files import write_text
from repro.core.folders import folder_from, project_dir
from repro.core.records import read_record
from repro.datasets import standins_in_use

COMPARISONS = {
    "≥": lambda a, b: a >= b,
    "≤": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    "<": lambda a, b: a < b,
}


# A claim is robust if its criterion is met by this share of the seeds, under every reading.
ROBUST_SHARE = 0.9


@dataclass(frozen=True)
class Part:
    """One number of a claim, measured once a seed, and the bound it is asked to keep.

    Parameters
    ----------
    quantity : str
        What was measured.
    values : sequence of float
        One value per seed. A NaN does not meet the criterion.
    comparison : {"≥", "≤", ">", "<"}
    threshold : float
    beside : mapping of str to float, optional
        Reference values: baselines and the chance level.
    timed : bool
        Whether it rests on a clock, so that another machine, or a busy one, may find otherwise.

    Raises
    ------
    ValueError
        If there is no value or the comparison is not known.
    """

    quantity: str
    values: Sequence[float]
    comparison: str
    threshold: float
    beside: Mapping[str, float] = field(default_factory=dict)
    timed: bool = False

    def __post_init__(self):
        values = tuple(float(v) for v in np.ravel(self.values))
        if not values:
            raise ValueError(f"values must not be empty: {self.quantity!r}")
        if self.comparison not in COMPARISONS:
            raise ValueError(
                f"comparison must be one of {', '.join(COMPARISONS)}, got {self.comparison!r}"
            )
        object.__setattr__(self, "values", values)

    @property
    def median(self):
        """Median over seeds; NaN if a value is."""
        return float(np.median(self.values))

    @property
    def met(self):
        """Whether the median meets the criterion."""
        return COMPARISONS[self.comparison](self.median, self.threshold)

    @property
    def met_by_seed(self):
        """Whether each seed meets the criterion, (n_seeds,) bool."""
        return np.array([COMPARISONS[self.comparison](v, self.threshold) for v in self.values])

    @property
    def criterion(self):
        """The criterion as text."""
        return f"{self.comparison} {self.threshold:g}"

    @property
    def measured(self):
        """Median and range as text."""
        return _spread(self.median, (min(self.values), max(self.values)))


@dataclass(frozen=True)
class Claim:
    """What a paper says, and whether it holds here.

    Parameters
    ----------
    id : str
        For example "mre-1a".
    says : str
        The paper's statement in our words.
    where : str
        Its place in the paper.
    parts : sequence of Part
        All must be met.
    paper_value : str, optional
        The number the paper gives, if any.
    readings : mapping of str to str, optional
        Verdicts of the same criterion under other readings of the paper.
    """

    id: str
    says: str
    where: str
    parts: Sequence[Part]
    paper_value: str | None = None
    readings: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self):
        object.__setattr__(self, "parts", tuple(self.parts))
        if not self.parts:
            raise ValueError(f"parts must not be empty: claim {self.id!r}")

    @property
    def share_of_seeds(self):
        """Share of the seeds that meet every part; parts with one value count for every seed."""
        counts = {len(p.values) for p in self.parts} - {1}
        if len(counts) > 1:
            raise ValueError(
                f"parts of claim {self.id!r} have different numbers of seeds: {counts}"
            )
        met = np.ones(max(counts, default=1), bool)
        for part in self.parts:
            met &= part.met_by_seed
        return float(met.mean())

    @property
    def verdict(self):
        """The verdict: "holds", "partly" or "fails"; decided by medians over seeds."""
        met = [part.met for part in self.parts]
        if all(met):
            return "holds"
        if sum(met) >= len(met) / 2 or self.share_of_seeds >= 0.5:
            return "partly"
        return "fails"

    @property
    def firmness(self):
        """Whether the verdict stands over seeds and readings: "robust" or "fragile"."""
        share = self.share_of_seeds
        seeds_agree = (
            share >= ROBUST_SHARE if self.verdict == "holds" else share <= 1 - ROBUST_SHARE
        )
        readings_agree = all(v == self.verdict for v in self.readings.values())
        return "robust" if seeds_agree and readings_agree else "fragile"

    def to_dict(self):
        """Everything about the claim, numbers rounded to four digits."""
        parts = [
            {
                "quantity": p.quantity,
                "criterion": p.criterion,
                "median": _round(p.median),
                "range": [_round(min(p.values)), _round(max(p.values))],
                "values": [_round(v) for v in p.values],
                "beside": {k: _round(v) for k, v in p.beside.items()},
                "met": bool(p.met),
            }
            | ({"timed": True} if p.timed else {})
            for p in self.parts
        ]
        return {
            "id": self.id,
            "says": self.says,
            "where": self.where,
            "paper_value": self.paper_value,
            "parts": parts,
            "readings": dict(self.readings),
            "share_of_seeds": _round(self.share_of_seeds),
            "verdict": self.verdict,
            "firmness": self.firmness,
        }


def _spread(median, ends):
    low, high = ends
    return f"{median:.3g}" if low == high else f"{median:.3g} [{low:.3g}, {high:.3g}]"


def _round(value, digits=4):
    """Round to significant digits, so that the last bits of an optimiser do not change a file."""
    value = float(value)
    return None if not math.isfinite(value) else float(f"{value:.{digits}g}")


@dataclass
class Ledger:
    """The claims of one notebook.

    Parameters
    ----------
    stem : str
        The notebook's name without its suffix.
    paper, item : str
        For example "MRE" and "Fig. 1".
    seeds : sequence of int
    readings : mapping
        The ambiguous choices and the values taken, as in the notebook's metadata.
    """

    stem: str
    paper: str
    item: str
    seeds: Sequence[int]
    readings: Mapping[str, str]
    claims: list = field(default_factory=list)
    errata: list = field(default_factory=list)

    def add(self, *claims):
        """Add claims; an id may be used once."""
        for claim in claims:
            if claim.id in {c.id for c in self.claims}:
                raise ValueError(f"claim {claim.id!r} is there already")
            self.claims.append(claim)

    def erratum(self, text):
        """Note a misprint, a contradiction or a false statement of the paper."""
        self.errata.append(text)

    def table(self):
        """One row per part of a claim, for a reader."""
        rows = [
            {
                "claim": claim.id if k == 0 else "",
                "quantity": part.quantity,
                "criterion": part.criterion,
                "median [range]": part.measured,
                "beside": ", ".join(f"{name} {value:.3g}" for name, value in part.beside.items()),
                "met": "yes" if part.met else "no",
                "verdict": claim.verdict if k == 0 else "",
            }
            for claim in self.claims
            for k, part in enumerate(claim.parts)
        ]
        return pd.DataFrame(rows)

    def read_otherwise(self, readings):
        """Note the verdicts that claims get under other readings of the paper.

        Parameters
        ----------
        readings : mapping of str to (mapping of str to sequence of Part)
            For each reading, the parts of the claims it concerns, by id.

        Returns
        -------
        table : pandas.DataFrame
            One row per reading, one column per claim.

        Raises
        ------
        ValueError
            If an id is not that of a claim.
        """
        verdicts = {
            name: {i: replace(self._claim(i), parts=parts).verdict for i, parts in claims.items()}
            for name, claims in readings.items()
        }
        for k, claim in enumerate(self.claims):
            under = {name: found[claim.id] for name, found in verdicts.items() if claim.id in found}
            self.claims[k] = replace(claim, readings={**claim.readings, **under})
        return pd.DataFrame(verdicts).T.fillna("–")

    def _claim(self, i):
        for claim in self.claims:
            if claim.id == i:
                return claim
        raise ValueError(f"there is no claim {i!r}")

    def summary(self):
        """One row per claim: its verdict, and whether seeds and readings agree."""
        rows = [
            {
                "claim": c.id,
                "the paper says": c.says,
                "verdict": c.verdict,
                "share of seeds": f"{c.share_of_seeds:.0%}",
                "firmness": c.firmness,
            }
            for c in self.claims
        ]
        return pd.DataFrame(rows)

    def recorded(self):
        """Show the same claims over the more seeds of a longer run, from figures/recorded.

        Made by ``repro run NAME -p N_SEEDS=20``. One row per part of a claim.

        Returns
        -------
        table : pandas.DataFrame
            Empty if no longer run is recorded.
        """
        path = project_dir() / "figures" / "recorded" / f"{self.stem}.json"
        if not path.exists():
            return pd.DataFrame()
        content = read_record(path)
        rows = [
            {
                "claim": claim["id"] if k == 0 else "",
                "quantity": part["quantity"],
                "criterion": part["criterion"],
                "seeds": len(part["values"]),
                "median [range]": _spread(part["median"], part["range"]),
                "verdict": claim["verdict"] if k == 0 else "",
                "share of seeds": f"{claim['share_of_seeds']:.0%}" if k == 0 else "",
            }
            for claim in content["claims"]
            for k, part in enumerate(claim["parts"])
        ]
        return pd.DataFrame(rows)

    def spot_check(self, tolerance=0.1):
        """Check that the longer run finds what this one does: same medians over seeds they share.

        Where every value is 0 or 1, no or yes, the share of yes takes the place of the median.
        Where none is recorded, as in the folder in which a sweep works, nothing is compared; nor is
        a part that has not one value per seed, as those of other seeds may be.

        Parameters
        ----------
        tolerance : float
            Largest difference, relative to values above 1, absolute below.

        Raises
        ------
        AssertionError
            If a median or share differs by more, so that the longer run must be recorded again.
        """
        path = project_dir() / "figures" / "recorded" / f"{self.stem}.json"
        if not path.exists():
            return
        content = read_record(path)
        shared = sorted({int(s) for s in self.seeds} & set(content["seeds"]))
        longer = {claim["id"]: claim["parts"] for claim in content["claims"]}
        for claim in self.claims:
            for part, recorded in zip(claim.parts, longer[claim.id], strict=True):
                then = _by_seed(recorded["values"], content["seeds"])
                now = _by_seed(part.values, self.seeds)
                if then and now and len(shared) > 1 and not part.timed:
                    then, now = (_level([values[s] for s in shared]) for values in (then, now))
                    room = tolerance * max(1.0, abs(now))
                    same = np.isclose(then, now, rtol=0, atol=room, equal_nan=True)
                    assert same, f"{claim.id}, {part.quantity}: {then:.4g} recorded"

    def verdicts(self):
        """One line per claim: what another machine must find as well, so no verdict by a clock."""
        return "\n".join(
            f"{c.id}: {'by the clock' if any(p.timed for p in c.parts) else c.verdict}"
            for c in self.claims
        )

    def record(self):
        """Write the claims to <figures>/<stem>.json; on stand-in data no claim is written.

        Returns
        -------
        path : pathlib.Path
        """
        standins = sorted(standins_in_use())
        content = {
            "notebook": self.stem,
            "paper": self.paper,
            "item": self.item,
            "data": "stand-in" if standins else "real",
            "seeds": [int(s) for s in self.seeds],
            "readings": dict(self.readings),
            "claims": [] if standins else [c.to_dict() for c in self.claims],
            "errata": [] if standins else list(self.errata),
        }
        path = figures_dir() / f"{self.stem}.json"
        write_text(path, json.dumps(content, indent=1, ensure_ascii=False) + "\n")
        return path


def _by_seed(values, seeds):
    """Return the values by seed, NaN where none was recorded; none if they are not one a seed."""
    values = [math.nan if value is None else value for value in values]
    one_each = len(values) == len(seeds)
    return dict(zip(map(int, seeds), values, strict=True)) if one_each else {}


def _level(values):
    """Median over seeds; of noes and yeses their mean, as a median of them hardly moves."""
    return float(np.mean(values) if set(values) <= {0, 1} else np.median(values))


def figures_dir():
    """Where figures and claims go: REPRO_FIGURES_DIR or ``figures``; stand-ins to a folder apart.

    The folder is made if it is not there.
    """
    folder = folder_from("REPRO_FIGURES_DIR") or project_dir() / "figures"
    if standins_in_use():
        folder = folder / "standin"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
