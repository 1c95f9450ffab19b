"""The skeleton of an experiment: its module and its notebook, on an example that runs."""

import re

import nbformat

from repro.core.files import write_text

NAME = re.compile(r"([a-z][a-z0-9]*)_(fig|sec)(\d+)_[a-z][a-z0-9_]*")
# How the papers here are written; another's name is put in capitals.
PAPERS = {"mre": "MRE", "bre": "BRE", "kie": "KIE", "tete": "t-ETE"}

EXPERIMENT = '''"""«paper» «item»: what it shows, in a few words."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from sklearn.decomposition import PCA
from sklearn.manifold import trustworthiness

from repro.claims import Claim, above, at_least, choice
from repro.datasets import Dataset, make_s_curve
from repro.mre import SNE

PAPER, ITEM = "«paper»", "«item»"
TITLE = "A skeleton: say what it shows"
REPEATS = 20  # of the primary reading; 10 where a fit takes more than three seconds


@dataclass(frozen=True)
class Choices:
    """What the paper says, what we took, and what else it could have meant."""

    n_points: int = choice(200, ours="why")
    perplexity: float = choice(
        15, paper="Sec. 1", ours="why", others={30: "neighbourhoods are twice as large"}
    )
    init_scale: float = choice(0.1, paper="small", others={1.0: "the start is not small"})


class Fitted(NamedTuple):
    """What one run fits."""

    data: Dataset
    model: SNE
    projected: np.ndarray  # the baseline


def run(choices, seed):
    """Draw an S-curve; embed it by SNE, and by a projection."""
    data = make_s_curve(choices.n_points, np.random.default_rng(seed))
    options = {"perplexity": choices.perplexity, "init_scale": choices.init_scale}
    model = SNE(2, random_state=seed, **options).fit(data.X)
    return Fitted(data, model, PCA(2).fit_transform(data.X))


def measure(fitted):
    """Measure the trustworthiness of 12 neighbours, of the embedding, of PCA, and by chance."""
    data, model, projected = fitted
    shuffled = np.random.default_rng(0).permutation(model.embedding_)
    embeddings = {"SNE": model.embedding_, "PCA": projected, "shuffled": shuffled}
    kept = {
        f"trustworthiness, {name}": trustworthiness(data.X, Y, n_neighbors=12)
        for name, Y in embeddings.items()
    }
    return {"loss": model.loss_, **kept}


def embedding(fitted):
    """Return what is drawn of a run."""
    return fitted.model.embedding_


OURS, CHANCE = "trustworthiness, SNE", "trustworthiness, shuffled"
CLAIMS = [
    Claim(
        "«claim»a",
        "neighbours are kept, and better than by a projection",
        "Sec. 1",
        [at_least(OURS, 0.95, CHANCE), above(OURS, "trustworthiness, PCA", 0.005, CHANCE)],
    ),
]

# What is misprinted or contradicts itself; also LEFT_OPEN, and FINDINGS beyond the paper.
ERRATA = ()
'''

