from .cards import (
    judged as judged,
    met_here as met_here,
    record as record,
    show_claims as show_claims,
    show_evidence as show_evidence,
    show_open_choices as show_open_choices,
)
from .protocol import seeds as seeds
from .rows import runs_of_record as runs_of_record
