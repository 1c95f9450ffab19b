from .deformed import (
    authors_temperature as authors_temperature,
    exp_t as exp_t,
    forgetting_factor as forgetting_factor,
    log_t as log_t,
    robust_transformation as robust_transformation,
)
from .embedding import TripletEmbedding as TripletEmbedding
from .fast import FastTETE as FastTETE
from .groups import (
    outlier_pairs as outlier_pairs,
    soft_ratios as soft_ratios,
    soft_weights as soft_weights,
)
from .losses import (
    TripletLoss as TripletLoss,
    ckl_loss as ckl_loss,
    gnmds_loss as gnmds_loss,
    losses_and_slopes as losses_and_slopes,
    satisfaction_probability as satisfaction_probability,
    ste_loss as ste_loss,
    tete_loss as tete_loss,
    triplet_ratio as triplet_ratio,
    tste_loss as tste_loss,
)
from .sampling import (
    sample_per_point as sample_per_point,
    sample_triplets as sample_triplets,
)
from .triplets import (
    TripletSet as TripletSet,
    contradictions as contradictions,
    degenerate as degenerate,
    fraction_satisfied as fraction_satisfied,
    reverse_triplets as reverse_triplets,
    split_folds as split_folds,
)
from .weighted import WeightedTETE as WeightedTETE
from .weights import (
    log_triplet_weights as log_triplet_weights,
    triplet_weights as triplet_weights,
)
