"""BRE Figure 7: frames of a film of one face, arranged by brightness and turn of the head.

Fits start from the principal components. Seed 0 starts as in the paper; other seeds add noise that
is a hundredth as wide. No fit converges within the paper's 200 iterations. Different losses are
therefore not different optima, and seeds that agree only show that a little noise has no effect.
"""

from dataclasses import dataclass
from functools import cache, partial
from operator import attrgetter
from types import SimpleNamespace

import numpy as np
import pandas as pd
from sklearn.linear_model import LinearRegression

from repro.bre import BRE
from repro.core.blas import one_blas_thread
from repro.core.distances import centred
from repro.core.estimator import options_of, principal_scores
from repro.core.neighbors import k_nearest
from repro.datasets import fetch_brendan, fetch_isomap_faces, fetch_umist
from repro.experiments import without_warning
from repro.experiments._choices import descent_of, names_of
from repro.experiments._images import ink, left_minus_right
from repro.experiments.claims import Claim, at_least, at_most, choice, less, more, question
from repro.measures import roughness, shuffled

PAPER, ITEM, REPEATS = "BRE", "Fig. 7", 18
UNIT = "start"  # what a seed draws
ORDER = "loss", "BRE"
embedding = attrgetter("bre.embedding_")
FRAMES, PIXELS = 1965, 560  # of the film; K and the scale of other pictures follow from these
SHRUNK = 4  # side, in pixels, of the squares that are averaged in UMIST
N_LIGHTS = 20  # number of lights in which each view of a turning person is shown
N_BLOCK = 24  # pictures in a block, as many as an enlarged block of Fig. 7 may hold


@dataclass(frozen=True)
class Choices:
    # The other pictures, chosen before any run on them, have a known light or turn.
    pictures: str = choice(
        "Brendan",
        paper="Brendan's face, 1965 images of 28 × 20 pixels",
        other_data={
            "Isomap faces": "the pictures are of a drawn head in changing light",
            "UMIST": "the pictures are of twenty persons who turn",
            "UMIST s": "the pictures are of person s, who turns in twenty lights",
            "UMIST a": "the pictures are of person a, who turns in twenty lights",
        },
    )
    n_components: int = choice(2, paper="two dimensions")
    affinity: str = choice("truncated", paper="Eqs. (6) and (7)")
    pixels: float = choice(
        8.0,
        ours="the range is not given; this is the middle one of the seven that we tried",
        settings={k: f"pixels go up to {k:g}" for k in (1.0, 2.0, 4.0, 16.0, 32.0, 255.0)},
    )
    n_neighbors: int = choice(200, paper="K = 200")
    symmetric: str | None = choice(
        None,
        paper="i ∼ j if and only if x_i is among the K nearest neighbours of x_j: one-sided",
        sensitivity={
            "or": "frames are related if either is near the other",
            "and": "frames are related only if each is near the other",
        },
    )
    beta: float = choice(200.0, paper="β = 200")
    gamma: float = choice(1.0, paper="γ = 1")
    start: str = choice(
        "PCA",
        paper="“initializations based on the standard linear PCA”",
        sensitivity={
            "SVD": "the start is that of frames that are not centred",
            "random": "the start is noise",
        },
    )
    start_noise: float = choice(0.01, ours="times the start's standard deviation; none in seed 0")
    init_scale: float | None = choice(
        None,
        ours="the scores are not scaled",
        settings={1.0: "the start is scaled to a standard deviation of 1"},
    )
    descent: tuple = choice(
        ("conditional-scg", 200),
        paper="Sec. 3: conditional SCG with parallel updates; Sec. 4: at most 200 iterations",
        ours="SCG: scaled conjugate gradient; each point steps as if the others stood still",
        settings={("scg", 200): "all points move jointly"},
    )
    share_smiling: float = choice(
        0.25,
        ours="the share of frames that count as smiles: those with the highest expression",
        settings={
            0.125: "only an eighth of the frames count as smiles",
            0.5: "half of the frames count as smiles",
        },
    )


@cache
def load_pictures(name):
    """Load pictures, pixels 0–255, also as rows, and their turns, measured for the film."""
    if name == "Brendan":
        images = fetch_brendan().images
        turn = left_minus_right(images)
    elif name == "Isomap faces":
        heads = fetch_isomap_faces()
        images, turn = 255 * heads.images, heads.factors[:, heads.factor_names.index("pan")]
    elif name == "UMIST":  # the turn as a share of the views of each person
        views = fetch_umist()
        n_views = (views.labels[:, None] == views.labels).sum(axis=1)
        images, turn = shrunk(views.images), views.factors[:, 0] / n_views
    else:
        images, turn = lit(fetch_umist(name.removeprefix("UMIST ")))
    rows = images.reshape(len(images), -1).astype(float)
    return SimpleNamespace(name=name, images=images, rows=rows, turn=turn)


