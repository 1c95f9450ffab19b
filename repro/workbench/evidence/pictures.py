"""The pictures of the evidence as files: one per experiment, and a bar per paper."""

from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt

from repro.plots import in_style
from repro.workbench.evidence.picture import draw_evidence
from repro.workbench.evidence.scorecard import by_the_papers
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
    empirical = by_the_papers(judged, "empirical")
    papers = list(dict.fromkeys(entry.paper for entry in empirical))
    fig, ax = plt.subplots(figsize=(8, 0.7 + 0.34 * len(papers)))
    left = dict.fromkeys(papers, 0)
    for part, (color, label) in PARTS.items():
        of_part = [entry.paper for entry in empirical if _part_of(entry.answers) == part]
        counts = [of_part.count(paper) for paper in papers]
        bars = ax.barh(papers, counts, 0.7, list(left.values()), color=color, label=label)
        written = "w" if part == "whatever" else "k"
        ax.bar_label(bars, [n or "" for n in counts], label_type="center", color=written)
        left = {paper: left[paper] + n for paper, n in zip(papers, counts, strict=True)}
    ax.invert_yaxis()
    ax.spines[["bottom", "left"]].set_visible(False)
    ax.tick_params(length=0)
    ax.set(xticks=[])
    fig.legend(loc="outside lower left", ncols=4, handlelength=1, columnspacing=1.2)
    return fig


def render_pictures(judged):
    """Draw NAME.png for each experiment, and papers.png; return the bytes of each by its name."""
    names = dict.fromkeys(entry.name for entry in judged)
    pictures = [
        (name, draw_evidence, [entry for entry in judged if entry.name == name]) for name in names
    ]
    pictures.append(("papers", draw_papers, judged))
    with in_style(), TemporaryDirectory() as folder:
        for name, draw, claims in pictures:
            fig = draw(claims)
            write_figure(fig, Path(folder) / f"{name}.png", colors=128, thin=True)
            plt.close(fig)
        return {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}
