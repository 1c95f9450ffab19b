import itertools
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

import repro

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_environment_mirrors_the_project():
    listed = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))["dependencies"]
    conda = {entry for entry in listed if isinstance(entry, str)}
    pip = [entry for entry in listed if isinstance(entry, dict)]
    wanted = {*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["test"]}
    assert conda == wanted | {f"python{PROJECT['requires-python']}", "pip"}
    assert pip == [{"pip": ["--editable ."]}]


def test_every_dependency_has_a_lower_bound():
    groups = [PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()]
    for entry in itertools.chain(*groups):
        assert re.fullmatch(r"[a-z0-9-]+(\[\w+\])?>=[\d.]+(,<[\d.]+)?", entry), entry


def test_every_upper_bound_says_why():
    for line in (ROOT / "pyproject.toml").read_text(encoding="utf-8").splitlines():
        if re.search(r'">?=?.*,<', line):
            assert "  # " in line, line


def test_versions_agree():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert repro.__version__ == PROJECT["version"] == citation["version"]
    assert f"**{repro.__version__}**" in README


@pytest.mark.parametrize("block", ["run command", "test command"])
def test_the_readme_has_its_two_commands(block):
    after = README.split(f"<!-- {block} -->")[1]
    assert re.match(r"\n```\npython3 -m venv .venv && .*\n```\n", after)


def test_every_public_name_is_there():
    for name in repro.__all__:
        assert getattr(repro, name).__doc__
    with pytest.raises(AttributeError, match="SNEE"):
        _ = repro.SNEE


def test_import_loads_no_heavy_library():
    heavy = {"numba", "sklearn", "scipy", "matplotlib", "pandas"}
    code = f"import sys, repro, repro.datasets; print({heavy} & set(sys.modules) or 'none')"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "none"


@pytest.mark.parametrize("command", [["check"], ["format", "--check"]])
def test_ruff_is_content(command):
    found = subprocess.run(
        [sys.executable, "-m", "ruff", *command, "--no-cache", "."],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert found.returncode == 0, found.stdout + found.stderr


def test_the_top_level_is_as_designed():
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    top = {Path(name).parts[0] for name in tracked.stdout.splitlines()}
    visible = {name for name in top if not name.startswith(".")}
    assert visible == {
        *("README.md", "pyproject.toml", "environment.yml", "LICENSE", "CITATION.cff"),
        *("repro", "notebooks", "figures", "tests"),
    }


def test_the_readme_examples_run():
    names = {}
    for block in README.split("```python\n")[1:]:
        exec(block.split("```")[0], names)
    assert names["model"].embedding_.shape == (60, 3)
    assert names["model"].metrics_.shape == (3, 3)
    assert [len(relation.P) for relation in names["model"].relations_] == [60, 30, 30]
