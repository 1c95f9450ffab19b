"""Four papers on low-dimensional embedding, reproduced: MRE, BRE, t-ETE and KIE."""

from importlib import import_module as _import_module

__version__ = "0.1.0"

# Loaded on first use, so that `import repro` is quick.
_MODULE_OF = {
    "AffinityRelation": "multiple_bre",
    "BRE": "bre_estimator",
    "BernoulliRelation": "bre",
    "ConditionalKIE": "kie",
    "CovarianceMatrix": "gplvm",
    "FastTETE": "fast_tete",
    "JointKIE": "kie",
    "KIE": "kie",
    "KernelMatrix": "entropies",
    "MRE": "mre",
    "MultipleBRE": "multiple_bre",
    "NeighborProbabilities": "sne",
    "Relation": "relations",
    "SNE": "sne",
    "TripletEmbedding": "triplet_embedding",
    "TripletSet": "triplets",
    "TwinKernelPCA": "gplvm",
    "WeightedTETE": "weighted_tete",
    "adjacency_graph": "graphs",
    "annealing_schedule": "kie_annealing",
    "bernoulli_contrast": "affinities",
    "bernoulli_gaussian": "affinities",
    "bernoulli_kl": "bre",
    "bernoulli_truncated": "affinities",
    "bre_loss": "bre",
    "ckl_loss": "baselines",
    "class_blocks": "affinities",
    "class_graph": "graphs",
    "conditional_bre_loss": "bre",
    "conditional_kie_loss": "kie",
    "contradictions": "triplets",
    "exp_t": "tete",
    "fraction_satisfied": "triplets",
    "gaussian_kernel": "affinities",
    "gaussian_rows": "affinities",
    "gnmds_loss": "baselines",
    "joint_kie_loss": "kie",
    "kernel_smoother": "smoother",
    "kie_loss": "kie",
    "latent_similarities": "sne",
    "likelihood_bandwidth": "affinities",
    "log_t": "tete",
    "map_affinities": "bre",
    "mre_loss": "mre",
    "multiple_bre_loss": "multiple_bre",
    "mutual_information": "entropies",
    "nearest_neighbor_error": "neighbors",
    "neighbor_graph": "graphs",
    "perplexity_rows": "affinities",
    "radius_graph": "graphs",
    "relations_from_table": "relations",
    "reverse_triplets": "triplets",
    "sample_per_point": "triplets",
    "sample_triplets": "outliers",
    "sne_loss": "sne",
    "split_folds": "triplets",
    "squared_distances": "affinities",
    "ste_loss": "baselines",
    "tete_loss": "tete",
    "triplet_weights": "tete",
    "tste_loss": "baselines",
    "twin_kernel_loss": "gplvm",
}
__all__ = sorted(_MODULE_OF)


def __getattr__(name):
    """Import the module of a public name when it is asked for."""
    if name in _MODULE_OF:
        return getattr(_import_module(f"repro.{_MODULE_OF[name]}"), name)
    raise AttributeError(f"module 'repro' has no attribute {name!r}")


def __dir__():
    """List the public names."""
    return [*globals(), *__all__]
