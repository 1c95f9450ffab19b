"""Run times of notebooks: figures/timings.json, which `repro run --write --record` writes."""

import json

from repro.core.errors import UserError
from repro.core.files import write_text
from repro.workbench.records import read_json


def load_timings(figures):
    """Read the run times, in seconds, by notebook; empty if none were recorded."""
    path = figures / "timings.json"
    times = read_json(path) if path.exists() else {}
    if not all(isinstance(seconds, int | float) for seconds in times.values()):
        raise UserError(f"{path} is damaged: a time is no number")
    return times


def record_timings(figures, seconds):
    """Add run times, by notebook, to those recorded."""
    times = load_timings(figures) | seconds
    write_text(figures / "timings.json", json.dumps(times, indent=1, sort_keys=True) + "\n")
