"""What notebooks show besides figures: the source of a function, tables, and versions."""

import inspect
import platform
from importlib.metadata import PackageNotFoundError, version

import numpy as np
import pandas as pd


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


def show_table(table, note=""):
    """Display a table of words, its columns to the left and without row numbers; a note above."""
    from IPython.display import HTML

    left = [{"selector": "td, th", "props": "text-align: left; vertical-align: top"}]
    # Left to itself, pandas writes a random name and an address, which differ at every run.
    style = table.style.format(escape="html").hide(axis="index").set_table_styles(left)
    style = style.set_caption(note) if note else style
    return HTML(style.set_uuid("table").to_html())


def table_of_fits(fits, measures):
    """Tabulate fits: the median loss, spread of the latent points, and other measures.

    Parameters
    ----------
    fits : mapping of str to sequence of fitted estimators
        A row each.
    measures : mapping of str to function of a fitted estimator
        A column each, after ``loss`` and ``spread``.

    Returns
    -------
    table : pandas.DataFrame
    """
    measures = {"loss": lambda m: m.loss_, "spread": lambda m: m.embedding_.std(), **measures}
    return pd.DataFrame(
        {
            column: {name: np.median([measure(m) for m in models]) for name, models in fits.items()}
            for column, measure in measures.items()
        }
    )


def versions():
    """Print the versions of Python and of the libraries that decide the numbers."""
    found = [f"Python {platform.python_version()}"]
    for name in ("repro", "numpy", "scipy", "numba", "scikit-learn", "matplotlib"):
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"no {name}")
    print(" · ".join(found))
