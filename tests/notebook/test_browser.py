"""JupyterLab in a real browser: every notebook opens, and "Run All Cells" works.

Skipped unless asked for; it takes about two minutes::

    REPRO_BROWSER=/usr/bin/chromium pytest tests/notebook/test_browser.py

All happens in a copy of the notebooks, which JupyterLab may save as it likes.
"""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import nbformat
import pytest

pytestmark = pytest.mark.usefixtures("browser")  # before JupyterLab is started
ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))
LIGHT = "tete_fig2_deformed_exp_log"
# All cells are kept in the page, not only those in view, so that they can be counted.
SETTINGS = {
    "notebook-extension/tracker": {"windowingMode": "none", "autosaveInterval": 0},
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
}
WRONG = "[data-mime-type='application/vnd.jupyter.stderr'], [data-mime-type*='error'], mjx-merror"
PATIENCE = 600  # seconds for JupyterLab to start, and for a notebook to run
PROMPTS = ".jp-CodeCell .jp-InputPrompt"


def _free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """Start JupyterLab on a copy of the project, with settings of its own; return its address."""
    root = tmp_path_factory.mktemp("Größe und Maß")
    for folder in ("notebooks", "figures"):  # the card reads figures/sweeps
        shutil.copytree(ROOT / folder, root / folder)
    shutil.copy(ROOT / "pyproject.toml", root)
    for name, values in SETTINGS.items():
        path = root / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(values), encoding="utf-8")
    port = _free_port()
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", f"--ServerApp.port={port}"]
    command += ["--IdentityProvider.token=", f"--ServerApp.root_dir={root}", "--allow-root"]
    folders = {
        "JUPYTERLAB_SETTINGS_DIR": root / "settings",
        "JUPYTERLAB_WORKSPACES_DIR": root / "workspaces",
        "JUPYTER_CONFIG_DIR": root / "config",
    }
    environment = os.environ | {name: str(folder) for name, folder in folders.items()}
    environment.pop("REPRO_FIGURES_DIR", None)
    with (root / "log").open("w") as log:
        server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for(f"{address}/api/status", root / "log")
        yield address, root
    finally:
        server.terminate()
        server.wait(30)


def _wait_for(url, log):
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            return urllib.request.urlopen(url, timeout=5).close()
        except OSError:
            time.sleep(0.5)
    raise AssertionError(f"JupyterLab does not answer:\n{log.read_text()}")


@pytest.fixture
def page(browser):
    """Give each test a page of its own: JupyterLab asks before one with changes is left."""
    with browser.new_page(viewport={"width": 1300, "height": 1600}) as page:
        page.set_default_timeout(240_000)
        yield page


def _open(page, lab, stem):
    """Open a notebook alone in JupyterLab; return its cells once all are shown."""
    address, root = lab
    cells = nbformat.read(root / "notebooks" / f"{stem}.ipynb", as_version=4).cells
    page.goto(f"{address}/lab/tree/notebooks/{stem}.ipynb?reset")
    page.wait_for_function(
        f"document.querySelectorAll('.jp-Notebook .jp-Cell').length == {len(cells)}"
    )
    assert page.locator(".jp-Dialog").count() == 0
    return cells


def _images(page):
    """Return the widths in pixels of the images among the outputs that the browser has drawn."""
    script = "all => all.map(i => i.complete && i.checkVisibility() ? i.naturalWidth : 0)"
    return page.locator(".jp-OutputArea-output img").evaluate_all(script)


def _assert_sound(page, least_images):
    wrong = page.locator(WRONG).all_inner_texts()
    assert not wrong, wrong
    widths = _images(page)
    assert len(widths) >= least_images
    assert min(widths, default=1) > 0, widths


@pytest.mark.parametrize("stem", NOTEBOOKS)
def test_every_notebook_opens_with_its_outputs(page, lab, stem):
    cells = _open(page, lab, stem)
    pictures = [
        output
        for cell in cells
        for output in cell.get("outputs", ())
        if "image/png" in output.get("data", {})
    ]
    assert pictures
    page.wait_for_function(
        "n => document.querySelectorAll('.jp-OutputArea-output img').length >= n",
        arg=len(pictures),
    )
    if any("$" in cell.source for cell in cells if cell.cell_type == "markdown"):
        page.wait_for_selector(".jp-MarkdownOutput mjx-container", state="attached")
    _assert_sound(page, len(pictures))


def test_run_all_cells_runs_every_cell_and_shows_the_figure(page, lab):
    path = lab[1] / "notebooks" / f"{LIGHT}.ipynb"
    content = nbformat.read(path, as_version=4)
    for cell in content.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    nbformat.write(content, path)
    cells = _open(page, lab, LIGHT)
    assert _images(page) == []
    drawn = lab[1] / "figures" / f"{LIGHT}.png"
    drawn.unlink(missing_ok=True)
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name=re.compile("^Run All Cells")).click()
    n = sum(cell.cell_type == "code" for cell in cells)
    wanted = [f"[{k}]:" for k in range(1, n + 1)]
    page.wait_for_function(
        f"wanted => [...document.querySelectorAll('{PROMPTS}')]"
        ".map(p => p.textContent).join() == wanted.join()"
        f" || document.querySelector(`{WRONG}`)",
        arg=wanted,
        timeout=PATIENCE * 1000,
    )
    page.wait_for_selector(".jp-OutputArea-output img")
    _assert_sound(page, 1)
    figure = page.locator(".jp-OutputArea-output img").last
    figure.scroll_into_view_if_needed()
    assert figure.is_visible()
    assert drawn.stat().st_size > 10_000
