"""`repro new`: the skeleton has the standard cells, runs as it is, and overwrites nothing."""

import shutil
from inspect import signature
from pathlib import Path

import nbformat
import pytest
import test_notebooks as checks
from command_line import call
from processes import run_python

from repro.workbench.lessons import template
from repro.workbench.lessons.files import Notebook

STEM = "tete_fig12_example"
ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def _experiments(project):
    for room in ("experiments", "workbench/lessons/checks"):
        (project / "repro" / room).mkdir(parents=True)


def test_it_runs_as_it_is_can_be_swept_and_passes_the_checks_of_the_others(project):
    shutil.copytree(ROOT / "repro", project / "repro", dirs_exist_ok=True)

    def repro(*arguments):  # of the copy with the new module; run from a subfolder
        place = {"cwd": project / "figures", "PYTHONPATH": project}
        return run_python("-m", "repro", *arguments, COLUMNS=300, **place).stdout

    said = repro("new", f"{STEM}.ipynb")  # a suffix is accepted
    for command in ("sweep", "run"):
        assert f"repro {command} {STEM} --" in said
    assert STEM in repro("list")
    repro("run", STEM, "--write")
    assert "2 of 2" in repro("sweep", STEM, "--repeats", "2", "--others", "1", "--jobs", "1")
    count = "from pathlib import Path; from repro.workbench.evidence.scorecard import judge_all; "
    count += "print(len(judge_all(Path('figures'))))"
    counted = run_python("-c", count, cwd=project, PYTHONPATH=project).stdout
    assert counted == "0\n"  # an example does not count until it is replaced
    assert "to the last bit" in repro("run", STEM)
    notebook = nbformat.read(project / "notebooks" / f"{STEM}.ipynb", as_version=4)
    for name, check in vars(checks).items():
        if name.startswith("test_") and list(signature(check).parameters) == ["notebook"]:
            check(notebook)
    for kind in (".json", ".png"):
        assert (project / "figures" / f"{STEM}{kind}").exists()


def test_every_blank_is_filled_in(project):
    module, path, checks = template.write_new("umap_sec3_why", project)
    about = Notebook.read(path)
    assert (about.paper, about.item, about.datasets) == ("UMAP", "Sec. 3", {})
    assert about.number == 1  # the first lesson there
    assert not any("«" in made.read_text(encoding="utf-8") for made in (module, path, checks))
    for command in ("check", "format --check"):
        ruff = ["ruff", *command.split(), "--config", ROOT / "pyproject.toml"]
        run_python("-m", *ruff, module, path, checks)


@pytest.mark.parametrize("name", [f"notebooks/{STEM}.ipynb", f"repro/experiments/{STEM}.py"])
def test_it_overwrites_nothing(project, name):
    path = project / name
    path.write_text("mine", encoding="utf-8")
    assert "already exists" in call("new", STEM, status=2)
    assert path.read_text(encoding="utf-8") == "mine"
    assert [p for p in project.rglob("*") if p.is_file() and p.stem == STEM] == [path]
