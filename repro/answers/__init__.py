"""Answers to "which is more like which?": reading, consistency, and a map with its uncertainty."""

from repro.answers.design import design_questions as design_questions
from repro.answers.held_out import agreement as agreement
from repro.answers.reading import NamedTriplets as NamedTriplets, read_answers as read_answers
from repro.answers.report import AnswersReport as AnswersReport
from repro.answers.summary import report_answers as report_answers
