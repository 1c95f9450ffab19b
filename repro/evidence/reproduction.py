"""What a run of the notebooks gives again of the numbers that are committed, and how exactly."""

import json
import math
from dataclasses import asdict, dataclass
from fractions import Fraction

import numpy as np

from repro import experiments
from repro.claims.verdicts import SAME_OPTIMUM
from repro.core.environment import this_environment
from repro.core.files import write_text
from repro.core.records import read_json
from repro.evidence.rows import (
    CLOCK,
    RUN,
    load_rows,
    load_runs,
    name_of,
    path_of_moved,
    primary_of,
)

# How two runs of the same seed may compare, from the best to the worst.
EXACT, ROUNDING, OPTIMUM, DIFFERS = KINDS = (
    "to the last bit",
    "within rounding",
    "in another optimum",
    "differs",
)
# Rounding is so many times what moved last digits do; at least so much of a number, and so much of
# what is left of numbers about one that cancel, as where an identity is shown.
TIMES, LEAST, LEFT = 10, 1e-9, 1e-12
# A score that is a share of items counts so many of them at most, and differs so little from it.
MOST_ITEMS, SHARE_EXACT_TO = 10**6, 1e-15


@dataclass(frozen=True)
class Rounding:
    """What rounding alone may do to the runs of an experiment.

    ``most`` says by how much a measure may differ, by name. ``strays`` says whether moved last
    digits led a run to another optimum.
    """

    most: dict
    strays: bool

    def explains(self, name, new, old):
        """Say whether rounding explains that a measure is ``new`` and not ``old``."""
        return np.isclose(new, old, rtol=LEAST, atol=max(LEFT, self.most.get(name, 0.0)))


def rounding(figures, experiment):
    """Say what rounding may do to the runs of an experiment; a `Rounding`.

    A measure may differ by ten times the largest difference between the runs of record and those
    of the same seeds with moved last digits (see `repro.core.last_digits`) that ended in the same
    optimum, whose losses are equal to a thousandth; and by one item of a score that is a share of
    items. A difference below 1e-9 of a number, or below 1e-12, is always rounding. Where no loss is
    recorded, all runs count as of one optimum.
    """
    runs = load_runs(figures, experiment)
    if not runs:
        return Rounding({}, strays=False)
    record = primary_of(runs).set_index("seed")
    moved = load_rows(path_of_moved(figures, name_of(experiment)), experiment.Choices)
    moved = moved[moved["seed"].isin(record.index)].set_index("seed")
    there = record.loc[moved.index]
    same = np.full(len(moved), True)
    if "loss" in moved:
        same = (np.abs(moved["loss"] - there["loss"]) <= SAME_OPTIMUM * there["loss"].abs()).array
    most = {}
    for name in (name for name in record if name not in (*vars(experiment.Choices()), *RUN)):
        apart = np.abs(moved[name] - there[name])[same] if name in moved else ()
        most[name] = max(TIMES * np.nanmax([*apart, 0.0]), item_of(record[name]))
    return Rounding(most, strays=not same.all())


def item_of(values):
    """Return what one item adds to a score that is a share of items; 0 for any other measure.

    The score is taken for one if all its values are fractions of one number of items.
    """
    known = np.unique(np.asarray(values, dtype=float))
    known = known[np.isfinite(known)]
    shares = [Fraction(value).limit_denominator(MOST_ITEMS) for value in known]
    n_items = math.lcm(*(share.denominator for share in shares))
    rounded = np.isclose(known, [float(share) for share in shares], SHARE_EXACT_TO, SHARE_EXACT_TO)
    counted = len(known) > 1 and rounded.all() and 1 < n_items <= MOST_ITEMS
    return 1 / n_items if counted else 0.0


@dataclass(frozen=True)
class Again:
    """A claim, as a run of its notebook found it and as it is on record.

    ``kind`` is the worst of `KINDS` among the measures that it asks for; ``met`` and ``on_record``
    say by observation whether it was met.
    """

    claim: str
    kind: str
    met: list
    on_record: list

    @property
    def turned(self):
        """Whether it is met in other observations than on record."""
        return self.met != self.on_record

    @property
    def unexplained(self):
        """Whether it is met in others, and neither rounding nor another optimum explains it."""
        return self.turned and self.kind not in (ROUNDING, OPTIMUM)


@dataclass(frozen=True)
class Comparison:
    """A notebook's run beside its record.

    ``environment`` holds what differs from where the record was made: (there, here), by what
    differs, see `repro.core.environment`.
    """

    claims: list
    environment: dict


