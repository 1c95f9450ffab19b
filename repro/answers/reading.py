"""Reading of answers, from a file or a table, as triplets that keep names and annotators."""

import csv
import io
import re
from os import PathLike
from pathlib import Path

import numpy as np
import pandas as pd

from repro.core.checks import check_choice
from repro.core.errors import UserError
from repro.core.names import name_of, warn_of_similar
from repro.tete import TripletSet

# The columns of each kind of question; the last of four names the chosen item.
KINDS = {
    "triplets": ("anchor", "near", "far"),
    "two alternatives": ("anchor", "left", "right", "chosen"),
    "odd one out": ("first", "second", "third", "odd"),
    "most central": ("first", "second", "third", "central"),
}
SIDES = {2: ["left", "right"], 3: ["left", "middle", "right"]}
MIDDLE = {"center": "middle", "centre": "middle"}
# Triplets of the item chosen, 0, and the others: if 0 is the odd one, 1 is more like 2 than 0.
TRIPLETS = {"odd one out": [[1, 2, 0], [2, 1, 0]], "most central": [[1, 0, 2], [2, 0, 1]]}


class NamedTriplets(TripletSet):
    """A `repro.TripletSet` of answers with the names of items and annotators.

    ``names`` are those of the items. ``table``, a pandas.DataFrame, has a row per answer: an int
    for its ``question``, the index of the item chosen (``choice``), its ``row`` in the file (from
    1, without the header and blank lines) and, if known, the ``place`` of the chosen item on the
    screen, from 1, and the ``annotator``. ``of_answer``, (T,) int, is the answer of each triplet,
    ``n_options`` the number of possible answers, ``counts``, a dict, what was read, and
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
    source,
    kind="triplets",
    columns=None,
    *,
    annotator=None,
    repeat=None,
    items=None,
    choices=None,
    drop=(),
):
    """Read answers to "which is more like which?" as `NamedTriplets`; items are given by name.

    Parameters
    ----------
    source : path, file, DataFrame or array; or list of paths
        A file is UTF-8 text with a header, separated by commas, semicolons or tabs. Only an empty
        cell is missing: "NA" and "None" are names. Several files are read as one, whose column
        "file" has the name of each without its suffix; rows count through.
    kind : {"triplets", "two alternatives", "odd one out", "most central"}
        What a row holds: anchor, near, far; or an anchor, two alternatives and the one that was
        chosen as more like it; or three items and the one that is least, or most, like the others.
        The choices are all names, all places (1, 2, 3) or all sides (left, middle, right).
    columns : sequence of three or four names, optional
        By default (anchor, near, far), (anchor, left, right, chosen), (first, second, third, odd),
        (first, second, third, central); the last two also take three, the chosen item first.
    annotator, repeat : name of a column, optional
        Who answered; and what tells a repeated question from a copied row, such as the trial.
    items : sequence of str, optional
        The names that may occur, in the order of their indices. Default: all, sorted. What does
        not show makes no other name, see `repro.core.names.name_of`; a RuntimeWarning tells of
        names, of people too, that differ by case, accents or dashes alone.
    choices : dict, optional
        What each text of the last column means: a place or side, as in {"f": "left", "j": "right"}.
    drop : subset of {"duplicate", "contradictory"}
        Rows to leave out: those that repeat an earlier row in all columns read; those whose
        question the same annotator (without ``annotator``, anybody) also answers differently. Rows
        with an empty cell (``missing``) and those of a ``header``, such as the two that Qualtrics
        adds to it, always are.

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
    {'answers': 2, 'missing': 1, 'header': 0, 'duplicate': 0, 'contradictory': 0}
    """
    check_choice(kind, "kind", tuple(KINDS))
    if items is not None:
        items = names_of_items(items)
    for name, given in {"columns": columns, "drop": drop}.items():
        if isinstance(given, set | frozenset) or not (given is None or hasattr(given, "__iter__")):
            raise UserError(f"{name} must be a sequence of names, got {given!r}")
    drop = (drop,) if isinstance(drop, str) else tuple(drop or ())
    for what in drop:
        check_choice(what, "drop", ("duplicate", "contradictory"))
    table, columns = _texts(source, kind, columns, [annotator, repeat])
    is_header = _are_headers(table, columns[:3], KINDS[kind][:3])
    table = table[~is_header]
    cells = table.dropna().copy()
    if choices is not None:
        cells[columns[-1]] = _meant(cells[columns[-1]], choices)
        cells = cells.dropna()  # a choice may mean nothing
    asked, chosen = _asked_and_chosen(cells[columns], kind)
    names = names_of_items(sorted(set(asked.flat))) if items is None else items
    asked_of = pd.Index(names).get_indexer(asked.ravel()).reshape(-1, 3)
    for row, of, named in zip(cells.index + 1, asked_of, asked, strict=True):
        if of.min() < 0:
            raise UserError(f"row {row} names {named[of.argmin()]!r}, which is not in items")
        if len(set(of)) < 3:
            raise UserError(f"row {row} compares an item with itself: {', '.join(named)}")
    # The anchor of a question is kept apart from its other items, whose order does not matter.
    has_anchor = KINDS[kind][0] == "anchor"
    key = np.column_stack([asked_of[:, :has_anchor], np.sort(asked_of[:, has_anchor:], axis=1)])
    question = np.unique(key, axis=0, return_inverse=True)[1].ravel()
    read = pd.DataFrame({"question": question}, cells.index)
    read["choice"] = asked_of[np.arange(len(cells)), chosen]
    read["row"] = cells.index + 1
    if len(columns) == 4:
        read["place"] = chosen + 1 - int(kind == "two alternatives")
    by = ["question"]
    if annotator is not None:
        warn_of_similar(cells[annotator], "annotators")
        read["annotator"] = cells[annotator]
        by.append("annotator")
    found = pd.DataFrame({"duplicate": cells.duplicated()})
    found["contradictory"] = read.groupby(by)["choice"].transform("nunique") > 1
    kept = ~found[list(drop)].any(axis=1).to_numpy()
    counts = {"answers": kept.sum(), "missing": len(table) - len(cells), "header": is_header.sum()}
    counts = {what: int(count) for what, count in (counts | dict(found.sum())).items()}
    if not kept.any():
        raise UserError(f"no answer is left of {len(table)} rows: {counts}")
    triplets = _triplets_of(asked_of[kept], chosen[kept], kind)
    of_answer = np.repeat(np.arange(kept.sum()), len(triplets) // kept.sum())
    read = read[kept].reset_index(drop=True)
    return NamedTriplets(triplets, names, of_answer, read, 2 if has_anchor else 3, counts, drop)


def names_of_items(items):
    """Return the names of items, a list of str; raise UserError if they are no names."""
    if isinstance(items, str | set | frozenset | pd.DataFrame) or not hasattr(items, "__iter__"):
        raise UserError(f"items must be a sequence of names, got {type(items).__name__}")
    items = list(items)
    names = [name_of(item) if pd.api.types.is_scalar(item) else None for item in items]
    for name, item in zip(names, items, strict=True):
        if pd.isna(name) or not name:
            raise UserError(f"each of items must be a name, got {item!r}")
    if len(set(names)) < len(names):
        raise UserError(f"items name {max(names, key=names.count)!r} twice")
    warn_of_similar(names, "items")
    return names


def _texts(source, kind, columns, others):
    """Return the columns read as a table of text, NaN if empty, and the kind's columns."""
    table = _table_of(source)
    if columns is None:
        unnamed = isinstance(table.columns, pd.RangeIndex)
        columns = table.columns[: len(KINDS[kind])] if unnamed else KINDS[kind]
    columns = list(columns)
    if len(columns) not in (len(KINDS[kind]), 4 if kind == "two alternatives" else 3):
        raise UserError(f"columns of {kind!r} are {', '.join(KINDS[kind])}, got {columns}")
    known = list(table.columns)
    read = [*columns, *(name for name in others if name is not None)]
    for name in read:
        if name not in known:
            options = f"columns, of {known}, and kind, of {list(KINDS)}"
            raise UserError(f"no column is {name!r}: give {options}")
        if known.count(name) + read.count(name) > 2:
            raise UserError(f"column {name!r} must occur once, in the table and among those read")
    texts = table[read].reset_index(drop=True).astype(object).map(name_of)
    return texts.mask(texts == ""), columns


