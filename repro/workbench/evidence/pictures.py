"""The pictures of the evidence as files: one per experiment, and a bar per paper."""

from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt
import numpy as np

from repro.plots import in_style
from repro.workbench.evidence.picture import draw_evidence
from repro.workbench.evidence.scorecard import by_the_papers, grouped, tally
from repro.workbench.lessons.figures import write_figure

COLORS = {"reproduced": "#00795A", "depends": "#F0D58C", "not reproduced": "#D98C5F"}


def draw_papers(judged):
    """Draw a bar per paper with the number of its empirical claims by outcome."""
    papers = grouped(by_the_papers(judged, "empirical"), "paper")
    fig, ax = plt.subplots(figsize=(8, 0.7 + 0.34 * len(papers)))
    left = np.zeros(len(papers), dtype=int)
    for outcome, color in COLORS.items():
        counts = [tally(papers[paper], "empirical")[outcome] for paper in papers]
        bars = ax.barh(list(papers), counts, 0.7, left, color=color, label=outcome)
        written = "w" if outcome == "reproduced" else "k"
        ax.bar_label(bars, [n or "" for n in counts], label_type="center", color=written)
        left += counts
    ax.invert_yaxis()
    ax.spines[["bottom", "left"]].set_visible(False)
    ax.tick_params(length=0)
    ax.set(xticks=[])
    fig.legend(loc="outside lower left", ncols=3, handlelength=1, columnspacing=1.2)
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
