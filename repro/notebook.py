"""What notebooks show besides figures: the source of a function, and versions."""

import inspect
import platform
from importlib.metadata import version


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


def show_table(table):
    """Display a table of words, its columns to the left and without row numbers."""
    from IPython.display import HTML

    left = [{"selector": "td, th", "props": "text-align: left"}]
    # Left to itself, pandas writes a random name and an address, which differ at every run.
    return HTML(table.style.hide(axis="index").set_table_styles(left).set_uuid("table").to_html())


def versions():
    """Print the versions of Python and of the libraries that decide the numbers."""
    names = ("repro", "numpy", "scipy", "numba", "scikit-learn", "matplotlib")
    found = [f"Python {platform.python_version()}", *(f"{n} {version(n)}" for n in names)]
    print(" · ".join(found))
