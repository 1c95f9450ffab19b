"""The evidence for the claims: sweeps over seeds and readings, their figures, and the reports."""
