"""Compare `repro.FastTETE` with common tools: time, memory and quality of the maps.

    python tests/benchmarks/compare_peers.py [--sets MNIST …] [--methods FastTETE …] [--limit 600]

Every run has its own process, which fits twice: cold, including imports and compilation, and warm.
Results are added to figures/recorded/benchmark_peers.json, which the notebook benchmark_peers
shows; a recorded run is not repeated unless it failed or --again is given. The peers are in the
extra "benchmark".
"""

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import time
from datetime import date
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

RESULTS = Path(__file__).parents[2] / "figures" / "recorded" / "benchmark_peers.json"
# A second, warm fit is made if the first took fewer seconds.
SHORT = 200


def fetched(fetch, *asked):
    """Return a loader of a set of `repro.datasets`: points, and labels if there are any."""

    def load():
        from repro import datasets

        data = getattr(datasets, fetch)(*asked)
        return data.X, data.labels

    return load


def mixture(n):
    """Draw a mixture of 20 unit Gaussians in 50 dimensions; their centres have deviation 3."""
    import numpy as np

    rng = np.random.default_rng(0)
    centres, labels = 3 * rng.normal(size=(20, 50)), rng.integers(0, 20, n)
    return centres[labels] + rng.normal(size=(n, 50)), labels


def opentsne(X):
    from openTSNE import TSNE

    return TSNE(n_jobs=-1, random_state=0).fit(X)


def scran_umap(X):
    from scranpy import run_umap

    return run_umap(X.T, num_threads=os.cpu_count(), parallel_optimization=True)


def estimator(module, name, **options):
    """Return a function that imports a module and fits one of its estimators."""
    return lambda X: getattr(import_module(module), name)(**options).fit_transform(X)


# No value of `FastTETE` was chosen on scenes, COIL-20, Brendan or USPS.
SETS = {
    "scenes": fetched("load_labelled", "MIT Scenes"),
    "COIL-20": fetched("load_labelled", "COIL-20"),
    "Brendan": fetched("fetch_brendan"),
    "USPS": fetched("load_labelled", "USPS"),
    "Letters": fetched("load_labelled", "Letters"),
    "MNIST": fetched("fetch_mnist", "all"),
    "mixture of 10,000": lambda: mixture(10_000),
    "mixture of 100,000": lambda: mixture(100_000),
}
SEED, CORES = {"random_state": 0}, {"n_jobs": -1}
# The fit of each method, and its package. With a seed UMAP would run on one core.
METHODS = {
    "FastTETE": (estimator("repro", "FastTETE", **SEED), "repro"),
    "PaCMAP": (estimator("pacmap", "PaCMAP", **SEED), "pacmap"),
    "LocalMAP": (estimator("pacmap", "LocalMAP", **SEED), "pacmap"),
    "TriMap": (estimator("trimap", "TRIMAP", verbose=False), "trimap"),
    "UMAP": (estimator("umap", "UMAP", **CORES), "umap-learn"),
    "openTSNE": (opentsne, "openTSNE"),
    "scikit-learn t-SNE": (estimator("sklearn.manifold", "TSNE", **SEED, **CORES), "scikit-learn"),
    "Intel t-SNE": (
        estimator("sklearnex.manifold", "TSNE", **SEED, **CORES),
        "scikit-learn-intelex",
    ),
    "scranpy UMAP": (scran_umap, "scranpy"),
    "WeightedTETE": (estimator("repro", "WeightedTETE", **SEED), "repro"),
}
# For these methods the data are first reduced to 50 principal components, as is usual.
REDUCED = {"openTSNE", "scikit-learn t-SNE", "Intel t-SNE", "scranpy UMAP"}


def timed(name, X):
    """Embed data by a method; return wall and processor time, too, its other steps included."""
    wall, processor = time.perf_counter(), time.process_time()
    from sklearn.decomposition import PCA

    if name in REDUCED and X.shape[1] > 50:
        X = PCA(50, random_state=0).fit_transform(X)
    Y = METHODS[name][0](X)
    return Y, time.perf_counter() - wall, time.process_time() - processor


def most_memory():
    """Return the peak memory of this process, in GiB."""
    unit = 1 if platform.system() == "Darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**30


