import io

import numpy as np
import pandas as pd
import pytest
from planted_answers import planted_answers

from repro import TripletSet, fraction_satisfied, read_answers, split_folds
from repro.core.errors import UserError

ROWS = [["ox", "cow", "hen"], ["ox", "hen", "cow"], ["cow", " ox", "hen"], ["cow", "ox", "hen"]]
FARM = ("cow", "hen", "ox")
TWO = {"kind": "two alternatives"}


def choices_of(answers):
    """Return the names of the items chosen."""
    return [answers.names[choice] for choice in answers.table["choice"]]


COLUMNS = {
    "triplets": ["anchor", "near", "far"],
    "two alternatives": ["anchor", "left", "right", "chosen"],
    "odd one out": ["first", "second", "third", "odd"],
    "most central": ["first", "second", "third", "central"],
}


@pytest.mark.parametrize("kind", COLUMNS)
def test_columns_of_the_documented_names_are_found_in_any_order(kind):
    row = ["ox", "cow", "hen", "hen"][: len(COLUMNS[kind])]
    table = pd.DataFrame([row], columns=COLUMNS[kind])[COLUMNS[kind][::-1]]
    answers = read_answers(table, kind)
    np.testing.assert_array_equal(answers.triplets, read_answers([row], kind).triplets)
    assert repr(answers).startswith("<1 answers about 3 items; read: {'answers': 1")


@pytest.mark.parametrize(
    ("kind", "row", "place"),
    [
        ("two alternatives", "ox,cow,hen,hen", 2),
        ("odd one out", "ox,cow,hen,hen", 3),
        ("most central", "ox,cow,hen,ox", 1),
    ],
)
def test_the_place_on_the_screen_is_kept_if_it_is_known(kind, row, place):
    assert read_answers([row.split(",")], kind).table["place"].tolist() == [place]
    assert "place" not in read_answers([row.split(",")[:3]], "odd one out").table


def test_a_name_that_is_not_among_the_items_is_told_with_its_row():
    rows = [["ox", "cow", "hen"], ["ox", "hne", "cow"]]
    with pytest.raises(UserError, match="row 2 names 'hne', which is not in items"):
        read_answers(rows, items=FARM)


@pytest.mark.parametrize(
    ("kind", "row", "triplets"),
    [
        ("triplets", "ox,cow,hen", [(2, 0, 1)]),
        ("two alternatives", "ox,cow,hen,hen", [(2, 1, 0)]),
        ("two alternatives", "ox,cow,hen,left", [(2, 0, 1)]),
        ("two alternatives", "ox,cow,hen,2", [(2, 1, 0)]),
        ("odd one out", "ox,cow,hen,hen", [(2, 0, 1), (0, 2, 1)]),
        ("odd one out", "ox,cow,hen,1", [(0, 1, 2), (1, 0, 2)]),
        ("odd one out", "ox,cow,hen,right", [(2, 0, 1), (0, 2, 1)]),
        ("odd one out", "ox,cow,hen, Left", [(0, 1, 2), (1, 0, 2)]),
        ("odd one out", "ox,cow,hen,centre", [(1, 2, 0), (2, 1, 0)]),
        ("odd one out", "ox,cow,hen,center", [(1, 2, 0), (2, 1, 0)]),
        ("odd one out", "hen,ox,cow", [(2, 0, 1), (0, 2, 1)]),
        ("most central", "ox,cow,hen,cow", [(2, 0, 1), (1, 0, 2)]),
        ("most central", "cow,hen,ox", [(1, 0, 2), (2, 0, 1)]),
    ],
)
def test_each_kind_of_question_becomes_its_triplets(kind, row, triplets):
    answers = read_answers([row.split(",")], kind, columns=range(row.count(",") + 1))
    assert answers.names == FARM
    assert {tuple(triplet) for triplet in answers.triplets.tolist()} == set(triplets)
    assert answers.n_options == (3 if kind in ("odd one out", "most central") else 2)


