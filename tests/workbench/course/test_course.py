"""Editions for a class: what they hide and show, and the answers that a class returns."""

import csv
import json
import os
import re
from copy import deepcopy
from pathlib import Path

import nbformat
import pypandoc
import pytest
from command_line import call

from repro.core.errors import UserError
from repro.workbench.course.collecting import LARGEST, LONGEST, gather
from repro.workbench.course.editions import WRITE, student_edition, teacher_edition
from repro.workbench.course.slides import has_slides, slides_of
from repro.workbench.course.writing import judged_of
from repro.workbench.lessons.exercises import SOLUTION
from repro.workbench.lessons.files import notebook_files
from repro.workbench.lessons.timings import load_timings

ROOT = Path(__file__).parents[3]
LESSONS = {
    path.stem: lesson
    for path in notebook_files(ROOT / "notebooks")[0]
    if "## Conclusion" in str((lesson := nbformat.read(path, as_version=4)).cells)
}
HEADS = ["What is odd here?", "Why?", "Predict", "Your criterion", "The figure", "The prediction"]
CHECK = "\n\ncheck(answer_{k}, is_right_{k}, '')"


@pytest.fixture(params=LESSONS)
def stem(request):
    return request.param


def markdown(cells):
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def code(cells):
    return [cell for cell in cells if cell.cell_type == "code"]


@pytest.mark.parametrize("printed", [False, True])
def test_no_solution_leaks_to_students(stem, printed):
    lesson = LESSONS[stem]
    student = student_edition(lesson, stem, printed=printed)
    nbformat.validate(student)
    known = SOLUTION.sub("", "\n".join(cell.source for cell in lesson.cells))
    text = nbformat.writes(student)
    for _, solution, words in SOLUTION.findall(markdown(lesson.cells)):
        for line in [*solution.splitlines(), *words.split(". ")]:
            if len(line.strip()) > 15 and line.strip() not in known:
                assert line.strip()[:60] not in "\n".join(cell.source for cell in student.cells)
                assert line.strip() not in text
    assert "<summary>" not in markdown(student.cells)
    assert "Right." not in text
    assert "met_here(" not in text
    shown = [cell for cell in code(student.cells) if cell.outputs]
    predict = [cell.id for cell in student.cells].index("your-prediction")
    assert all(printed and student.cells.index(cell) < predict for cell in shown)
    for cell in code(student.cells):
        assert cell.execution_count is None
        for found in re.findall(r"^(?:answer_\d|my_criterion) = (.*)", cell.source, re.M):
            assert found.split("#")[0].strip() == "..."


UNUSUAL = [("Solution 1<", "Solution 1 <"), ("```python", "```py"), ("\n</details>", "")]


@pytest.mark.parametrize(("usual", "other"), UNUSUAL)
@pytest.mark.parametrize("edition", [student_edition, teacher_edition])
def test_a_lesson_of_which_a_solution_is_not_found_is_refused(edition, usual, other):
    lesson = deepcopy(LESSONS["mre_fig1_toy_cars"])
    for cell in lesson.cells:
        if cell.cell_type == "markdown":
            cell.source = cell.source.replace(usual, other)
    with pytest.raises(UserError, match="toy: there is no folded solution of answer 1"):
        edition(lesson, "toy")


def test_a_student_predicts_and_sets_a_criterion_before_the_verdict(stem):
    lesson = LESSONS[stem]
    student = student_edition(lesson, stem)
    texts = [cell.source for cell in student.cells]

    def place(words):
        return next(k for k, text in enumerate(texts) if words in text)

    assert place("## Predict") < place(WRITE) < place("## Conclusion")
    assert re.findall(r"(?m)^## (.*)$", texts[place("## Predict")]) == ["Predict"]
    targets = [cell.attachments for cell in student.cells if "attachments" in cell]
    saved = [cell for cell in code(lesson.cells) if f'save_figure(fig, "{stem}"' in cell.source]
    pictures = [out.data["image/png"] for cell in saved for out in cell.outputs if "data" in out]
    assert targets == [{"target.png": {"image/png": picture.strip()}} for picture in pictures]
    if any("show_evidence(experiment" in text for text in texts):
        assert place(WRITE) < place("my_criterion = ") < place("show_evidence(experiment")


def test_a_teacher_has_each_solution_in_its_place(stem):
    lesson = LESSONS[stem]
    teacher = teacher_edition(lesson, stem)
    nbformat.validate(teacher)
    cells = code(teacher.cells)
    for number, solution, words in SOLUTION.findall(markdown(lesson.cells)):
        (opened,) = [cell for cell in cells if cell.source.startswith(solution)]
        compile(opened.source, stem, "exec")
        assert f"check(answer_{number}, is_right_{number}" in opened.source
        assert words in markdown(teacher.cells)
    assert "<details>" not in markdown(teacher.cells)
    assert "answer_1 = ..." not in nbformat.writes(teacher)


