"""Comparison of a run of the notebooks with the committed numbers."""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pandas as pd

from repro import experiments
from repro.experiments.claims import address, score_and_space, shown_name
from repro.workbench.evidence.rows import CLOCK, load_moved, load_runs, measures_in, ours_of
from repro.workbench.evidence.scorecard import grouped
from repro.workbench.markdown import in_cell, table
from repro.workbench.records import read_json

# How two runs of the same seed may compare, from the best to the worst.
EXACT, ROUNDING, OPTIMUM, UNEXPLAINED, DIFFERS = KINDS = (
    "to the last bit",
    "within rounding",
    "in another optimum",
    "unexplained",
    "differs",
)
# Rounding is TIMES the effect of moved last digits; at least LEAST of a number, and at least
# RESIDUAL, which is left when numbers of about one cancel, as in an identity.
TIMES, LEAST, RESIDUAL = 10, 1e-6, 1e-12
LOSS = "loss"  # the score that shows which runs ended in one optimum
SAME_OPTIMUM = 1e-3  # relative difference in loss below which two runs are in one optimum
# The most items in a score that is a share of them, and how exactly the score equals it.
MOST_ITEMS, SHARE_EXACT_TO = 10**6, 1e-15


@dataclass(frozen=True)
class Rounding:
    """What rounding alone may do to the runs of an experiment.

    ``most`` holds the largest difference allowed, by name of the measure; ``strays`` the losses of
    the fits that moved last digits led to another optimum; ``adrift`` the measures that they change
    as much as another start does.
    """

    most: dict
    strays: frozenset = frozenset()
    adrift: frozenset = frozenset()

    def explains(self, name, new, old):
        """Return whether rounding explains that a measure is ``new`` and not ``old``."""
        return np.isclose(new, old, rtol=LEAST, atol=max(RESIDUAL, self.most.get(name, 0.0)))


def rounding(runs, moved):
    """Return what rounding may do to the runs of an experiment; a `Rounding`.

    ``runs`` is what `load_runs` returns, ``moved`` what `load_moved` does. ``figures/sweeps`` says
    in its README what counts as rounding. If ten times the largest difference exceeds both a
    thousandth of the measure and its range over the runs of record, the measure is adrift, and only
    one item counts.
    """
    if not runs:
        return Rounding({})
    record = ours_of(runs).set_index("seed")
    moved = record.head(0) if moved is None else moved.set_index("seed")
    moved = moved[moved.index.isin(record.index)]
    there = record.loc[moved.index]
    most, strays, adrift = {}, set(), set()
    for name in measures_in(record):
        loss = loss_beside(name)
        same = np.full(len(moved), True)
        if loss in moved and loss in record:
            same = same_optimum(moved[loss], there[loss])
        if not same.all():
            strays.add(loss)
        apart = np.abs(moved[name] - there[name])[same] if name in moved else ()
        widest = TIMES * np.nanmax([*apart, 0.0])
        if widest > max(np.ptp(record[name]), SAME_OPTIMUM * record[name].abs().max()):
            adrift.add(name)
            widest = 0.0
        most[name] = max(widest, item_of(record[name]))
    return Rounding(most, frozenset(strays), frozenset(adrift))


def table_of_rounding(judged):
    """Render what counts as rounding for each measure that a claim asks for, as Markdown."""
    rows = []
    for name, entries in grouped(judged, "name").items():
        allowed = rounding(entries[0].runs, entries[0].moved)
        for measure in dict.fromkeys(m for e in entries for m in sorted(measures_of(e.claim))):
            most = f"{max(allowed.most.get(measure, 0.0), RESIDUAL):.1g}"
            most = "as much as by another start" if measure in allowed.adrift else most
            rows.append((name, in_cell(shown_name(measure)), most))
    return table(("experiment", "measure", "may differ by"), rows)


def loss_beside(measure):
    """Return the name of the loss of the fit that a measure belongs to: that of the same space."""
    return address(LOSS, score_and_space(measure)[1])


def same_optimum(loss, other):
    """Return whether losses are those of one optimum: equal to a thousandth."""
    return np.abs(np.subtract(loss, other)) <= SAME_OPTIMUM * np.abs(np.asarray(other))


def item_of(values):
    """Return the contribution of one item to a score that is a share of items, else 0.

    A score counts as a share if all its values are fractions of one number of items.
    """
    known = np.unique(np.asarray(values, dtype=float))
    known = known[np.isfinite(known)]
    shares = [Fraction(value).limit_denominator(MOST_ITEMS) for value in known]
    n_items = math.lcm(*(share.denominator for share in shares))
    rounded = np.isclose(known, [float(share) for share in shares], SHARE_EXACT_TO, SHARE_EXACT_TO)
    counted = len(known) > 1 and rounded.all() and 1 < n_items <= MOST_ITEMS
    return 1 / n_items if counted else 0.0


@dataclass(frozen=True)
class ClaimBeside:
    """A claim in a run of its notebook, and on record.

    ``kind`` is one of `KINDS`, see `compare_claim`; ``met`` and ``on_record`` list whether each
    observation met it.
    """

    claim: str
    kind: str
    met: list
    on_record: list


def load_record(figures, name):
    """Read the record of a notebook, or None: seeds, measures of each run, claims, environment."""
    path = figures / f"{name}.json"
    fields = {"seeds": list, "measures": list, "claims": dict, "environment": dict}
    return read_json(path, **fields) if path.exists() else None


