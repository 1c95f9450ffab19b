from .affinities import (
    bernoulli_contrast as bernoulli_contrast,
    bernoulli_gaussian as bernoulli_gaussian,
    bernoulli_truncated as bernoulli_truncated,
    embedding_affinities as embedding_affinities,
)
from .graphs import (
    adjacency_graph as adjacency_graph,
    class_graph as class_graph,
    neighbor_graph as neighbor_graph,
    radius_graph as radius_graph,
)
from .loss import (
    BernoulliRelation as BernoulliRelation,
    bernoulli_kl as bernoulli_kl,
    bre_loss as bre_loss,
    rows_numpy as rows_numpy,
    step_weights as step_weights,
)
from .model import BRE as BRE
from .multiple import (
    AffinityRelation as AffinityRelation,
    MultipleBRE as MultipleBRE,
    multiple_bre_loss as multiple_bre_loss,
)
from .twin_kernel_pca import (
    CovarianceMatrix as CovarianceMatrix,
    TwinKernelPCA as TwinKernelPCA,
    twin_kernel_loss as twin_kernel_loss,
)
