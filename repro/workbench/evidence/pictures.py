"""The pictures of the evidence as files: one per experiment, and a bar per paper."""

from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt
import numpy as np

from repro.plots import in_style
from repro.workbench.evidence.picture import draw_evidence
from repro.workbench.evidence.scorecard import by_the_papers, grouped
from repro.workbench.lessons.figures import write_figure

# Outcomes of claims, the best first: colour, and name in the key.
PARTS = {
    "whatever": ("#00795A", "reproduced under every reading"),
    "yes": ("#8CCDB6", "reproduced in our reading"),
    "partly": ("#F0D58C", "in a part of the runs"),
    "no": ("#D98C5F", "not reproduced"),
}


def _part_of(answers):
    """Return the key in `PARTS` of the answers on a claim."""
    return "whatever" if answers.word == "holds" else answers.reproduced


def draw_papers(judged):
    """Draw a bar per paper with the number of its empirical claims by outcome."""
    papers = grouped(by_the_papers(judged, "empirical"), "paper")
    fig, ax = plt.subplots(figsize=(8, 0.7 + 0.34 * len(papers)))
    left = np.zeros(len(papers), dtype=int)
    for part, (color, label) in PARTS.items():
        counts = [sum(_part_of(e.answers) == part for e in papers[paper]) for paper in papers]
        bars = ax.barh(list(papers), counts, 0.7, left, color=color, label=label)
        written = "w" if part == "whatever" else "k"
        ax.bar_label(bars, [n or "" for n in counts], label_type="center", color=written)
        left += counts
    ax.invert_yaxis()
    ax.spines[["bottom", "left"]].set_visible(False)
    ax.tick_params(length=0)
    ax.set(xticks=[])
    fig.legend(loc="outside lower left", ncols=4, handlelength=1, columnspacing=1.2)
    return fig


def render_pictures(judged):
    """Draw NAME.png for each experiment, and papers.png; return the bytes of each by its name."""
    with in_style():
        names = grouped(judged, "name").items()
        made = {f"{name}.png": png_of(draw_evidence(entries)) for name, entries in names}
        return made | {"papers.png": png_of(draw_papers(judged))}


def png_of(fig):
    """Return a picture of evidence as the bytes of a PNG, and close it."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "evidence.png"
        write_figure(fig, path, colors=128, thin=True)
        plt.close(fig)
        return path.read_bytes()
