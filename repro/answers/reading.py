"""Reading of answers, from a file or a table, as triplets that keep names and annotators."""

import csv
import io
import re
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


class NamedTriplets(TripletSet):
    """A `repro.TripletSet` of answers with the names of items and annotators.

    ``names`` are those of the items. ``table``, a pandas.DataFrame, has a row per answer: an int
    for its ``question``, the index of the item chosen (``choice``), its ``row`` in the file (from
    1, without the header and blank lines) and, if known, the ``place`` of the chosen item on the
    screen, from 1, and the ``annotator``. ``of_answer``, (T,)
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
        cell is missing: "NA" and "None" are names. Several files, such as one per person, are read
        as one, whose column "file" has the name of each without its suffix; rows count through.
        Rows that repeat the header, and the two below it in an export of Qualtrics, are left out.
    kind : {"triplets", "two alternatives", "odd one out", "most central"}
        What a row holds: anchor, near, far; or an anchor, two alternatives and the one that was
        chosen as more like it; or three items and the one that is least, or most, like the others.
        The choices are all names, all places (1, 2, 3) or all sides (left, middle, right).
    columns : sequence of three or four names, optional
        By default (anchor, near, far), (anchor, left, right, chosen), (first, second, third, odd),
        (first, second, third, central); the last two also take three, the chosen item first.
    annotator, repeat : name of a column, optional
        The column that names who answered; and one that distinguishes a repeated question from a
        copied row, such as the number of the trial.
    items : sequence of str, optional
        The names that may occur, in the order of their indices. Default: all, sorted. What does
        not show makes no other name, see `repro.core.names.name_of`.
    choices : dict, optional
        What each text of the last column means: a place or side, as in {"f": "left", "j": "right"}.
    drop : subset of {"duplicate", "contradictory"}
        Rows to leave out: those that repeat an earlier row in all columns read; those whose
        question the same annotator (without ``annotator``, anybody) also answers differently. Both
        are counted and by default used; rows with an empty cell (``missing``) and rows of a header
        (``header``) are always left out.

    Raises
    ------
    UserError
        A ValueError whose one-line message says what cannot be used, and its row, from 1.

    Warns
    -----
    RuntimeWarning
        If names of items, or of people, differ by case or accents alone.

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
    for name, given in (("columns", columns), ("items", items), ("drop", drop)):
        if not (given is None or hasattr(given, "__iter__")):
            raise UserError(f"{name} must be a sequence of names, got {given!r}")
    drop = (drop,) if isinstance(drop, str) else tuple(drop or ())
    for what in drop:
        check_choice(what, "drop", ("duplicate", "contradictory"))
    table, columns = _texts(source, kind, columns, [annotator, repeat])
    is_header = _are_headers(table, columns)
    table = table[~is_header]
    cells = table.dropna()
    if choices is not None:
        cells = _with_meanings(cells, columns, choices)
    asked, chosen = _asked_and_chosen(cells[columns], kind)
    rows = cells.index + 1
    names = sorted(set(asked.flat))
    if items is not None:
        names = [name_of(item) for item in items]
    if len(set(names)) < len(names):
        raise UserError(f"items name {max(names, key=names.count)!r} twice")
    warn_of_similar(names, "items")
    if annotator is not None:
        warn_of_similar(cells[annotator], "annotators")
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
    read["row"] = rows
    if len(columns) == 4:
        read["place"] = chosen + 1 - int(kind == "two alternatives")
    read["annotator"] = "" if annotator is None else cells[annotator].to_numpy()
    differ = read.groupby(["question", "annotator"])["choice"].transform("nunique") > 1
    found = {"duplicate": cells.duplicated().to_numpy(), "contradictory": differ.to_numpy()}
    kept = ~np.any([which & (what in drop) for what, which in found.items()], axis=0)
    counts = {"answers": int(kept.sum()), "missing": len(table) - len(cells)}
    counts["header"] = int(is_header.sum())
    counts |= {what: int(which.sum()) for what, which in found.items()}
    if not kept.any():
        raise UserError(f"no answer is left of {len(table)} rows: {counts}")
    triplets = _triplets_of(asked_of[kept], chosen[kept], kind)
    of_answer = np.repeat(np.arange(kept.sum()), len(triplets) // kept.sum())
    read = read[kept].reset_index(drop=True).drop(columns=["annotator"] * (annotator is None))
    return NamedTriplets(triplets, names, of_answer, read, 2 if has_anchor else 3, counts, drop)


def _texts(source, kind, columns, others):
    """Return the columns read as a table of text, None if empty, and the kind's columns."""
    table = _table_of(source)
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
    texts = table[[*columns, *others]].reset_index(drop=True).astype(object).map(name_of)
    return texts.where(texts.notna() & (texts != ""), None), columns


def _table_of(source):
    """Return a source as a table; the columns of several files must be the same."""
    if _is_file(source):
        return _read_csv(source)
    if isinstance(source, list | tuple) and source and all(map(_is_file, source)):
        tables = [_read_csv(path) for path in source]
        for path, table in zip(source, tables, strict=True):
            if sorted(table.columns) != sorted(tables[0].columns):
                raise UserError(f"{path} has other columns than {source[0]}: {[*table.columns]}")
        whole = pd.concat(tables, ignore_index=True)
        if "file" not in whole:
            stems = [Path(getattr(path, "name", path)).stem for path in source]
            whole["file"] = np.repeat(stems, [len(table) for table in tables])
        return whole
    try:
        if source is None:
            raise TypeError  # pandas would make an empty table
        return pd.DataFrame(source)
    except (TypeError, ValueError):  # pandas does not name the argument
        kinds = "a path, a file, a DataFrame or rows of cells"
        raise UserError(f"source must be {kinds}, got {type(source).__name__}") from None


