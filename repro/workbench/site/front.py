"""What the front page shows of one claim: two readings of the paper, and a map by each."""

from itertools import product

import numpy as np

from repro.core.errors import UserError

CLAIM = "mre-2b"
N_CATS = 20  # the first points; the others are faces


def two_readings(project):
    """Return the claim of the front page, the other reading, and the map by each.

    A dict: ``entry`` is the judged claim, ``other`` the setting that turns its verdict, ``maps``
    the points of the median runs by both, as shares of the picture's half width from
    its middle. The second map is reflected and its axes are exchanged so that it lies nearest to
    the first. Raises UserError if no setting turns the verdict.
    """
    entry = next(entry for entry in project.judged if entry.claim.id == CLAIM)
    if not entry.verdict.turning:
        raise UserError(f"the front page shows {CLAIM} in two readings, but no setting turns it")
    other = entry.verdict.turning[0]
    with np.load(project.root / "figures" / "sweeps" / f"{entry.name}.npz") as kept:
        ours, theirs = (kept[words] / 1000 for words in ("ours", other.words))
    ways = [theirs[:, axes] * signs for axes, *signs in product(([0, 1], [1, 0]), (1, -1), (1, -1))]
    nearest = min(ways, key=lambda Y: np.linalg.norm(Y - ours))
    return {"entry": entry, "other": other, "maps": [ours.tolist(), nearest.tolist()]}
