"""Courses: editions of the lessons for students, for teachers and for print; students' answers."""

from repro.core.extras import needs as _needs

_needs("nbclient", "nbformat", extra="notebooks")
