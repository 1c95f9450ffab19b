"""A digest of the code that the runs of an experiment rest on."""

import ast
import hashlib
from functools import cache
from importlib.util import resolve_name
from pathlib import Path

import repro

ROOT = Path(repro.__file__).parent
# What an experiment declares about its runs and does not run.
DECLARED = {"PAPER", "ITEM", "REPEATS", "UNIT", "ORDER", "CLAIMS", "Choices"}
JUDGING = "repro.claims"  # judges runs, but does not make them
# Data files are verified by their hashes, however they are read; computed data count.
READING = "repro.datasets."
COMPUTED = {f"{READING}{name}" for name in ("gist", "labelled", "surfaces", "synthetic")}


def code_digest(module):
    """Return a digest, eight hexadecimal digits, of a module and all library modules it imports.

    Comments, docstrings, layout, and what an experiment merely declares do not count. Nor do its
    choices, which are kept with each run, or the code that reads data files.
    """
    names = [name for name in sorted(modules_used(module)) if not _reads_data(name)]
    text = "\n".join(f"{name}\n{_code_of(name)}" for name in names)
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def code_of(name):
    """Return the digest of the code of an experiment, given by its name."""
    return code_digest(f"{repro.__name__}.experiments.{name}")


def modules_used(module):
    """Return the library modules that a module imports, itself included, from their source."""
    found, left = set(), [module]
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left.extend(_imports_of(name))
    return found


def _path_of(name):
    """Return the file of a module of the library, or None if there is no such module."""
    path = ROOT.joinpath(*name.split(".")[1:])
    files = [path.with_suffix(".py")] if path != ROOT else []
    return next((f for f in (*files, path / "__init__.py") if f.is_file()), None)


@cache
def _imports_of(name):
    """Return what a module imports from the library; names of a room resolve to their modules.

    A room that is imported whole counts with all names in its stub.
    """
    path = _path_of(name)
    stub = path.with_suffix(".pyi")
    path = stub if path.stem == "__init__" and stub.is_file() else path
    found = {_home_of(*imported) for imported in _imported_names(path, name)}
    found = {home for home in found if not home.startswith(JUDGING)}
    return found & COMPUTED if _reads_data(name) else found


def _reads_data(name):
    return name.startswith(READING) and name not in COMPUTED


def _imported_names(path, name):
    """Yield (module, name) for each name that a file imports from the library."""
    package = name if path.stem == "__init__" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            module = resolve_name("." * node.level + (node.module or ""), package)
            if module.split(".")[0] == "repro":
                yield from ((module, alias.name) for alias in node.names)


def _home_of(module, name):
    """Return the module that defines a name imported from a module or a room."""
    if _path_of(f"{module}.{name}"):
        return f"{module}.{name}"
    folder = ROOT.joinpath(*module.split(".")[1:])
    for file in (folder / "__init__.pyi", folder / "__init__.py"):
        if file.is_file():
            for inner, known in _imported_names(file, module):
                if known == name:
                    return module if inner == module else _home_of(inner, name)
    return module


@cache
def _code_of(name):
    """Return the code of a module without comments, docstrings and declarations."""
    tree = ast.parse(_path_of(name).read_text(encoding="utf-8"))
    tree.body = [node for node in tree.body if not _is_declaration(node)]
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and _is_text(body[0]):
            del body[0]
    return _plain(tree)


def _plain(node):
    """Write a syntax tree as text that is the same on every version of Python.

    `ast.unparse` and `ast.dump` are not: they chose other quotes and left out other fields over
    the versions. Empty fields are left out here, since new versions add some.
    """
    if isinstance(node, list):
        return f"[{', '.join(map(_plain, node))}]"
    if not isinstance(node, ast.AST):
        return repr(node)
    filled = [(name, value) for name, value in ast.iter_fields(node) if value not in (None, [])]
    inside = ", ".join(f"{name}={_plain(value)}" for name, value in filled)
    return f"{type(node).__name__}({inside})"


def _is_text(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_declaration(node):
    if isinstance(node, ast.ClassDef):
        return node.name in DECLARED
    targets = node.targets if isinstance(node, ast.Assign) else []
    names = {n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name)}
    return bool(names & DECLARED)
