"""t-Exponential Triplet Embedding, and the methods it is compared with: GNMDS, CKL, STE and t-STE.

Amid, Vlassis & Warmuth, 2016. In the paper's order: `triplets` holds Eq. (1), `deformed` Eqs.
(3)–(6), `losses` Eqs. (7)–(12), `embedding` their estimator; `sampling`, `weights`, `groups`
and `weighted` are the dimensionality reduction of Sec. 6, `fast` is its fast preset.
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
