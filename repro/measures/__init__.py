"""Measures of an embedding: axes, neighbourhoods, structure, turntables, images; and run time."""

from repro.measures.axes import (
    abs_spearman as abs_spearman,
    axis_shares as axis_shares,
    discriminant as discriminant,
    fitted_directions as fitted_directions,
    matched_spearman as matched_spearman,
    rank_errors as rank_errors,
    signed_permutation_difference as signed_permutation_difference,
    spearman as spearman,
)
from repro.measures.chance import shuffled as shuffled
from repro.measures.images import (
    ink as ink,
    left_minus_right as left_minus_right,
    slant as slant,
)
from repro.measures.neighbourhoods import (
    nearest_is_adjacent as nearest_is_adjacent,
    nearest_neighbor_error as nearest_neighbor_error,
    neighbor_distance as neighbor_distance,
    pieces_per_class as pieces_per_class,
    roughness as roughness,
)
from repro.measures.run_time import cost_exponent as cost_exponent
from repro.measures.structure import (
    distance_correlation as distance_correlation,
    geodesic_distances as geodesic_distances,
    plane_fit as plane_fit,
    random_triplet_accuracy as random_triplet_accuracy,
)
from repro.measures.turntable import (
    neighbor_views as neighbor_views,
    view_distance_ratio as view_distance_ratio,
    view_error as view_error,
    view_gap as view_gap,
    view_match as view_match,
    view_scores as view_scores,
)
