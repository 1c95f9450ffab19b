from .held_out import agreement as agreement
from .reading import NamedTriplets as NamedTriplets, read_answers as read_answers
from .summary import AnswersReport as AnswersReport, report_answers as report_answers