@pytest.mark.parametrize("kind", ["triplets", "odd one out", "most central"])
def test_the_places_that_right_answers_are_about_satisfy_all_triplets(kind):
    X, table = planted_answers(15, 2, 200, 0.0, np.random.default_rng(0), kind)
    answers = read_answers(table, kind)
    assert fraction_satisfied(X, answers) == 1
    assert len(answers) == (1 if kind == "triplets" else 2) * 200


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_file_is_read_whatever_parts_its_columns(separator, tmp_path):
    lines = [["near one", "anchor", "far", "who"], ["Kuh", "Öchsle", "1.0", "a"]]
    path = tmp_path / "answers.csv"
    text = "\n".join(separator.join(line) for line in lines)
    path.write_text(text, encoding="utf-8-sig")  # as Excel writes it
    answers = read_answers(path, columns=["anchor", "near one", "far"], annotator="who")
    assert answers.names == ("1", "Kuh", "Öchsle")
    assert answers.triplets.tolist() == [[2, 1, 0]]
    assert answers.table["annotator"].tolist() == ["a"]


def test_what_is_missing_copied_or_contradicted_is_counted_and_dropped_as_said():
    table = pd.DataFrame([*ROWS, ["ox", None, "hen"], ["hen", "", "ox"]])
    kinds = ("answers", "missing", "header", "duplicate", "contradictory")
    assert read_answers(table).counts == dict(zip(kinds, (4, 2, 0, 1, 2), strict=True))
    assert read_answers(table, drop=["duplicate"]).table["row"].tolist() == [1, 2, 3]
    assert read_answers(table, drop="contradictory").table["row"].tolist() == [3, 4]
    table.columns = ["anchor", "near", "far"]
    table["who"], table["time"] = list("abccaa"), [1, 1, 1, 2, 1, 1]
    by_whom = read_answers(table, annotator="who", repeat="time")
    assert by_whom.counts == dict(zip(kinds, (4, 2, 0, 0, 0), strict=True))


@pytest.mark.parametrize(
    ("rows", "names"),
    [
        (np.array([[2.0, 1, 2.5], [0, 3, 2.0]]), ("0", "1", "2", "2.5", "3")),
        ([[2, 1, "hen"], [0, 3, 2.0]], ("0", "1", "2", "3", "hen")),
        (pd.DataFrame({"anchor": [2.0, np.nan], "near": [1, 2], "far": [0, 1]}), ("0", "1", "2")),
    ],
)
def test_a_whole_number_is_one_item_however_it_is_stored(rows, names):
    assert read_answers(rows).names == names
    assert read_answers([[2.0, 1, 2.5]], items=[2.0, 1.0, 2.5]).names == ("2", "1", "2.5")
    with pytest.raises(UserError, match="row 1 compares an item with itself: 2, 1, 2"):
        read_answers([[2, 1, 2.0]])


def test_answers_are_a_set_of_triplets_that_folds_keep_whole():
    _, table = planted_answers(8, 1, 150, 0.2, np.random.default_rng(1), "odd one out")
    answers = read_answers(table, "odd one out")
    assert isinstance(answers, TripletSet)
    for train, test in split_folds(answers, 4, np.random.default_rng(0)):
        assert train.names == test.names == answers.names
        questions = [set(fold.table["question"][fold.of_answer]) for fold in (train, test)]
        assert not questions[0] & questions[1]


@pytest.mark.parametrize("source", [None, 3, b"ox", TripletSet([[0, 1, 2]])])
def test_what_is_no_table_is_named(source):
    with pytest.raises(UserError, match="source must be a path, a file, a DataFrame or rows"):
        read_answers(source)


