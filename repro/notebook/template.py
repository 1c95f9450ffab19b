"""The skeleton of a notebook: the standard cells in the standard order, on an example that runs."""

import re

import nbformat

from repro.core.files import write_text

NAME = re.compile(r"([a-z][a-z0-9]*)_(fig|sec)(\d+)_[a-z][a-z0-9_]*")
# How the papers here are written; another's name is put in capitals.
PAPERS = {"mre": "MRE", "bre": "BRE", "kie": "KIE", "tete": "t-ETE"}
READINGS = {"start": "normal, standard deviation 0.1"}

# Cells in order; «…» is filled in. Markdown and code differ by the first word.
CELLS = [
    """# [Re] «paper», «item»: what it shows, in a few words

**Paper.** Authors, *Title*, where and when, «item».

**The claim, in a sentence.** SNE keeps neighbours on an S-curve better than a projection does. \
(An example: put yours here.)

**Data.** Generated: an S-curve. **Seeds.** 0 to 4; every verdict is decided by medians over \
them. **Run time.** Some seconds.""",
    """import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import display
from sklearn.manifold import trustworthiness

from repro import SNE, datasets, plots
from repro.claims import Claim, Ledger, Part
from repro.mre import sne_numpy
from repro.notebook import show_source, show_table, versions

plots.use_style()""",
    """N_POINTS = 200  # ours: why
PERPLEXITY = 15  # ours: why; a value that the paper gives is marked "paper"
N_SEEDS = 5  # ours: the paper shows one run
FIRST_SEED = 0  # ours: the seeds are this one and those after it
READINGS = {"start": "normal, standard deviation 0.1"}""",
    """## The data

What it is, its shape and its terms.""",
    """def draw(seed):
    return datasets.make_s_curve(N_POINTS, np.random.default_rng(seed))


data = draw(0)
colors = plots.corner_colors(data.factors)
fig = plt.figure(figsize=(3.2, 3), layout="none")
plots.manifold_3d(fig.add_subplot(projection="3d"), data.X, colors)""",
    """# NBVAL_CHECK_OUTPUT
print(data.X.shape, data.X.dtype, "· terms:", data.licence)""",
    """## The idea

The equation, by its number in the paper, and the lines that compute it:

$$E = \\frac{1}{N} \\sum_i \\mathrm{KL}(P_i \\,\\|\\, Q_i).$$""",
    """show_source(sne_numpy)""",
    """## The fit

How it is optimised, and that it has settled.""",
    """seeds = range(FIRST_SEED, FIRST_SEED + N_SEEDS)
samples = [draw(seed) for seed in seeds]
models = [
    SNE(2, perplexity=PERPLEXITY, random_state=seed).fit(sample.X)
    for seed, sample in zip(seeds, samples, strict=True)
]
fig, ax = plt.subplots(figsize=(4.2, 2.6))
plots.convergence(ax, {"SNE": models})""",
    """## The figure

What is seen, and what the paper's own shows.""",
    """fig, axes = plt.subplots(1, 2, figsize=(6.4, 3.2))
shown = {"PCA": plots.principal_axes(data.X)[:, :2], "SNE": models[0].embedding_}
for ax, (name, Y) in zip(axes, shown.items(), strict=True):
    plots.embedding_2d(ax, Y, colors)
    ax.set_title(name, color=plots.COLORS[name], weight="bold")
plots.letters_above(axes)
plots.save(fig, "«stem»");""",
    """## The claims

What is measured, by which criterion, fixed beforehand, and what chance would give.""",
    """def measure(sample, model):
    embeddings = {"SNE": model.embedding_, "PCA": plots.principal_axes(sample.X)[:, :2]}
    embeddings["shuffled"] = np.random.default_rng(0).permutation(model.embedding_)
    return {name: trustworthiness(sample.X, Y, n_neighbors=12) for name, Y in embeddings.items()}


runs = pd.DataFrame([measure(*pair) for pair in zip(samples, models, strict=True)])
runs.median().to_frame("trustworthiness").T.round(3)""",
    """ledger = Ledger("«stem»", "«paper»", "«item»", seeds, READINGS)
gain = runs["SNE"] - runs["PCA"]
part = Part("trustworthiness, SNE less PCA", gain, ">", 0, runs.median())
ledger.add(Claim("«claim»a", "neighbours are kept better than by PCA", "«item»", [part]))
show_table(ledger.table())""",
    """## What the paper leaves open

Each choice that it does not tell, the reading taken, and the others beside it.""",
    """wider = [
    SNE(2, perplexity=PERPLEXITY, init_scale=1.0, random_state=seed).fit(sample.X)
    for seed, sample in zip(seeds, samples, strict=True)
]
other = pd.DataFrame([measure(*pair) for pair in zip(samples, wider, strict=True)])
gain = other["SNE"] - other["PCA"]
part = Part("trustworthiness, SNE less PCA", gain, ">", 0)
display(ledger.read_otherwise({"start of sd 1": {"«claim»a": [part]}}))
# ledger.erratum("What is misprinted or contradicts itself.")
ledger.record()
show_table(ledger.summary())""",
    """# NBVAL_CHECK_OUTPUT
# After `repro run «stem» -p N_SEEDS=20` add ledger.recorded() above and ledger.spot_check() here.
# Of other parameters, or of fewer seeds, other numbers.
as_committed = seeds[:5] == range(5) and (N_POINTS, PERPLEXITY) == (200, 15)
if as_committed:
    assert runs["SNE"].median() > 0.9 > runs["shuffled"].median()
print(ledger.verdicts())""",
    """## Try it

1. Set `PERPLEXITY = 50`. What does the embedding gain, and what does it lose?
2. Set `N_POINTS = 50`. From how few points can the surface still be told?""",
    """versions()""",
]


