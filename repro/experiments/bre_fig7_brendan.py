"""BRE Figure 7: frames of a film of one face, by brightness and by the turn of the head.

The fit starts from the principal components, without randomness: seed 0 is the paper's fit. Each
other seed adds noise to the start, a hundredth as wide. After 200 iterations no fit has settled, so
the losses differ by several percent; but the embeddings are one and the same up to about a
thousandth of their variance: under the primary reading the seeds are one observation, whatever the
losses say.
"""

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from repro.bre import BRE
from repro.claims import Claim, above, at_least, at_most, below, choice
from repro.core.blas import one_blas_thread
from repro.core.estimator import principal_scores
from repro.core.neighbors import k_nearest
from repro.datasets import fetch_brendan, fetch_coil20, fetch_isomap_faces, fetch_umist
from repro.measures import ink, left_less_right, neighbor_distance, plane_fit, roughness

PAPER, ITEM = "BRE", "Fig. 7"
REPEATS = 20  # of the primary reading; a run takes less than three seconds
FRAMES, PIXELS = 1965, 560  # of the film; K and the scale of other pictures are in proportion
SHRUNK = 4  # pixels a side of other pictures that become one
N_LIGHTS = 20  # in which each view of a turning person or thing is shown
N_BLOCK = 24  # pictures in a block, as many as the enlarged ones of Fig. 7 may hold


@dataclass(frozen=True)
class Choices:
    """What the paper says, what we took, and what else it could have meant."""

    # Chosen before any run on them. A sceptic asks for pictures of which light and turn are known:
    # a drawn head, many persons, and persons and a thing that turn while the light is changed.
    pictures: str = choice(
        "Brendan",
        paper="Brendan's face, 1965 images of 28 × 20 pixels",
        elsewhere={
            "Isomap faces": "a drawn head in changing light, its pan known",
            "UMIST": "twenty persons who turn",
            "UMIST s": "one person (s of UMIST) who turns in twenty lights",
            "UMIST a": "another person (a of UMIST) who turns in twenty lights",
            "COIL duck": "a duck that makes half a turn in twenty lights",
        },
    )
    n_components: int = choice(2, paper="two dimensions")
    affinity_and_pixels: tuple = choice(
        ("truncated", 16.0),
        paper="Eqs. (6) and (7)",
        ours="the brightest pixel counts 16; by these equations the scale kindest to b and c",
        others={
            ("truncated", 1.0): "pixels are scaled to 0–1",
            ("truncated", 4.0): "pixels are scaled to 0–4",
            ("truncated", 8.0): "pixels are scaled to 0–8",
            ("truncated", 32.0): "pixels are scaled to 0–32",
            ("truncated", 255.0): "pixels are taken as they are, 0–255",
            ("gaussian", 16.0): "Eq. (3) holds for all pairs",
            ("gaussian", 4.0): "Eq. (3) holds for all pairs, of pixels scaled to 0–4",
            ("contrast", 16.0): "Eq. (5) takes the place of Eq. (6)",
            ("contrast", 1.0): "Eq. (5) takes the place of Eq. (6), of pixels scaled to 0–1",
        },
    )
    n_neighbors: int = choice(200, paper="K = 200")
    symmetric: str | None = choice(
        None,
        paper="i ∼ j if and only if x_i is among the K nearest neighbours of x_j",
        ours="one-sided, as printed",
        others={
            "or": "frames are related if either is near the other",
            "and": "frames are related only if each is near the other",
        },
    )
    beta: float = choice(200.0, paper="β = 200")
    gamma: float = choice(1.0, paper="γ = 1")
    start: str = choice(
        "PCA",
        paper="“initializations based on the standard linear PCA”",
        ours="of centred frames",
        others={
            "SVD": "the start is that of frames that are not centred",
            "random": "the start is random",
        },
    )
    start_noise: float = choice(
        0.01, ours="of the standard deviation of the start, in all seeds but 0"
    )
    init_scale: float | None = choice(
        None,
        ours="the scores as they are",
        others={1.0: "the start is scaled to a standard deviation of 1"},
    )
    descent: tuple = choice(
        ("scg", 200),
        paper="SCG, at most 200 iterations",
        ours="of all points jointly",
        others={
            ("conditional-scg", 100): "each point moves given the others, in 100 rounds",
            ("scg", 1000): "1000 iterations are made",
        },
    )


