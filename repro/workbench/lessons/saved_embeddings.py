"""A notebook's embeddings as a small file, from which the site makes interactive maps."""

import json

import numpy as np

from repro.core.checks import check_points
from repro.core.files import write_text
from repro.workbench.lessons.figures import figures_dir


def save_embeddings(stem, embeddings, labels, groups, dataset=None, arguments=None, rows=None):
    """Write embeddings of the same points to <figures>/points/<stem>.json.

    Parameters
    ----------
    stem : str
        The notebook's name without its suffix.
    embeddings : dict of str to (n, d) array
        Embeddings by method; the first two dimensions are written, with four digits.
    labels, groups : sequences
        The name of each point, and its class, which sets its colour. Raises ValueError if the
        lengths differ.
    dataset, arguments : str and dict, optional
        The data set whose images are the points, by its name in `repro.datasets.FETCHERS`, and
        the arguments of its fetcher.
    rows : sequence of int, optional
        The row of each point in the set. Default: all rows in order.
    """
    placed = {method: check_points(Y, method) for method, Y in embeddings.items()}
    for name, values in {**placed, "groups": groups, "rows": rows}.items():
        if values is not None and len(values) != len(labels):
            found = f"{len(values)} for {len(labels)} labels"
            raise ValueError(f"{name} must have one entry per label, got {found}")
    content = {
        "notebook": stem,
        "set": None if dataset is None else {"name": dataset, "arguments": arguments or {}},
        "rows": None if rows is None else [int(row) for row in rows],
        "labels": [str(label) for label in labels],
        "groups": [str(group) for group in groups],
        "maps": {
            method: {"x": _few(Y[:, 0]), "y": _few(Y[:, 1] if Y.shape[1] > 1 else 0 * Y[:, 0])}
            for method, Y in placed.items()
        },
    }
    folder = figures_dir() / "points"
    folder.mkdir(exist_ok=True)
    text = json.dumps(content, ensure_ascii=False, default=list)
    write_text(folder / f"{stem}.json", text.replace("], ", "],\n ") + "\n")


def _few(values):
    """Round to four digits of the largest value, so that last bits do not change the file."""
    step = 10.0 ** (np.floor(np.log10(np.abs(values).max() or 1.0)) - 3)
    return [float(f"{value:.6g}") for value in np.round(values / step) * step]
