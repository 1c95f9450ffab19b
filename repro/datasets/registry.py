"""Metadata of each real data set, from registry.toml and hashes.txt."""

import tomllib
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from importlib.resources import files

from repro.core.errors import UserError


@dataclass(frozen=True)
class Entry:
    """A real data set: its short name, as in ``fetch_<name>``, and what registry.toml says."""

    name: str
    title: str
    source: str
    licence: str
    citation: str
    folder: str
    mirrors: tuple = ()
    addresses: dict = field(default_factory=dict)
    pictures: dict | None = None  # None if it has none

    @property
    def hashes(self):
        """The accepted hashes of each file, in pooch's format; a download must have the first."""
        return _hashes().get(self.folder, {})

    def urls(self, file):
        """List the addresses of a file."""
        return self.addresses.get(file, [mirror + file for mirror in self.mirrors])


@cache
def _hashes():
    found = {}
    for line in _text("hashes.txt").splitlines():
        path, known = line.split()
        folder, _, file = path.partition("/")
        found.setdefault(folder, {}).setdefault(file, []).append(known)
    return found


def _text(name):
    return (files(__package__) / name).read_text(encoding="utf-8")


ENTRIES = {
    name: Entry(name, **({"folder": name} | known))
    for name, known in tomllib.loads(_text("registry.toml")).items()
}


def known_name(name, known, what=""):
    """Return the name of a data set if it is one of `known`, else raise a `UserError`.

    The message begins with ``what``, where the name was given, and suggests the nearest one.
    """
    if name in known:
        return name
    near = get_close_matches(str(name), known, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    asks = f"{what}: " if what else ""
    raise UserError(f"{asks}unknown data set {name!r}.{hint} Known: {', '.join(sorted(known))}.")
