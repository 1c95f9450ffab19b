"""The evidence for the claims: sweeps over seeds and readings, their figures, and the reports."""

from repro.core.extras import needs as _needs

_needs("nbformat", "matplotlib", extra="notebooks")
