"""Multiple Relational Embedding, and its special case, stochastic neighbor embedding.

Memisevic & Hinton, NIPS 17, 2004. In the paper's order: `similarities` holds Eqs. (1) and (2),
`sne` Eq. (4) for one relation, `relations` the relations and their index sets, `model` Eqs. (3)–(7)
for several relations, `smoother` the kernel regression of Sec. 3.1.
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
