"""The table of all claims, and what changed since version 1 of the evidence."""

import json
from collections import Counter
from dataclasses import replace

import pandas as pd

from repro.experiments.claims.claim import Ask
from repro.workbench.evidence.protocol import load_protocol
from repro.workbench.evidence.rule import OUTCOMES
from repro.workbench.evidence.verdicts import judge

# Today's words for version 1's answers, from the best to the worst.
WORDS = {"holds": "reproduced", "depends": "depends", "fails": "not reproduced"}
TONES = "bad", "mixed", "good"
KINDS = {"settings": "settings", "other_data": "other data"}
QUESTION = {"by": "who says it", "kind": "kind", "can": "can", "group": "starts at once"}
FOR, AGAINST = "for the paper", "against the paper"


def load_earlier(figures):
    """Read what version 1 asked and found: a dict by the id of a claim; empty without a file."""
    path = figures / "version1" / "claims.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def table_of_changes(judged, figures):
    """Make a DataFrame with a row per claim: what it asks, its verdict and counts, what changed.

    The last columns compare it with version 1. *differs in* names what else changed than the rule
    and the seeds; *by the old criterion* is the verdict on today's runs by version 1's, and *moved*
    says if the new criterion alone moved the verdict, and for whom.
    """
    earlier, protocol = load_earlier(figures), load_protocol(figures)
    rows = []
    for entry in judged:
        claim, verdict = entry.claim, entry.verdict
        row = {
            "claim": claim.id,
            "experiment": entry.name,
            "paper": entry.paper,
            "where": claim.where,
            "words": claim.words,
            "asked as": claim.says,
            "by": claim.by,
            "kind": "can" if claim.can else claim.kind,
            "bounds": "; ".join(f"{ask.quantity} {ask.sign} {ask.bound:g}" for ask in claim.asks),
            "verdict": verdict.words,
            "runs": entry.of_ours,
            "other settings": entry.of_settings,
            "other data": entry.on_other_data,
            "combinations": str(verdict.combinations) if verdict.combinations.of else "",
            "sensitive to": "; ".join(entry.sensitive),
            "measured": entry.measured,
        }
        known = protocol.get(entry.name, {}).get("known")
        rows.append(row | _changes(entry, earlier.get(claim.id), known))
    return pd.DataFrame(rows)


def _changes(entry, before, known):
    """Compare a judged claim with version 1's; ``known`` has the settings run before the freeze."""
    columns = "version 1", "differs in", "by the old criterion", "moved"
    if before is None:
        return dict(zip(columns, ("not asked", "", "", ""), strict=True))
    claim, verdict = entry.claim, entry.verdict
    asks = tuple(Ask(**ask) for ask in before["asks"])
    old = replace(claim, asks=asks, **{name: before[name] for name in QUESTION})
    differs = [words for name, words in QUESTION.items() if before[name] != getattr(claim, name)]
    if asks != claim.asks:
        differs.append("bounds" if old.deciding == claim.deciding else "measures")
    counted = () if known is None else verdict.counts
    new = {setting.kind for setting in counted if setting.words not in known}
    differs += [words for kind, words in KINDS.items() if kind in new]
    measured = old.measures <= {name for rows in entry.runs.values() for name in rows}
    by_old = judge(old, entry.runs) if measured else None
    moved = TONES.index(verdict.tone) - TONES.index(by_old.tone) if by_old else 0
    return {
        "version 1": WORDS[before["word"]],
        "differs in": ", ".join(differs),
        "by the old criterion": by_old.words if by_old else "not measured",
        "moved": (FOR if moved > 0 else AGAINST) if moved else "",
    }


def changes_in_short(judged, changes, figures):
    """Summarise in Markdown what changed since version 1; ``changes`` is of `table_of_changes`."""
    earlier = load_earlier(figures)
    words = dict(zip(OUTCOMES["empirical"].values(), WORDS.values(), strict=True))
    now = {entry.claim.id: words[entry.verdict.tone] for entry in judged}
    asked = changes[changes["version 1"] != "not asked"]
    pairs = zip(asked["version 1"], asked["claim"].map(now), strict=True)
    other = Counter((old, new) for old, new in pairs if old != new)
    moves = [f"{n} from *{old}* to *{new}*" for (old, new), n in sorted(other.items())]
    merged = [f"{id_} into {before['now']}" for id_, before in earlier.items() if "now" in before]
    parts = [f"Version 1 asked {len(asked)} of these {len(changes)} claims."]
    if moves:
        parts.append(f"{other.total()} have another verdict: {', '.join(moves)}.")
    for side in (FOR, AGAINST):
        ids = ", ".join(f"[{id_}](#{id_})" for id_ in asked["claim"][asked["moved"] == side])
        if ids:
            parts.append(f"A new criterion alone moved, {side}: {ids}.")
    if merged:
        parts.append(f"Merged were {', '.join(merged)}.")
    return " ".join(parts)
