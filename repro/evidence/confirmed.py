"""What the runs of record confirm: each answer beside the one before the criteria were frozen."""

import csv

from repro.claims.answers import NOWHERE
from repro.core.markdown import in_cell
from repro.core.records import UserError

BEFORE = "claim", "criterion", "reproduced", "share", "elsewhere", "word"
CALLED = {"sample": "Confirmatory", "start": "Fresh starts"}  # by what a seed draws


def load_answers_before(figures):
    """Read the answers of the runs on which criteria were set: a row, a dict, by claim."""
    path = figures / "answers_before.csv"
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    if not all(row.get(field) for row in rows for field in BEFORE):
        raise UserError(f"{path} is damaged: each row has {', '.join(BEFORE)}")
    return {row["claim"]: row for row in rows}


def tell_confirmed(judged, before, frozen):
    """Say what the runs of record are, and which answers differ from those before; Markdown.

    ``before`` is what `load_answers_before` returns, ``frozen`` the protocol.
    """
    judged = [entry for entry in judged if entry.name in frozen]
    if not judged:
        return "Nothing is frozen yet."
    lines = []
    for unit, called in CALLED.items():
        names = dict.fromkeys(entry.name for entry in judged if entry.unit == unit)
        of = [f"{n} (version {frozen[n]['version']}, {frozen[n]['date']})" for n in names]
        lines += [f"- **{called}** (a seed draws a new {unit}): {'; '.join(of)}."] if of else []
    pairs = [(entry, before.get(entry.claim.id)) for entry in judged]
    differ = [_row(entry, old) for entry, old in pairs if old and _differs(entry, old)]
    known, new = sum(old is not None for _, old in pairs), sum(old is None for _, old in pairs)
    lines += [
        "",
        f"Of {known} claims {len(differ)} have another word or another first answer than before; "
        f"{new} were not asked before.",
        "",
    ]
    head = ["| claim | criterion | before | now |", "|---|---|---|---|"] if differ else []
    return "\n".join(lines + head + differ)


def _differs(entry, old):
    return (old["word"], old["reproduced"]) != (entry.answers.word, entry.answers.reproduced)


def _row(entry, old):
    criterion = "; ".join(ask.criterion for ask in entry.claim.asks)
    changed = "the same" if criterion == old["criterion"] else f"was: {old['criterion']}"
    now = f"{entry.answers.word}: {entry.answers.reproduced}, {entry.answers.share}"
    then = f"{old['word']}: {old['reproduced']}, {old['share']}"
    away = entry.elsewhere
    if (away, old["elsewhere"]) != (NOWHERE, NOWHERE):
        now, then = f"{now}; elsewhere {away}", f"{then}; elsewhere {old['elsewhere']}"
    return f"| {entry.claim.id} | {in_cell(changed)} | {then} | {now} |"