def test_each_lesson_has_notes_that_answer_what_is_to_be_asked(stem):
    notes = (ROOT / "notebooks" / "teaching" / f"{stem}.md").read_text(encoding="utf-8")
    for part in ("For the board", "Answers", "Usual errors"):
        assert f"\n## {part}" in notes
    for question in LESSONS[stem].metadata.repro.lesson["ask"]:
        assert question in notes
    assert "\n## Plans of 90 and of 45 minutes\n" in notes
    minutes = re.findall(r"^\| (\d+) \| (\d+|–) \| (?!who)", notes, re.M)
    assert sum(int(long) for long, _ in minutes) == 90
    assert sum(int(short) for _, short in minutes if short != "–") == 45
    before = notes.partition("\n## The prerequisite in 20 minutes\n")[2].partition("\n## ")[0]
    assert sum(map(int, re.findall(r"\((\d+) minutes\)", before))) == 20
    for part in ("Quiz at the start", "Quiz at the end"):
        quiz = notes.partition(f"\n## {part}\n")[2].partition("\n## ")[0]
        assert re.findall(r"^(\d)\. ", quiz, re.M) == [*"12345"]
    assert "\n## Goals\n" in notes
    assert "\n## Key to the quizzes\n" in notes


def test_editions_are_written_once_for_print_without_a_network(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    stem = "mre_fig1_toy_cars"
    assert "lessons written: 1" in call("course", str(tmp_path), stem)
    files = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.*")}
    pages = f"handout/{stem}.html", f"teacher/{stem}_notes.html"
    shown = {f"teacher/{stem}_{name}" for name in ("slides.html", "slides.pdf", "sheet.pdf")}
    assert shown <= files
    slides = (tmp_path / f"teacher/{stem}_slides.html").read_text(encoding="utf-8")
    for told in ("Predict</h1>", "How many runs meet this?</h1>", "Quiz</h1>", "data:image/svg"):
        assert told in slides
    beside = "glossary.md", "figures/protocol.json", "figures/in_short.toml"
    read = {f"student/{name}" for name in (*beside, f"figures/sweeps/{stem}.csv")}
    assert {f"student/{stem}.ipynb", f"teacher/{stem}.ipynb", *pages, *read} <= files
    assert not any("teach" in name or "handout" in name for name in files if name[0] == "s")
    for page in pages:
        text = (tmp_path / page).read_text(encoding="utf-8")
        assert "«" not in text
        assert "<script" not in text
        assert not re.search(r"<(?:img|link|iframe)[^>]*(?:src|href)=\"(?!data:)", text)
        assert 'class="formula"' in text
        assert r"\frac" not in re.sub(r"<pre>.*?</pre>", "", text, flags=re.S)
    assert text.count("<h2") == 9  # the parts of the notes
    printed = (tmp_path / pages[0]).read_text(encoding="utf-8")
    assert printed.count("data:image/png;base64,") == 3  # the data, the surprise, the target
    assert printed.count('class="room"') == 5
    told, rest, last, quiz = printed.split('class="page"')  # the result is on another page
    assert ("Quiz at the start</h2>" in told, "Quiz at the end</h2>" in quiz) == (True, True)
    assert "Key to the quizzes" not in printed
    assert ("Predict</h2>" in told, "The figure</h2>" in rest) == (True, True)
    assert ("To discuss</h2>" in rest, "For the sceptic</h2>" in last) == (True, True)
    call("course", str(tmp_path), "start_six_points", "tete_fig2")  # added
    call("course", str(tmp_path), stem)  # the same again
    (tmp_path / "student/mre_fig1_toy_cars.ipynb").write_text("a student's")
    assert "differs" in call("course", str(tmp_path), stem, status=2)
    assert (tmp_path / "student/mre_fig1_toy_cars.ipynb").read_text() == "a student's"


def test_the_slides_of_a_lesson_ask_before_they_tell():
    for stem, lesson in LESSONS.items():
        assert has_slides(lesson), stem
        text, pictures = slides_of(lesson, judged_of(ROOT, lesson), "## Quiz at the end\n1. Why?\n")
        heads = re.findall(r"^# (.*)$", text, re.M)
        once = [name for name in HEADS if name in heads]
        assert [*dict.fromkeys(heads[1:])][: len(once)] == once, stem
        assert set(HEADS) - set(once) <= {"Your criterion"}
        assert heads.count("How many runs meet this?") in ((0,) if stem[:5] == "start" else (1, 2))
        assert heads[-2:] == ["Conclusion", "Quiz"]
        assert {"surprise_0.png", "main_0.png"} <= pictures.keys()
        assert all(f"![]({name})" in text for name in pictures)


def test_pandoc_knows_every_formula():
    """It writes what it does not know as text, dollars included, with a warning."""
    cells = (cell for lesson in LESSONS.values() for cell in lesson.cells)
    text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    assert r"\$\$" not in pypandoc.convert_text(text, "typst", format="markdown")


def test_what_cannot_be_made_is_refused_in_one_line(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    for arguments, said in [
        ([str(tmp_path), "mre_fig9"], "no notebook matches 'mre_fig9'"),
        ([str(tmp_path), "benchmark_peers"], "not a lesson: benchmark_peers"),
        (["notebooks/class", "mre_fig1"], "among the committed files"),
        (["--collect", str(tmp_path / "nothing")], "no notebooks in"),
        (["--run", str(tmp_path)], "--run needs --collect"),
        (["--collect", str(tmp_path), "mre_fig1"], "--collect takes only FOLDER and --run"),
    ]:
        told = call("course", *arguments, status=2)
        assert said in told
        assert len(told.splitlines()) == 1
    assert not list(tmp_path.iterdir())
    assert not (ROOT / "notebooks" / "class").exists()


def answered(cells, *answers):
    """Make a student edition with one student's answers, saved without running."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in cells])
    for k, (answer, said) in enumerate(answers, start=1):
        cell = nbformat.v4.new_code_cell(f"answer_{k} = {answer}{CHECK.format(k=k)}")
        cell.outputs = [nbformat.v4.new_output("stream", text=said)]
        notebook.cells.append(cell)
    notebook.metadata["repro"] = {"lesson for students": "made_up"}
    return notebook


def test_what_two_students_wrote_is_gathered_and_their_code_not_run(tmp_path):
    ann = student_edition(LESSONS["mre_fig1_toy_cars"], "mre_fig1_toy_cars")
    for cell in ann.cells:
        if cell.id == "your-prediction":
            cell.source += "\n\n=HYPERLINK(dark), beside the diagonal"
        cell.source = cell.source.replace("my_criterion = ...", "my_criterion = 0.15")
        if cell.source.startswith("answer_2 = ..."):
            cell.source = cell.source.replace("...", "3.05", 1)
            cell.outputs = [nbformat.v4.new_output("stream", text="Right.\n")]
    guess = "my_criterion = -0.2  # a guess"
    bob = answered([guess, "open('run', 'w')"], ("5", "Not yet: this is the error of another map."))
    for name, notebook in {"ann/toy cars.ipynb": ann, "bob.ipynb": bob}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        nbformat.write(notebook, tmp_path / name)
    (tmp_path / "eve.ipynb").write_text('{"cells": [')
    nbformat.write(nbformat.v4.new_notebook(), tmp_path / "zoe.ipynb")
    told = call("course", "--collect", str(tmp_path), status=1)
    assert f"eve.ipynb was skipped: {tmp_path / 'eve.ipynb'} is damaged" in told
    assert "zoe.ipynb was skipped: no notebook of a student edition" in told
    with (tmp_path / "answers.csv").open(encoding="utf-8-sig", newline="") as file:
        first, second = csv.DictReader(file)
    assert (first["file"], first["lesson"]) == ("ann/toy cars.ipynb", "mre_fig1_toy_cars")
    assert first["prediction"] == "'=HYPERLINK(dark), beside the diagonal"
    answers = "criterion", "answer 1", "answer 1 is", "answer 2", "answer 2 is"
    assert [first[name] for name in answers] == ["0.15", "", "not run", "3.05", "right"]
    assert [second[name] for name in answers[:3]] == ["-0.2", "5", "wrong"]
    assert not Path("run").exists()
    assert not (tmp_path / "run").exists()


def test_what_is_returned_in_other_ways_is_read_or_named(tmp_path):
    (tmp_path / "class").mkdir()
    ann = answered(["my_criterion=7"], ("4", "Right."))
    ann.cells[1].source = ann.cells[1].source.replace("answer_1 = ", "answer_1=")
    for text in ("## Predict", f"{WRITE}\n\nhalf \ud83d"):  # without names of cells
        ann.cells.append({"cell_type": "markdown", "source": text, "metadata": {}})
    for cell in ann.cells:
        cell.pop("id", None)
    text = json.dumps(ann | {"nbformat_minor": 4})
    zoe = answered(["answer_1 = 4"], ("...", "Right."))  # checked in another cell
    zoe.cells[1].source = CHECK.format(k=1)
    zoe.cells = [cell | {"id": "twice"} for cell in zoe.cells]
    (tmp_path / "class/zoe.ipynb").write_text(json.dumps(zoe))
    named = os.fsdecode("Jörg.ipynb".encode("latin1"))
    for name in ("ANN.IPYNB", named, "ann.ipynb (1)", "b.ipynb_", "bob.zip", "notes.txt"):
        (tmp_path / "class" / name).write_text(text)
    (tmp_path / "elsewhere").write_text(text)
    (tmp_path / "class/eve.ipynb").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "class/max.ipynb").write_text(text + " " * LARGEST)
    skipped = {"ann.ipynb (1)": "rename", "b.ipynb_": "rename", "bob.zip": "unpack"}
    skipped |= {"eve.ipynb": "no file", "max.ipynb": "over 20 MB"}
    if hasattr(os, "mkfifo"):  # which would wait
        os.mkfifo(tmp_path / "class/pipe.ipynb")
        skipped["pipe.ipynb"] = "was skipped: it is no file"
    table, wrong = gather(tmp_path / "class")
    assert list(table["file"]) == ["ANN.IPYNB", "J\ufffdrg.ipynb", "zoe.ipynb"]
    assert [*table.iloc[2][["answer 1", "answer 1 is"]]] == ["4", "right"]
    row = table.iloc[0]
    assert [*row[["prediction", "criterion", "answer 1"]]] == ["half ?", "7", "4"]
    assert wrong.keys() == skipped.keys()
    assert all(words in wrong[name] for name, words in skipped.items())
    table.to_csv(tmp_path / "answers.csv", encoding="utf-8")  # does not fail


def test_what_a_student_writes_is_no_formula_and_fits_into_a_cell(tmp_path):
    cells = {
        **{"\t=1+1": "\t'=1+1", "\r@f": "\r'@f", ";=1+1": ";'=1+1", "a;-b": "a;'-b"},
        **{"x\n=1+1": "x\n'=1+1", "f(x, -1) @ y": "f(x, -1) @ y", "-0.2": "-0.2"},
        "x" * 3_000_000: "x" * LONGEST,
    }
    nbformat.write(answered([], *((answer, "Right.") for answer in cells)), tmp_path / "ann.ipynb")
    table, _ = gather(tmp_path)
    written = [table[f"answer {k}"][0] for k in range(1, len(cells) + 1)]
    assert written == [*cells.values()]


def test_a_table_is_kept_and_none_is_written_of_nothing(tmp_path):
    for k, answer in enumerate("45"):
        nbformat.write(answered([], (answer, "Right.")), tmp_path / "ann.ipynb")
        assert ("answers_1.csv" in call("course", "--collect", str(tmp_path))) == (k == 1)
        call("course", "--collect", str(tmp_path))  # the same again
    kept = [(tmp_path / name).read_text("utf-8") for name in ("answers_1.csv", "answers.csv")]
    assert [",4," in text for text in kept] == [True, False]
    (tmp_path / "ann.ipynb").write_text("")
    assert "nothing is written" in call("course", "--collect", str(tmp_path), status=1)
    assert len(list(tmp_path.iterdir())) == 3


def test_answers_are_checked_by_a_run_on_demand(project):
    answers = ("4", "Not yet. Hint: it was not run again"), ("None + 1", ""), ("...", "Right.")
    right = "from repro.workbench.lessons import check\n"
    right += "is_right_1 = is_right_2 = is_right_3 = lambda number: number == 4"
    nbformat.write(answered([right], *answers), project / "ann.ipynb")
    nbformat.write(answered(["1 / 0"], ("4", "Right.")), project / "bob.ipynb")
    table, wrong = gather(project, run=True)
    ann, bob = table.to_dict("records")
    assert [ann[f"answer {k} is"] for k in (1, 2, 3)] == ["right", "fails", ""]
    assert (bob["answer 1"], bob["answer 1 is"]) == ("4", "not run")
    assert wrong == {"bob.ipynb": "not run to the end: ZeroDivisionError: division by zero"}


def test_a_lesson_for_students_runs_on_standins(tmp_path, monkeypatch, standins):
    """Run the quickest lesson; the workflow tests.yml runs the others."""
    monkeypatch.chdir(ROOT)
    seconds = load_timings(ROOT / "figures")
    stem = min(LESSONS, key=lambda name: seconds.get(name, 1e9))
    student = student_edition(LESSONS[stem], stem)
    nbformat.write(student, tmp_path / "student.ipynb")
    table, wrong = gather(tmp_path, run=True)
    assert not wrong
    assert {*table.filter(like=" is").iloc[0]} == {""}  # no answers
