"""The checks of the exercises of BRE Figure 5."""

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist

from repro.bre import bernoulli_truncated, bre_loss, neighbor_graph
from repro.experiments import bre_fig5_manifolds as experiment
from repro.workbench.lessons import agrees

SEED = 390597  # the run of record of median order
FEW = experiment.Choices(n_points=400, n_neighbors=40)


def is_right_1(strangers):
    """Check the share of the twelve nearest points that are unrelated: of a map and `related`."""
    X = experiment.draw("S-curve", FEW, SEED).points
    Y = experiment.principal_scores(X, 2)
    related = np.asarray(neighbor_graph(X, 40))
    order = np.argsort(cdist(Y, Y), axis=1)

    def share(either, columns):
        return 1 - np.take_along_axis(either, order[:, columns], axis=1).mean()

    found, both, near = strangers(Y, related), related | related.T, slice(1, 13)
    usual = {1 - share(both, near): "the share that is related"}
    usual |= {
        share(way, near): "too many: i ~ j or j ~ i is enough" for way in (related, related.T)
    }
    usual |= {share(both, slice(12)): "the share with each point among its own neighbours"}
    return agrees(found, share(both, near), digits=6, usual=usual)


def is_right_2(ratio):
    """Check how many times as wide a map is if β is four times as large."""
    usual = {2: "the factor the other way round", 0.25: "the factor of the squared lengths"}
    usual |= {4: "the factor of β", 1: "no change: what happens to a rest length?"}
    return agrees(ratio, 0.5, usual=usual)


def is_right_3(loss):
    """Check the loss without shortcuts, from the true map."""
    few = experiment.draw("S-curve", FEW, SEED)
    R = bernoulli_truncated(few.points, FEW.beta, neighbor_graph(few.points, 40)).tocoo()
    i, j = R.coords
    keep = few.along[i, j] <= 2 * np.linalg.norm(few.points[i] - few.points[j], axis=1)
    kept = csr_array((R.data[keep], (i[keep], j[keep])), shape=R.shape)

    def loss_at_end(start, R):
        def of(y):
            value, gradient = bre_loss(y.reshape(-1, 2), R)
            return value, np.ravel(gradient)

        options = {"maxiter": 1000}
        return minimize(of, np.ravel(start), jac=True, method="L-BFGS-B", options=options).fun

    flat = few.factors / np.sqrt(FEW.beta)
    usual = {loss_at_end(flat, R.tocsr()): "the loss with the shortcuts"}
    usual |= {loss_at_end(experiment.principal_scores(few.points, 2), kept): "the loss from PCA"}
    return agrees(loss, loss_at_end(flat, kept), usual=usual)
