"""t-Exponential Triplet Embedding, and the methods it is compared with: GNMDS, CKL, STE and t-STE.

Amid, Vlassis & Warmuth, 2016. In the paper's order: `triplets` holds Eq. (1), `deformed` Eqs.
(3)–(6), `losses` Eqs. (7)–(12), `embedding` their estimator; `sampling`, `weights`, `groups`
and `weighted` are the dimensionality reduction of Sec. 6, `fast` is its fast preset.
"""

from repro.tete.deformed import (
    authors_temperature as authors_temperature,
    exp_t as exp_t,
    forgetting_factor as forgetting_factor,
    log_t as log_t,
    robust_transformation as robust_transformation,
)
from repro.tete.embedding import TripletEmbedding as TripletEmbedding
from repro.tete.fast import FastTETE as FastTETE
from repro.tete.losses import (
    TripletLoss as TripletLoss,
    ckl_loss as ckl_loss,
    gnmds_loss as gnmds_loss,
    satisfaction_probability as satisfaction_probability,
    ste_loss as ste_loss,
    tete_loss as tete_loss,
    triplet_ratio as triplet_ratio,
    tste_loss as tste_loss,
)
from repro.tete.sampling import (
    sample_per_point as sample_per_point,
    sample_triplets as sample_triplets,
)
from repro.tete.triplets import (
    TripletSet as TripletSet,
    contradictions as contradictions,
    degenerate as degenerate,
    fraction_satisfied as fraction_satisfied,
    reverse_triplets as reverse_triplets,
    split_folds as split_folds,
)
from repro.tete.weighted import WeightedTETE as WeightedTETE
from repro.tete.weights import (
    log_triplet_weights as log_triplet_weights,
    triplet_weights as triplet_weights,
)
