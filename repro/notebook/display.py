"""What notebooks show besides figures: tables and versions."""

import platform
from importlib.metadata import version

from repro.datasets import standins_in_use

ON_STANDINS = "Made on stand-in data: no evidence."


def show_table(table):
    """Display a table of words, its columns to the left and without row numbers.

    A line above it says so where data are stand-ins.
    """
    from IPython.display import HTML

    left = [{"selector": "td, th", "props": "text-align: left; vertical-align: top"}]
    # Left to itself, pandas writes a random name and an address, which differ at every run.
    style = table.style.format(escape="html").hide(axis="index").set_table_styles(left)
    style = style.set_caption(ON_STANDINS) if standins_in_use() else style
    return HTML(style.set_uuid("table").to_html())


def versions():
    """Print the versions of Python and of the libraries that decide the numbers."""
    names = "repro", "numpy", "scipy", "numba", "scikit-learn", "matplotlib"
    found = [f"{name} {version(name)}" for name in names]
    print(" · ".join([f"Python {platform.python_version()}", *found]))
