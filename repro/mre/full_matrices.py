"""MRE with full matrices R^c; the paper restricts them to diagonal ones. MRE Sec. 2."""

from typing import NamedTuple

import numpy as np
from scipy.linalg import eigh

from repro.core.optimize import anneal, as_generator
from repro.mre.relations import check_relations
from repro.mre.sne import sne_loss


class FullMRE(NamedTuple):
    """An embedding with full matrices: relation c transforms a row x of X to x R^c."""

    X: np.ndarray  # (n, d)
    R: np.ndarray  # (C, d, d)
    loss: float


def full_matrices_loss(X, R, relations, include_self=True):
    """Compute the loss of MRE with full matrices, Eqs. (3), (4) and (7), and its gradients.

    As `repro.mre.mre_loss`, but R and its gradient are (C, d, d).
    """
    E, dX, dR = 0.0, np.zeros_like(X), np.zeros_like(R)
    for c, relation in enumerate(relations):
        own = X[relation.rows]
        value, dZ = sne_loss(own @ R[c], relation.similarities, include_self)
        E += relation.weight * value
        dX[relation.rows] += relation.weight * dZ @ R[c].T  # Z = X R^c: the chain rule
        dR[c] = relation.weight * own.T @ dZ
    return E, dX, dR


def fit_full_matrices(
    relations,
    n_components,
    *,
    include_self=True,
    init_scale=0.1,
    n_init=1,
    optimizer="cg",
    max_iter=200,
    random_state=None,
):
    """Learn an embedding and full matrices, a FullMRE, with the parameters of `repro.MRE`."""
    relations, d = check_relations(relations), n_components
    if any(relation.metric == "identity" for relation in relations):
        raise ValueError("relations must not have metric='identity': all matrices are learned")
    n = max(relation.n_points for relation in relations)
    shape = n + len(relations) * d, d

    def unpacked(x):
        return x[:n], x[n:].reshape(-1, d, d)

    def objective(x):
        E, dX, dR = full_matrices_loss(*unpacked(x), relations, include_self)
        return E, np.concatenate([dX, dR.reshape(-1, d)])

    options = {"n_init": n_init, "method": optimizer, "max_iter": max_iter}
    options["rng"] = as_generator(random_state)
    options["unit"] = float(np.mean([relation.weight for relation in relations]))
    (best,) = anneal([objective], lambda rng: init_scale * rng.standard_normal(shape), **options)
    return FullMRE(*unpacked(best.x), best.value)


def diagonal_equivalent(X, R):
    """Find a basis of X in which two full matrices become diagonal, with unchanged distances.

    Distances depend only on R^c R^cᵀ, and two such quadratic forms have a common basis. From X,
    (n, d), and R, (2, d, d), return the new X and the diagonals, (2, d), whose squares sum to 1.
    """
    first, second = R @ R.transpose(0, 2, 1)
    values, V = eigh(second, first + second)
    return X @ (first + second) @ V, np.sqrt(np.clip([1 - values, values], 0, None))