def _table_of(source):
    """Return a source as a table; the columns of several files must be the same."""
    is_iterator = hasattr(source, "__next__") and not hasattr(source, "read")
    if is_iterator or getattr(source, "ndim", 0) == 1:
        source = list(source)  # such as Path("answers").glob("*.csv")
    several = isinstance(source, list | tuple)
    files = source if several else [source]
    if all(isinstance(file, str | PathLike) or hasattr(file, "read") for file in files) and files:
        tables = [_read_csv(file) for file in files]
        for file, table in zip(files, tables, strict=True):
            if sorted(table.columns) != sorted(tables[0].columns):
                raise UserError(f"{file} has other columns than {files[0]}: {[*table.columns]}")
        whole = pd.concat(tables, ignore_index=True)
        if several and "file" not in whole:
            stems = [Path(getattr(file, "name", file)).stem for file in files]
            if len(set(stems)) < len(stems):
                raise UserError(f"two files are named {max(stems, key=stems.count)!r}: rename one")
            whole["file"] = np.repeat(stems, [len(table) for table in tables])
        return whole
    try:
        if source is None:
            raise TypeError  # pandas would make an empty table
        return pd.DataFrame(source)
    except (TypeError, ValueError):  # pandas does not name the argument
        kinds = "a path, a file, a DataFrame or rows of cells"
        raise UserError(f"source must be {kinds}, got {type(source).__name__}") from None


