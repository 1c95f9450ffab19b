from .model import (
    MRE as MRE,
    loss_of_relations as loss_of_relations,
    mre_loss as mre_loss,
)
from .relations import (
    Relation as Relation,
    relations_from_table as relations_from_table,
)
from .similarities import (
    class_blocks as class_blocks,
    embedding_similarities as embedding_similarities,
    gaussian_rows as gaussian_rows,
    perplexity_rows as perplexity_rows,
)
from .smoother import (
    kernel_smoother as kernel_smoother,
    leave_one_out_bandwidth as leave_one_out_bandwidth,
)
from .sne import (
    SNE as SNE,
    NeighborProbabilities as NeighborProbabilities,
    sne_loss as sne_loss,
    sne_numpy as sne_numpy,
)
