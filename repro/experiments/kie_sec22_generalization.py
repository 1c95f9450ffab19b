"""KIE Sections 2.2, 2.3: maps to and from unseen points, and regression. No experiment there."""

from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
from scipy.interpolate import RBFInterpolator

from repro.claims import Claim, at_most, below, choice
from repro.core.distances import squared_distances
from repro.core.estimator import principal_scores
from repro.core.kernel_matrices import gaussian_kernel
from repro.core.optimize import minimize
from repro.datasets import fetch_coil20, make_s_curve, make_swiss_roll, make_twin_peaks
from repro.kie import KIE, annealing_schedule, inserted_map, reconstruction_loss
from repro.mre import kernel_smoother

PAPER, ITEM = "KIE", "Sec. 2.2"
REPEATS = 10  # of the primary reading; a run takes five seconds, and all starts end in one optimum
SHARES = {"λ": 1.0, "λ/2": 0.5}  # of the penalty of training, for unseen points
SETS = ("S-curve", "duck")  # elsewhere another surface or object goes by the same name
SPREADS = (0.5, 1.0, 2.0, 4.0)  # standard deviations, of starts and of a given embedding
SURFACES = {"S-curve": make_s_curve, "Swiss roll": make_swiss_roll, "twin peaks": make_twin_peaks}


@dataclass(frozen=True)
class Choices:
    """What the paper says, what we took, and what else it could have meant."""

    surface: str = choice(
        "S-curve",
        paper="Fig. 1",
        elsewhere={
            "Swiss roll": "a Swiss roll stands for the S-curve",
            "twin peaks": "a surface of two peaks and two hollows stands for the S-curve",
        },
    )
    n_points: int = choice(2000, paper="Fig. 1, S-curve")
    n_unseen: int = choice(500, ours="drawn with the others, not fitted")
    curve_bandwidth: float = choice(10.0, paper="Fig. 1")
    curve_power: int = choice(4, paper="Fig. 1")
    curve_schedule: tuple = choice((0.1, 0.8, 20), paper="Fig. 1: start, factor, steps")
    object: int = choice(
        1,
        ours="the duck of COIL-20, in a full turn of 72 views",
        elsewhere={
            3: "a car stands for the duck",
            4: "a cat stands for the duck",
            18: "a cup with a handle stands for the duck",
        },
    )
    held_out: tuple = choice(
        (3, 2),
        ours="of every three views two are fitted",
        others={
            (2, 1): "every second view is held out",
            (6, 1): "only every sixth view is fitted",
        },
    )
    duck_bandwidth: float = choice(3e7, paper="Fig. 4")
    duck_power: int = choice(2, paper="Fig. 4, L2 as in Sec. 2.1")
    duck_schedule: tuple = choice((1.0, 0.8, 10), paper="Fig. 4: start, factor, steps")
    n_components: int = choice(
        2,
        paper="of the S-curve two",
        ours="for the duck, too: a turn is a closed curve",
        others={3: "the latent space has three dimensions"},
    )
    tolerance: float = choice(1e-6, ours="a step ends when no entry of the gradient is larger")
    test_penalty: str = choice(
        "λ",
        paper="“transferred without change from the corresponding training problem”",
        ours="the last λ of training",
        others={"λ/2": "unseen points have half the penalty"},
    )
    placed_by: str = choice(
        "Eq. (9)",
        paper="Eq. (9)",
        others={"Eq. (7)": "an unseen point is inserted into Eq. (7), its neighbours' terms too"},
    )


class Unseen(NamedTuple):
    """A data set in two parts, and the true coordinates of each."""

    X: np.ndarray  # of the points fitted
    factors: np.ndarray
    X_unseen: np.ndarray
    factors_unseen: np.ndarray


class Fitted(NamedTuple):
    """What one run fits; each by data set."""

    choices: Choices
    data: dict  # Unseen
    models: dict  # KIE
    backward: dict  # g of the unseen points, by share of the penalty
    forward: dict  # f of g
    regression: np.ndarray  # the duck embedded by unsupervised kernel regression


