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

# Cells in order; «…» is filled in. Prose begins with a heading or in bold; a solution says so.
CELLS = [
    """# [Re] «paper», «item»: what it shows, in a few words

Authors, *Title*, where and when, «item».

What the paper shows, and what comes out here. (An example: SNE keeps neighbours on an S-curve \
better than a projection does.)

**You will learn** … **You should know** … Other terms are in the [glossary](glossary.md).""",
    """import matplotlib.pyplot as plt
import numpy as np
from ipywidgets import SelectionSlider, interact
from scipy.special import rel_entr

from repro import SNE, plots
from repro.evidence import met_here, record, show_claims, show_open_choices
from repro.experiments import «stem» as experiment
from repro.mre import embedding_similarities, perplexity_rows, sne_loss
from repro.notebook import check, versions

plots.use_style()""",
    """## The data

What they are, and under which terms.""",
    """choices = experiment.Choices()  # what the paper says, and what we took where it is silent
runs = {seed: experiment.run(choices, seed) for seed in range(3)}
data = runs[0].data
colors = plots.corner_colors(data.factors)
fig = plt.figure(figsize=(3.2, 3), layout="none")
plots.manifold_3d(fig.add_subplot(projection="3d"), data.X, colors)""",
    """# NBVAL_CHECK_OUTPUT
print(data.X.shape, data.X.dtype, "· terms:", data.licence)""",
    """## Predict

**A question that the reader answers before scrolling on?**

## The method

Each equation, beside the lines that compute it:

$$E = \\frac{1}{N} \\sum_{i,j} P_{ij} \\log\\frac{P_{ij}}{Q_{ij}}.$$""",
    """P = perplexity_rows(data.X, choices.perplexity)
X = np.random.default_rng(0).normal(size=(len(P), 2))
E = rel_entr(P, embedding_similarities(X)).sum() / len(P)
assert abs(E - sne_loss(X, P)[0]) < 1e-10""",
    """## The figure

Of three draws, the first. What is seen, and what the paper's own figure shows.""",
    """fig, axes = plt.subplots(1, 2, figsize=(6.4, 3.2))
shown = {"PCA": runs[0].projected, "SNE": runs[0].model.embedding_}
for ax, (name, Y) in zip(axes, shown.items(), strict=True):
    plots.embedding_2d(ax, Y, colors)
    ax.set_title(name, color=plots.COLORS[name], weight="bold")
plots.letters_above(axes)
plots.save(fig, "«stem»");""",
    """## Turn a knob

What does the idea hang on? First some values side by side, then a slider.""",
    """def panel(ax, perplexity):
    model = SNE(2, perplexity=perplexity, init_scale=choices.init_scale, random_state=0)
    plots.embedding_2d(ax, model.fit_transform(data.X), colors)
    ax.set_title(f"perplexity {perplexity}")


fig, axes = plt.subplots(1, 3, figsize=(6.4, 2.4))
for ax, perplexity in zip(axes, (5, 15, 50), strict=True):
    panel(ax, perplexity)""",
    """@interact(perplexity=SelectionSlider(options=[5, 10, 15, 30, 50], value=15))
def show(perplexity):
    panel(plt.subplots(figsize=(3, 3))[1], perplexity)""",
    """## Does it hold?

What is measured, and what chance gives. The verdicts rest on the runs of `repro sweep «stem»`.""",
    """measured = {seed: experiment.measure(fitted) for seed, fitted in runs.items()}
record(experiment, choices, measured)
show_claims(experiment, measured)""",
    """## What the paper leaves open""",
    """show_open_choices(experiment)""",
    """# NBVAL_CHECK_OUTPUT
if choices == experiment.Choices():
    assert all(run["trustworthiness, SNE"] > 0.95 for run in measured.values())
print(met_here(experiment, measured))""",
    """## Try it

**1.** How many points have a neighbour that they choose with probability above 0.2?""",
    """answer_1 = ...


def is_right_1(count):
    return count == (P.max(axis=1) > 0.2).sum()


check(answer_1, is_right_1, "look at the largest entry of each row of P.")""",
    """**2.** Write a function that computes the entropy of each row of P, in nats.""",
    """answer_2 = ...


def is_right_2(entropy):
    return np.allclose(entropy(P), np.log(choices.perplexity), atol=1e-3)


check(answer_2, is_right_2, "the perplexity is the exponential of the entropy.")""",
    """## Solutions

Each is folded: open it after you have tried.""",
    """# Solution
answer_1 = (P.max(axis=1) > 0.2).sum()
assert is_right_1(answer_1)
print(f"{answer_1} of {len(P)} points.")""",
    """# Solution
def answer_2(P):
    return -(P * np.log(np.where(P > 0, P, 1))).sum(axis=1)


assert is_right_2(answer_2)
print("The bandwidths were chosen so that all rows have one entropy.")""",
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
    prose = source.startswith(("# [", "## ", "**"))
    make = nbformat.v4.new_markdown_cell if prose else nbformat.v4.new_code_cell
    cell = make(source)
    cell["id"] = f"cell-{k:02d}"  # nbformat's own are random
    if source.startswith("choices = "):
        cell.metadata["tags"] = ["parameters"]
    if source.startswith("# Solution"):  # folded, in JupyterLab and on the site
        cell.metadata["tags"] = ["solution", "hide-cell"]
        cell.metadata["jupyter"] = {"outputs_hidden": True, "source_hidden": True}
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
