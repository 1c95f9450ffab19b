"""What the runs of record confirm: answers now, and before the criteria were frozen."""

import csv
import re
from dataclasses import replace

from repro.claims import Ask, answer
from repro.claims.answers import NOWHERE
from repro.claims.claim import POOLS
from repro.core.markdown import in_cell
from repro.core.records import UserError

CRITERION = re.compile(
    rf"(?:(?P<pool>{'|'.join(POOLS)}) of )?(?P<score>.+): (?P<space>.+?)(?: − (?P<than>.+))? "
    r"(?P<sign>[≥≤]) (?P<bound>\S+)"
)
BEFORE = "claim", "criterion", "reproduced", "share", "elsewhere", "word"
CALLED = {"sample": "Confirmatory", "start": "Fresh starts"}  # by what a seed draws


def load_answers_before(figures):
    """Read the answers of the runs on which criteria were set: a dict per claim, by claim."""
    path = figures / "answers_before.csv"
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    if not all(row.get(field) for row in rows for field in BEFORE):
        raise UserError(f"{path} is damaged: each row has {', '.join(BEFORE)}")
    return {row["claim"]: row for row in rows}


def tell_confirmed(judged, before, frozen):
    """Render the runs of record, and the answers that differ from those before, as Markdown.

    ``before`` is what `load_answers_before` returns, ``frozen`` the protocol.
    """
    judged = [entry for entry in judged if entry.name in frozen]
    if not judged:
        return "Nothing is frozen yet."
    lines = []
    for unit, called in CALLED.items():
        of = {e.name: f"{e.paper} {e.item}" for e in judged if e.unit == unit}
        of = [f"{of[n]} (version {frozen[n]['version']}, {frozen[n]['date']})" for n in of]
        lines += [f"- **{called}** (a seed draws a new {unit}): {'; '.join(of)}."] if of else []
    pairs = [(entry, before.get(entry.claim.id)) for entry in judged]
    known = [(entry, old) for entry, old in pairs if old]
    differ = [_differs(entry, old) for entry, old in known]
    changed = [_criterion(entry) != old["criterion"] for entry, old in known]
    lines += [
        "",
        f"Of {len(known)} claims {sum(differ)} have another word or another first answer than "
        f"before; {len(pairs) - len(known)} were not asked before.",
        "",
    ]
    shown = [pair for pair, *say in zip(known, differ, changed, strict=True) if any(say)]
    head = ["| claim | criterion | before | now | now, by the old criterion |", "|" + "---|" * 5]
    return "\n".join(lines + (head if shown else []) + [_row(*pair) for pair in shown])


def _differs(entry, old):
    return (old["word"], old["reproduced"]) != (entry.answers.word, entry.answers.reproduced)


def _criterion(entry):
    return "; ".join(ask.criterion for ask in entry.claim.asks)


def by_the_old(entry, criterion):
    """Return the first answer on a claim, as text, from the runs of record by its old criterion.

    The criterion is one of `load_answers_before`, in the form of `Ask.criterion`.
    """
    asks = []
    for part in criterion.split("; "):
        found = CRITERION.fullmatch(part).groupdict()
        asks.append(Ask(**found | {"bound": float(found["bound"])}))
    group = entry.claim.group if asks[0].pool else 1
    if asks[0].pool and group == 1:
        return "not measured"
    claim = replace(entry.claim, asks=asks, group=group)
    if any(set(claim.deciding) - set(rows) for rows in entry.runs.values()):
        return "not measured"
    found = answer(claim, entry.runs)
    return f"{found.reproduced}, {found.share}"


def _row(entry, old):
    same = _criterion(entry) == old["criterion"]
    changed = "the same" if same else f"was: {old['criterion']}"
    by_old = "–" if same else by_the_old(entry, old["criterion"])
    now = f"{entry.answers.word}: {entry.answers.reproduced}, {entry.answers.share}"
    then = f"{old['word']}: {old['reproduced']}, {old['share']}"
    away = entry.elsewhere
    if (away, old["elsewhere"]) != (NOWHERE, NOWHERE):
        now, then = f"{now}; elsewhere {away}", f"{then}; elsewhere {old['elsewhere']}"
    claim = f"[{entry.claim.id}](README.md#{entry.claim.id})"
    return f"| {claim} | {in_cell(changed)} | {then} | {now} | {by_old} |"
