"""Reading of answers, from a file or a table, as triplets that keep names and annotators."""

import csv
import io
import numbers
from pathlib import Path

import numpy as np
import pandas as pd

from repro.core.checks import check_choice
from repro.core.errors import UserError
from repro.tete import TripletSet

# The columns of each kind of question; the last of four names the chosen item.
KINDS = {
    "triplets": ("anchor", "near", "far"),
    "two alternatives": ("anchor", "left", "right", "chosen"),
    "odd one out": ("first", "second", "third", "odd"),
    "most central": ("first", "second", "third", "central"),
}


class NamedTriplets(TripletSet):
    """A `repro.TripletSet` of answers with the names of items and annotators.

    ``names`` are those of the items. ``table``, a pandas.DataFrame, has a row per answer: an int
    for its ``question``, the index of the item chosen (``choice``), its ``row`` in the file (from
    1, without the header and blank lines) and, if known, its ``annotator``. ``of_answer``, (T,)
    int, is the answer of each triplet; "odd one out" and "most central" have two triplets per
    answer. ``n_options`` is the number of possible answers, ``counts``, a dict, what was read, and
    ``dropped``, a tuple, the kinds of rows left out on request.
    """

    def __init__(self, triplets, names, of_answer, table, n_options, counts, dropped=()):
        super().__init__(triplets, n_items=len(names), copy=False)
        self.names, self.of_answer, self.table = tuple(names), of_answer, table
        self.n_options, self.counts, self.dropped = n_options, counts, dropped

    def __repr__(self):
        return f"<{len(self.table)} answers about {len(self.names)} items; read: {self.counts}>"

    def take(self, rows):
        """Return some of the triplets, with all their metadata."""
        known = self.names, self.of_answer[rows], self.table, self.n_options, self.counts
        return NamedTriplets(self.triplets[rows], *known, self.dropped)


