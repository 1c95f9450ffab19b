import pytest

from repro.core.errors import UserError
from repro.workbench.evidence.anchors import COLUMNS, load_anchors, tables_of_anchors
from repro.workbench.evidence.scorecard import judge_all


def write(figures, *rows):
    lines = [",".join(COLUMNS), *rows]
    (figures / "anchors.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_a_printed_number_stands_beside_a_measure_a_choice_or_a_text(figures, swept):
    write(
        figures,
        "A,p. 1,a third,.33,a_fig1,third: it,",
        "A,p. 2,the level,1,a_fig1,level,as printed",
        "B,p. 3,a price,5 £,,–,not ours",
    )
    of_a, of_b = tables_of_anchors(figures, judge_all(figures)).split("\n\n## B")
    assert of_a.splitlines()[-2:] == [
        "| p. 1 | a third | .33 | 0.333 |  |",
        "| p. 2 | the level | 1 | 1 | as printed |",
    ]
    assert of_b.splitlines()[-1] == "| p. 3 | a price | 5 £ | – | not ours |"


def test_a_damaged_file_is_refused(figures):
    (figures / "anchors.csv").write_text("paper,place\nA,p. 1\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"anchors\.csv is damaged"):
        load_anchors(figures)


def test_without_the_file_there_is_no_table(tmp_path):
    assert tables_of_anchors(tmp_path, []) == ""