def _is_file(source):
    return isinstance(source, str) or hasattr(source, "read") or hasattr(source, "__fspath__")


def _are_headers(table, columns):
    """Return which rows name columns in place of items, or belong to a header of Qualtrics."""
    asked = columns[:3]
    repeated = table[asked] == [name_of(name) for name in asked]
    is_header = repeated.all(axis=1).to_numpy() & all(isinstance(name, str) for name in asked)
    ids = table.apply(lambda column: column.str.startswith('{"ImportId"', na=False)).any(axis=1)
    last = np.flatnonzero(ids).max(initial=-1)  # above it stand the texts of the questions
    return is_header | (np.arange(len(table)) <= last)


def _with_meanings(cells, columns, choices):
    """Replace the choices of answers by what the caller says that they mean."""
    meanings = {name_of(text): name_of(meaning) for text, meaning in choices.items()}
    given = cells[columns[-1]]
    unknown = given[~given.isin(meanings)]
    if len(unknown):
        row, text = unknown.index[0] + 1, unknown.iloc[0]
        raise UserError(f"row {row}: the choice {text!r} is none of choices, {list(meanings)}")
    cells = cells.copy()
    cells[columns[-1]] = given.map(meanings)
    return cells


def _read_csv(source):
    """Read a file, open or given by its path, as a table of text."""
    is_open = hasattr(source, "read")
    name = getattr(source, "name", "the file") if is_open else source
    longest = csv.field_size_limit()
    try:
        text = source.read() if is_open else Path(source).read_bytes()
        text = text if isinstance(text, str) else _decoded(text, name)
        text, separator = _without_first_lines(text.removeprefix("\ufeff").lstrip("\r\n"))
        if not text.strip():
            raise ValueError("it is empty")
        csv.field_size_limit(max(longest, len(text)))
        form = {"delimiter": separator, "skipinitialspace": True, "strict": True}
        rows = csv.reader(io.StringIO(text, newline=""), **form)
        header, *rows = [row for row in rows if row]
    except OSError as error:
        raise UserError(f"{name} cannot be read: {error.strerror or error}") from None
    except (ValueError, csv.Error) as error:
        raise UserError(f"{name} cannot be read as CSV in UTF-8: {error}") from None
    finally:
        csv.field_size_limit(longest)
    for number, row in enumerate(rows, 1):
        if any(row[len(header) :]):
            raise UserError(f"row {number} has {len(row)} cells, but the header {len(header)}")
        row[len(header) :] = [""] * (len(header) - len(row))
    return pd.DataFrame(rows, columns=[name_of(cell) for cell in header])


def _decoded(content, name):
    """Return bytes as text; if they are not UTF-8, say which encoding to try."""
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        wide = content[:2] in (b"\xff\xfe", b"\xfe\xff")
        likely = "utf-16" if wide else "cp1252"
        hint = f'pass open({str(name)!r}, encoding="{likely}"), or another encoding'
        raise ValueError(f"{error.reason} at byte {error.start}: {hint}") from None


def _without_first_lines(text):
    """Return a file's text from its header on, and its separator.

    Above the header there may be comments, and the line "sep=;" that Excel writes. A first column
    may be named "#".
    """
    while text.startswith("#"):
        line, _, rest = text.partition("\n")
        separator = max(",;\t", key=rest.partition("\n")[0].count)
        if not rest.startswith("#") and line.count(separator) == rest.partition("\n")[0].count(
            separator
        ):
            break
        text = rest
    declared = re.match(r'"?sep=(.)"?\r?\n', text)
    if declared:
        return text[declared.end() :], declared[1]
    return text, max(",;\t", key=text.partition("\n")[0].count)


def _asked_and_chosen(cells, kind):
    """Return the three items of each row, and the index of the chosen one: 0, 1 or 2."""
    rows, cells = cells.index + 1, cells.to_numpy()
    if cells.shape[1] == 3:
        return cells, np.full(len(cells), kind == "triplets", dtype=int)
    first = int(kind == "two alternatives")
    asked = cells[:, :3]
    choice = cells[:, 3:]
    side = pd.Series(cells[:, 3]).str.casefold().replace(MIDDLE).to_numpy(object)[:, None]
    places = ["1", "2", "3"][: 3 - first]
    # All choices are written in one way: a 1 among places is no item of that name.
    fits = [choice == asked[:, first:], choice == np.array(places, dtype=object)]
    fits.append(side == np.array(SIDES[3 - first], dtype=object))
    found = [fit.argmax(axis=1) + first for fit in fits if fit.any(axis=1).all()]
    if not found:
        row = max((fit.any(axis=1) for fit in fits), key=np.count_nonzero).argmin()
        options = ", ".join(asked[row, first:])
        hint = "places are counted from 1" if choice[row, 0] == "0" else "a code needs choices="
        message = f"the choice {choice[row, 0]!r} is none of {options}; {hint}"
        raise UserError(f"row {rows[row]}: {message}")
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
