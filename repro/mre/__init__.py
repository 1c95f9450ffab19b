"""Multiple Relational Embedding, and its special case, stochastic neighbor embedding.

Memisevic & Hinton, NIPS 17, 2004. In the paper's order: `similarities` holds Eqs. (1) and (2),
`sne` Eq. (4) for one relation, `relations` the relations and their index sets, `model` Eqs. (3)–(7)
for several relations, `smoother` the kernel regression of Sec. 3.1.
"""

from repro.mre.model import MRE as MRE, mre_loss as mre_loss
from repro.mre.relations import Relation as Relation, relations_from_table as relations_from_table
from repro.mre.similarities import (
    class_blocks as class_blocks,
    embedding_similarities as embedding_similarities,
    gaussian_rows as gaussian_rows,
    perplexity_rows as perplexity_rows,
)
from repro.mre.smoother import (
    kernel_smoother as kernel_smoother,
    leave_one_out_bandwidth as leave_one_out_bandwidth,
)
from repro.mre.sne import (
    SNE as SNE,
    NeighborProbabilities as NeighborProbabilities,
    sne_loss as sne_loss,
)