def _are_headers(table, columns, usual):
    """Return which rows name columns in place of items, or belong to a header of Qualtrics.

    Names of columns are those of this table, or the usual ones.
    """
    texts = table[columns].apply(lambda column: column.str.casefold())
    ids = table.apply(lambda column: column.str.match("{[\"']ImportId", na=False)).any(axis=1)
    # Above ids stand the texts of the questions, in each of several exports.
    is_header = ids | ids.shift(-1, fill_value=False)
    for names in (columns, usual):
        if all(isinstance(name, str) for name in names):
            is_header |= (texts == [name_of(name).casefold() for name in names]).all(axis=1)
    return is_header


def _meant(given, choices):
    """Return what choices mean, as the caller says."""
    if not isinstance(choices, dict):
        raise UserError(f"choices must be a dict of texts and their meanings, got {choices!r}")
    meanings = {name_of(text): name_of(meaning) for text, meaning in choices.items()}
    if len(meanings) < len(choices):
        raise UserError(f"choices name one text twice: {list(choices)}")
    for row, text in given[~given.isin(meanings)].items():
        raise UserError(f"row {row + 1}: the choice {text!r} is none of choices, {list(meanings)}")
    return given.map(meanings)


def _read_csv(source):
    """Read a file, open or given by its path, as a table of text."""
    is_open = hasattr(source, "read")
    name = getattr(source, "name", "the file") if is_open else source
    try:
        text = source.read() if is_open else Path(source).read_bytes()
        header, *rows = _rows_of(text if isinstance(text, str) else text.decode())
    except OSError as error:
        raise UserError(f"{name} cannot be read: {error.strerror or error}") from None
    except (ValueError, csv.Error) as error:
        reason = error
        if isinstance(error, UnicodeDecodeError):
            begins = error.object[:2]
            likely = "utf-16" if begins in (b"\xff\xfe", b"\xfe\xff") else "cp1252"
            if error.object.decode(errors="ignore").encode() == error.object:
                likely = "utf-8"
            hint = f'pass open({str(name)!r}, encoding="{likely}"), or another encoding'
            if begins in (b"PK", b"\x1f\x8b"):
                hint = "pass pandas.read_excel(…), or for a compressed file pandas.read_csv(…)"
            reason = f"{error.reason} at byte {error.start}: {hint}"
        raise UserError(f"{name} cannot be read as CSV in UTF-8: {reason}") from None
    for number, row in enumerate(rows, 1):
        if any(row[len(header) :]):
            has = f"{len(row)} cells, but the header {len(header)}"
            raise UserError(f"row {number} of {name} has {has}")
        row[len(header) :] = [""] * (len(header) - len(row))
    return pd.DataFrame(rows, columns=[name_of(cell) for cell in header])