def load_records(figures, names):
    """Read the committed records of notebooks, by name; those that have none are left out."""
    paths = {name: figures / f"{name}.json" for name in names if name in experiments.names()}
    return {name: read_json(path) for name, path in paths.items() if path.exists()}


def compare_all(figures, written, records, names):
    """Compare what notebooks of some names wrote to a folder with their records, see `compare`.

    Return a `Comparison` by name, of those that have a record and wrote one.
    """
    paths = {name: written / f"{name}.json" for name in names if name in records}
    made = {name: read_json(path) for name, path in paths.items() if path.exists()}
    return {name: compare(figures, name, made[name], records[name]) for name in sorted(made)}


def compare(figures, name, found, record):
    """Compare the record that a run of a notebook wrote with the committed one, claim by claim.

    ``figures`` is the folder of the committed runs. Clocks are not compared.
    """
    experiment = experiments.load(name)
    allowed = rounding(figures, experiment)
    there = dict(zip(record["seeds"], record["measures"], strict=True))
    pairs = [
        (measures, there.get(seed, {}))
        for seed, measures in zip(found["seeds"], found["measures"], strict=True)
    ]
    claims = []
    for claim in (claim for claim in experiment.CLAIMS if claim.id in found["claims"]):
        kinds = {kind_of(m, *pair, allowed) for pair in pairs for m in measures_of(claim)}
        worst = max(kinds, key=KINDS.index, default=EXACT)
        met, on_record = (of["claims"].get(claim.id, []) for of in (found, record))
        claims.append(Again(claim.id, worst, met, on_record))
    here, before = found["environment"], record.get("environment", {})
    other = {
        what: (before.get(what), here[what]) for what in here if here[what] != before.get(what)
    }
    return Comparison(claims, other)


def measures_of(claim):
    """Return the names of the measures that decide a claim, clocks apart."""
    names = {name for ask in claim.asks for name in (ask.measure, ask.rival) if name is not None}
    return {name for name in names if CLOCK not in name}


def kind_of(name, found, record, allowed):
    """Say which of `KINDS` a measure of a run is, beside the run of the same seed on record.

    ``allowed`` is what `rounding` returns. A run is in another optimum if its loss, too, differs by
    more than rounding, in an experiment that last digits alone lead to another optimum.
    """
    if name not in record or name not in found:
        return DIFFERS
    if np.array_equal(found[name], record[name], equal_nan=True):
        return EXACT
    if allowed.explains(name, found[name], record[name]):
        return ROUNDING
    if allowed.strays and not allowed.explains("loss", found["loss"], record["loss"]):
        return OPTIMUM
    return DIFFERS


def count_kinds(claims):
    """Say how many claims are of each kind, and name those that are not to the last bit."""
    of_kind = {kind: [again.claim for again in claims if again.kind == kind] for kind in KINDS}
    parts = [
        f"{len(ids)} {kind}" + ("" if kind == EXACT else f" ({', '.join(ids)})")
        for kind, ids in of_kind.items()
        if ids
    ]
    return "; ".join(parts)


def conclusion(comparisons):
    """Say in a few sentences what a run gives again, and where it was made otherwise."""
    claims = [again for of in comparisons.values() for again in of.claims]
    *counts, differ = (sum(of.kind == kind for of in claims) for kind in KINDS)
    given = ", ".join(f"{n} {kind}" for n, kind in zip(counts, KINDS, strict=False))
    says = [f"Of {len(claims)} claims, the numbers on record are found {given}; {differ} differ."]
    turned = ", ".join(f"{again.claim} ({again.kind})" for again in claims if again.turned)
    says.append(f"Met otherwise than on record: {turned or 'none'}.")
    other = {what: pair for of in comparisons.values() for what, pair in of.environment.items()}
    where = "; ".join(f"{what}: {here}, not {there}" for what, (there, here) in other.items())
    says.append(f"The environment is {'not ' if where else ''}that of the record")
    return " ".join(says) + (f": {where}." if where else ".")


def write_report(path, comparisons, seconds):
    """Write a report as JSON: the time of each notebook, what became of each claim, and where."""
    content = {
        "environment": this_environment(),
        "notebooks": {
            name: {
                "seconds": seconds[name],
                "claims": {of.claim: asdict(of) for of in comparison.claims},
                "environment differs": comparison.environment,
            }
            for name, comparison in comparisons.items()
        },
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, json.dumps(content, indent=1, ensure_ascii=False) + "\n")
