import subprocess

import pytest

from repro.workbench import commit


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Let the code lie in a folder of its own, in a repository without commits."""
    folder = tmp_path / "repro"
    (folder / "workbench").mkdir(parents=True)
    (folder / "__init__.py").touch()
    monkeypatch.setattr(commit, "__file__", str(folder / "workbench" / "commit.py"))
    git(folder, "init")
    return folder


def git(folder, *arguments):
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", *arguments]
    return subprocess.check_output(command, cwd=folder, text=True).strip()


def commit_of_code():
    return commit.this_commit.__wrapped__()


def test_the_commit_is_that_of_the_code_and_says_whether_code_was_changed_since(package):
    git(package, "add", ".")
    git(package, "commit", "-m", "one")
    (package.parent / "notes.txt").touch()
    digits = "g" + git(package, "rev-parse", "HEAD")[:7]
    assert commit_of_code() == digits
    (package / "draft.py").touch()
    assert commit_of_code() == f"{digits}+"
    (package / "draft.py").unlink()
    (package / "__init__.py").write_text("a = 1\n", encoding="utf-8")
    assert commit_of_code() == f"{digits}+"


def test_code_outside_a_checkout_has_no_commit(package, monkeypatch):
    git(package, "commit", "-m", "of another project", "--allow-empty")
    assert commit_of_code() == "unknown"
    monkeypatch.setenv("PATH", str(package))
    assert commit_of_code() == "unknown"  # without git