def shrunk(images):
    """Average squares of pixels."""
    n, h, w = images.shape
    return images.reshape(n, h // SHRUNK, SHRUNK, w // SHRUNK, SHRUNK).mean(axis=(2, 4))


def lit(views):
    """Show each view in lights of half to full strength; return the pictures and their turns."""
    images = np.repeat(shrunk(views.images), N_LIGHTS, axis=0)
    light = np.random.default_rng(0).uniform(0.5, 1.0, (len(images), 1, 1))
    return images * light, np.repeat(views.factors[:, 0], N_LIGHTS)


def scaled(pictures, pixels):
    """Return a picture per row, with white scaled to ``pixels`` for pictures of the film's size."""
    return pictures.rows * (pixels / 255 * np.sqrt(PIXELS / pictures.rows.shape[1]))


@without_warning()  # the fit stops after the paper's iterations, converged or not
def run(choices, seed):
    """Fit BRE from a start: ``pca``, the principal scores, with a little noise except in seed 0."""
    faces = load_pictures(choices.pictures)
    X = scaled(faces, choices.pixels)
    pca = start = principal_scores(X, choices.n_components)
    noise = pca.std() * np.random.default_rng(seed).normal(size=pca.shape)
    if choices.start == "SVD":  # the scores of frames that are not centred
        with one_blas_thread():
            U, s, _ = np.linalg.svd(X, full_matrices=False)
        start = U[:, : choices.n_components] * s[: choices.n_components]
    start = noise if choices.start == "random" else start + choices.start_noise * bool(seed) * noise
    options = options_of(BRE, choices) | descent_of(choices)
    options["n_neighbors"] = round(choices.n_neighbors * len(X) / FRAMES)
    bre = BRE(init=start, **options).fit(X)
    return SimpleNamespace(choices=choices, faces=faces, pca=pca, start=start, bre=bre)


def mouths(images):
    """Score the expression: the first principal component of the pixels around the mouth.

    Each cut-out has mean 0 and variance 1, so that light does not count. Few frames of the film
    score high: those in which Brendan smiles.
    """
    n, h, w = images.shape
    around = images[:, h * 17 // 28 : h * 25 // 28, w // 4 : 3 * w // 4].reshape(n, -1)
    around = around - around.mean(axis=1, keepdims=True)
    around /= np.maximum(around.std(axis=1, keepdims=True), 1.0)
    score = principal_scores(around, 1)[:, 0]
    return score * np.sign((score**3).mean())


def purest_block(points, smiling):
    """Find the largest share of smiles in a block of neighbours in the middle of an embedding."""
    from_middle = np.linalg.norm(points - np.median(points, axis=0), axis=1)
    near, _ = k_nearest(points, N_BLOCK, "exact")
    return smiling[near[from_middle <= np.median(from_middle)]].mean(axis=1).max()


@one_blas_thread()
def plane_fit(points, values):
    """Compute R², the share of the variance of a quantity that a linear fit explains."""
    X = centred(points) / (np.ptp(points, axis=0).max() or 1.0)  # the fit treats tiny columns as 0
    return LinearRegression().fit(X, values).score(X, values)


def neighbor_distance(points, data, k=10):
    """Compute the mean distance, in the data, to the k nearest neighbours in an embedding."""
    near, _ = k_nearest(points, k, "exact")
    return np.mean([np.linalg.norm(data[j] - data, axis=1).mean() for j in near.T])


def measure(run):
    """Measure a run.

    - *R²*: that of a plane fitted to the brightness, which is the mean pixel, or to the turn, which
      in the film is the brightness of the left half minus that of the right half;
    - *distance of neighbours*: the mean to the ten nearest in the embedding, in pixels 0–255;
    - *variance*: that of brightness, turn and, in the film, expression (see `mouths`) among ten
      neighbours, over that among all: 1 without smoothness; *largest variance*: that of these;
    - *smiles*: in the film, the largest share of smiling frames in a block of 24 neighbours in the
      middle of the embedding;
    - *PCA*: the trivial baseline, which is also the start of the fit, unless *start* is another.
    """
    faces, Y = run.faces, run.bre.embedding_
    attributes = {"brightness": ink(faces.images), "turn": faces.turn}
    if in_film := faces.name == "Brendan":  # nobody smiles in the other pictures
        attributes["expression"] = mouth = mouths(faces.images)
        smiling = mouth >= np.quantile(mouth, 1 - run.choices.share_smiling)
    spaces = {"BRE": Y, "PCA": run.pca, "start": run.start, "shuffled": shuffled(Y)}
    table = pd.DataFrame()
    for space, points in spaces.items():
        for k in ("brightness", "turn"):
            table.loc[f"R², {k}", space] = plane_fit(points, attributes[k])
        table.loc["distance of neighbours", space] = neighbor_distance(points, faces.rows)
        for k, values in attributes.items():
            table.loc[f"variance of {k}", space] = roughness(points, values, np.zeros(len(values)))
        if in_film:
            table.loc["smiles", space] = purest_block(points, smiling)
    table.loc["largest variance"] = table.filter(like="variance", axis=0).max()
    distance = table.loc["distance of neighbours"]
    table.loc["distance of neighbours over PCA"] = distance[["BRE", "shuffled"]] / distance["PCA"]
    table.loc["loss", "BRE"] = run.bre.loss_
    return table


FIT = names_of(Choices, but=("share_smiling",))
# The paper compares Figure 7 with no other method. Where the principal components, the start, meet
# the paper's words (b, c, e), the claim says so, and we ask separately what the fit adds: in b, c
# and d, a twentieth counts as more than the start.
claim = partial(Claim, rests_on=FIT)
CLAIMS = [
    claim(
        "bre-7a",
        "Sec. 4, p. 6, and Fig. 7 (a), p. 8",
        "the images in the lower part are much brighter than those in the upper part",
        [at_least("R², brightness", "BRE", 0.5)],
        words="the images in the lower part are much brighter",
        reason="a direction that explains half of the variance is one that one sees",
    ),
    claim(
        "bre-7b",
        "Fig. 7 (a), p. 8",
        "faces turn to the left in the left images, to the right in the right images: as on the "
        "principal components, the start",
        [at_least("R², turn", "BRE", 0.25)],
        words="faces in the left images are likely to turn to the left",
        reason="likely asks for less than bre-7a: a correlation of one half",
    ),
    question(
        "bre-7b-start",
        "Fig. 7 (a), p. 8",
        "the embedding shows the turn better than the principal components, its start",
        [more("R², turn", "BRE", than="PCA", by=0.05)],
        rests_on=FIT,
    ),
    claim(
        "bre-7c",
        "Sec. 4, p. 6, and Fig. 7 (b)–(e)",
        "images in the same local region are alike: as on the principal components, the start",
        [less("distance of neighbours over PCA", "BRE", than="shuffled", by=0.225)],
        words="images in the same local region possess similar attributes",
        reason="random neighbours are 1.45 times as far as at the start; half of the excess",
    ),
    question(
        "bre-7c-start",
        "Sec. 4, p. 6, and Fig. 7 (b)–(e)",
        "images in the same local region are more alike than on the principal components",
        [at_most("distance of neighbours over PCA", "BRE", 0.95)],
        rests_on=FIT,
    ),
    claim(
        "bre-7d",
        "Sec. 4, p. 6",
        "the faces are clustered in terms of pose, expression and lightness",
        [at_most("largest variance", "BRE", 0.5)],
        words="seems to cluster these faces in terms of … pose, expression and lightness",
        reason="as bre-6b, of each of the three",
    ),
    claim(
        "bre-7f",
        "Sec. 4, p. 6",
        "some attributes, brightness for one, change smoothly across the space",
        [at_most("variance of brightness", "BRE", 0.5)],
        words="some attributes of the images change smoothly across this embedded space",
        reason="as bre-6b",
    ),
    question(
        "bre-7d-start",
        "Sec. 4, p. 6",
        "the faces are clustered more than on the principal components, the start",
        [less("largest variance", "BRE", than="PCA", by=0.05)],
        rests_on=FIT,
    ),
    Claim(
        "bre-7e",
        "Fig. 7 (c), p. 8",
        # This is the best of many blocks, not the central one; by chance half of it smiles.
        "in some block of images in the inner half of the embedding Brendan smiles: as on the "
        "principal components",
        [at_least("smiles", "BRE", 0.8)],
        words="Images in the center sub-block. Brendan smiles.",
        reason="nearly all frames of a block; by chance half of the best block smiles",
        rests_on=(*FIT, "share_smiling"),
    ),
]
