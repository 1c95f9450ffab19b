from repro.workbench.evidence.anchors import tables_of_anchors
from repro.workbench.evidence.scorecard import judge_all

TABLE = """paper,place,what,printed,experiment,ours,note
A,p. 1,a third,.33,a_fig1,third: it,
A,p. 2,the level,1,a_fig1,level,as printed
B,p. 3,a price,5 £,,–,not ours
"""


def test_a_printed_number_stands_beside_a_measure_a_choice_or_a_text(figures, swept):
    (figures / "anchors.csv").write_text(TABLE, encoding="utf-8")
    of_a, of_b = tables_of_anchors(figures, judge_all(figures)).split("\n\n## B")
    assert of_a.splitlines()[-2:] == [
        "| p. 1 | a third | .33 | 0.333 |  |",
        "| p. 2 | the level | 1 | 1 | as printed |",
    ]
    assert of_b.splitlines()[-1] == "| p. 3 | a price | 5 £ | – | not ours |"
