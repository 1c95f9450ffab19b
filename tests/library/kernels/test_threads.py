"""Threads that share a computation: each part runs once, no spinning, forks."""

import multiprocessing
import os
import threading
import time

import pytest
from processes import run_python

from repro.kernels import threads
from repro.kernels.threads import in_pieces, in_ranges, using

FORK_AFTER_A_FIT = """
import multiprocessing
import numba, openTSNE, faiss, sklearn.manifold
import numpy as np
from repro import SNE
X = np.random.default_rng(0).normal(size=(1200, 4))
def fit(seed):
    return SNE(max_iter=2, random_state=seed).fit(X).loss_
here = fit(0)
with multiprocessing.get_context("fork").Pool(2) as pool:
    print(pool.map(fit, [0, 0]) == [here, here])
"""


@pytest.mark.parametrize("n", [1, 2, 5])
def test_each_piece_is_done_once(n):
    done = []
    with using(n):
        in_pieces(done.append, 50)
        in_ranges(lambda start, stop: done.extend(range(50 + start, 50 + stop)), 75)
    assert sorted(done) == list(range(125))


def test_what_a_piece_raises_is_raised_wherever_it_was_done():
    def fail(piece):
        time.sleep(0.01)
        if threading.current_thread() is not threading.main_thread():
            raise RuntimeError("on another thread")

    with using(2), pytest.raises(RuntimeError, match="on another thread"):
        in_pieces(fail, 20)


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork here")
def test_a_fork_after_a_fit_works_whatever_was_imported():
    for module in ("faiss", "openTSNE"):
        pytest.importorskip(module)
    done = run_python("-W", "ignore", "-c", FORK_AFTER_A_FIT, NUMBA_NUM_THREADS=2)
    assert done.stdout == "True\n"


def test_the_number_of_threads_is_that_of_the_variable(monkeypatch):
    found = []
    for asked in ("3", "", "0", "x"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", asked)
        threads.default_number.cache_clear()
        found.append(threads.default_number())
    threads.default_number.cache_clear()
    assert found[0] == 3
    assert 1 <= found[1] == found[2] == found[3] <= os.cpu_count()
