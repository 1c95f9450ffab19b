"""Same seed, same bits: whatever the number of threads, compiled just now or loaded from disk."""

from command_line import run_python

CODE = """
import hashlib
import numpy as np
from repro import KIE, MRE, Relation, gaussian_kernel, gaussian_rows, joint_kie_loss, sne_loss
from repro import TripletEmbedding, TwinKernelPCA, kernel_smoother, sample_per_point, tete_loss
from repro import twin_kernel_loss

rng = np.random.default_rng(0)
parts = []  # embeddings in the plane: the loops are compiled anew for each number of dimensions
for n in (90, 1500):
    X = rng.normal(size=(n, 2))
    P = gaussian_rows(rng.normal(size=(n, 40)), sigma2=20.0)
    value, gradient = sne_loss(X, P)
    parts += [P, value, gradient]
    parts += joint_kie_loss(X, P + P.T + np.eye(n), gaussian_kernel(X[:, :1]))
relations = [Relation(gaussian_rows(rng.normal(size=(60, 4)), include_self=True)) for _ in range(2)]
parts.append(MRE(2, max_iter=30, random_state=0).fit(relations).embedding_)
model = KIE(2, bandwidth=30.0, max_iter=20, random_state=0).fit(rng.normal(size=(1100, 40)))
parts += [model.embedding_, model.transform(model.X_fit_[:50]), model.inverse_transform(X[:50])]
for n, m in ((300, 20), (1500, 100)):  # one chunk, and several
    X = rng.normal(size=(n, 3))
    triplets = sample_per_point(X, m, 10, rng=rng)
    parts += [triplets, *tete_loss(X[:, :2], triplets, t=1.7)]
    parts.append(TripletEmbedding("tete", max_iter=20, random_state=0).fit(triplets).embedding_)
X = rng.normal(size=(500, 40))  # so large that BLAS shares products between its threads
parts += twin_kernel_loss(X[:, :2], gaussian_kernel(X, 40.0) + 0.1 * np.eye(500))
for kernel in ("rbf", "linear"):
    parts.append(TwinKernelPCA(kernel=kernel, max_iter=5).fit(X).embedding_)
parts.append(kernel_smoother(X[:, :2], X, X[:100, :2]))
for part in parts:
    print(hashlib.sha256(np.ascontiguousarray(part).tobytes()).hexdigest()[:16])
"""


def test_same_bits_with_one_thread_compiled_and_with_two_loaded(tmp_path):
    limits = "NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"
    one, two = (
        run_python("-c", CODE, NUMBA_CACHE_DIR=tmp_path, **dict.fromkeys(limits, threads)).stdout
        for threads in (1, 2)
    )
    assert one == two
