import ast
import os
import re
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path

import library_alone
import pytest
import yaml
from processes import run_python

import repro
from repro import experiments

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_environment_mirrors_the_project():
    listed = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))["dependencies"]
    conda = {entry for entry in listed if isinstance(entry, str)}
    pip = [entry for entry in listed if isinstance(entry, dict)]
    wanted = {*PROJECT["dependencies"], *requirements("test")}
    python = PROJECT["requires-python"].replace(">=", "python=")  # the oldest supported
    elsewhere = "pypandoc-binary", "typst", "ziamath"
    by_pip = {name for name in wanted if name.startswith(elsewhere)}
    assert conda == wanted - by_pip | {python, "pip"}
    assert pip == [{"pip": [*sorted(by_pip), "--editable ."]}]
    binder = yaml.safe_load((ROOT / ".binder" / "environment.yml").read_text(encoding="utf-8"))
    assert binder["dependencies"] == [python, "pip"]


def requirements(extra):
    """Yield the requirements of an extra, including those of extras it names."""
    for entry in PROJECT["optional-dependencies"][extra]:
        named = re.fullmatch(r"repro\[(.*)\]", entry)
        yield from chain(*map(requirements, named[1].split(","))) if named else [entry]


def test_workflows_may_only_read_and_their_actions_are_pinned():
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        text = path.read_text(encoding="utf-8")
        workflow = yaml.safe_load(text)
        jobs = workflow["jobs"].values()
        allowed = [workflow["permissions"], *(job.get("permissions", {}) for job in jobs)]
        assert all(of in ({}, {"contents": "read"}, {"id-token": "write"}) for of in allowed)
        assert ({"id-token": "write"} in allowed) == (path.stem == "release")
        for action in re.findall(r"uses: (.*)", text):
            assert re.fullmatch(r"(actions|pypa)/[\w-]+@[0-9a-f]{40}  # v[\d.]+", action)


def test_every_dependency_has_a_lower_bound():
    extras = map(requirements, PROJECT["optional-dependencies"])
    for entry in chain(PROJECT["dependencies"], *extras):
        assert re.fullmatch(r"[a-z0-9-]+(\[\w+\])?>=[\d.]+(,<[\d.]+)?", entry), entry


def test_versions_agree():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert repro.__version__ == PROJECT["version"] == citation["version"]
    assert f"repro-{repro.__version__}-py3" in (ROOT / "notebooks/README.md").read_text("utf-8")
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"\n## {repro.__version__}\n" in changes


def test_the_papers_are_cited_alike_everywhere():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["references"]
    bibliography = (ROOT / "papers.bib").read_text(encoding="utf-8")
    titles = re.findall(r"\btitle = {{(.*)}}", bibliography)
    years = re.findall(r"\byear = {(.*)}", bibliography)
    assert [paper["title"] for paper in cited] == titles
    assert [str(paper["year"]) for paper in cited] == years
    urls = list(PROJECT["urls"].values())
    assert [paper["url"] for paper in cited] == urls
    on_site = (ROOT / "repro/workbench/site/markdown/_papers.md").read_text(encoding="utf-8")
    assert all(url in on_site for url in urls)


def test_the_readme_has_its_two_commands_and_fits_on_two_pages():
    for block in ("run command", "test command"):
        after = README.split(f"<!-- {block} -->")[1]
        assert re.match(r"\n```\npython3 -m venv .venv && .*\n```\n", after)
    assert len(README.encode()) < 8000


def places(page):
    """Return what a link to a page can name: the slugs of its headings, and its anchors."""
    text = page.read_text(encoding="utf-8")
    headings = re.findall("^#+ (.*)$", text, re.M)
    slugs = {re.sub(r"[^\w -]", "", words.lower()).replace(" ", "-") for words in headings}
    return {*slugs, *re.findall('<a id="(.*?)">', text)}


PAGES = [".", ".github", "figures", "figures/sweeps", "notebooks", "notebooks/teaching", "repro"]


@pytest.mark.parametrize("folder", PAGES)
def test_links_of_pages_lead_somewhere(folder):
    pages = list((ROOT / folder).glob("*.md"))
    assert pages
    for page in pages:
        text = page.read_text(encoding="utf-8")
        for link in re.findall(r"\]\((?!https?:)([^)\s]+)\)", text):
            file, _, place = link.partition("#")
            target = page.parent / file if file else page
            assert target.exists(), (page, link)
            assert not place or target.suffix != ".md" or place in places(target), (page, link)