@cache
def load_sets(surface, n_points, n_unseen, shown, held_out):
    """Return both data sets, in two parts each."""
    curve = SURFACES[surface](n_points + n_unseen, rng=0)
    if surface != "S-curve":  # as large as that, so that a bandwidth means the same
        variances = (s.X.var(axis=0).sum() for s in (make_s_curve(len(curve.X), rng=0), curve))
        curve = replace(curve, X=curve.X * np.sqrt(np.divide(*variances)))
    duck, views = fetch_coil20(objects=shown), np.arange(72)
    turn = 2 * np.pi * views / 72
    every, kept = held_out
    wholes = {
        "S-curve": (curve.X, curve.factors, np.arange(len(curve.X)) < n_points),
        "duck": (duck.X, np.column_stack([np.cos(turn), np.sin(turn)]), (views + 1) % every < kept),
    }
    return {
        name: Unseen(X[seen], factors[seen], X[~seen], factors[~seen])
        for name, (X, factors, seen) in wholes.items()
    }


def run(choices, seed):
    """Fit KIE to the points seen of both sets; map the unseen ones there and back."""
    c = choices
    data = load_sets(c.surface, c.n_points, c.n_unseen, c.object, c.held_out)
    options = {
        "S-curve": (c.curve_bandwidth, c.curve_power, c.curve_schedule),
        "duck": (c.duck_bandwidth, c.duck_power, c.duck_schedule),
    }
    models, backward, forward = {}, {}, {}
    for name, (bandwidth, power, schedule) in options.items():
        model = models[name] = KIE(
            choices.n_components,
            bandwidth=bandwidth,
            power=power,
            penalty=annealing_schedule(*schedule),
            optimizer_options={"gtol": choices.tolerance},
            random_state=seed,
        ).fit(data[name].X)
        unseen, penalty = data[name].X_unseen, model.penalties_[-1]
        backward[name] = {
            k: place(choices, model, unseen, share * penalty) for k, share in SHARES.items()
        }
        forward[name] = model.inverse_transform(backward[name][choices.test_penalty])
    regression = fit_regression(unit_variance(data["duck"].X), models["duck"].embedding_, seed)
    return Fitted(choices, data, models, backward, forward, regression)


def place(choices, model, unseen, penalty):
    """Place unseen points in the latent space of a model."""
    if choices.placed_by == "Eq. (9)":
        return model.transform(unseen, penalty)
    X = model.X_fit_
    K_test, K = (
        gaussian_kernel(D2=squared_distances(Y, X), bandwidth=model.bandwidth_) for Y in (unseen, X)
    )
    return inserted_map(K_test, K, model.embedding_, penalty, model.power)


def unit_variance(X):
    """Turn images into as few numbers as tell them apart, and scale their variance to 1."""
    Y = principal_scores(X, len(X) - 1)
    return Y / np.sqrt(Y.var(axis=0).sum())


def fit_regression(Y, Z, seed):
    """Fit unsupervised kernel regression from several starts, an embedding Z among them."""
    rng, scores = np.random.default_rng(seed), principal_scores(Y, Z.shape[1])
    starts = [scores / scores.std(), *rng.normal(size=(5, *Z.shape))]
    fits = [
        minimize(lambda z: reconstruction_loss(z, Y), start, "l-bfgs", max_iter=500)
        for start in (Z, *(spread * start for start in starts for spread in SPREADS))
    ]
    return min(fits, key=lambda fit: fit.value).x


def unexplained(Z, Y):
    """Compute the leave-one-out error of the regression of Y on Z, at the best spread of Z."""
    return min(reconstruction_loss(k * Z, Y)[0] for k in np.geomspace(0.25, 16, 49))


def mapped(fitted, name):
    """Return the latent places of unseen points, and their data mapped back, by each method."""
    (X, _, unseen, _), model = fitted.data[name], fitted.models[name]
    places, Z = fitted.backward[name], model.embedding_
    z = places[fitted.choices.test_penalty]
    nearest = squared_distances(unseen, X).argmin(axis=1)
    at_random = np.random.default_rng(0).integers(len(X), size=len(unseen))
    backward = {
        "g": z,
        **{f"g with {k}": place for k, place in places.items()},
        "nearest": Z[nearest],
        "random": Z[at_random],
        "centre": Z.mean(axis=0),
    }
    forward = {
        "f": fitted.forward[name],
        "smoother": kernel_smoother(Z, X, z, 1.0),
        "nearest": X[nearest],
        "random": X[at_random],
        "centre": X.mean(axis=0),
    }
    return backward, forward


