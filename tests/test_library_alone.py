"""The base dependencies suffice for the library; `.ci/library` tests it without the others."""

import os
from pathlib import Path

import library_alone
from processes import run_python

TESTS = Path(__file__).parent


# Replaces the package finder: it finds all but the extras.
HIDE = f"""
import sys
from importlib.machinery import PathFinder
class Finder(PathFinder):
    @classmethod
    def find_spec(cls, name, *options):
        return None if name in {library_alone.EXTRAS} else PathFinder.find_spec(name, *options)
sys.meta_path[sys.meta_path.index(PathFinder)] = Finder
"""


def test_without_the_extras_every_estimator_fits_and_every_command_says_what_it_needs(
    nothing, tmp_path
):
    (tmp_path / "sitecustomize.py").write_text(HIDE, encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), str(TESTS.parent)])
    done = run_python(TESTS / "library_alone.py", cwd=tmp_path, PYTHONPATH=path)
    assert done.stdout.endswith("the command says what it needs\n")
    assert done.stderr == ""
