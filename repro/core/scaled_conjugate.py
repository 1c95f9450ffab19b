"""Scaled conjugate gradients, the optimiser that the BRE paper names.

M. F. Møller, A Scaled Conjugate Gradient Algorithm for Fast Supervised Learning, Neural Networks 6,
pp. 525-533, 1993; comments use its notation.
"""

import numpy as np


class ScaledConjugateSearch:
    """Scaled conjugate gradients (Møller 1993) on many problems at once, one per row.

    A second gradient, a little farther along the direction, measures the curvature. A damping term
    λ, raised where the quadratic model fails, keeps it positive. There is no line search.

    Starts and gradients are (B, N), values (B,).
    """

    SMALLEST, LARGEST = 1e-15, 1e100  # bounds of λ
    AHEAD = 1e-4  # σ: distance to the second gradient, in the units of x

    def __init__(self, x, values, gradients):
        self.x, self.values = x.copy(), np.array(values, dtype=float)
        self.downhill = -gradients  # r in the paper
        self.directions = self.downhill.copy()  # p
        self.damping = np.full(len(x), 1e-6)  # λ
        self.curvatures = np.zeros(len(x))  # δ without λ|p|²
        self.lowered = np.ones(len(x), bool)
        self.n_steps = 0

    @np.errstate(over="ignore", under="ignore", divide="ignore", invalid="ignore")
    def step(self, f):
        """Take a step in each row where it lowers f; f(x) returns values (B,), gradients (B, N)."""
        self.n_steps += 1
        lengths2 = (self.directions**2).sum(axis=1)
        lengths2[lengths2 == 0] = 1.0  # zero direction: no step
        if self.lowered.any():
            ahead = self.AHEAD / np.sqrt(lengths2)
            _, gradients = f(self.x + ahead[:, None] * self.directions)
            measured = (self.directions * (gradients + self.downhill)).sum(axis=1) / ahead
            known = self.lowered & np.isfinite(measured)
            self.curvatures = np.where(known, measured, self.curvatures)
        curvatures = self._positive_curvatures(lengths2)
        slopes = (self.directions * self.downhill).sum(axis=1)  # μ
        trial = self.x + (slopes / curvatures)[:, None] * self.directions
        values, gradients = f(trial)
        fit = 2 * curvatures * (self.values - values) / slopes**2  # Δ
        # Treat a step to a value that is not finite as ten times too long.
        fit = np.where(np.isfinite(values) & np.isfinite(gradients).all(axis=1), fit, -9.0)
        fit[slopes == 0] = 1.0
        self.lowered = fit >= 0
        self._accept(trial, values, -gradients, slopes)
        calm = np.where(fit >= 0.75, 0.25 * self.damping, self.damping)
        raised = calm + curvatures * (1 - fit) / lengths2
        self.damping = np.clip(np.where(fit < 0.25, raised, calm), self.SMALLEST, self.LARGEST)

    def _positive_curvatures(self, lengths2):
        """Raise λ where δ + λ|p|² is not positive; return the sum with the new λ."""
        curvatures = self.curvatures + self.damping * lengths2
        bent = curvatures <= 0
        self.damping[bent] = 2 * (self.damping - curvatures / lengths2)[bent]
        return self.curvatures + self.damping * lengths2

    def _accept(self, trial, values, downhill, slopes):
        """Move to the trial points that are lower, and set the next conjugate direction."""
        new = self.lowered
        self.x[new], self.values[new] = trial[new], values[new]
        beta = (downhill * (downhill - self.downhill)).sum(axis=1) / slopes
        restart = self.n_steps % self.x.shape[1] == 0
        beta = np.where(restart | ~np.isfinite(beta), 0.0, beta)
        turned = downhill + beta[:, None] * self.directions
        uphill = (turned * downhill).sum(axis=1) <= 0
        turned[uphill] = downhill[uphill]
        self.directions[new], self.downhill[new] = turned[new], downhill[new]

    @property
    def stuck(self):
        """Whether no step, however short, lowers any row."""
        return bool((self.damping >= self.LARGEST).all())
