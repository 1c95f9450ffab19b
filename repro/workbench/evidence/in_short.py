"""The hand-written conclusions on claims: figures/in_short.toml."""

import tomllib

import numpy as np

from repro.core.errors import UserError
from repro.workbench.evidence.rows import ours_of


def load_conclusions(figures):
    """Read the conclusion on each claim: a dict with ``verdict`` and ``text``, by its name."""
    path = figures / "in_short.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def verdict_of(entry):
    """Return the verdict on a judged claim in the form that conclusions declare."""
    away = entry.verdict.other_data
    return f"{entry.verdict.words}{f'; other data {away}' if away.of else ''}"


def conclude(entry):
    """Fill in the conclusion that is written on a judged claim.

    Raises UserError if it was written for another verdict, or has an unknown placeholder.
    """
    claim, written = entry.claim, entry.written
    if written["verdict"] != verdict_of(entry):
        raise UserError(
            f"the conclusion on {claim.id} is written for {written['verdict']!r}, but the verdict "
            f"is {verdict_of(entry)!r}: rewrite it in figures/in_short.toml"
        )
    ask = entry.ask
    runs = ours_of(entry.runs)
    ours = entry.verdict.ours
    unit = entry.unit if claim.group == 1 else "group"
    counted = f"all {ours.of}" if ours.met == ours.of > 1 else ours
    known = {
        "share": f"{counted} {unit}{'s' * (ours.of > 1)}",
        "away": entry.on_other_data,
        "n": {setting.words: str(n) for setting, n in entry.verdict.counts.items()},
        "bound": ask.bound,
        "median": np.median(claim.values_of(ask, runs)),
        "m": runs.select_dtypes("number").median(),
    }
    if ask.has_chance(runs):
        known["chance"] = np.median(claim.values_of(ask, runs, by_chance=True))
    try:
        return written["text"].format_map(known)
    except (KeyError, ValueError) as error:
        raise UserError(f"the conclusion on {claim.id} names what is not known: {error}") from None
