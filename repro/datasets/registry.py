"""Metadata of each real data set, from registry.toml and hashes.txt."""

import tomllib
from dataclasses import dataclass, field
from importlib.resources import files


@dataclass(frozen=True)
class Entry:
    """A real data set: its short name, as in ``fetch_<name>``, and what registry.toml says.

    ``hashes`` are those accepted of each file, in pooch's format; a download must have the first.
    """

    name: str
    title: str
    source: str
    licence: str
    citation: str
    folder: str
    hashes: dict
    mirrors: tuple = ()
    addresses: dict = field(default_factory=dict)
    pictures: dict | None = None  # None if it has none

    def urls(self, file):
        """List the addresses of a file."""
        return self.addresses.get(file, [mirror + file for mirror in self.mirrors])


def _read_entries():
    tables = tomllib.loads((files(__package__) / "registry.toml").read_text(encoding="utf-8"))
    hashes = {table.setdefault("folder", name): {} for name, table in tables.items()}
    for line in (files(__package__) / "hashes.txt").read_text(encoding="utf-8").splitlines():
        path, known = line.split()
        folder, _, file = path.partition("/")
        hashes[folder].setdefault(file, []).append(known)
    return {
        name: Entry(name, hashes=hashes[table["folder"]], **table) for name, table in tables.items()
    }


ENTRIES = _read_entries()
