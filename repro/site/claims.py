"""What the page of a claim shows: the choices that a reader can switch, and the runs."""

import json

import numpy as np

from repro.claims.choices import sources, words_of


def _values(of):
    """List the choices that some runs change, each with its values: ours first."""
    primary = next(reading.choices for reading in of.runs if reading.kind == "primary")
    listed = {
        name: [getattr(primary, name), *source.others, *source.elsewhere]
        for name, source in sources(primary).items()
        if source.others or source.elsewhere
    }
    return primary, listed


def words_of_choices(of):
    """Return the values to which each choice can be switched, in words: ours first."""
    primary, listed = _values(of)
    return {
        name: [f"{ours}", *(words_of(type(primary)(**{name: value}), name) for value in others)]
        for name, (ours, *others) in listed.items()
    }


def data_of(of):
    """Return what the page draws, as JSON that may stand within a script.

    ``readings`` holds, by the numbers of the values switched to, the words of the reading, which
    observations meet the claim, and what each ask bounds in them.
    """
    _, listed = _values(of)
    values = {reading: of.claim.values(rows) for reading, rows in of.runs.items()}
    readings = {}
    for reading, of_asks in values.items():
        places = [v.index(getattr(reading.choices, name)) for name, v in listed.items()]
        readings[",".join(map(str, places))] = {
            "words": reading.words,
            "met": of.claim.observations(of.runs[reading]),
            "values": [[_short(value) for value in of_ask] for of_ask in of_asks],
        }
    asks = []
    for k, ask in enumerate(of.claim.asks):
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
