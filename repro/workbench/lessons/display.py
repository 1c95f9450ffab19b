"""Notebook output other than figures: settings, tables, medians over runs, versions."""

import platform
from importlib.metadata import version

import pandas as pd
from IPython.display import HTML

from repro.datasets import standins_in_use
from repro.experiments.claims import cells, sources, table_of
from repro.workbench.formatting import digits

ON_STANDINS = "Made on stand-in data: no evidence."
REST = "All settings, and the other values that were tried"


def show_table(table):
    """Display a table of text, left-aligned and without row numbers.

    A line above it says so if data are stand-ins.
    """
    return HTML(_table_of_text(table, ON_STANDINS if standins_in_use() else None))


def show_settings(experiment, names):
    """Show the choices of an experiment: value, what the paper says, what is ours and why.

    ``names`` maps the most important choices to words for each; all choices are folded below, with
    the other values that were tried.
    """
    ours = experiment.Choices()
    rows = [
        {
            "setting": name,
            "value": source.list_values([getattr(ours, name)]),
            "the paper": source.paper,
            "ours": source.ours,
            "other settings": source.list_values(source.settings),
            "against the text": source.list_values(source.sensitivity),
            "other data": source.list_values(source.other_data),
        }
        for name, source in sources(ours).items()
    ]
    every = pd.DataFrame(rows).replace("", "–")
    first = every.set_index("setting").loc[list(names), ["value", "the paper", "ours"]]
    first = first.rename(index=names).reset_index()
    folded = f"<details><summary>{REST}</summary>{_table_of_text(every)}</details>"
    return HTML(_table_of_text(first) + folded)


def _table_of_text(table, caption=None):
    left = [{"selector": "td, th", "props": "text-align: left; vertical-align: top"}]
    # By default pandas writes a random name and an address, which differ at every run.
    style = table.style.format(escape="html").hide(axis="index").set_table_styles(left)
    style = style.set_caption(caption) if caption else style
    return style.set_uuid("table").to_html()


def show_measures(table):
    """Display a table of measures with three digits, thousands whole, a dash if missing.

    A line above it says so if data are stand-ins.
    """
    caption = f"<p>{ON_STANDINS}</p>" if standins_in_use() else ""
    return HTML(caption + table.to_html(float_format=digits, na_rep="–"))


def medians(tables):
    """Return the cell-wise median over runs of their tables of measures."""
    return table_of(pd.DataFrame([cells(table) for table in tables]).median())


def versions():
    """Print the versions of Python and of the libraries that determine the numbers."""
    names = "repro", "numpy", "scipy", "numba", "scikit-learn", "matplotlib"
    libraries = [f"{name} {version(name)}" for name in names]
    print(" · ".join([f"Python {platform.python_version()}", *libraries]))