def load_records(figures, names):
    """Read the committed records of notebooks, and what counts as rounding in their experiments.

    Returns (record, `Rounding`) by name; notebooks without a record are left out.
    """
    records = {}
    for name in names:
        if name in experiments.names() and (record := load_record(figures, name)):
            experiment = experiments.load(name)
            runs, moved = load_runs(figures, experiment), load_moved(figures, experiment)
            records[name] = record, rounding(runs, moved)
    return records


def compare_all(written, since, records):
    """Compare the records that notebooks wrote to a folder since a time with the committed ones.

    ``records`` is what `load_records` returns. Returns a list of `ClaimBeside` by notebook, and the
    differences from the environments of the records: a set of (name, there, here).
    """
    compared, differences = {}, set()
    for name, (record, allowed) in sorted(records.items()):
        path = written / f"{name}.json"
        if path.exists() and path.stat().st_mtime >= since:
            new = load_record(written, name)
            compared[name] = compare(name, new, record, allowed)
            there, here = record["environment"], new["environment"]
            other = {part: value for part, value in here.items() if value != there.get(part)}
            differences |= {(part, there.get(part, "unknown"), now) for part, now in other.items()}
    return compared, differences


def compare(name, new, record, allowed):
    """Compare the record that a run of a notebook wrote with the committed one, claim by claim.

    ``allowed`` is what `rounding` returns. Times are not compared. Returns a list of `ClaimBeside`.
    """
    there = dict(zip(record["seeds"], record["measures"], strict=True))
    here = dict(zip(new["seeds"], new["measures"], strict=True))
    pairs = [(measures, there.get(seed, {})) for seed, measures in here.items()]
    return [
        compare_claim(claim, pairs, record["claims"][claim.id], allowed)
        for claim in experiments.load(name).CLAIMS
        if claim.id in new["claims"] and claim.id in record["claims"]
    ]


def compare_claim(claim, pairs, on_record, allowed):
    """Compare a claim in runs with the record; ``pairs`` holds the measures of both for each run.

    Its kind is the worst among the measures that decide it, see `kind_of`. It *differs* if the runs
    do not meet it as on record even with the recorded value of each measure that is explained.
    """
    kinds = [{m: kind_of(m, *pair, allowed) for m in measures_of(claim)} for pair in pairs]
    restored = [
        new | {m: old[m] for m, kind in of_run.items() if kind != UNEXPLAINED and m in old}
        for (new, old), of_run in zip(pairs, kinds, strict=True)
    ]
    kind = max((k for of_run in kinds for k in of_run.values()), key=KINDS.index, default=EXACT)
    if _met(claim, restored) != on_record:
        kind = DIFFERS
    return ClaimBeside(claim.id, kind, _met(claim, [new for new, _ in pairs]), on_record)


def _met(claim, runs):
    """Return whether each observation meets a claim, by the measures of the runs."""
    return claim.observations(pd.DataFrame(runs).reindex(columns=sorted(claim.measures)))


def measures_of(claim):
    """Return the names of the measures that decide a claim, except times."""
    return {name for name in claim.deciding if CLOCK not in name}


def kind_of(name, new, record, allowed):
    """Return which of `KINDS` a measure of a run is, compared with the run of its seed on record.

    ``allowed`` is what `rounding` returns. A measure is in another optimum if the loss of its fit,
    too, differs by more than rounding, and last digits alone led that fit to another optimum; so is
    a measure that is adrift.
    """
    if (name in new) != (name in record):
        return UNEXPLAINED
    if name not in record or np.array_equal(new[name], record[name], equal_nan=True):
        return EXACT  # not a number in either, or the same one
    if allowed.explains(name, new[name], record[name]):
        return ROUNDING
    if name in allowed.adrift:
        return OPTIMUM
    loss = loss_beside(name)
    if loss not in allowed.strays:
        return UNEXPLAINED
    losses = new.get(loss), record.get(loss)
    one_optimum = allowed.explains(loss, *losses) and same_optimum(*losses)
    return UNEXPLAINED if one_optimum else OPTIMUM


def count_kinds(kinds):
    """Count what is of each kind in words, and name what is not equal to the last bit.

    ``kinds`` maps names to kinds.
    """
    parts = []
    for kind in dict.fromkeys([*KINDS, *kinds.values()]):
        names = [name for name, of_name in kinds.items() if of_name == kind]
        named = "" if kind == EXACT else f" ({'; '.join(names)})"
        if names:
            parts.append(f"{len(names)} {kind}{named}")
    return ", ".join(parts)


def conclusion(claims, differences):
    """Summarise in a few sentences what runs reproduce, and how their environment differs.

    ``claims`` lists each `ClaimBeside`; for ``differences`` see `compare_all`.
    """
    counts = [f"{sum(claim.kind == kind for claim in claims)} {kind}" for kind in KINDS]
    turned = [f"{claim.claim} ({claim.kind})" for claim in claims if claim.met != claim.on_record]
    where = "; ".join(f"{name}: {here}, not {there}" for name, there, here in sorted(differences))
    return (
        f"{len(claims)} claims beside the record: {', '.join(counts)}. "
        f"Met otherwise than on record: {', '.join(turned) or 'none'}. "
        f"The environment is {'not ' if where else ''}that of the record{where and f': {where}'}."
    )
