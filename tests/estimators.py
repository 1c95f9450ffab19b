"""Every estimator, with a few iterations, and data to fit it to."""

import numpy as np

import repro

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 4))
TRIPLETS = repro.sample_per_point(X, 10, 5, rng=RNG)
RELATIONS = [repro.Relation(repro.gaussian_rows(X, sigma2=2.0, include_self=True))]
AFFINITIES = [repro.AffinityRelation(repro.bernoulli_gaussian(X, beta=2.0))]
QUICK = {"max_iter": 9, "random_state": 0}
FITS = {
    "SNE": (repro.SNE(**QUICK), X),
    "MRE": (repro.MRE(**QUICK), RELATIONS),
    "BRE": (repro.BRE(**QUICK, gamma=4.0), X),
    "MultipleBRE": (repro.MultipleBRE(**QUICK, gamma=4.0), AFFINITIES),
    "TwinKernelPCA": (repro.TwinKernelPCA(**QUICK, gamma=4.0), X),
    "KIE": (repro.KIE(**QUICK, penalty=0.1), X),
    "ConditionalKIE": (repro.ConditionalKIE(**QUICK, penalty=0.1), X, X[:, 0]),
    "JointKIE": (repro.JointKIE(**QUICK, penalty=0.1), X[:50], X[:50, :2], X[50:]),
    "TripletEmbedding": (repro.TripletEmbedding("ckl", **QUICK, mu=0.2), TRIPLETS),
    "WeightedTETE": (repro.WeightedTETE(**QUICK), X),
    "FastTETE": (repro.FastTETE(**QUICK), X),
}
