from .in_lessons import (
    answer_criterion as answer_criterion,
    judged as judged,
    met_here as met_here,
    record as record,
    show_evidence as show_evidence,
)
from .protocol import seeds as seeds
from .rows import runs_of_record as runs_of_record