@pytest.mark.parametrize(
    ("source", "options", "says"),
    [
        ("anchor,near,far\nox,cow,hen\nox,cow,cow\n", {}, "row 2 compares an item with itself: ox"),
        ("anchor,near,far\nox,cow,hen\n", {"items": ["ox", "cow"]}, "row 1 names 'hen', which is"),
        ("ancor,near,far\nox,cow,hen\n", {}, "no column is 'anchor': give columns, of .'ancor'"),
        ("anchor,near,far\nox,cow,hen\n", {"annotator": "who"}, "no column is 'who'"),
        ("anchor,near,far\nox,,hen\n", {}, "no answer is left of 1 rows"),
        ("", {}, "cannot be read as CSV in UTF-8: it is empty"),
        (
            "anchor,near,far\nox,cow,hen,sure\n",
            {},
            "row 1 of the file has 4 cells, but the header 3",
        ),
        ("anchor|near|far\nox|cow|hen\n", {}, "of .'anchor.near.far'"),
        ("anchor,near,far,far\nox,cow,hen,cat\n", {}, "column 'far' must occur once"),
        ("anchor,near,far\nox,cow,hen\n", {"annotator": "far"}, "column 'far' must occur once"),
        ("anchor,near,far\nox,cow,hen\n", {"annotator": ["far"]}, "no column is .'far'."),
        ("anchor,near,far\nox,cow,hen\n", {"items": [*FARM, "ox"]}, "items name 'ox' twice"),
        *(("", {name: 5}, f"{name} must be") for name in ("columns", "items", "drop")),
        ("a,b,c\nx,y,z\n", {"columns": ["a", "b"]}, "columns of 'triplets' are anchor, near, far"),
        ([[*"2131"]], {"kind": "odd one out"}, "row 1: .* '1' is the name of an"),
        (
            [[*"xyzw"]],
            {"kind": "odd one out"},
            "row 1: .* 'w' is none of x.*; a code needs choices=",
        ),
        ([[*"xyz1"], [*"xyz0"]], TWO, "row 2: .* '0' is none of y, z; places are counted from 1"),
        ([[*"xyz", "middle"]], TWO, "'middle' is none of y, z"),
        (
            [[*"xyzf"], [*"xyzk"]],
            TWO | {"choices": {"f": 1}},
            "row 2: the choice 'k' is none of cho",
        ),
        ([[*"xyz"]], TWO | {"columns": range(3)}, "columns of 'two alternatives' are anchor, left"),
        ([[*"xyzzf"]], TWO | {"columns": range(5)}, "columns of 'two alternatives' are anchor, le"),
        ([[*"xyzf"]], TWO | {"choices": ["left"]}, "choices must be a dict"),
        ([[*"xyzf"]], TWO | {"choices": {"f": 1, "f ": 2}}, "choices name one text twice"),
        ([[*"xyz"]], {"items": ["x", "y", None]}, "each of items must be a name, got None"),
        ([[*"xyz"]], {"items": ["x", "y", " "]}, "each of items must be a name, got ' '"),
        ([[*"xyz"]], {"items": np.array([[*"xyz"]])}, "each of items must be a name, got arr"),
        ([[*"xyz"]], {"items": pd.DataFrame([[*"xyz"]])}, "items must be a sequence"),
        ("a,b,c\nx,y,z\n", {"kind": "pairs"}, "kind must be one of"),
        ("a,b,c\nx,y,z\n", {"drop": ["missing"]}, "drop must be one of"),
    ],
)
def test_what_cannot_be_used_is_said_in_one_line(source, options, says):
    with pytest.raises(ValueError, match=says) as error:
        read_answers(io.StringIO(source) if isinstance(source, str) else source, **options)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('anchor, near, far\n"ox", "cow", "hen, brown"\n', ("cow", "hen, brown", "ox")),
        ("anchor,near,far\nNone,NA,null\nnan,,NA\n", ("NA", "None", "null")),  # "" is missing
        ("anchor,near,far\nox,cow,hen,\n", FARM),
        ("#,anchor,near,far\n1,ox,cow,hen\n", FARM),
        (f"anchor,near,far,log\nox,cow,hen,{200_000 * 'x'}\n", FARM),
        *(
            (f"{first}anchor;near;far\nox;cow;hen\n", FARM)
            for first in (
                *("sep=;\n", '"SEP=;"\r\n', "# by a, b; c\n", "# a\n# b\nsep=;\n", "\r\n"),
                *("# a\n\n", '"# a, b"\n', " # a\r\n\r\n# b\n"),
            )
        ),
    ],
    ids=len,
)
def test_names_are_read_whatever_stands_around_them(text, names):
    for file in (io.StringIO(text), io.BytesIO(text.encode())):
        assert read_answers(file).names == names


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("e\u0301te\u0301", "\u00e9t\u00e9"),
        ("\ufeffox", "ox"),
        ("o\u200bx\u00ad", "ox"),
        ("red\u00a0 ox ", "red ox"),
        ("12.0", "12"),
        ("-3.00", "-3"),
        (12.0, "12"),
        (12, "12"),
        ("1.05", "1.05"),
        ("zwn\u200cj", "zwn\u200cj"),  # a letter of Persian words
    ],
)
def test_names_that_look_alike_are_one(text, name):
    others = ["b", "c"]
    answers = read_answers([[text, *others], [*others, name]], columns=range(3))
    assert set(answers.names) == {name, "b", "c"}
    people = read_answers([[*"abc", text], [*"acb", name]], columns=range(3), annotator=3)
    assert people.table["annotator"].tolist() == [name, name]
    assert read_answers([[name, *others]], items=[text, *others]).names == (name, "b", "c")


