"""Four papers on low-dimensional embedding, reproduced: MRE, BRE, t-ETE and KIE."""

import lazy_loader as _lazy

# Loaded on first use, so that `import repro` is quick.
__getattr__, __dir__, __all__ = _lazy.attach(
    __name__,
    submodules=["affinities", "claims", "datasets", "metrics", "mre", "optimize", "plots", "sne"],
    submod_attrs={
        "affinities": ["class_blocks", "gaussian_rows", "perplexity_rows", "squared_distances"],
        "mre": ["MRE", "Relation", "mre_loss"],
        "sne": ["SNE", "NeighborProbabilities", "latent_similarities", "sne_loss"],
    },
)
__version__ = "0.1.0"