class Fitted(NamedTuple):
    """What one run fits."""

    faces: object  # `Pictures`
    start: np.ndarray  # (n, 2) the principal component scores
    init: np.ndarray  # (n, 2) what the fit started from
    bre: BRE


class Pictures(NamedTuple):
    """Pictures, and how far each is turned."""

    images: np.ndarray  # (n, h, w) pixels 0–255
    turn: np.ndarray  # (n,)

    @property
    def rows(self):
        """One picture per row."""
        return self.images.reshape(len(self.images), -1).astype(float)


load_faces = cache(fetch_brendan)


@cache
def load_pictures(name):
    """Load pictures with their turn: of the film, its measure; of others it is known."""
    if name == "Brendan":
        images = load_faces().images
        return Pictures(images, left_less_right(images))
    if name == "Isomap faces":
        heads = fetch_isomap_faces()
        return Pictures(255 * heads.images, heads.factors[:, 1])
    if name == "UMIST":
        faces = fetch_umist()
        count = {person: (faces.labels == person).sum() for person in np.unique(faces.labels)}
        turn = faces.factors[:, 0] / [count[person] for person in faces.labels]
        return Pictures(shrunk(faces.images), turn)
    if name == "COIL duck":
        return lit(fetch_coil20(1, range(37)))
    return lit(fetch_umist(name[-1]))


