"""Runs notebooks: in place on the real data, or beside the figures on stand-ins."""

import atexit
import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import nbformat
from jupyter_client.kernelspec import NoSuchKernel
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, DeadKernelError

from repro import datasets
from repro.core.files import write_text
from repro.core.folders import folder_from
from repro.core.names import find_names
from repro.core.records import UserError, first_mismatch, read_json
from repro.datasets.arguments import known_name
from repro.notebook.knobs import knob_in, knob_path

# What of a notebook's file must be there; see `repro.core.records.first_mismatch`.
ABOUT = {"paper": str, "item": str, "title": str, "datasets": {str: dict}}
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

    Attributes
    ----------
    path : pathlib.Path
    paper, item, title : str
    datasets : dict of str to dict
        What it fetches: the arguments of each set's fetcher.
    """

    path: Path
    paper: str
    item: str
    title: str
    datasets: dict

    @property
    def stem(self):
        """The name of its figure and of its claims."""
        return self.path.stem

    @property
    def code_cells(self):
        """How many cells it executes."""
        content = nbformat.read(self.path, as_version=4)
        return sum(cell.cell_type == "code" for cell in content.cells)

    @classmethod
    def read(cls, path):
        """Read the metadata of a file.

        Raises
        ------
        UserError
            If it is no notebook of this project.
        """
        content = read_json(path, {"nbformat": int, "cells": [CELL], "metadata": {"repro": dict}})
        about = content["metadata"]["repro"]
        wrong = first_mismatch(about, ABOUT, "its metadata, repro")
        if wrong:
            raise UserError(f"{path.name} has invalid metadata: {wrong} is not as it should be")
        return cls(path, **{name: about[name] for name in ABOUT})


@dataclass(frozen=True)
class Outcome:
    """What became of a notebook.

    Attributes
    ----------
    notebook : Notebook
    seconds : float
    standins : tuple of str
        The data sets that were generated because they could not be had, or as asked.
    error : str or None
    """

    notebook: Notebook
    seconds: float
    standins: tuple
    error: str | None = None


def find_notebooks(folder, patterns=()):
    """Find notebooks by name.

    Parameters
    ----------
    folder : pathlib.Path
    patterns : sequence of str
        Names, parts of names, or patterns with ``*``; empty means all.

    Returns
    -------
    notebooks : list of Notebook

    Raises
    ------
    UserError
        If there are none, or a pattern fits none; the message names the nearest.
    """
    paths = {path.stem: path for path in sorted(Path(folder).glob("*.ipynb"))}
    if not paths:
        raise UserError(f"no notebooks in {folder}: run this in the project's folder, or below it")
    chosen = find_names(patterns or ["*"], paths, "notebook")
    return [Notebook.read(path) for stem, path in paths.items() if stem in chosen]


def wanted_standins(notebooks):
    """Find the data sets of notebooks that are to be generated because REPRO_STANDIN says so."""
    names = {name for notebook in notebooks for name in notebook.datasets}
    return {name for name in names if datasets.standin_wanted(name)}


def fetch_data(notebooks):
    """Fetch what the notebooks need.

    Returns
    -------
    missing : dict of str to DatasetUnavailable
        The sets that could not be had.

    Raises
    ------
    UserError
        If the metadata of one asks for what no set has.
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

    Parameters
    ----------
    standins : sequence of str
        Data sets to generate.
    threads : int, optional
        Threads of each numeric kernel, and processes that the notebook may start.
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


def figures_of(notebook):
    """Return the folder of a notebook's figures and record: REPRO_FIGURES_DIR or ``figures``."""
    return folder_from("REPRO_FIGURES_DIR") or notebook.path.parent.absolute().parent / "figures"


def run_notebook(
    notebook,
    standins=(),
    threads=None,
    on_start=lambda client: None,
    on_cell=lambda: None,
    knobs=False,
):
    """Execute a notebook.

    On real data the executed notebook takes the place of the file. On stand-ins the file stays,
    and the executed notebook is written to ``figures/standin``.

    Parameters
    ----------
    notebook : Notebook
    standins : sequence of str
        Data sets to generate.
    threads : int, optional
        Threads of each numeric kernel.
    on_start : callable
        Takes the notebook's client before it starts its kernel.
    on_cell : callable
        Called after each code cell.
    knobs : bool
        Whether to draw the states of its knobs, see `repro.notebook.knobs`; on real data only.

    Returns
    -------
    outcome : Outcome
    """
    content = nbformat.read(notebook.path, as_version=4)
    folder = notebook.path.parent
    environment = kernel_environment(standins, threads)
    start = time.perf_counter()
    path_of_states = partial(knob_path, figures_of(notebook), notebook.stem)
    states = path_of_states if knobs and not standins else None
    error = execute(content, folder, environment, on_start, on_cell, states)
    seconds = time.perf_counter() - start
    if not error:
        try:
            _keep(content, notebook, standins)
        except OSError as full:  # reported as any failure, and the other notebooks go on
            error = f"cannot be written: {full}"
    return Outcome(notebook, seconds, tuple(standins), error)


