"""The hand-written conclusions on claims: figures/in_short.toml."""

import tomllib

import numpy as np

from repro.core.errors import UserError
from repro.workbench.evidence.rows import primary_of


def load_conclusions(figures):
    """Read the conclusion on each claim: a dict with ``answers`` and ``text``, by its name."""
    path = figures / "in_short.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def answers_of(entry):
    """Return the three answers on a judged claim in the form that conclusions declare."""
    return f"{entry.answers.reproduced}; {entry.answers.whatever}; {entry.elsewhere}"


def conclude(entry):
    """Fill in the conclusion that is written on a judged claim.

    Raises UserError if it was written for other answers, or has an unknown placeholder.
    """
    claim, written = entry.claim, entry.written
    if written["answers"] != answers_of(entry):
        raise UserError(
            f"the conclusion on {claim.id} is written for {written['answers']!r}, but the answers "
            f"are {answers_of(entry)!r}: rewrite it in figures/in_short.toml"
        )
    ask = entry.ask
    runs = primary_of(entry.runs)
    share = entry.answers.share
    unit = entry.unit if claim.group == 1 else "group"
    counted = f"all {share.of}" if share.met == share.of > 1 else share
    known = {
        "share": f"{counted} {unit}{'s' * (share.of > 1)}",
        "away": entry.elsewhere,
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
