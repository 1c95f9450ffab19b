"""Runs notebooks: in place on the real data, or beside the figures on stand-ins."""

import atexit
import math
import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import nbformat
from joblib import cpu_count
from jupyter_client.kernelspec import NoSuchKernel
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, DeadKernelError

from repro import datasets
from repro.core.files import write_text
from repro.core.folders import folder_from
from repro.core.names import find_names, known_name
from repro.core.records import UserError, first_mismatch, read_json
from repro.notebook.knobs import knob_in, knob_path

# What of a notebook's file must be there; see `repro.core.records.first_mismatch`.
ABOUT = {"paper": str, "item": str, "title": str, "datasets": {str: dict}}
LESSON = {"number": int, "needs": str, "ask": [str]}
CELL = {"cell_type": str, "metadata": dict, "source": str | list}
CELL_TIMEOUT = 1800  # seconds
# Runs with the cell of a knob, and does not stay in it.
DRAW_STATES = """
# the states of the knob
import pathlib, repro.notebook.knobs
repro.notebook.knobs.save_states({name}, pathlib.Path({path!r}))
"""
WIDGET = "application/vnd.jupyter.widget-view+json"


@dataclass(frozen=True)
class Notebook:
    """A notebook and what its metadata say of it.

    ``datasets`` holds the arguments of each fetcher that it calls. ``lesson`` is its place in the
    course (``number``), what a class ``needs`` to know before it, and the questions to ``ask``;
    None if it is no lesson.
    """

    path: Path
    code_cells: int
    paper: str
    item: str
    title: str
    datasets: dict
    lesson: dict | None

    @property
    def stem(self):
        """The name of its figure and of its claims."""
        return self.path.stem

    @property
    def number(self):
        """Its place in the course; what is no lesson comes last."""
        return self.lesson["number"] if self.lesson else math.inf

    @classmethod
    def read(cls, path):
        """Read the metadata of a file; a UserError if it is no notebook of this project."""
        content = read_json(path, {"nbformat": int, "cells": [CELL], "metadata": {"repro": dict}})
        about = content["metadata"]["repro"]
        lesson = {"lesson": LESSON} if "lesson" in about else {}
        wrong = first_mismatch(about, ABOUT | lesson, "its metadata, repro")
        if wrong:
            raise UserError(f"{path.name} has invalid metadata: {wrong} is not as it should be")
        count = sum(cell["cell_type"] == "code" for cell in content["cells"])
        return cls(path, count, **{name: about.get(name) for name in (*ABOUT, "lesson")})


@dataclass(frozen=True)
class Outcome:
    """What became of a notebook: its time, the data sets that were generated, what went wrong."""

    notebook: Notebook
    seconds: float
    standins: tuple
    error: str | None = None


def find_notebooks(folder, patterns=()):
    """Find notebooks by name, in alphabetical order; see `find_names`. No pattern means all."""
    paths = {path.stem: path for path in sorted(Path(folder).glob("*.ipynb"))}
    if not paths:
        raise UserError(f"no notebooks in {folder}: run this in the project's folder, or below it")
    chosen = find_names(patterns or ["*"], paths, "notebook")
    return [Notebook.read(path) for stem, path in paths.items() if stem in chosen]


def fetch_data(notebooks):
    """Fetch what the notebooks need; return why a set could not be had, by its name.

    A UserError if the metadata of one asks for what no set has.
    """
    missing = {}
    for notebook in notebooks:
        for name, asked in notebook.datasets.items():
            try:
                known_name(name, datasets.FETCHERS, "its metadata")
                error = datasets.prefetch(**{name: asked})[name]
            except (TypeError, ValueError) as wrong:
                raise UserError(f"{notebook.path.name}: {wrong}") from None
            if error is not None:
                missing[name] = error
    return missing


