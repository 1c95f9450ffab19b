"""Bernoulli Relational Embedding, and twin kernel PCA.

Wang, Zhao, Zhang & Lochovsky, ICDM 2005. In the paper's order: `framework` is Sec. 2 by
enumeration, `loss` holds Eqs. (1) and (2), `affinities` Eqs. (3)–(7) on the `graphs` of Sec. 2,
`model` the estimator of Sec. 3, `twin_kernel_pca` the Gaussian case, `multiple` Sec. 5's proposal.
"""

from repro.bre.affinities import (
    bernoulli_contrast as bernoulli_contrast,
    bernoulli_gaussian as bernoulli_gaussian,
    bernoulli_truncated as bernoulli_truncated,
    embedding_affinities as embedding_affinities,
)
from repro.bre.graphs import (
    adjacency_graph as adjacency_graph,
    class_graph as class_graph,
    neighbor_graph as neighbor_graph,
    radius_graph as radius_graph,
)
from repro.bre.loss import (
    BernoulliRelation as BernoulliRelation,
    bernoulli_kl as bernoulli_kl,
    bre_loss as bre_loss,
    step_weights as step_weights,
)
from repro.bre.model import BRE as BRE
from repro.bre.multiple import (
    AffinityRelation as AffinityRelation,
    MultipleBRE as MultipleBRE,
    multiple_bre_loss as multiple_bre_loss,
)
from repro.bre.twin_kernel_pca import (
    CovarianceMatrix as CovarianceMatrix,
    TwinKernelPCA as TwinKernelPCA,
    twin_kernel_loss as twin_kernel_loss,
)
