"""BRE with several relations, which the paper proposes in its last sentence without experiments.

As in `repro.mre`, all relations share one embedding, and each has its own metric, the diagonal of a
matrix R^c. Only the divergence differs: BRE's instead of SNE's.
"""

from dataclasses import KW_ONLY, dataclass
from functools import partial

from repro.bre.loss import BernoulliRelation, bre_value_and_gradient
from repro.bre.model import ScaledEstimator
from repro.core.backend import choose_backend
from repro.core.checks import check_outcome, check_positive
from repro.core.estimator import as_estimator
from repro.mre.model import RelationalEstimator, check_space, loss_in_parts
from repro.mre.relations import Relation, check_relations


@dataclass(frozen=True, eq=False)
class AffinityRelation(Relation):
    """One relation given by affinities, over all points or some of them. BRE Sec. 5.

    P, (m, m), dense or scipy.sparse, is in [0, 1], as R in `repro.bre_loss`; the sums of its rows
    are free. For the other arguments see `repro.Relation`.
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
    """Sum BRE's losses over several relations, each ¼ of the mean over its ordered pairs.

    BRE Sec. 5.

    Y and M are the embedding and the diagonals of the metrics, as X and R in `repro.mre_loss`, and
    relations a sequence of AffinityRelation; for gamma and backend see `repro.bre_loss`. Return the
    loss in nats and its gradients, (n, d) and (C, d).
    """
    relations = check_relations(relations, AffinityRelation)
    Y, M = check_space(Y, M, relations, names=("Y", "M"))
    gamma, backend = check_positive(gamma, "gamma"), choose_backend(backend, Y.shape[1])
    loss = partial(bre_value_and_gradient, gamma=gamma, backend=backend)
    return check_outcome(loss_in_parts(Y, M, relations, loss), "Y or M")


@as_estimator
class MultipleBRE(RelationalEstimator, ScaledEstimator):
    """Bernoulli Relational Embedding with several relations. BRE Sec. 5.

    Parameters
    ----------
    init_scale : float
        Standard deviation of the normal start, in units of √γ, and of the noise around 1 at which
        the metrics start.
    """

    n_components: int = 2
    _: KW_ONLY
    optimizer: str = "scg"
    max_iter: int = 500

    _kind, _origin = AffinityRelation, 1.0
    _peak, _peak_per_relation = (2, 12.2), (1, 6)

    def _relation_loss(self, relations):
        return partial(bre_value_and_gradient, gamma=1.0, backend=self._choose_backend())
