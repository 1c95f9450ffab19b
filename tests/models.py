"""Estimators with their data, and layouts of an array, for several test files."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import repro

# Numbers that are exact in float32.
X = np.random.default_rng(5).normal(size=(14, 3)).astype(np.float32).astype(float)
OF_TRIPLETS = "tete", "tste", "ste", "ckl", "gnmds"
OF_POINTS = {
    "SNE": repro.SNE(),
    "BRE": repro.BRE(),
    "BRE truncated": repro.BRE(affinity="truncated", n_neighbors=3),
    "TwinKernelPCA": repro.TwinKernelPCA(),
    "KIE": repro.KIE(penalty=0.1),
    "WeightedTETE": repro.WeightedTETE(n_neighbors=4),
    "FastTETE": repro.FastTETE(n_neighbors=4, neighbors="exact"),
}
WITH_TRANSFORM = [name for name, model in OF_POINTS.items() if hasattr(model, "transform")]


def triplets_of(X):
    return repro.sample_per_point(X, 10, 4, rng=np.random.default_rng(0))


def relations_of(X, weight=1.0):
    similar = repro.gaussian_rows(X, include_self=True)
    classes = repro.class_blocks(np.arange(len(X)) % 2)
    return [repro.Relation(similar, weight=weight), repro.Relation(classes, weight=3 * weight)]


def affinities_of(X, weight=1.0):
    return [repro.AffinityRelation(repro.gaussian_kernel(X), weight=weight)]


# By name: a model, and a function of points that returns its data.
MODELS = {name: (model, lambda X: (X,)) for name, model in OF_POINTS.items()} | {
    "ConditionalKIE": (repro.ConditionalKIE(penalty=0.1), lambda X: (X, X)),
    "JointKIE": (repro.JointKIE(penalty=0.1), lambda X: (X, np.asarray(X)[:, :2])),
    "MRE": (repro.MRE(), lambda X: (relations_of(X),)),
    "MultipleBRE": (repro.MultipleBRE(), lambda X: (affinities_of(X),)),
    **{loss: (repro.TripletEmbedding(loss), lambda X: (triplets_of(X),)) for loss in OF_TRIPLETS},
}


def fit(name, X, **options):
    model, data_of = MODELS[name]
    options = {"max_iter": 5, "random_state": 0} | options
    return clone(model).set_params(**options).fit(*data_of(X))


def warned(f):
    """Return the warnings of a call, as texts."""
    with pytest.warns() as record:
        f()
    return [str(warning.message) for warning in record]


def strided(X):
    wide = np.zeros((2 * len(X), 2 * X.shape[1]))
    wide[::2, ::2] = X
    return wide[::2, ::2]


def read_only(X):
    X = X.copy()
    X.flags.writeable = False
    return X


LAYOUTS = {
    "Fortran order": np.asfortranarray,
    "every other entry": strided,
    "backwards": lambda X: X[::-1].copy()[::-1],
    "read-only": read_only,
    "other bytes first": lambda X: X.astype(">f8"),
    "float32": lambda X: X.astype(np.float32),
    "list": lambda X: X.tolist(),
    "frame": lambda X: pd.DataFrame(X, index=np.arange(len(X))[::-1]),
}
