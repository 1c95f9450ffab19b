"""Execution of notebooks, into copies of them or, on request, the committed ones."""

import atexit
import os
import re
import time
from contextlib import suppress
from dataclasses import dataclass

import nbformat
from joblib import cpu_count
from joblib.externals.loky import BrokenProcessPool, ProcessPoolExecutor, as_completed
from jupyter_client import AsyncKernelManager
from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, DeadKernelError

from repro import datasets
from repro.core.errors import UserError
from repro.core.files import folder_from, write_text
from repro.workbench.ending import end_with_parent
from repro.workbench.folders import project_dir, reproduced_folder
from repro.workbench.lessons.copies import copy_glossary
from repro.workbench.lessons.files import Notebook, read_content

CELL_TIMEOUT = 1800  # seconds
# PYTHONOPTIMIZE would switch off the notebooks' assertions, MPLBACKEND their pictures.
OF_THE_USER = {"PYTHONOPTIMIZE", "PYTHONSTARTUP", "PYTHONWARNINGS", "MPLBACKEND"}
OF_THE_USER |= {"COLUMNS", "LINES"}
WIDGET = "application/vnd.jupyter.widget-view+json"
# The file name of a cell in a warning: its folder has the number of the process.
CELL_FILE = re.compile(r"(?<!\S)\S*ipykernel_\d+[\\/]\d+\.py")


@dataclass(frozen=True)
class Outcome:
    """The result of running a notebook: its time, the generated data sets, and the error."""

    notebook: Notebook
    seconds: float
    standins: tuple
    error: str | None = None


def fetch_data(notebooks):
    """Fetch the data of notebooks; return the errors of sets that could not be obtained, by name.

    Raises UserError if the metadata of a notebook ask for an unknown set or argument.
    """
    missing = {}
    for notebook in notebooks:
        for name, arguments in notebook.datasets.items():
            if name in missing:  # without network each attempt takes seconds
                continue
            try:
                error = datasets.prefetch(name, **arguments)
            except (TypeError, ValueError) as wrong:
                raise UserError(f"{notebook.path.name}: {wrong}") from None
            if error is not None:
                missing[name] = error
    return missing


def kernel_environment(figures, standins=(), threads=None):
    """Return the environment variables of a notebook's kernel, which runs in another folder.

    The settings of the user that are not the project's are left out: those of IPython, Python,
    Matplotlib and the terminal. Figures go to the folder ``figures``. ``standins`` are data sets to
    generate; ``threads`` limits the threads of each numeric kernel, and the processes that the
    notebook may start.
    """
    ours = reproduced_folder() / "ipython"
    with suppress(OSError):  # where it cannot be made, IPython takes a temporary one
        ours.mkdir(parents=True, exist_ok=True)
    environment = {name: value for name, value in os.environ.items() if name not in OF_THE_USER}
    environment |= {"IPYTHONDIR": str(ours.absolute()), "MATPLOTLIBRC": os.devnull}
    environment["REPRO_FIGURES_DIR"] = str(figures)
    for name in ("REPRO_DATA_DIR", "REPRO_CACHE_DIR"):
        if environment.get(name):
            environment[name] = str(folder_from(name))
    if standins:
        environment["REPRO_STANDIN"] = ",".join(standins)
    if threads:
        # joblib takes the last as the number of cores.
        names = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "LOKY_MAX_CPU_COUNT")
        environment |= dict.fromkeys(names, str(threads))
    # The bits of a product or of an eigenvalue depend on the number of BLAS's threads.
    return environment | dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def folders_of_a_run(write=False):
    """Return the folders of a run's notebooks and figures; with ``write``, the committed ones.

    REPRO_FIGURES_DIR overrides the folder of figures.
    """
    whole = project_dir() if write else reproduced_folder()
    return whole / "notebooks", folder_from("REPRO_FIGURES_DIR") or whole / "figures"


