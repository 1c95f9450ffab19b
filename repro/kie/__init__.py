"""Kernel Information Embedding: plain, conditional and joint.

Memisevic, ICML 2006. In the paper's order: `entropies` holds Eqs. (1)–(6), `losses` Eqs. (7), (8),
(11) and (12), `models` the estimators and the annealing of Sec. 2.1, `constraint` the hard
constraint of Sec. 2.1, `out_of_sample` the maps to and from unseen points, Eqs. (9) and (10),
`reconstruction` the unsupervised kernel regression of Sec. 2.3.
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
