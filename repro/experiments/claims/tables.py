"""The measures of a run as a table: a row per score, a column per space.

A space is what a score measures: the embedding of a method, of a rival, of a baseline. The column
`CHANCE` holds the chance level: the score of an embedding whose points are shuffled. Outside the
table, a cell is named by its `address`, "score: space".
"""

import pandas as pd

CHANCE, BETWEEN = "shuffled", ": "


def address(score, space):
    """Return the name of a cell of a table of measures: "1-NN error: BRE"."""
    return f"{score}{BETWEEN}{space}"


def score_and_space(measure):
    """Return the row and the column of a cell; the inverse of `address`."""
    return tuple(measure.split(BETWEEN))


def shown_name(measure):
    """Return the name of a measure as it is shown: names of record say "less" for minus."""
    return measure.replace(" less ", " − ")


def cells(table):
    """Return the measures in a table by address, without NaN; two may not have one address."""
    names = [*table.index, *table.columns]
    unique = table.index.is_unique and table.columns.is_unique
    if not unique or any(BETWEEN in name for name in names):
        raise ValueError(
            f"each score and each space needs its own name, without {BETWEEN!r}: {names}"
        )
    return {
        address(score, space): float(value)
        for score, row in table.iterrows()
        for space, value in row.dropna().items()
    }


def table_of(measures):
    """Return the table of measures, a dict or a Series by address; the inverse of `cells`."""
    table = {}
    for measure, value in measures.items():
        score, space = score_and_space(measure)
        table.setdefault(space, {})[score] = value
    scores = dict.fromkeys(score_and_space(measure)[0] for measure, _ in measures.items())
    return pd.DataFrame(table, index=list(scores))