def measure(Y, X, labels):
    """Measure the quality of a map; given labels, also of the classes."""
    import numpy as np
    from sklearn.manifold import trustworthiness
    from sklearn.neighbors import NearestNeighbors

    from repro.core.distances import squared_distances
    from repro.measures.structure import distance_correlation, random_triplet_accuracy

    rng = np.random.default_rng(0)
    some = rng.permutation(len(X))[:3000]
    kept = {"trustworthiness": trustworthiness(X[some], Y[some], n_neighbors=12)}
    kept["random triplets"] = random_triplet_accuracy(Y, X, rng)
    if labels is not None:
        nearest = NearestNeighbors(n_neighbors=1).fit(Y).kneighbors(return_distance=False)[:, 0]
        kept["1-NN accuracy"] = float((labels[nearest] == labels).mean())
        of_class = [labels == c for c in np.unique(labels)]
        centroids, in_data = (
            np.array([P[rows].mean(axis=0, dtype=float) for rows in of_class]) for P in (Y, X)
        )
        kept["centroids"] = distance_correlation(centroids, squared_distances(in_data))
    return kept


def run(name, of_set):
    """Fit and measure in this process; print the results."""
    import numpy as np

    X, labels = SETS[of_set]()
    X = np.ascontiguousarray(X, dtype=np.float32)
    Y, cold, cold_processor = timed(name, X)
    found = {"cold": cold, "cold, processor": cold_processor, "memory": most_memory()}
    if cold < SHORT:
        Y, found["warm"], found["warm, processor"] = timed(name, X)
    found |= measure(np.asarray(Y, dtype=float), X, labels)
    found["version"] = version_of(METHODS[name][1])
    print(json.dumps({key: v if isinstance(v, str) else round(v, 4) for key, v in found.items()}))


def version_of(package):
    """Return the name and version of a package; for this one, also the commit of its code."""
    if package != "repro":
        return f"{package} {version(package)}"
    from repro.workbench.commit import this_commit

    return f"repro {version(package)}, commit {this_commit().removeprefix('g')}"


def machine():
    """Describe this machine."""
    model = platform.processor() or platform.machine()
    if Path("/proc/cpuinfo").exists():
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next((x.split(": ")[1] for x in lines if x.startswith("model name")), model)
    numpy = f"NumPy {version('numpy')}"
    return f"{model}, {os.cpu_count()} cores, Python {platform.python_version()}, {numpy}"


def in_a_process(name, of_set, limit):
    """Run one method on one set in a fresh process; give up after ``limit`` seconds."""
    command = [sys.executable, __file__, "--one", name, of_set]
    facts = {"method": name, "set": of_set, "machine": machine(), "date": str(date.today())}
    try:
        options = {"capture_output": True, "text": True, "timeout": limit, "check": True}
        done = subprocess.run(command, **options)
        return facts | json.loads(done.stdout.splitlines()[-1])
    except subprocess.TimeoutExpired:
        return facts | {"stopped after": limit}
    except subprocess.CalledProcessError as error:
        return facts | {"failed": error.stderr.strip().splitlines()[-1]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS))
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS))
    parser.add_argument("--limit", type=float, default=600, help="seconds for both fits of a run")
    parser.add_argument("--again", action="store_true", help="repeat what is there already")
    parser.add_argument("--one", nargs=2, metavar=("METHOD", "SET"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        return run(*options.one)
    from repro.core.files import write_text

    runs = json.loads(RESULTS.read_text(encoding="utf-8"))
    for of_set in options.sets:
        for name in options.methods:
            there = [r for r in runs if (r["method"], r["set"]) == (name, of_set)]
            if there and "failed" not in there[0] and not options.again:
                continue
            new = in_a_process(name, of_set, options.limit)
            print(new, flush=True)
            runs = [r for r in runs if r not in there] + [new]
            runs.sort(key=lambda r: (list(SETS).index(r["set"]), list(METHODS).index(r["method"])))
            write_text(RESULTS, json.dumps(runs, indent=1, ensure_ascii=False) + "\n")
    return None


if __name__ == "__main__":
    main()