def _rows_of(text):
    """Return the rows of a file, lists of cells, from its header on and without blank lines.

    Above it there may be comments, and Excel's "sep=;". Its first column may be named "#".
    """
    text = text.removeprefix("\ufeff").lstrip("\r\n")
    above = re.match(r'(?:( *"?#.*\n)[\r\n]*)*("?sep=(.)"?\r?\n)?', text, re.IGNORECASE)
    text = text[above.end() :]
    header = text.partition("\n")[0]
    separator = above[3] or max(",;\t", key=header.count)
    if above[1] and above[1].count(separator) == header.count(separator):
        text = above[1] + text
    if not text.strip():
        raise ValueError("it is empty")
    longest = csv.field_size_limit(len(text))
    try:
        form = {"delimiter": separator, "skipinitialspace": True, "strict": True}
        return [row for row in csv.reader(io.StringIO(text, newline=""), **form) if row]
    finally:
        csv.field_size_limit(longest)


def _asked_and_chosen(cells, kind):
    """Return the three items of each row, and the index of the chosen one: 0, 1 or 2."""
    texts = cells.to_numpy()
    if texts.shape[1] == 3:
        return texts, np.full(len(texts), kind == "triplets", dtype=int)
    first = int(kind == "two alternatives")
    options = texts[:, first:3]
    choice = texts[:, 3]
    sides = pd.Series(choice).str.casefold().replace(MIDDLE).to_numpy(object)
    # All choices are written in one way: a 1 among places is no item of that name.
    ways = [(choice, options), (choice, ["1", "2", "3"][: 3 - first]), (sides, SIDES[3 - first])]
    fits = np.array([given[:, None] == np.array(known, dtype=object) for given, known in ways])
    fit = fits.any(axis=2)
    is_way = fit.all(axis=1)
    if not is_way.any():
        row = fit[fit.sum(axis=1).argmax()].argmin()
        hint = "places are counted from 1" if choice[row] == "0" else "a code needs choices="
        if fit.any(axis=0).all():
            hint = "all choices must be written in one way: as items, as places or as sides"
        reason = f"none of {', '.join(options[row])}; {hint}"
        raise UserError(f"row {cells.index[row] + 1}: the choice {choice[row]!r} is {reason}")
    found = fits[is_way].argmax(axis=2) + first
    for row in np.flatnonzero(np.ptp(found, axis=0))[:1]:
        reason = "the name of an item and a place"
        raise UserError(f"row {cells.index[row] + 1}: the choice {choice[row]!r} is {reason}")
    return texts[:, :3], found[0]


def _triplets_of(asked, chosen, kind):
    """Return the triplets of answers, (T, 3) int, those of one answer in consecutive rows."""
    row = np.arange(len(chosen))[:, None]
    if KINDS[kind][0] == "anchor":
        return asked[row, np.column_stack([0 * chosen, chosen, 3 - chosen])]
    order = (chosen[:, None] + np.arange(3)) % 3
    return asked[row, order][:, TRIPLETS[kind]].reshape(-1, 3)
