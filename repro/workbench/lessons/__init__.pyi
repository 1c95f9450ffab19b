from .display import (
    medians as medians,
    show_measures as show_measures,
    show_settings as show_settings,
    show_table as show_table,
    versions as versions,
)
from .exercises import check as check
from .figures import save_figure as save_figure
from .saved_embeddings import save_embeddings as save_embeddings
