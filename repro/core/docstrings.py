"""Docstrings of estimators that name every parameter and attribute, inherited ones too."""

import re
from collections import ChainMap
from inspect import cleandoc
from itertools import chain

HEADING = re.compile(r"^(\w+)\n-+\n", re.MULTILINE)


def sections_of(doc):
    """Split a docstring into its introduction, named "", and its sections; a dict by heading."""
    introduction, *parts = HEADING.split(cleandoc(doc or ""))
    return {"": introduction} | dict(zip(parts[::2], parts[1::2], strict=True))


def entries_of(section):
    """Split a section into its entries; a dict by name. An entry may have several names."""
    entries = re.split(r"^(?=\S)", section, flags=re.MULTILINE)[1:]
    names = (entry.partition(" :")[0].partition("\n")[0].split(", ") for entry in entries)
    return {name: entry for each, entry in zip(names, entries, strict=True) for name in each}


def inherit_entries(cls, parameters):
    """Complete the docstring of a class with entries of its bases, the nearest first.

    ``parameters`` are the names of all parameters, in the order in which they are to stand.
    Attributes of the bases follow those of the class.
    """
    docs = [sections_of(vars(base).get("__doc__")) for base in cls.__mro__]
    sections = {"": "", "Parameters": "", "Attributes": ""} | docs[0]
    for heading in ("Parameters", "Attributes"):
        of_bases = [entries_of(doc.get(heading, "")) for doc in docs]
        entries = ChainMap(*of_bases)
        names = chain(parameters, of_bases[0]) if heading == "Parameters" else chain(*of_bases)
        texts = dict.fromkeys(entries[name].rstrip() for name in names if name in entries)
        sections[heading] = "\n".join(texts)
    cls.__doc__ = "\n\n".join(
        f"{heading}\n{'-' * len(heading)}\n{text.strip()}" if heading else text.strip()
        for heading, text in sections.items()
    )