def read_answers(
    source, kind="triplets", columns=None, *, annotator=None, repeat=None, items=None, drop=()
):
    """Read answers to "which is more like which?" as `NamedTriplets`; items are given by name.

    Parameters
    ----------
    source : path, file, DataFrame or array
        A file is UTF-8 text with a header, separated by commas, semicolons or tabs. Only an empty
        cell is missing: "NA" and "None" are names.
    kind : {"triplets", "two alternatives", "odd one out", "most central"}
        What a row holds: anchor, near, far; or an anchor, two alternatives and the one that was
        chosen as more like it; or three items and the one that is least, or most, like the others.
        The choices are all names, all places (1, 2, 3) or all sides (left, right).
    columns : sequence of three or four names, optional
        By default (anchor, near, far), (anchor, left, right, chosen), (first, second, third, odd),
        (first, second, third, central); the last two also take three, the chosen item first.
    annotator, repeat : name of a column, optional
        The column that names who answered; and one that distinguishes a repeated question from a
        copied row, such as the number of the trial.
    items : sequence of str, optional
        The names that may occur, in the order of their indices. Default: all, sorted.
    drop : subset of {"duplicate", "contradictory"}
        Rows to leave out: those that repeat an earlier row in all columns read; those whose
        question the same annotator (without ``annotator``, anybody) also answers differently. Both
        are counted and by default used; rows with an empty cell (``missing``) are always left out.

    Raises
    ------
    UserError
        A ValueError whose one-line message says what cannot be used, and its row, from 1.

    Examples
    --------
    >>> from repro import read_answers
    >>> rows = [["ox", "cow", "hen", "hen"], ["ox", "hen", "duck", "ox"], ["cow", "ox", "hen", ""]]
    >>> answers = read_answers(rows, "odd one out")
    >>> answers.names, answers.triplets.tolist()
    (('cow', 'duck', 'hen', 'ox'), [[3, 0, 2], [0, 3, 2], [2, 1, 3], [1, 2, 3]])
    >>> answers.counts
    {'answers': 2, 'missing': 1, 'duplicate': 0, 'contradictory': 0}
    """
    check_choice(kind, "kind", tuple(KINDS))
    for name, given in (("columns", columns), ("items", items), ("drop", drop)):
        if not (given is None or hasattr(given, "__iter__")):
            raise UserError(f"{name} must be a sequence of names, got {given!r}")
    drop = (drop,) if isinstance(drop, str) else tuple(drop or ())
    for what in drop:
        check_choice(what, "drop", ("duplicate", "contradictory"))
    table, columns = _texts(source, kind, columns, [annotator, repeat])
    cells = table.dropna()
    asked, chosen = _asked_and_chosen(cells[columns], kind)
    rows = cells.index + 1
    names = sorted(set(asked.flat))
    if items is not None:
        names = [str(_whole_as_text(item)).strip() for item in items]
    if len(set(names)) < len(names):
        raise UserError(f"items name {max(names, key=names.count)!r} twice")
    asked_of = pd.Index(names).get_indexer(asked.ravel()).reshape(-1, 3)
    for row, of, named in zip(rows, asked_of, asked, strict=True):
        if of.min() < 0:
            raise UserError(f"row {row} names {named[of.argmin()]!r}, which is not in items")
        if len(set(of)) < 3:
            raise UserError(f"row {row} compares an item with itself: {', '.join(named)}")
    # The anchor of a question is kept apart from its other items, whose order does not matter.
    has_anchor = KINDS[kind][0] == "anchor"
    key = np.column_stack([asked_of[:, :has_anchor], np.sort(asked_of[:, has_anchor:], axis=1)])
    question = np.unique(key, axis=0, return_inverse=True)[1].ravel()
    read = pd.DataFrame({"question": question, "choice": asked_of[np.arange(len(rows)), chosen]})
    read["row"], read["annotator"] = rows, "" if annotator is None else cells[annotator].to_numpy()
    differ = read.groupby(["question", "annotator"])["choice"].transform("nunique") > 1
    found = {"duplicate": cells.duplicated().to_numpy(), "contradictory": differ.to_numpy()}
    kept = ~np.any([which & (what in drop) for what, which in found.items()], axis=0)
    counts = {"answers": int(kept.sum()), "missing": len(table) - len(cells)}
    counts |= {what: int(which.sum()) for what, which in found.items()}
    if not kept.any():
        raise UserError(f"no answer is left of {len(table)} rows: {counts}")
    triplets = _triplets_of(asked_of[kept], chosen[kept], kind)
    of_answer = np.repeat(np.arange(kept.sum()), len(triplets) // kept.sum())
    read = read[kept].reset_index(drop=True).drop(columns=["annotator"] * (annotator is None))
    return NamedTriplets(triplets, names, of_answer, read, 2 if has_anchor else 3, counts, drop)


def _texts(source, kind, columns, others):
    """Return the columns read as a table of text, None if empty, and the kind's columns."""
    is_file = isinstance(source, str) or hasattr(source, "read") or hasattr(source, "__fspath__")
    table = _read_csv(source) if is_file else source
    try:
        if table is None:
            raise TypeError  # pandas would make an empty table
        table = pd.DataFrame(table)
    except (TypeError, ValueError):  # pandas does not name the argument
        kinds = "a path, a file, a DataFrame or rows of cells"
        raise UserError(f"source must be {kinds}, got {type(source).__name__}") from None
    if columns is None:
        unnamed = isinstance(table.columns, pd.RangeIndex)
        columns = table.columns[: len(KINDS[kind])] if unnamed else KINDS[kind]
    columns, others = list(columns), [name for name in others if name is not None]
    if len(columns) not in (len(KINDS[kind]), 4 if kind == "two alternatives" else 3):
        raise UserError(f"columns of {kind!r} are {', '.join(KINDS[kind])}, got {columns}")
    known = list(table.columns)
    for name in (*columns, *others):
        if name not in known:
            raise UserError(
                f"no column is {name!r}: give columns, of {known}, and kind, of {list(KINDS)}"
            )
        if known.count(name) > 1 or [*columns, *others].count(name) > 1:
            raise UserError(f"column {name!r} must occur once, in the table and among those read")
    texts = table[[*columns, *others]].reset_index(drop=True)
    texts = texts.map(_whole_as_text).convert_dtypes().astype("string")
    texts = texts.apply(lambda column: column.str.strip()).astype(object)
    return texts.where(texts.notna() & (texts != ""), None), columns


def _whole_as_text(cell):
    """Write a whole number as text, so that 2 and 2.0 name one item; return other cells as is."""
    is_number = isinstance(cell, numbers.Real) and not isinstance(cell, bool) and not pd.isna(cell)
    return str(int(cell)) if is_number and float(cell).is_integer() else cell


def _read_csv(source):
    """Read a file, open or given by its path, as a table of text."""
    is_open = hasattr(source, "read")
    name = getattr(source, "name", "the file") if is_open else source
    try:
        text = source.read() if is_open else Path(source).read_bytes()
        text = text if isinstance(text, str) else text.decode()
        text = text.removeprefix("\ufeff").lstrip("\r\n")
        if not text.strip():
            raise ValueError("it is empty")
        separator = max(",;\t", key=text.partition("\n")[0].count)
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
        header, *rows = [row for row in rows if row]
    except OSError as error:
        raise UserError(f"{name} cannot be read: {error.strerror or error}") from None
    except (ValueError, csv.Error) as error:
        raise UserError(f"{name} cannot be read as CSV in UTF-8: {error}") from None
    for number, row in enumerate(rows, 1):
        if any(row[len(header) :]):
            raise UserError(f"row {number} has {len(row)} cells, but the header {len(header)}")
        row[len(header) :] = [""] * (len(header) - len(row))
    return pd.DataFrame(rows, columns=[cell.strip() for cell in header])


def _asked_and_chosen(cells, kind):
    """Return the three items of each row, and the index of the chosen one: 0, 1 or 2."""
    rows, cells = cells.index + 1, cells.to_numpy()
    if cells.shape[1] == 3:
        return cells, np.full(len(cells), kind == "triplets", dtype=int)
    asked, choice, first = cells[:, :3], cells[:, 3:], int(kind == "two alternatives")
    # All choices are written in one way: a 1 among places is no item of that name.
    ways = asked[:, first:], ["1", "2", "3"][: 3 - first], ["left", "right"]
    fits = [choice == np.array(way, dtype=object) for way in ways]
    found = [fit.argmax(axis=1) + first for fit in fits if fit.any(axis=1).all()]
    if not found:
        row = max((fit.any(axis=1) for fit in fits), key=np.count_nonzero).argmin()
        options = ", ".join(asked[row, first:])
        raise UserError(f"row {rows[row]}: the choice {choice[row, 0]!r} is none of {options}")
    for row in np.flatnonzero(np.ptp(found, axis=0))[:1]:
        raise UserError(
            f"row {rows[row]}: the choice {choice[row, 0]!r} is the name of an item and a place"
        )
    return asked, found[0]


def _triplets_of(asked, chosen, kind):
    """Return the triplets of answers, those of one answer in consecutive rows.

    If c is the odd one, i is more like j than c, and j more like i than c; if c is the most
    central, i is more like c than j, and j more like c than i.
    """
    c, i, j = (asked[np.arange(len(chosen)), (chosen + step) % 3] for step in range(3))
    if KINDS[kind][0] == "anchor":
        return np.column_stack([asked[:, 0], c, asked[np.arange(len(chosen)), 3 - chosen]])
    pairs = [(i, j, c), (j, i, c)] if kind == "odd one out" else [(i, c, j), (j, c, i)]
    return np.stack([np.column_stack(pair) for pair in pairs], axis=1).reshape(-1, 3)
