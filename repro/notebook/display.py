"""What notebooks show besides figures: the source of a function, tables, and versions."""

import inspect
import platform
from importlib.metadata import PackageNotFoundError, version

from repro.datasets import standins_in_use


def show_source(*functions):
    """Display the source of functions, without their docstrings, as highlighted code."""
    from IPython.display import Code

    return Code("\n\n".join(_body(f) for f in functions), language="python")


def _body(function):
    source = inspect.cleandoc("\n" + inspect.getsource(function))
    doc = function.__doc__
    if not doc:
        return source
    start = source.index('"""')
    end = source.index('"""', start + 3) + 3
    first_line = doc.strip().splitlines()[0]
    return f'{source[:start]}"""{first_line}"""{source[end:]}'


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
    found = [f"Python {platform.python_version()}"]
    for name in ("repro", "numpy", "scipy", "numba", "scikit-learn", "matplotlib"):
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"no {name}")
    print(" · ".join(found))