def new_notebook(stem):
    """Make a notebook of the standard cells, on an example that runs as it is.

    Parameters
    ----------
    stem : str
        Its name, such as ``kie_fig7_faces``: paper, ``fig`` or ``sec`` with a number, and a word.

    Returns
    -------
    notebook : nbformat.NotebookNode
        Not executed.

    Raises
    ------
    ValueError
        If the name is not of that form.
    """
    found = NAME.fullmatch(stem)
    if not found:
        raise ValueError(
            f"{stem!r} is no name of a notebook: write it as <paper>_fig<number>_<slug> or "
            "<paper>_sec<number>_<slug>, in lower case letters, digits and underscores, "
            "such as kie_fig7_faces"
        )
    short, kind, number = found.groups()
    paper = PAPERS.get(short, short.upper())
    filled = {
        "stem": stem,
        "paper": paper,
        "item": f"{kind.capitalize()}. {int(number)}",
        "claim": f"{short}-{int(number)}",
    }
    content = nbformat.v4.new_notebook()
    for k, source in enumerate(CELLS):
        for name, value in filled.items():
            source = source.replace(f"«{name}»", value)
        content.cells.append(_cell(source, k))
    content.metadata = {
        "kernelspec": {
            "display_name": "Python 3 (ipykernel)",
            "language": "python",
            "name": "python3",
        },
        "language_info": {"name": "python"},
        "repro": {
            **{"paper": paper, "item": filled["item"], "title": "A skeleton: say what it shows"},
            **{"datasets": {}, "readings": dict(READINGS)},
            "alternatives": {"neighbourhood": ["PERPLEXITY = 30"]},
        },
    }
    return nbformat.from_dict(content)


def _cell(source, k):
    prose = source.startswith(("# [", "## "))
    make = nbformat.v4.new_markdown_cell if prose else nbformat.v4.new_code_cell
    cell = make(source)
    cell["id"] = f"cell-{k:02d}"  # nbformat's own are random
    if "\nREADINGS = " in source:
        cell.metadata["tags"] = ["parameters"]
    return cell


def write_new(stem, folder):
    """Write the skeleton of a notebook, whole or not at all.

    Parameters
    ----------
    stem : str
        See `new_notebook`.
    folder : pathlib.Path
        The project's ``notebooks``.

    Returns
    -------
    path : pathlib.Path

    Raises
    ------
    ValueError
        If the name is not of the right form, or the folder is not there.
    FileExistsError
        If there is a notebook of that name.
    """
    content = new_notebook(stem)
    nbformat.validate(content)
    if not folder.is_dir():
        raise ValueError(f"no folder {folder}: run this in the project's folder, or below it")
    path = folder / f"{stem}.ipynb"
    if path.exists():
        raise FileExistsError(f"{path.name} is there already; it was left as it is")
    write_text(path, nbformat.writes(content) + "\n")
    return path