def test_every_public_name_is_there():
    for name in repro.__all__:
        assert getattr(repro, name).__doc__
    with pytest.raises(AttributeError, match="SNEE"):
        _ = repro.SNEE


HEAVY = {"numba", "sklearn", "scipy", "matplotlib", "pandas", "pooch", "requests", "PIL", "tqdm"}


@pytest.mark.parametrize(
    ("code", "heavy"),
    [
        ("repro, repro.datasets", HEAVY),
        ("repro; repro.MRE()", {"numba"}),
        ("repro.workbench.command_line, repro.workbench.site.pages", {"sphinx"}),
    ],
)
def test_import_loads_no_heavy_library(code, heavy):
    code = f"import sys, {code}; print({heavy} & set(sys.modules) or 'none')"
    assert run_python("-c", code).stdout == "none\n"


HIDE_EXTRAS = f"""
from importlib.machinery import PathFinder
find = PathFinder.find_spec
PathFinder.find_spec = lambda name, *_: None if name in {library_alone.EXTRAS} else find(name, *_)
"""


def test_the_base_dependencies_suffice_for_the_library(nothing, tmp_path):
    (tmp_path / "sitecustomize.py").write_text(HIDE_EXTRAS, encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    done = run_python(ROOT / "tests" / "library_alone.py", cwd=tmp_path, PYTHONPATH=path)
    assert done.stdout.endswith("the command says what it needs\n")
    assert done.stderr == ""


def test_arrows_between_rooms_go_down_only():
    code = "from importlinter.cli import lint_imports; exit(lint_imports(no_cache=True))"
    assert "Contracts: 2 kept, 0 broken" in run_python("-c", code, cwd=ROOT).stdout


def test_no_module_imports_private_names_of_another_or_reads_by_pickle():
    for path in (ROOT / "repro").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert "allow_pickle=True" not in text, path
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("repro"):
                names = {of.name for of in node.names if re.match("_(?!_)", of.name)}
                shared = {shared.stem for shared in (ROOT / "repro/experiments").glob("_*.py")}
                assert not names - (shared if node.module == "repro.experiments" else set()), path


@pytest.mark.parametrize("command", [["check"], ["format", "--check"]])
def test_ruff_is_content(command):
    run_python("-m", "ruff", *command, "--no-cache", ".", cwd=ROOT)


def test_a_code_checker_finds_every_figure_and_its_numbers():
    listed = yaml.safe_load((ROOT / "codecheck.yml").read_text(encoding="utf-8"))["manifest"]
    files = [entry["file"] for entry in listed]
    assert all((ROOT / file).is_file() for file in files)
    made = {f"figures/{name}{kind}" for name in experiments.names() for kind in (".png", ".json")}
    assert made <= set(files)


def test_a_type_checker_knows_each_public_name(tmp_path):
    """An environment that has the package installed reads its types: it has py.typed."""
    used = tmp_path / "used.py"
    used.write_text("import repro\n" + "".join(f"repro.{name}\n" for name in repro.__all__))
    command = [sys.executable, "-m", "mypy", "--strict", f"--cache-dir={tmp_path}", str(used)]
    run = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert run.stdout.startswith("Success"), run.stdout


@pytest.mark.parametrize(
    "path", sorted((ROOT / "tests" / "benchmarks").glob("*.py")), ids=lambda p: p.stem
)
def test_a_benchmark_finds_what_it_imports(path):
    run_python("-c", f"import {path.stem}", cwd=path.parent)


def test_the_readme_examples_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # one of them saves a figure
    names = {}
    guide = (ROOT / "repro" / "README.md").read_text(encoding="utf-8")
    for block in (README + guide).split("```python\n")[1:]:
        exec(block.split("```")[0], names)  # noqa: S102 - our own code
    assert names["model"].embedding_.shape == (60, 3)
    for answers, chosen in (("of_jspsych", ["hen"]), ("of_qualtrics", ["hen", "duck"])):
        table = names[answers].table
        assert [names[answers].names[choice] for choice in table["choice"]] == chosen
    assert names["model"].metrics_.shape == (3, 3)
    assert [len(relation.P) for relation in names["model"].relations_] == [60, 30, 30]


def test_no_two_files_of_tests_have_one_name():
    """Pytest refuses them, but only where it collects both."""
    names = [path.name for path in (ROOT / "tests").rglob("test_*.py")]
    assert len(set(names)) == len(names)