def run_notebook(notebook, standins=(), threads=None, write=False):
    """Execute a notebook and return its `Outcome`.

    The executed notebook goes to a folder of `folders_of_a_run`, or, on stand-ins, to the subfolder
    ``standin`` of the figures. For ``standins`` and ``threads`` see `kernel_environment`.
    """
    try:
        content = read_content(notebook.path)
    except UserError as damaged:
        return Outcome(notebook, 0.0, tuple(standins), str(damaged))
    notebooks, figures = folders_of_a_run(write)
    kept_in = figures / "standin" if standins else notebooks
    environment = kernel_environment(figures, standins, threads)
    start = time.perf_counter()
    error = None
    try:
        for folder in (notebooks, kept_in):
            folder.mkdir(parents=True, exist_ok=True)
        if not write:
            copy_glossary(notebook.path.parent, notebooks)
        error = execute(content, notebooks, environment)
        if not error:
            _keep(content, kept_in / notebook.path.name)
    except OSError as full:  # reported like any failure; the other notebooks go on
        error = f"cannot be written: {full}"
    return Outcome(notebook, time.perf_counter() - start, tuple(standins), error)


def execute(content, folder, environment):
    """Execute the cells of a notebook's content, in place, in a folder; see `run_notebook`.

    Returns the error as text, if a cell raised one or the kernel died or timed out, else None.
    """
    client = NotebookClient(
        content,
        timeout=CELL_TIMEOUT,
        # The Python that runs, whatever kernels the user has installed.
        km=AsyncKernelManager(kernel_spec_manager=KernelSpecManager(kernel_dirs=[])),
        resources={"metadata": {"path": str(folder)}},
        record_timing=False,
        extra_arguments=["--log-level=40"],  # errors only: readers need no kernel warnings
    )
    try:
        client.execute(env=environment)
    except (CellExecutionError, DeadKernelError, TimeoutError) as error:
        return str(error)
    except (NoSuchKernel, OSError, RuntimeError) as error:
        atexit.unregister(client._cleanup_kernel)  # it would fail without a kernel
        return f"the Jupyter kernel python3 does not start: {error}"
    return None


def _keep(content, path):
    """Write an executed notebook atomically, without what differs from run to run."""
    content.metadata["kernelspec"] = {
        "display_name": "Python 3 (ipykernel)",
        "language": "python",
        "name": "python3",
    }
    content.metadata["language_info"] = {"name": "python"}
    content.metadata.pop("widgets", None)
    for cell in (cell for cell in content.cells if cell.cell_type == "code"):
        # A widget needs its kernel, and has a random name.
        outputs = [out for out in cell.outputs if WIDGET not in out.get("data", {})]
        cell.outputs = _whole_streams(outputs)
    nbformat.validate(content)
    write_text(path, nbformat.writes(content) + "\n")


def _whole_streams(outputs):
    """Join the pieces of each stream, which differ between runs, as a terminal would show them."""
    streams = {}
    kept = []
    for output in outputs:
        if output.output_type != "stream":
            kept.append(output)
        elif output.name in streams:
            streams[output.name].text += output.text
        else:
            streams[output.name] = output
            after_errors = bool(kept) and kept[-1].get("name") == "stderr"
            kept.insert(len(kept) - after_errors, output)  # the order of the two is random
    for stream in streams.values():
        lines = stream.text.split("\n")
        text = "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in lines)
        stream.text = CELL_FILE.sub("<cell>", text)
    return kept


def run_notebooks(notebooks, standins, jobs, write):
    """Execute notebooks, ``jobs`` at a time, and yield the outcome of each when it ends.

    ``standins`` is the set of data sets to generate. See `run_notebook` and `in_processes`.
    """
    jobs = min(jobs, len(notebooks))
    threads = max(1, cpu_count() // jobs) if jobs > 1 else None
    calls = [(nb, sorted(standins & set(nb.datasets)), threads, write) for nb in notebooks]
    return in_processes(run_notebook, calls, jobs)


def in_processes(function, calls, jobs):
    """Call a function that runs notebooks with each tuple of arguments; yield results as they come.

    It is called in ``jobs`` processes, which Ctrl-C can end; a client in the main thread would
    catch it. Raises UserError if a process died.
    """
    pool = ProcessPoolExecutor(jobs, initializer=end_with_parent)
    try:
        for run in as_completed([pool.submit(function, *arguments) for arguments in calls]):
            yield run.result()
    except BrokenProcessPool:
        raise UserError("a process that ran a notebook died: is there enough memory?") from None
    finally:  # after Ctrl-C, do not wait for the cells that are running
        pool.shutdown(kill_workers=True)
