"""Partial names."""

from difflib import get_close_matches
from fnmatch import fnmatch
from pathlib import Path

from repro.core.errors import UserError


def find_names(patterns, names, what):
    """Return the names that match any pattern: a name, its file, a part of it, a glob, or "all".

    Raise a UserError that suggests the nearest name if a pattern matches none; ``what`` is the kind
    of thing that is named.
    """
    found = []
    for pattern in patterns:
        part = Path(pattern).name.lower().removesuffix(".ipynb")
        if not part:
            raise UserError(f"{pattern!r} names no {what}: there are {', '.join(names)}")
        part = "*" if part == "all" else part
        fitting = [name for name in names if part in name.lower() or fnmatch(name.lower(), part)]
        if not fitting:
            near = get_close_matches(pattern, names, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(names)}"
            raise UserError(f"no {what} matches {pattern!r}: {hint}")
        found += fitting
    return list(dict.fromkeys(found))
