from . import (
    answers as answers,
    bre as bre,
    datasets as datasets,
    kie as kie,
    measures as measures,
    mre as mre,
    tete as tete,
)
from .answers import (
    design_questions as design_questions,
    read_answers as read_answers,
    report_answers as report_answers,
)
from .bre import (
    BRE as BRE,
    AffinityRelation as AffinityRelation,
    BernoulliRelation as BernoulliRelation,
    CovarianceMatrix as CovarianceMatrix,
    MultipleBRE as MultipleBRE,
    TwinKernelPCA as TwinKernelPCA,
    adjacency_graph as adjacency_graph,
    bernoulli_contrast as bernoulli_contrast,
    bernoulli_gaussian as bernoulli_gaussian,
    bernoulli_kl as bernoulli_kl,
    bernoulli_truncated as bernoulli_truncated,
    bre_loss as bre_loss,
    class_graph as class_graph,
    embedding_affinities as embedding_affinities,
    multiple_bre_loss as multiple_bre_loss,
    neighbor_graph as neighbor_graph,
    radius_graph as radius_graph,
    twin_kernel_loss as twin_kernel_loss,
)
from .core.distances import squared_distances as squared_distances
from .core.kernel_matrices import (
    gaussian_kernel as gaussian_kernel,
    likelihood_bandwidth as likelihood_bandwidth,
)
from .core.optimize import FitInterrupted as FitInterrupted
from .kie import (
    KIE as KIE,
    ConditionalKIE as ConditionalKIE,
    JointKIE as JointKIE,
    KernelMatrix as KernelMatrix,
    annealing_schedule as annealing_schedule,
    conditional_kie_loss as conditional_kie_loss,
    joint_kie_loss as joint_kie_loss,
    kie_loss as kie_loss,
    mutual_information as mutual_information,
)
from .measures import nearest_neighbor_error as nearest_neighbor_error
from .mre import (
    MRE as MRE,
    SNE as SNE,
    NeighborProbabilities as NeighborProbabilities,
    Relation as Relation,
    class_blocks as class_blocks,
    embedding_similarities as embedding_similarities,
    gaussian_rows as gaussian_rows,
    kernel_smoother as kernel_smoother,
    mre_loss as mre_loss,
    perplexity_rows as perplexity_rows,
    relations_from_table as relations_from_table,
    sne_loss as sne_loss,
)
from .tete import (
    FastTETE as FastTETE,
    TripletEmbedding as TripletEmbedding,
    TripletSet as TripletSet,
    WeightedTETE as WeightedTETE,
    ckl_loss as ckl_loss,
    contradictions as contradictions,
    exp_t as exp_t,
    fraction_satisfied as fraction_satisfied,
    gnmds_loss as gnmds_loss,
    log_t as log_t,
    reverse_triplets as reverse_triplets,
    sample_per_point as sample_per_point,
    sample_triplets as sample_triplets,
    split_folds as split_folds,
    ste_loss as ste_loss,
    tete_loss as tete_loss,
    triplet_weights as triplet_weights,
    tste_loss as tste_loss,
)

__version__: str
