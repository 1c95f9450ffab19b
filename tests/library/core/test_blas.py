"""Bits independent of threads; forks, overlapping fits, and fits that outlive the main thread."""

import multiprocessing
import os
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from estimators import FITS
from processes import run_python
from sklearn.base import clone
from threadpoolctl import threadpool_info, threadpool_limits

from repro.core.blas import one_blas_thread
from repro.core.extras import is_there
from repro.core.neighbors import k_nearest

X = np.random.default_rng(0).normal(size=(200, 30))
NAMES = ("SNE", "BRE", "KIE", "TwinKernelPCA", "FastTETE", "WeightedTETE")
pytestmark = pytest.mark.filterwarnings("ignore:the loss was still falling")


def fit(name):
    return clone(FITS[name][0]).set_params(max_iter=3).fit(X).embedding_


def blas_threads():
    return [lib["num_threads"] for lib in threadpool_info() if lib["user_api"] == "blas"]


@pytest.mark.parametrize("name", NAMES)
def test_a_fit_has_the_same_bits_in_any_thread_and_beside_others(name):
    expected = fit(name)
    # The main thread has limits, as in a user's program.
    with threadpool_limits(2), ThreadPoolExecutor() as pool:
        for embedding in pool.map(fit, [name] * 3):
            np.testing.assert_array_equal(embedding, expected)


def test_a_limit_is_lifted_by_the_last_of_several_threads():
    before, inside, go, done = blas_threads(), [], threading.Event(), threading.Event()

    def first():
        with one_blas_thread():
            go.wait(10)
        done.set()

    thread = threading.Thread(target=first)
    thread.start()
    with one_blas_thread():
        go.set()
        done.wait(10)
        inside = blas_threads()
    thread.join()
    assert inside == [1] * len(before)
    assert blas_threads() == before


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks on this system")
def test_a_process_that_has_fitted_may_fork_and_its_child_may_fit():
    def fit_all():
        for name in NAMES:
            fit(name)
        if is_there("faiss"):
            k_nearest(X, 5, "approximate")

    fit_all()
    child = multiprocessing.get_context("fork").Process(target=fit_all)
    child.start()
    child.join(60)
    if child.exitcode is None:
        child.kill()
    assert child.exitcode == 0


def test_a_fit_in_a_thread_outlives_the_main_one():
    code = (
        "import threading, time, warnings, numpy as np, repro\n"
        "warnings.simplefilter('ignore')\n"
        "X = np.random.default_rng(0).normal(size=(600, 5))\n"
        "def late():\n"
        "    time.sleep(0.3)\n"
        "    print(repro.SNE(max_iter=2).fit(X).embedding_.shape)\n"
        "    print(repro.FastTETE(max_iter=2).fit(X).embedding_.shape)\n"
        "threading.Thread(target=late).start()\n"
    )
    assert run_python("-c", code).stdout.split("\n")[:2] == ["(600, 2)", "(600, 2)"]


@pytest.mark.skipif(not is_there("faiss"), reason="faiss is not installed")
def test_an_approximate_search_has_the_same_bits_whatever_the_threads():
    code = (
        "import hashlib, numpy as np\n"
        "from repro.core.neighbors import k_nearest\n"
        "X = np.random.default_rng(0).normal(size=(24000, 20)); X[::2] += 3\n"
        "near, D2 = k_nearest(X, 10, 'approximate', np.random.default_rng(0))\n"
        "print(hashlib.sha256(near.tobytes() + D2.tobytes()).hexdigest())\n"
    )
    one, four = (
        run_python("-c", code, OMP_NUM_THREADS=n, NUMBA_NUM_THREADS=n).stdout for n in (1, 4)
    )
    assert one == four
