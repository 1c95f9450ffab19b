"""Isomap's faces, related by pose, light, ink and pixels, with few of them labelled."""

from functools import cache, partial

import numpy as np
import pandas as pd
from scipy.stats import zscore

from repro.datasets import fetch_isomap_faces
from repro.measures import axis_shares
from repro.mre import Relation, gaussian_rows

NAMES = ["Pose1", "Pose2", "Lighting", "Ink"]


@cache
def load_faces():
    """Fetch the faces and their standardised factors: pan, tilt, light, and the sum of pixels."""
    faces = fetch_isomap_faces()
    columns = [faces.factors[:, faces.factor_names.index(k)] for k in ("pan", "tilt", "light")]
    return faces, zscore(np.stack([*columns, faces.X.sum(axis=1)], axis=1))


def split(n, n_labelled, seed):
    """Split the indices of n faces at random into those of labelled faces and those of others."""
    order = np.random.default_rng(seed).permutation(n)
    return order[:n_labelled], np.sort(order[n_labelled:])


def relations_of(faces, factors, labelled, choices, sigma2=1.0, sigma2_pixels=1.0, weight=1.0):
    """Relate the labelled faces by each factor, and all faces by their pixels.

    The chosen bandwidths, and the λ of the factors, 1, are multiplied by the given numbers.
    """
    rows = partial(gaussian_rows, include_self=choices.include_self)
    affinities = [rows(values[:, None], choices.sigma2 * sigma2) for values in factors[labelled].T]
    named = [
        Relation(P, index=labelled, name=name, weight=weight)
        for name, P in zip(NAMES, affinities, strict=True)
    ]
    return [*named, Relation(rows(faces.X, choices.sigma2_pixels * sigma2_pixels), name="Eucl")]


def shares(model, labelled):
    """Return the share of each dimension in each metric, over the points of its relation."""
    X, R = model.embedding_, model.metrics_
    return np.vstack([axis_shares(R[:4], X[labelled]), axis_shares(R[4:], X)])


def dimension_scores(models, labelled):
    """Measure how far each relation has a dimension of its own, in each of some models."""
    table = {}
    for space, model in models.items():
        share = shares(model, labelled)
        table["equal shares"] = {"own share": 1 / share.shape[1]}
        table[space] = {
            "own dimensions": len(set(share[:4].argmax(axis=1).tolist())),
            "own share": share[:4].max(axis=1).min(),
            "smallest share": share[4].min(),
        }
        table[f"{space}, labelled"] = {"smallest share": share[:4].min(axis=1).max()}
    return pd.DataFrame(table)


def read_along(model, run):
    """Return the unlabelled faces along the dimension of each of the four relations."""
    return model.embedding_[run.others][:, shares(model, run.labelled)[:4].argmax(axis=1)]
