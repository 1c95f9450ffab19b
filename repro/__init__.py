"""Four papers on low-dimensional embedding, reproduced: MRE, BRE, t-ETE and KIE."""

from importlib import import_module as _import_module

__version__ = "0.1.0"

# Loaded on first use, so that `import repro` is quick.
_MODULE_OF = {
    "ConditionalKIE": "kie",
    "JointKIE": "kie",
    "KIE": "kie",
    "KernelMatrix": "entropies",
    "MRE": "mre",
    "NeighborProbabilities": "sne",
    "Relation": "relations",
    "SNE": "sne",
    "annealing_schedule": "kie_annealing",
    "class_blocks": "affinities",
    "conditional_kie_loss": "kie",
    "gaussian_kernel": "affinities",
    "gaussian_rows": "affinities",
    "joint_kie_loss": "kie",
    "kernel_smoother": "smoother",
    "kie_loss": "kie",
    "latent_similarities": "sne",
    "likelihood_bandwidth": "affinities",
    "mre_loss": "mre",
    "mutual_information": "entropies",
    "perplexity_rows": "affinities",
    "relations_from_table": "relations",
    "sne_loss": "sne",
    "squared_distances": "affinities",
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
