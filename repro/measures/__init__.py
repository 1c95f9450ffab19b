"""Measures of an embedding: its axes, neighbourhoods, global structure; and their chance level."""

from repro.measures.axes import (
    abs_spearman as abs_spearman,
    axis_shares as axis_shares,
    discriminant as discriminant,
    matched_spearman as matched_spearman,
    spearman as spearman,
)
from repro.measures.neighbourhoods import (
    nearest_neighbor_error as nearest_neighbor_error,
    roughness as roughness,
)
from repro.measures.structure import (
    distance_correlation as distance_correlation,
    geodesic_distances as geodesic_distances,
    random_triplet_accuracy as random_triplet_accuracy,
    shuffled as shuffled,
)
from repro.moved import moved_name


def __getattr__(name):
    return moved_name(__name__, name)
