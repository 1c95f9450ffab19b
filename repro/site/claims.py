"""What the page of a claim shows: the choices that a reader can switch, and the runs."""

import json

import numpy as np

from repro.claims import sources


def words_of_choices(entry):
    """Return the words of each value to which a choice can be switched, by choice: ours first."""
    primary = next(reading.choices for reading in entry.runs if reading.kind == "primary")
    words = {}
    for name, source in sources(primary).items():
        if others := (*source.others, *source.elsewhere):
            ours = getattr(primary, name)
            shown = {ours: source.list_values([ours])}
            words[name] = shown | {v: source.words(name, v) for v in others}
    return words


def data_of(entry):
    """Return what the page draws, as JSON that may stand within a script.

    ``readings`` holds, by the numbers of the values switched to, the words of the reading, which
    observations meet the claim, and what each ask bounds in them.
    """
    switched = words_of_choices(entry)
    values = {reading: entry.claim.values(rows) for reading, rows in entry.runs.items()}
    readings = {}
    for reading, of_asks in values.items():
        places = [list(v).index(getattr(reading.choices, name)) for name, v in switched.items()]
        readings[",".join(map(str, places))] = {
            "words": reading.words,
            "met": entry.claim.observations(entry.runs[reading]),
            "values": [[_short(value) for value in of_ask] for of_ask in of_asks],
        }
    asks = []
    for k, ask in enumerate(entry.claim.asks):
        every = np.concatenate([of_asks[k] for of_asks in values.values()] + [[ask.bound]])
        low, high = np.nanmin(every), np.nanmax(every)
        about = {"says": ask.criterion, "sign": ask.sign, "bound": ask.bound}
        asks.append(about | {"low": _short(low), "high": _short(high)})
    content = json.dumps({"asks": asks, "readings": readings}, ensure_ascii=False)
    return content.replace("<", "\\u003c")


def _short(value):
    """Round to five digits; what is not a number is null in JSON."""
    return float(f"{value:.5g}") if np.isfinite(value) else None


def embeddings_script(path):
    """Write the embeddings of an experiment's readings as a script: a page may not read files.

    They are in the file that `repro.evidence.sweeps.write_embeddings` wrote.
    """
    with np.load(path) as kept:
        first_axes = {words: kept[words][:, :2].tolist() for words in kept.files}
    return f"const EMBEDDINGS = {json.dumps(first_axes, separators=(',', ':'))};\n"