@pytest.mark.parametrize("similar", [("Ox", "ox"), ("resume", "résumé"), ("STRASSE", "straße")])
def test_names_that_differ_by_case_or_accents_alone_are_told(similar):
    rows = [[similar[0], "hen", "cat"], [similar[1], "cat", "hen"]]
    with pytest.warns(RuntimeWarning, match=f"some items differ by case.*{similar[0]!r}") as caught:
        read_answers(rows)
    assert caught[0].filename == __file__
    with pytest.warns(RuntimeWarning, match="some annotators differ"):
        read_answers([[*"abc", who] for who in similar], columns=[0, 1, 2], annotator=3)


def test_a_header_inside_and_the_texts_of_a_survey_are_no_answers():
    header = "first,second,third,odd"
    ids = ",".join(f'"{{""ImportId"":""QID{k}""}}"' for k in range(4))
    survey = f"{header}\nWhich one,Which two,Which three,Which is odd?\n{ids}\nox,cow,hen,hen\n"
    for text, n, row in (
        (survey, 2, 3),
        (f"{header}\nox,cow,hen,right\n{header}\n", 1, 1),
        (f"{header}\nfirst,second,third,right\nox,cow,hen,right\n", 1, 2),
        (f"{header}\nFirst,Second,Third,Odd\nox,cow,hen,right\n", 1, 2),
        (survey.replace('""', "'"), 2, 3),
    ):
        answers = read_answers(io.StringIO(text), "odd one out")
        assert answers.names == FARM
        assert answers.counts["header"] == n
        assert answers.table["row"].tolist() == [row]
    for columns in (None, ["who", "like", "than"]):  # the table's own columns have other names
        rows = pd.DataFrame([["anchor", "near", "far"], ["ox", "cow", "hen"]], columns=columns)
        assert read_answers(rows, columns=rows.columns).counts["header"] == 1


def test_choices_are_all_names_or_all_places_or_what_the_caller_says():
    assert choices_of(read_answers([[5, 6, 7, 1], [5, 1, 7, 1]], "odd one out")) == ["5", "5"]
    rows = [["ox", "cow", "hen", "f"], ["ox", "hen", "cow", "j"]]
    meant = {"f": "left", "j": "right"}
    assert choices_of(read_answers(rows, **TWO, choices=meant)) == ["cow", "cow"]
    codes = [["ox", "cow", "hen", 0], ["ox", "hen", "cow", 2]]
    answers = read_answers(codes, "odd one out", choices={0: 1, 1: 2, 2: 3})
    assert choices_of(answers) == ["ox", "cow"]


