"""BRE with several relations, which the paper proposes in its last sentence without experiments.

As in `repro.mre`, all relations share one embedding, and each has its own metric, the diagonal of a
matrix R^c. Only the divergence differs: BRE's instead of SNE's.
"""

from dataclasses import KW_ONLY, dataclass
from functools import partial

import numpy as np

from repro.bre.loss import BernoulliRelation, bre_value_and_gradient
from repro.core.backend import choose_backend
from repro.core.checks import check_outcome, check_positive
from repro.core.estimator import as_estimator
from repro.mre.model import RelationalEstimator, check_space, loss_in_parts
from repro.mre.relations import Relation, check_relations


@dataclass(frozen=True, eq=False)
class AffinityRelation(Relation):
    """One relation given by affinities, over all points or some of them. BRE Sec. 5.

    Parameters
    ----------
    P : (m, m) array or scipy.sparse
        Bernoulli affinities in [0, 1], as R in `repro.bre_loss`; rows need not sum to 1.
    index, name, weight, metric
        See `repro.Relation`.
    """

    def prepared(self, what):
        """Check P, named ``what`` in messages; return the attributes to set."""
        similarities = BernoulliRelation(self.P, what)
        return {"similarities": similarities, "P": similarities.R}

    @property
    def share(self):
        """Weight divided by the number of pairs, since each loss is a mean over its pairs."""
        return self.weight / self.similarities.n_pairs


def multiple_bre_loss(Y, M, relations, gamma=1.0, backend=None):
    """Sum BRE's losses over several relations, each a mean over its ordered pairs. BRE Sec. 5.

    Parameters
    ----------
    Y, M, relations
        The embedding, the diagonals of the metrics, and AffinityRelations, as X, R and relations in
        `repro.mre_loss`.
    gamma, backend
        See `repro.bre_loss`.

    Returns
    -------
    E : float
        In nats.
    dY : (n, d) float64 array
    dM : (C, d) float64 array
    """
    relations = check_relations(relations, AffinityRelation)
    Y, M = check_space(Y, M, relations, names=("Y", "M"))
    gamma, backend = check_positive(gamma, "gamma"), choose_backend(backend, Y.shape[1])
    loss = partial(bre_value_and_gradient, gamma=gamma, backend=backend)
    return check_outcome(loss_in_parts(Y, M, relations, loss), "Y or M")


@as_estimator
class MultipleBRE(RelationalEstimator):
    """Bernoulli Relational Embedding with several relations. BRE Sec. 5.

    Parameters
    ----------
    n_components : int
        Number of dimensions of the embedding.
    gamma : float
        The width γ of the embedding, in its squared units.
    init_scale : float
        Standard deviation of the normal start, in units of √γ, and of the noise around 1 at which
        the metrics start.

    Attributes
    ----------
    metrics_ : (C, d) float64 array
        The diagonals of the R^c; ones where the metric is fixed.
    relations_ : tuple of Relation
    result_ : repro.core.optimize.Result
        In its ``x``, the rows of the embedding come before those of the diagonals.
    """

    n_components: int = 2
    _: KW_ONLY
    gamma: float = 1.0
    optimizer: str = "scg"
    max_iter: int = 500

    _kind, _origin = AffinityRelation, 1.0
    _peak, _peak_per_relation = (2, 12.2), (1, 6)

    def _relation_loss(self, relations):
        """Return BRE Eq. (2) without checks, as a function of Z and the affinities."""
        return partial(bre_value_and_gradient, gamma=1.0, backend=self._choose_backend())

    @property
    def _length(self):
        """√γ, the unit of the embedding, but not of the diagonals."""
        return np.sqrt(check_positive(self.gamma, "gamma"))