def execute(
    content,
    folder,
    environment,
    on_start=lambda client: None,
    on_cell=lambda: None,
    states=None,
):
    """Execute the cells of a notebook, in place.

    Parameters
    ----------
    content : nbformat.NotebookNode
    folder : pathlib.Path
        Where its kernel works.
    environment : dict of str to str
        Of its kernel, see `kernel_environment`.
    on_start, on_cell : callable
        See `run_notebook`.
    states : callable, optional
        Takes a knob's name; returns the path of the picture of its states, which is then drawn.

    Returns
    -------
    error : str or None
        What a cell raised, or that the kernel died or took too long.
    """

    def before(cell, **_):
        if states and (knob := knob_in(cell.source)):
            cell.source += DRAW_STATES.format(name=knob, path=str(states(knob)))

    def after(cell, **_):
        cell.source = cell.source.partition(DRAW_STATES.partition("import")[0])[0]
        on_cell()

    client = NotebookClient(
        content,
        timeout=CELL_TIMEOUT,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        record_timing=False,
        coalesce_streams=True,  # how a stream was cut into pieces differs from run to run
        extra_arguments=["--log-level=40"],  # errors only: a kernel's warnings are not the reader's
        on_cell_execute=before,
        on_cell_executed=after,
    )
    on_start(client)
    with ThreadPoolExecutor(1) as pool:  # in the main thread it would take Ctrl-C for itself
        future = pool.submit(client.execute, env=environment)
        try:
            future.result()
        except (CellExecutionError, DeadKernelError, TimeoutError) as error:
            return str(error)
        except (NoSuchKernel, OSError, RuntimeError) as error:
            atexit.unregister(client._cleanup_kernel)  # it would fail for want of a kernel
            return f"the Jupyter kernel python3 does not start: {error}"
        except BaseException:  # Ctrl-C: do not wait for the cell that is running
            _kill_kernel(client)
            raise
    return None


def _keep(content, notebook, standins):
    """Write an executed notebook to its place; one run on stand-ins beside its figures."""
    folder = notebook.path.parent
    if standins:
        folder = figures_of(notebook) / "standin"
        folder.mkdir(parents=True, exist_ok=True)
    write_notebook(content, folder / notebook.path.name)


def write_notebook(content, path):
    """Write an executed notebook, in one step, without what differs from run to run."""
    content.metadata["kernelspec"] = {
        "display_name": "Python 3 (ipykernel)",
        "language": "python",
        "name": "python3",
    }
    content.metadata["language_info"] = {"name": "python"}
    content.metadata.pop("widgets", None)
    for cell in content.cells:
        if (
            cell.cell_type == "code"
        ):  # a widget is alive with its kernel only, and has a random name
            cell.outputs = [out for out in cell.outputs if WIDGET not in out.get("data", {})]
    nbformat.validate(content)
    write_text(path, nbformat.writes(content) + "\n")


def run_notebooks(notebooks, standins_of, jobs, on_cell, knobs=False):
    """Execute notebooks, ``jobs`` at a time.

    Parameters
    ----------
    notebooks : sequence of Notebook
    standins_of : callable
        Takes a notebook, returns the names of the data sets to generate for it.
    jobs : int
    on_cell : callable
        Takes a notebook; called after each of its code cells.
    knobs : bool
        See `run_notebook`.

    Yields
    ------
    outcome : Outcome
        In the notebooks' order.
    """
    threads = max(1, (os.cpu_count() or 1) // jobs) if jobs > 1 else None
    clients = []
    with ThreadPoolExecutor(jobs) as pool:
        futures = [
            pool.submit(
                run_notebook,
                nb,
                standins_of(nb),
                threads,
                clients.append,
                partial(on_cell, nb),
                knobs,
            )
            for nb in notebooks
        ]
        try:
            for future in futures:
                yield future.result()
        except BaseException:  # Ctrl-C: do not wait for the cells that are running
            pool.shutdown(wait=False, cancel_futures=True)
            for client in clients:
                _kill_kernel(client)
            raise


def _kill_kernel(client):
    process = getattr(getattr(client.km, "provisioner", None), "process", None)
    if process is not None and process.poll() is None:
        process.kill()