# Cells in order; «…» is filled in. Markdown and code differ by the first word.
CELLS = [
    """# [Re] «paper», «item»: what it shows, in a few words

**Paper.** Authors, *Title*, where and when, «item».

**The claim, in a sentence.** SNE keeps neighbours on an S-curve better than a projection does. \
(An example: put yours here.)

**Data.** Generated: an S-curve. **Seeds.** 0 to 2 here; the verdicts rest on more runs, see \
*The claims*. **Run time.** Some seconds.""",
    """import matplotlib.pyplot as plt
import pandas as pd

from repro import plots
from repro.evidence import met_here, record, show_claims, show_open_choices
from repro.experiments import «stem» as experiment
from repro.mre import sne_numpy
from repro.notebook import show_source, versions

plots.use_style()""",
    """choices = experiment.Choices()  # to change one: experiment.Choices(perplexity=50)
seeds = range(3)
choices""",
    """## The data

What it is, its shape and its terms.""",
    """runs = {seed: experiment.run(choices, seed) for seed in seeds}
data = runs[0].data
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
    """fig, ax = plt.subplots(figsize=(4.2, 2.6))
plots.convergence(ax, {"SNE": [fitted.model for fitted in runs.values()]})""",
    """## The figure

What is seen, and what the paper's own shows.""",
    """fig, axes = plt.subplots(1, 2, figsize=(6.4, 3.2))
shown = {"PCA": runs[0].projected, "SNE": runs[0].model.embedding_}
for ax, (name, Y) in zip(axes, shown.items(), strict=True):
    plots.embedding_2d(ax, Y, colors)
    ax.set_title(name, color=plots.COLORS[name], weight="bold")
plots.letters_above(axes)
plots.save(fig, "«stem»");""",
    """## The claims

What is measured, and what chance would give; then a row per claim. Its verdict rests on the runs \
of `repro sweep «stem»`.""",
    """measured = {seed: experiment.measure(fitted) for seed, fitted in runs.items()}
pd.DataFrame(measured.values()).median().to_frame("median").T.round(3)""",
    """record(experiment, choices, measured)
show_claims(experiment, measured)""",
    """## What the paper leaves open

Each choice that could have been another, and the verdicts that it turns.""",
    """show_open_choices(experiment)""",
    """# NBVAL_CHECK_OUTPUT
if choices == experiment.Choices():
    assert all(run["trustworthiness, SNE"] > 0.95 for run in measured.values())
print(met_here(experiment, measured))""",
    """## Try it

In the cell of choices, above:

1. `perplexity=50`. What does the embedding gain, and what does it lose?
2. `n_points=50`. From how few points can the surface still be told?""",
    """versions()""",
]


def _names(stem):
    """Return what a name of an experiment says: stem, paper, item, and the stem of its claims.

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
    return {
        "stem": stem,
        "paper": PAPERS.get(short, short.upper()),
        "item": f"{kind.capitalize()}. {int(number)}",
        "claim": f"{short}-{int(number)}",
    }


def _fill(text, names):
    for name, value in names.items():
        text = text.replace(f"«{name}»", value)
    return text


def new_experiment(stem):
    """Write the module of a new experiment, on an example that runs as it is.

    Parameters
    ----------
    stem : str
        Its name, such as ``kie_fig7_faces``: paper, ``fig`` or ``sec`` with a number, and a word.

    Returns
    -------
    source : str

    Raises
    ------
    ValueError
        If the name is not of that form.
    """
    return _fill(EXPERIMENT, _names(stem))


def new_notebook(stem):
    """Make the notebook of a new experiment; see `new_experiment`.

    Returns
    -------
    notebook : nbformat.NotebookNode
        Not executed.
    """
    names = _names(stem)
    content = nbformat.v4.new_notebook()
    content.cells = [_cell(_fill(source, names), k) for k, source in enumerate(CELLS)]
    content.metadata = {
        "kernelspec": {
            "display_name": "Python 3 (ipykernel)",
            "language": "python",
            "name": "python3",
        },
        "language_info": {"name": "python"},
        "repro": {
            "paper": names["paper"],
            "item": names["item"],
            "title": "A skeleton: say what it shows",
            "datasets": {},
        },
    }
    return nbformat.from_dict(content)


def _cell(source, k):
    prose = source.startswith(("# [", "## "))
    make = nbformat.v4.new_markdown_cell if prose else nbformat.v4.new_code_cell
    cell = make(source)
    cell["id"] = f"cell-{k:02d}"  # nbformat's own are random
    if source.startswith("choices = "):
        cell.metadata["tags"] = ["parameters"]
    return cell


def write_new(stem, root):
    """Write the module and the notebook of a new experiment.

    Parameters
    ----------
    stem : str
        See `new_experiment`.
    root : pathlib.Path
        The project's folder.

    Returns
    -------
    paths : list of pathlib.Path

    Raises
    ------
    ValueError
        If the name is not of the right form, or a folder is not there.
    FileExistsError
        If there is an experiment of that name.
    """
    texts = {
        root / "repro" / "experiments" / f"{stem}.py": new_experiment(stem),
        root / "notebooks" / f"{stem}.ipynb": nbformat.writes(new_notebook(stem)) + "\n",
    }
    for path in texts:
        if not path.parent.is_dir():
            raise ValueError(f"no folder {path.parent}: run this in the project's folder")
        if path.exists():
            raise FileExistsError(f"{path.name} is there already; it was left as it is")
    for path, text in texts.items():
        write_text(path, text)
    return list(texts)
