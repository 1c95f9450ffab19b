"""Names that a user gives in part."""

from difflib import get_close_matches
from fnmatch import fnmatch
from pathlib import Path

from repro.core.records import UserError


def find_names(patterns, names, what):
    """Return the names that fit any of some patterns: a name or its file, a part of it, or ``*``.

    Where a pattern fits none, a UserError says so and suggests the nearest name; ``what`` is the
    kind of thing that is named.
    """
    found = []
    for pattern in patterns:
        part = Path(pattern).name.removesuffix(".ipynb")
        if not part:
            raise UserError(f"{pattern!r} names no {what}: there are {', '.join(names)}")
        fitting = [name for name in names if part in name or fnmatch(name, part)]
        if not fitting:
            near = get_close_matches(pattern, names, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(names)}"
            raise UserError(f"no {what} fits {pattern!r}: {hint}")
        found += fitting
    return list(dict.fromkeys(found))
