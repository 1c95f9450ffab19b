"""Bernoulli Relational Embedding, and twin kernel PCA.

Wang, Zhao, Zhang & Lochovsky, ICDM 2005. In the paper's order: `framework` is Sec. 2 by
enumeration, `loss` holds Eqs. (1) and (2), `affinities` Eqs. (3)–(7) on the `graphs` of Sec. 2,
`model` the estimator of Sec. 3, `twin_kernel_pca` the Gaussian case, `multiple` Sec. 5's proposal.
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
