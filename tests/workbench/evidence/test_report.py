import json
from pathlib import Path
from types import SimpleNamespace

from repro import experiments
from repro.workbench.evidence import report
from repro.workbench.evidence.scorecard import judge_all
from repro.workbench.lessons.files import find_notebooks

ROOT = Path(__file__).parents[3]
# The number of numbered equations in each paper.
EQUATIONS = {"MRE": 7, "BRE": 7, "KIE": 12, "t-ETE": 13}


def test_what_is_generated_is_current():
    notebooks = find_notebooks(ROOT / "notebooks")
    made = report.render_reports(ROOT, judge_all(ROOT / "figures"), notebooks)
    assert {path.suffix for path in made} == {".csv", ".md", ".svg", ".txt"}
    for path, text in made.items():
        assert path.read_text(encoding="utf-8") == text, f"{path}: run `repro report`"


def test_functions_name_every_numbered_equation_and_no_other():
    assert set(report.equation_functions()) == {
        (paper, number) for paper, count in EQUATIONS.items() for number in range(1, count + 1)
    }


def test_every_experiment_has_a_lesson():
    notebooks = find_notebooks(ROOT / "notebooks")
    lessons = sorted((nb for nb in notebooks if nb.lesson), key=lambda nb: nb.number)
    others = {"start_six_points", "start_side_by_side", "start_own_answers", "tete_sec6_weights"}
    assert {nb.stem for nb in lessons} == {*experiments.names(), *others}
    assert {nb.stem for nb in notebooks if not nb.lesson} == {"benchmark_peers"}
    assert [nb.number for nb in lessons] == list(range(1, len(notebooks)))
    for nb in lessons:
        assert nb.needs
        assert 2 <= len(nb.lesson["ask"]) <= 3, nb.stem


def test_what_others_wrote_is_no_markup_in_a_table(monkeypatch):
    notebook = SimpleNamespace(
        stem="x_fig1",
        number=1,
        title="<script>alert(1)</script> | &lt;\nb",
        lesson={"ask": ["<b>?", "*so*?"]},
        needs="a < b & c",
    )
    assert report.teaching_table([notebook], {}).splitlines()[-1] == (
        "| [x_fig1](x_fig1.ipynb) | &lt;script>alert(1)&lt;/script> \\| &amp;lt; b | – "
        "| a < b & c | &lt;b>?<br>*so*? |"
    )


def test_fill_replaces_only_its_block():
    text = "a\n<!-- x: generated -->\nold\n<!-- /x -->\nb"
    filled = report.fill(text, "x", "new")
    assert filled == text.replace("old", "new") == report.fill(filled, "x", "new")
    assert report.fill(text, "y", "new") == text


def test_packages_are_pinned_as_the_records_agree(tmp_path):
    versions = {"mre_fig1_toy_cars": ("1.0", "3.1"), "mre_fig2_alignment": ("1.0", "3.2")}
    for name, (numba, numpy) in versions.items():
        record = {"seeds": [], "measures": [], "claims": {}}
        record["environment"] = {"numba": numba, "numpy": numpy, "opentsne": "none"}
        (tmp_path / f"{name}.json").write_text(json.dumps(record))
    (text,) = report.constraints(tmp_path).values()
    assert text.splitlines()[1:] == ["numba==1.0"]