def shrunk(images):
    """Average squares of pixels."""
    n, h, w = images.shape
    return images.reshape(n, h // SHRUNK, SHRUNK, w // SHRUNK, SHRUNK).mean(axis=(2, 4))


def lit(views):
    """Show each of some views in lights of half to full strength; the turn is the view's factor."""
    images = np.repeat(shrunk(views.images), N_LIGHTS, axis=0)
    light = np.random.default_rng(0).uniform(0.5, 1.0, (len(images), 1, 1))
    return Pictures(images * light, np.repeat(views.factors[:, 0], N_LIGHTS))


def scaled(pictures, pixels):
    """Return a picture per row, the brightest pixel being so much in one of the film's size."""
    X = pictures.rows
    return X * (pixels / 255 * np.sqrt(PIXELS / X.shape[1]))


def uncentred_scores(X, n_components):
    """Compute what `principal_scores` does, of rows of X that are not centred."""
    with one_blas_thread():
        U, s, _ = np.linalg.svd(X, full_matrices=False)
    return U[:, :n_components] * s[:n_components]


def run(choices, seed):
    """Fit BRE from the principal components; but for seed 0, with a little noise."""
    faces, (affinity, pixels) = load_pictures(choices.pictures), choices.affinity_and_pixels
    X = scaled(faces, pixels)
    start = principal_scores(X, choices.n_components)
    noise = start.std() * np.random.default_rng(seed).normal(size=start.shape)
    init = uncentred_scores(X, choices.n_components) if choices.start == "SVD" else start
    init = noise if choices.start == "random" else init + choices.start_noise * bool(seed) * noise
    optimizer, max_iter = choices.descent
    bre = BRE(
        choices.n_components,
        affinity=affinity,
        n_neighbors=round(choices.n_neighbors * len(faces.images) / FRAMES),
        symmetric=choices.symmetric,
        beta=choices.beta,
        gamma=choices.gamma,
        init=init,
        init_scale=choices.init_scale,
        optimizer=optimizer,
        max_iter=max_iter,
    )
    return Fitted(faces, start, init, bre.fit(X))


def mouths(images):
    """Score the expression: the main way in which what is around the mouth differs.

    The first principal component of the lower middle of the pictures, each with mean 0 and
    variance 1, so that light does not count. Large where most pictures are not: in the film, where
    he smiles.
    """
    n, h, w = images.shape
    middle = images[:, h * 17 // 28 : h * 25 // 28, w // 4 : 3 * w // 4]
    around = middle.reshape(n, -1).astype(float)
    around -= around.mean(axis=1, keepdims=True)
    around /= np.maximum(around.std(axis=1, keepdims=True), 1.0)
    score = principal_scores(around, 1)[:, 0]
    return score * np.sign((score**3).mean())


def purest_block(points, smiling):
    """Find the largest share of smiles in a block of neighbours in the middle of an embedding."""
    from_middle = np.linalg.norm(points - np.median(points, axis=0), axis=1)
    near, _ = k_nearest(points, N_BLOCK, "exact")
    return smiling[near[from_middle <= np.median(from_middle)]].mean(axis=1).max()


def measure(fitted):
    """Measure a run.

    - *R², brightness*, *turn*: of a plane over the embedding, fitted to the mean pixel of each
      frame, and to the brightness of its left half less that of its right half;
    - *distance of neighbours*: of a frame, in pixel values 0–255, to its ten nearest neighbours on
      the embedding, on average;
    - *variance*: of brightness, turn and expression (see `mouths`) among ten neighbours, over its
      variance among all: 1 if it does not vary smoothly; *largest variance*: of the three;
    - *smiles*: their share, of the quarter of frames with the largest expression, in the block of
      24 neighbours in the middle of the embedding that has most of them.

    PCA is the start of the fit, the trivial baseline, unless *start* is another.
    """
    faces, start, init, bre = fitted
    shuffled = np.random.default_rng(0).permutation(bre.embedding_)
    mouth = mouths(faces.images)
    attributes = {"brightness": ink(faces.images), "turn": faces.turn, "expression": mouth}
    values = {"loss": bre.loss_}
    spaces = {"BRE": bre.embedding_, "PCA": start, "start": init, "shuffled": shuffled}
    for name, points in spaces.items():
        for k in ("brightness", "turn"):
            values[f"R², {k}, {name}"] = plane_fit(points, attributes[k])
        values[f"distance of neighbours, {name}"] = neighbor_distance(points, faces.rows)
        rough = {k: roughness(points, v, np.zeros(len(v))) for k, v in attributes.items()}
        values |= {f"variance of {k}, {name}": v for k, v in rough.items()}
        values[f"largest variance, {name}"] = max(rough.values())
        values[f"smiles, {name}"] = purest_block(points, mouth >= np.quantile(mouth, 0.75))
    distance = {name: values[f"distance of neighbours, {name}"] for name in spaces}
    for name in ("BRE", "shuffled"):
        values[f"distance of neighbours, {name} over PCA"] = distance[name] / distance["PCA"]
    return values


def embedding(fitted):
    """Return what is drawn of a run."""
    return fitted.bre.embedding_


VARIANCE_BY_CHANCE = "largest variance, shuffled"
CLAIMS = [
    Claim(
        "bre-7a",
        "the images in the lower part are much brighter than those in the upper part",
        "Sec. 4, Fig. 7",
        [at_least("R², brightness, BRE", 0.5, chance="R², brightness, shuffled")],
    ),
    Claim(
        "bre-7b",
        "faces turn to the left in the left images, to the right in the right images",
        "Sec. 4, Fig. 7",
        [at_least("R², turn, BRE", 0.3, chance="R², turn, shuffled")],
        was="at least PCA's R²; then 0.05 more, which the paper does not say (now bre-7b-start)",
    ),
    Claim(
        "bre-7b-start",
        "the embedding shows the turn better than the principal components, its start",
        "Sec. 4, Fig. 7",
        [above("R², turn, BRE", "R², turn, PCA", 0.05, chance="R², turn, shuffled")],
        by="us",
        was="a part of bre-7b",
    ),
    Claim(
        "bre-7c",
        "images in the same local region possess similar attributes",
        "Sec. 4, Fig. 7",
        [
            at_most(
                "distance of neighbours, BRE over PCA",
                0.95,
                chance="distance of neighbours, shuffled over PCA",
            )
        ],
        was="smaller than PCA's by any amount; then by 30, a twentieth of PCA's, now asked as a "
        "share, as pictures elsewhere have another contrast",
    ),
    Claim(
        "bre-7d",
        "the faces are clustered in terms of pose, expression and lightness",
        "Sec. 4",
        [
            at_most("largest variance, BRE", 0.5, VARIANCE_BY_CHANCE),
            below("largest variance, BRE", "largest variance, PCA", 0.05, VARIANCE_BY_CHANCE),
        ],
    ),
    Claim(
        "bre-7e",
        "in a block of images in the centre Brendan smiles",
        "Fig. 7 (c)",
        [at_least("smiles, BRE", 0.8, chance="smiles, shuffled")],
    ),
]
