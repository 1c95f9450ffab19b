"""The protocol of the evidence: what was frozen before the runs of record, and their seeds.

Entries of ``figures/protocol.json`` are described in ``figures/sweeps/README.md``. Seeds follow
from digests, so a run can only be made when criteria are set.
"""

import hashlib
import json
from dataclasses import asdict
from datetime import date
from functools import cache
from itertools import product

from repro import experiments
from repro.core.errors import UserError
from repro.core.files import write_text
from repro.experiments.claims import settings_of
from repro.workbench.evidence import rows, rule
from repro.workbench.evidence.rows import load_runs, median_seed, name_of, ours_of
from repro.workbench.folders import project_dir
from repro.workbench.records import read_json

# What a seed follows from; the code was frozen, too, before version 1.1.
FROZEN = "declared", "code", "rule"
FIRST, SEEDS = 100_000, 900_000  # seeds of record have six digits
LONGEST = 999  # the most that a seed of a version lies above its first one


def load_protocol(figures):
    """Read the protocol: the entry of each frozen experiment, by its name."""
    path = figures / "protocol.json"
    return read_json(path) if path.exists() else {}


def digests(experiment):
    """Return the digests of an experiment as it is today: *declared* and *rule*.

    *declared* covers what decides, such as settings and asks, and no texts.
    """
    declared = {
        "repeats": [experiment.REPEATS, experiment.UNIT, experiment.ORDER],
        "settings": [
            (setting.kind, *map(repr, vars(setting.choices).items()))
            for setting in settings_of(experiment.Choices())
        ],
        "claims": {
            claim.id: [
                *(claim.kind, claim.by, claim.can, claim.group, claim.rests_on),
                *map(asdict, claim.asks),
            ]
            for claim in experiment.CLAIMS
        },
    }
    return {"declared": _digest(declared), "rule": rule_digest()}


def _digest(content):
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:8]


@cache
def rule_digest():
    """Return a digest of the rule by its behaviour: its verdicts on counts of runs."""
    ours = [rule.Count(met, 18) for met in range(19)]
    others = [rule.Count(met, of) for of in (6, 18) for met in range(of + 1)]
    judged = [
        judge(here, [("a choice", there)])
        for judge in (rule.verdict, rule.verdict_of_can, rule.verdict_of_fact)
        for here, there in product(ours, others)
    ]
    counted = [
        counts([k < met for k in range(20)])
        for counts in (rule.count, rule.count_ours)
        for met in range(21)
    ]
    return _digest([judged, counted])


def is_preview(figures, experiment, runs):
    """Return whether runs are of another version than what is declared today.

    ``runs`` is what `load_runs` returns. Of an experiment that is not frozen no run is.
    """
    entry = load_protocol(figures).get(name_of(experiment))
    if entry is None or not runs:
        return False
    changed = any(entry[part] != now for part, now in digests(experiment).items())
    return changed or not _made_for(entry, runs)


def _made_for(entry, runs):
    """Return whether runs, see `load_runs`, have the seeds of a version.

    An interrupted sweep may have made none of ours yet; then those of another setting tell.
    """
    made = next(iter(runs.values()))
    return made["seed"].between(entry["seed"], entry["seed"] + LONGEST).all()


def freeze(figures, name, why):
    """Begin a new version of an experiment's protocol from today's state; return its entry.

    ``known`` names the settings whose runs stood in the table at that time, and ``stands`` is the
    version of these runs; version 0 is what was run before any freeze.
    """
    entries = load_protocol(figures)
    experiment = experiments.load(name)
    runs = load_runs(figures, experiment)
    last = entries.get(name, {"version": 0, "seed": 0, "stands": 0})
    entry = {"version": last["version"] + 1, "date": date.today().isoformat(), "why": why}
    entry |= digests(experiment)
    entry["seed"] = first_seed(name, entry)
    entry["known"] = [setting.words for setting in runs]
    stale = runs and last["version"] and not _made_for(last, runs)
    entry["stands"] = last.get("stands", 0) if stale else last["version"]
    entries = dict(sorted((entries | {name: entry}).items()))
    text = json.dumps(entries, indent=1, ensure_ascii=False)
    write_text(figures / "protocol.json", text + "\n")
    return entry


def set_earlier_runs_aside(figures, experiment):
    """Move the runs of an earlier version, before runs of the frozen one are made.

    Their tables and embeddings go to a folder that nothing reads, such as version1.
    """
    name = name_of(experiment)
    entry = load_protocol(figures).get(name)
    runs = load_runs(figures, experiment)
    if not entry or not runs or _made_for(entry, runs):
        return
    table = rows.path_of(figures, name)
    paths = [table, table.with_suffix(".npz"), *rows.paths_of_moved(figures, name)]
    aside = figures / f"version{entry['stands']}"
    moves = {path: aside / path.relative_to(figures) for path in paths if path.exists()}
    for kept in moves.values():
        if kept.exists():
            raise UserError(f"{kept} exists: it would be replaced by runs of the same version")
    for path, kept in moves.items():
        kept.parent.mkdir(parents=True, exist_ok=True)
        path.rename(kept)


def first_seed(name, entry):
    """Return the first seed of the runs of record, which follows from what an entry freezes."""
    frozen = {part: entry[part] for part in FROZEN if part in entry}
    return FIRST + int(_digest([name, entry["version"], frozen]), 16) % SEEDS


def seed_of_record(figures, experiment, needed=False):
    """Return the first seed of the runs of record; 0 if an experiment is not frozen.

    Raises UserError if it was changed since, or is not frozen although that is ``needed``.
    """
    name = name_of(experiment)
    entry = load_protocol(figures).get(name)
    if entry is None and needed:
        raise UserError(f"--last-digits needs a frozen version: repro freeze {name} --why TEXT")
    if entry is None:
        return 0
    parts = [part for part, now in digests(experiment).items() if entry[part] != now]
    if parts:
        raise UserError(
            f"{name}: {' and '.join(parts)} changed after the freeze of version "
            f"{entry['version']}: a changed claim or rule is a new version: "
            f"repro freeze {name} --why TEXT"
        )
    return entry["seed"]


def seeds(experiment, n):
    """Return the seeds of a lesson's own runs: n of the runs of record, the median run first.

    While these are of an earlier version, see `is_preview`, they are the first n.
    """
    figures = project_dir() / "figures"
    runs = load_runs(figures, experiment)
    if any(setting.kind == "ours" for setting in runs):
        ours = ours_of(runs)
        shown = median_seed(experiment, ours)
        preview = is_preview(figures, experiment, runs)
        return sorted(ours["seed"], key=lambda seed: (seed != shown or preview, seed))[:n]
    first = load_protocol(figures).get(name_of(experiment), {"seed": 0})["seed"]
    return list(range(first, first + n))
