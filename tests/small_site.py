"""A small project to make a site of: two notebooks, one of them with a map; and how to read one."""

import base64
import io
import json
import re
from html.parser import HTMLParser
from types import SimpleNamespace
from urllib.parse import unquote

import matplotlib.pyplot as plt
import nbformat
import numpy as np
import toy_experiment
from PIL import Image

from repro.evidence.sweeps import write_embeddings
from repro.notebook import knobs

README = """# repro

What it is: ![a figure](figures/a_fig1.png), see [the workflow](.github/workflows/tests.yml).

## Two commands

Run `repro run`.

## Scorecard

A verdict is computed; [all runs](figures/sweeps/strip.png), [none](figures/sweeps/b_fig2.png).

<!-- scorecard: generated -->
old
<!-- /scorecard -->

## Teach with these notebooks

Begin with [a_fig1](notebooks/a_fig1.ipynb), read [the errata](ERRATA.md).

<!-- lessons: generated -->
| notebook | to ask |
|---|---|
| [b_fig2](notebooks/b_fig2.ipynb) | Why? |
<!-- /lessons -->

## Use it on your own data

```python
import repro
```

## Does it carry over?

![effects elsewhere](figures/sweeps/elsewhere.png)
"""
LABELS = ["left", "<b>middle</b> & co", "right"]


def png_of(width=40, height=20):
    file = io.BytesIO()
    Image.fromarray(np.full((height, width), 200, np.uint8)).save(file, "png")
    return file.getvalue()


def notebook_of(stem, *cells):
    notebook = nbformat.v4.new_notebook(cells=list(cells))
    about = {"paper": stem[0].upper(), "item": f"Fig. {stem[-1]}", "title": f"About {stem}"}
    notebook.metadata["repro"] = {**about, "datasets": {}}
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    notebook.metadata["language_info"] = {"name": "python"}
    for k, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{k}"
    return notebook


def _shown(source, **data):
    output = nbformat.v4.new_output(
        "display_data", data={k.replace("_", "/"): v for k, v in data.items()}
    )
    return nbformat.v4.new_code_cell(source, outputs=[output], execution_count=1)


def points_of(**other):
    points = {
        "notebook": "a_fig1",
        "set": {"name": "coil20", "arguments": {"objects": [3], "views": [0, 1]}},
        "rows": [0, 1, 0],
        "labels": LABELS,
        "groups": ["u", "v", "u"],
        "maps": {name: {"x": [-1, 0, 1], "y": [0.5, 0, -0.5]} for name in ("MRE", "SNE")},
    }
    return points | other


def make_project(root):
    """Make a project of two notebooks, one of them with a map."""
    for folder in ("notebooks", "figures/points", "figures/sweeps", ".github"):
        (root / folder).mkdir(parents=True)
    (root / "pyproject.toml").touch()
    (root / "README.md").write_text(README, encoding="utf-8")
    (root / ".github" / "CONTRIBUTING.md").write_text("# Contributing\n\nTen lines.\n")
    (root / "ERRATA.md").write_text("# Errata\n\n## Errors\n\n- Eq. (1) is misprinted.\n")
    (root / "notebooks" / "glossary.md").write_text("# Glossary\n\nTerms.\n")
    markdown, code = nbformat.v4.new_markdown_cell, nbformat.v4.new_code_cell
    figure = base64.b64encode(png_of()).decode()
    first = notebook_of(
        "a_fig1",
        markdown(
            "# The first\n\nSee [the second](b_fig2.ipynb). $$E = \\frac12 \\lVert x \\rVert$$"
        ),
        _shown("plot()", image_png=figure, text_plain="<Figure>"),
        _shown("table()", text_html="<table><tr><td>in a table</td></tr></table>", text_plain="-"),
        code("@interact(n=2)\ndef turn(n): ..."),
    )
    bar = nbformat.v4.new_output("display_data")
    bar.data = {"application/vnd.jupyter.widget-view+json": {"model_id": "0"}, "text/plain": "100%"}
    directive = "```{eval-rst}\n.. automodule:: this\n```"
    hostile = markdown(f"# The second\n\n{directive}")
    second = notebook_of("b_fig2", hostile, code("bar()", outputs=[bar]))
    second.metadata["repro"]["title"] = "About <script>b_fig2</script> and *[more](x)*"
    for stem, notebook in (("a_fig1", first), ("b_fig2", second)):
        nbformat.write(notebook, root / "notebooks" / f"{stem}.ipynb")
        (root / "figures" / f"{stem}.png").write_bytes(png_of())
    for name in ("strip", "elsewhere", "a_fig1"):
        (root / "figures" / "sweeps" / f"{name}.png").write_bytes(png_of(60))
    write_states(root / "figures" / "knobs" / "a_fig1_turn.png")
    toy_experiment.sweep(root / "figures")
    points = np.random.default_rng(0).normal(size=(5, 2))
    words = ("primary", "the level is zero", "high")
    write_embeddings(root / "figures", "a_fig1", dict.fromkeys(words, points))
    write_json(root / "figures" / "points" / "a_fig1.json", points_of())


def write_states(path):
    """Write three states of a knob, the second of which is shown first."""
    slider = SimpleNamespace(
        options=(1, 2, 5), _options_labels=("1", "2", "5"), description="n", index=1
    )
    turn = lambda n: plt.figure(figsize=(2, 1)).text(0.5, 0.5, n)  # noqa: E731
    turn.widget = SimpleNamespace(children=[slider])
    knobs.save_states(turn, path)


def write_json(path, value):
    path.write_text(json.dumps(value), encoding="utf-8")


class Links(HTMLParser):
    """Collect the links of a page, its ids, and what it loads."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loaded, self.ids = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.ids |= {attrs.get("id"), attrs.get("name")}
        target = attrs.get("href") or attrs.get("src")
        if target:
            (self.links if tag == "a" else self.loaded).append(target)


def read_pages(folder):
    paths = (path for path in folder.rglob("*.html") if "_static" not in path.parts)  # no templates
    return {path: Links(path.read_text(encoding="utf-8")) for path in paths}


def assert_whole(folder):
    """Every link within the site has its end, and nothing is loaded from elsewhere."""
    read = read_pages(folder)
    for page, found in read.items():
        for target in found.loaded:
            assert not re.match(r"(https?:)?//", target), f"{page.name} loads {target}"
        for target in found.links + found.loaded:
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = unquote(target).partition("#")
            end = (page.parent / name.split("?")[0]).resolve() if name else page
            assert end.exists(), f"{page.name}: {target}"
            if anchor and end in read and end.suffix == ".html":
                assert anchor in read[end].ids, f"{page.name}: {target}"
    return read