def kernel_environment(standins=(), threads=None):
    """Return the environment for a notebook's kernel, which works in another folder than this.

    ``standins`` are data sets to generate, ``threads`` those of each numeric kernel, and the
    processes that the notebook may start.
    """
    environment = dict(os.environ)
    for name in ("REPRO_DATA_DIR", "REPRO_CACHE_DIR", "REPRO_FIGURES_DIR"):
        if environment.get(name):
            environment[name] = str(folder_from(name))
    if standins:
        environment["REPRO_STANDIN"] = ",".join(standins)
    if threads:
        # The last is what joblib takes for the number of cores.
        names = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "LOKY_MAX_CPU_COUNT")
        environment |= dict.fromkeys(names, str(threads))
    # The bits of a product or of an eigenvalue depend on the number of BLAS's threads.
    return environment | dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def run_notebook(
    notebook,
    standins=(),
    threads=None,
    on_start=lambda client: None,
    on_cell=lambda: None,
    knobs=False,
):
    """Execute a notebook and return its `Outcome`.

    Not to be called in the main thread: there its client would take Ctrl-C for itself. On real data
    the executed notebook takes the place of the file. On stand-ins the file stays, and the executed
    notebook is written to ``figures/standin``.

    For ``standins`` and ``threads`` see `kernel_environment`. ``on_start`` takes the notebook's
    client before it starts its kernel; ``on_cell`` is called after each code cell. With ``knobs``
    the states of its knobs are drawn, see `repro.notebook.knobs`; on real data only.
    """
    content = nbformat.read(notebook.path, as_version=4)
    figures = folder_from("REPRO_FIGURES_DIR") or notebook.path.absolute().parents[1] / "figures"
    environment = kernel_environment(standins, threads)
    states = figures if knobs and not standins else None
    start = time.perf_counter()
    error = execute(notebook, content, environment, on_start, on_cell, states)
    seconds = time.perf_counter() - start
    if not error:
        try:
            folder = figures / "standin" if standins else notebook.path.parent
            _keep(content, folder / notebook.path.name)
        except OSError as full:  # reported as any failure, and the other notebooks go on
            error = f"cannot be written: {full}"
    return Outcome(notebook, seconds, tuple(standins), error)


def execute(notebook, content, environment, on_start, on_cell, figures):
    """Execute the cells of a notebook's content, in place; see `run_notebook`.

    The states of its knobs are drawn if the folder of the figures is given. Returns what a cell
    raised, or that the kernel died or took too long; None if all went well.
    """

    def before(cell, **_):
        if figures and (name := knob_in(cell.source)):
            path = knob_path(figures, notebook.stem, name)
            cell.source += DRAW_STATES.format(name=name, path=str(path))

    def after(cell, **_):
        cell.source = cell.source.partition(DRAW_STATES.partition("import")[0])[0]
        on_cell()

    client = NotebookClient(
        content,
        timeout=CELL_TIMEOUT,
        kernel_name="python3",
        resources={"metadata": {"path": str(notebook.path.parent)}},
        record_timing=False,
        coalesce_streams=True,  # how a stream was cut into pieces differs from run to run
        extra_arguments=["--log-level=40"],  # errors only: a kernel's warnings are not the reader's
        on_cell_execute=before,
        on_cell_executed=after,
    )
    on_start(client)
    try:
        client.execute(env=environment)
    except (CellExecutionError, DeadKernelError, TimeoutError) as error:
        return str(error)
    except (NoSuchKernel, OSError, RuntimeError) as error:
        atexit.unregister(client._cleanup_kernel)  # it would fail for want of a kernel
        return f"the Jupyter kernel python3 does not start: {error}"
    return None


def _keep(content, path):
    """Write an executed notebook, in one step, without what differs from run to run."""
    content.metadata["kernelspec"] = {
        "display_name": "Python 3 (ipykernel)",
        "language": "python",
        "name": "python3",
    }
    content.metadata["language_info"] = {"name": "python"}
    content.metadata.pop("widgets", None)
    for cell in (cell for cell in content.cells if cell.cell_type == "code"):
        # A widget is alive with its kernel only, and has a random name.
        cell.outputs = [out for out in cell.outputs if WIDGET not in out.get("data", {})]
    nbformat.validate(content)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, nbformat.writes(content) + "\n")


def run_notebooks(notebooks, standins, jobs, on_cell, knobs):
    """Execute notebooks, ``jobs`` at a time, and yield their outcomes in the notebooks' order.

    ``standins`` are the data sets to generate; ``on_cell`` takes a notebook, and is called after
    each of its code cells. See `run_notebook`.
    """
    jobs = min(jobs, len(notebooks))
    threads = max(1, cpu_count() // jobs) if jobs > 1 else None
    clients = []

    def run_one(notebook):
        generated, step = sorted(standins & set(notebook.datasets)), partial(on_cell, notebook)
        return run_notebook(notebook, generated, threads, clients.append, step, knobs)

    with ThreadPoolExecutor(jobs) as pool:
        try:
            yield from pool.map(run_one, notebooks)
        except BaseException:  # Ctrl-C: do not wait for the cells that are running
            pool.shutdown(wait=False, cancel_futures=True)
            for client in clients:
                process = getattr(getattr(client.km, "provisioner", None), "process", None)
                if process is not None and process.poll() is None:
                    process.kill()
            raise