def measure(fitted):
    """Measure a run.

    - *error*: of the backward map, the mean distance from the true place of an unseen point, in
      latent bandwidths. That is where the training points around it lie: their latent points,
      interpolated at its true coordinates;
    - *squared error*: of the forward map, the mean square per entry of f(g(y)) less y;
    - *nearest*, *random*, *centre*: what the training point nearest to y, one at random and the
      mean of all have in place of g or f; *over*: a ratio of two errors;
    - *unexplained*: the leave-one-out error of a kernel regression of the images fitted on their
      latent places, as a share of the variance; *by regression*: of places that minimise it.
    """
    values = {"loss": sum(model.loss_ for model in fitted.models.values())}
    for name in SETS:
        _, factors, unseen, factors_unseen = fitted.data[name]
        Z, (backward, forward) = fitted.models[name].embedding_, mapped(fitted, name)
        true_place = RBFInterpolator(factors, Z, neighbors=min(25, len(Z)))(factors_unseen)
        errors = {k: np.linalg.norm(z - true_place, axis=1).mean() for k, z in backward.items()}
        squared = {k: ((y - unseen) ** 2).mean() for k, y in forward.items()}
        for of, what, found in (("g", "error", errors), ("f", "squared error", squared)):
            values |= {f"{name}: {what} of {k}": error for k, error in found.items()}
            for k, rival in product((of, "random"), ("nearest", "centre")):
                values[f"{name}: {what} of {k} over {rival}"] = found[k] / found[rival]
    Y, Z = unit_variance(fitted.data["duck"].X), fitted.models["duck"].embedding_
    spaces = {"KIE": Z, "KIE, shuffled": np.random.default_rng(0).permutation(Z)}
    least = reconstruction_loss(fitted.regression, Y)[0]
    values["duck: unexplained by regression"] = least
    for k, points in spaces.items():
        values[f"duck: unexplained by {k}"] = unexplained(points, Y)
        values[f"duck: unexplained by {k}, over regression"] = unexplained(points, Y) / least
    return values


def embedding(fitted):
    """Return what is drawn of a run: the S-curve."""
    return fitted.models["S-curve"].embedding_


def over(rival, what, of, bound):
    """Ask, on both sets, that an error be at most a multiple of a rival's."""
    return [
        at_most(
            f"{name}: {what} of {of} over {rival}",
            bound,
            chance=f"{name}: {what} of random over {rival}",
        )
        for name in SETS
    ]


INVENTED = (
    "an error below that of the nearest training point, a rival that the paper does not name; "
    "this is asked apart"
)
NO_SIZE = "an error below that of the nearest training point, by however little"
CLAIMS = [
    Claim(
        "kie-22a",
        "an embedding generalises to unseen inputs",
        "Secs. 1, 2.2",
        over("centre", "error", "g", 0.5),
        was=INVENTED,
    ),
    Claim(
        "kie-22a-nearest",
        "the backward map places an unseen point better than the nearest training point does",
        "Sec. 2.2",
        over("nearest", "error", "g", 0.9),
        by="us",
        was=NO_SIZE,
    ),
    Claim(
        "kie-22b",
        "an embedding generalises to unseen latent points",
        "Secs. 1, 2.2",
        over("centre", "squared error", "f", 0.5),
        was=INVENTED,
    ),
    Claim(
        "kie-22b-nearest",
        "f(g(y)) is nearer to y than the nearest training point is",
        "Sec. 2.2",
        over("nearest", "squared error", "f", 0.9),
        by="us",
        was=NO_SIZE,
    ),
    Claim(
        "kie-22c",
        "restrictions on the latent power are transferred without change from training",
        "Sec. 2.2",
        [
            below(
                f"{name}: error of g with λ",
                f"{name}: error of g with λ/2",
                0,
                chance=f"{name}: error of random",
            )
            for name in SETS
        ],
        was="the same; but it was not among the criteria set down before the runs",
    ),
    Claim(
        "kie-23a",
        "without side information KIE is a kind of nonparametric regression on latent variables",
        "Secs. 1, 2.3",
        [at_most("duck: unexplained by KIE", 0.5, chance="duck: unexplained by KIE, shuffled")],
    ),
    Claim(
        "kie-23b",
        "KIE reconstructs the images nearly as well as unsupervised kernel regression, which "
        "minimises the error of reconstruction",
        "Sec. 2.3",
        [
            at_most(
                "duck: unexplained by KIE, over regression",
                1.25,
                chance="duck: unexplained by KIE, shuffled, over regression",
            )
        ],
        by="us",
    ),
]
