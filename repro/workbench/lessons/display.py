"""Notebook output other than figures: tables, medians over runs, versions."""

import platform
from importlib.metadata import version

import pandas as pd

from repro.datasets import standins_in_use
from repro.experiments.claims import cells, table_of
from repro.workbench.formatting import digits

ON_STANDINS = "Made on stand-in data: no evidence."


def show_table(table):
    """Display a table of text, left-aligned and without row numbers.

    A line above it says so if data are stand-ins.
    """
    from IPython.display import HTML

    return HTML(words_of(table, ON_STANDINS if standins_in_use() else None))


def words_of(table, caption=None):
    """Render a table of text as HTML, left-aligned and without row numbers."""
    left = [{"selector": "td, th", "props": "text-align: left; vertical-align: top"}]
    # By default pandas writes a random name and an address, which differ at every run.
    style = table.style.format(escape="html").hide(axis="index").set_table_styles(left)
    style = style.set_caption(caption) if caption else style
    return style.set_uuid("table").to_html()


def medians(tables):
    """Return the cell-wise median over runs of their tables of measures."""
    return table_of(pd.DataFrame([cells(table) for table in tables]).median())


def show_measures(table):
    """Display a table of measures with three digits, thousands whole, a dash if missing.

    A line above it says so if data are stand-ins.
    """
    from IPython.display import HTML

    caption = f"<p>{ON_STANDINS}</p>" if standins_in_use() else ""

    return HTML(caption + table.to_html(float_format=digits, na_rep="–"))


def versions():
    """Print the versions of Python and of the libraries that determine the numbers."""
    names = "repro", "numpy", "scipy", "numba", "scikit-learn", "matplotlib"
    found = [f"{name} {version(name)}" for name in names]
    print(" · ".join([f"Python {platform.python_version()}", *found]))