def test_a_file_per_person_is_read_as_one(tmp_path):
    paths = [tmp_path / f"{who}.csv" for who in ("ada", "bo")]
    for path, row in zip(paths, ("ox,cow,hen", "ox,hen,cow"), strict=True):
        path.write_text(f"anchor,near,far\n{row}\n")
    answers = read_answers(paths, annotator="file")
    assert answers.table["annotator"].tolist() == ["ada", "bo"]
    assert answers.table["row"].tolist() == [1, 2]
    with pytest.raises(UserError, match="two files are named 'ada'"):
        read_answers([paths[0], paths[0]], annotator="file")
    paths[1].write_text("anchor,far,close\nox,hen,cow\n")
    with pytest.raises(UserError, match=r"bo.csv has other columns than .*ada.csv"):
        read_answers(paths)


def test_files_that_cannot_be_read_are_named(tmp_path):
    text = "anchor,near,far\nKöln,Bonn,Ulm\n"
    for name, encoding in {"old.csv": "cp1252", "wide.csv": "utf-16"}.items():
        (tmp_path / name).write_bytes(text.encode(encoding))
        with (tmp_path / name).open(encoding=encoding) as file:
            assert read_answers(file).names == ("Bonn", "Köln", "Ulm")
    (tmp_path / "book.csv").write_bytes(b"PK\x03\x04\xff")
    errors = {
        "book.csv": " as CSV in UTF-8: .*pandas.read_excel",
        "old.csv": ' as CSV in UTF-8: .*encoding="cp1252"',
        "wide.csv": ' as CSV in UTF-8: .*encoding="utf-16"',
        "none.csv": ": No such file",
    }
    for name, says in errors.items():
        with pytest.raises(UserError, match=f"{name} cannot be read{says}"):
            read_answers(tmp_path / name)


def test_several_exports_of_a_survey_have_a_header_each():
    header = ["ox or cow", "cow or hen", "hen or ox", "Which is odd?"]
    ids = [f'{{"ImportId":"QID{k}"}}' for k in range(4)]
    export = [header, ids, ["ox", "cow", "hen", "hen"], ["cow", "ox", "hen", "ox"]]
    answers = read_answers([*export, *export], "odd one out")
    assert (answers.counts["answers"], answers.counts["header"]) == (4, 4)


def test_what_is_given_is_taken_or_named(tmp_path):
    row = ["ox", "cow", "hen"]
    with pytest.raises(UserError, match="columns must be a sequence"):  # a set has no order
        read_answers([row], columns={"anchor", "near", "far"})
    with pytest.raises(UserError, match="items must be a sequence of names, got set"):
        read_answers([row], items=set(row))
    assert read_answers([row], items=map(str, row)).names == ("ox", "cow", "hen")
    path = tmp_path / "a.csv"
    path.write_text("anchor,near,far\nox,cow,hen\n", encoding="utf-8")
    for paths in (tmp_path.glob("*.csv"), np.array([str(path)])):
        assert read_answers(paths).counts["answers"] == 1
    path.write_text("anchor,near,far\nox,cow,hën\n", encoding="utf-8")
    with open(path, encoding="ascii") as file, pytest.raises(UserError, match='encoding="utf-8"'):
        read_answers(file)
    two = [["ox", "cow", "hen", "left"], ["ox", "cow", "hen", "2"]]
    with pytest.raises(UserError, match="all choices must be written in one way"):
        read_answers(two, "two alternatives")
    meant = {"left": "left", "2": None}
    assert read_answers(two, "two alternatives", choices=meant).counts["missing"] == 1
