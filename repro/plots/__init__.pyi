from .scatter import (
    aligned_sequences as aligned_sequences,
    corner_colors as corner_colors,
    displacements as displacements,
    embedding_2d as embedding_2d,
    embedding_3d as embedding_3d,
    embedding_classes as embedding_classes,
    embedding_names as embedding_names,
    grey_key as grey_key,
    manifold_3d as manifold_3d,
    name_axes_3d as name_axes_3d,
    principal_axes as principal_axes,
    sequences_2d as sequences_2d,
    turned as turned,
)
from .style import (
    COLORS as COLORS,
    MARKERS as MARKERS,
    STANDIN_NOTE as STANDIN_NOTE,
    STYLE as STYLE,
    in_style as in_style,
    letters_above as letters_above,
    mark_standin as mark_standin,
    metric_bars as metric_bars,
    score as score,
    use_style as use_style,
)
from .thumbnails import (
    MARKED as MARKED,
    embedding_thumbnails as embedding_thumbnails,
    image_grid as image_grid,
    picture_page as picture_page,
    show_images as show_images,
)
