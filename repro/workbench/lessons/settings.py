"""The settings of an experiment as a table: the important ones shown, all others folded."""

import pandas as pd

from repro.experiments.claims import sources
from repro.workbench.lessons.display import words_of

REST = "All settings, and the other values that were tried"


def show_settings(experiment, names):
    """Show the choices of an experiment: value, what the paper says, what is ours and why.

    ``names`` maps the most important choices to words for each; all choices are folded below, with
    the values of other readings and of other data.
    """
    from IPython.display import HTML

    primary = experiment.Choices()
    known = sources(primary)
    first = [{"setting": words, **_row(primary, known, name)} for name, words in names.items()]
    rest = [
        {
            "setting": name,
            **_row(primary, known, name),
            "other readings": source.list_values(source.open | source.equal) or "–",
            "tried against the text": source.list_values(source.stated) or "–",
            "other data": source.list_values(source.elsewhere) or "–",
        }
        for name, source in known.items()
    ]
    folded = f"<details><summary>{REST}</summary>{words_of(pd.DataFrame(rest))}</details>"
    return HTML(words_of(pd.DataFrame(first)) + folded)


def _row(primary, known, name):
    source = known[name]
    return {
        "value": source.list_values([getattr(primary, name)]),
        "the paper": source.paper or "–",
        "ours": source.ours or "–",
    }
