"""«paper» «item»: what it shows, in a few words."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from sklearn.decomposition import PCA
from sklearn.manifold import trustworthiness

from repro.claims import Claim, above, at_least, choice
from repro.datasets import Dataset, make_s_curve
from repro.mre import SNE

PAPER, ITEM = "«paper»", "«item»"
TITLE = "A skeleton: say what it shows"
REPEATS = 20  # of the primary reading; 10 where a fit takes more than three seconds


@dataclass(frozen=True)
class Choices:
    """What the paper says, what we took, and what else it could have meant."""

    n_points: int = choice(200, ours="why")
    perplexity: float = choice(
        15, paper="Sec. 1", ours="why", others={30: "neighbourhoods are twice as large"}
    )
    init_scale: float = choice(0.1, paper="small", others={1.0: "the start is not small"})


class Fitted(NamedTuple):
    """What one run fits."""

    data: Dataset
    model: SNE
    projected: np.ndarray  # the baseline


def run(choices, seed):
    """Draw an S-curve; embed it by SNE, and by a projection."""
    data = make_s_curve(choices.n_points, np.random.default_rng(seed))
    options = {"perplexity": choices.perplexity, "init_scale": choices.init_scale}
    model = SNE(2, random_state=seed, **options).fit(data.X)
    return Fitted(data, model, PCA(2).fit_transform(data.X))


def measure(fitted):
    """Measure the trustworthiness of 12 neighbours, of the embedding, of PCA, and by chance."""
    data, model, projected = fitted
    shuffled = np.random.default_rng(0).permutation(model.embedding_)
    embeddings = {"SNE": model.embedding_, "PCA": projected, "shuffled": shuffled}
    kept = {
        f"trustworthiness, {name}": trustworthiness(data.X, Y, n_neighbors=12)
        for name, Y in embeddings.items()
    }
    return {"loss": model.loss_, **kept}


def embedding(fitted):
    """Return what is drawn of a run."""
    return fitted.model.embedding_


OURS, CHANCE = "trustworthiness, SNE", "trustworthiness, shuffled"
CLAIMS = [
    Claim(
        "«claim»a",
        "neighbours are kept, and better than by a projection",
        "Sec. 1",
        [at_least(OURS, 0.95, CHANCE), above(OURS, "trustworthiness, PCA", 0.005, CHANCE)],
    ),
]

# What is misprinted or contradicts itself; also LEFT_OPEN, and FINDINGS beyond the paper.
ERRATA = ()
