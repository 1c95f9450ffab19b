"""For a class: editions of the lessons for students, for teachers and to print; its answers."""

from repro.core.extras import needs as _needs

_needs("nbclient", "nbformat", extra="notebooks")
