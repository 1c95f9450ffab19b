from .display import (
    medians as medians,
    show_measures as show_measures,
    show_settings as show_settings,
    show_table as show_table,
    versions as versions,
)
from .exercises import agrees as agrees, check as check, compared as compared
from .figures import save_figure as save_figure
from .live import live as live
from .saved_embeddings import save_embeddings as save_embeddings
