"""Pictures of the evidence: all runs of an experiment's claims, reading by reading; and a strip."""

from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import fill

import matplotlib.pyplot as plt
import numpy as np

from repro.plots import STYLE, write_figure

MET, MISSED = "#009E73", "#D55E00"
VERDICT_COLORS = {"holds": MET, "depends": "#B58900", "fails": MISSED}
ALONE = "open", "stated", "equal"  # kinds of readings in which one choice has another value
LABEL, TITLE = 58, 34  # letters in a line
EFFECTS = (-1.5, 3.0)  # of which a picture shows
GROUPS = {"primary": 0, "equal": 1, "open": 1, "stated": 2, "combination": 3, "elsewhere": 4}


def order_of_readings(judged):
    """Order readings by their groups, and within a group by how many answers they turn."""
    turned = [reading for entry in judged for reading in entry.answers.turned]
    return sorted(judged[0].runs, key=lambda r: (GROUPS[r.kind], -turned.count(r)))


def draw_runs(judged):
    """Draw what was measured in all runs of an experiment: a row per reading, a panel per claim.

    A dot is a run, or a group of runs if the claim is about groups; it is green where the claim's
    deciding ask is met. The dashed line is its bound. A reading on yellow turns the first answer;
    the primary one stands on grey.
    """
    readings = order_of_readings(judged)
    labels = label_readings(readings)
    lines = np.cumsum([0, *(label.count("\n") + 1 for label in labels)])
    places = (lines[:-1] + lines[1:] - 1) / 2
    size = 3.4 + 1.55 * len(judged), 1.3 + 0.15 * lines[-1]
    fig, axes = plt.subplots(1, len(judged), figsize=size, sharey=True, squeeze=False)
    for ax, entry in zip(axes[0], judged, strict=True):
        for y, reading in zip(places, readings, strict=True):
            _draw_reading(ax, entry, reading, y)
        ax.axvline(entry.ask.bound, color="0.4", lw=0.8, ls="--")
        word = entry.answers.word
        ax.set_title(f"{entry.claim.id}: {word}", color=VERDICT_COLORS[word], size=9)
        ax.set_xlabel(fill(entry.ask.criterion, TITLE), size=7)
        ax.tick_params(labelsize=7)
    axes[0, 0].set_yticks(places, labels, size=6.5)
    axes[0, 0].set_ylim(lines[-1], -1)
    return fig


def label_readings(readings):
    """Label readings by their words; a combination by the numbers of the choices it makes."""
    numbers, labels = {}, []
    for reading in readings:
        values = [(name, repr(getattr(reading.choices, name))) for name in reading.changed]
        if reading.kind == "combination":
            labels.append(" + ".join(map(str, sorted(numbers[value] for value in values))))
        elif reading.kind in ALONE:
            numbers[values[0]] = len(numbers) + 1
            labels.append(fill(f"{len(numbers)}: {reading.words}", LABEL))
        else:
            labels.append(fill(reading.words, LABEL))
    return labels


def _draw_reading(ax, entry, reading, y):
    values = entry.claim.values_of(entry.ask, entry.runs[reading])
    beside = y + np.linspace(-0.3, 0.3, len(values) + 2)[1:-1]
    ax.scatter(
        values, beside, c=np.where(entry.ask.met_by(values), MET, MISSED), s=8, lw=0, alpha=0.7
    )
    if reading.kind == "primary" or reading in entry.answers.turned:
        color = "0.92" if reading.kind == "primary" else "#FFF3C4"
        ax.axhspan(y - 0.5, y + 0.5, color=color, zorder=0)


def draw_strip(judged):
    """Draw every run of every claim as a square, full and green where the claim holds."""
    names = list(dict.fromkeys(entry.name for entry in judged))
    places = [k + 0.6 * names.index(entry.name) for k, entry in enumerate(judged)]
    fig, ax = plt.subplots(figsize=(10, 0.6 + 0.15 * (places[-1] + 1)))
    for y, entry in zip(places, judged, strict=True):
        x = 0
        for reading in sorted(entry.runs, key=lambda r: GROUPS[r.kind]):
            held = np.array(entry.claim.observations(entry.runs[reading]), dtype=bool)
            at = x + np.arange(len(held))
            for met, style in ((held, {"c": MET}), (~held, {"ec": MISSED, "fc": "none"})):
                ax.scatter(at[met], np.full(met.sum(), y), marker="s", s=7, lw=0.8, **style)
            x += len(held) + 1  # a gap between readings
    ax.set_yticks(places, [entry.claim.id for entry in judged], size=6)
    ax.set(xticks=[], ylim=(places[-1] + 0.7, -0.7), xlim=(-1, None))
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    return fig


def draw_elsewhere(judged):
    """Draw how claims carry over: a dot for the paper's data, a ring for each other set.

    The effect of a run is how far it is on the way from chance (0) to the bound (1), by the ask
    that is least far. The median run of each set is drawn; green where most observations
    meet the claim. Claims without other data, or without a chance level, are left out.
    """
    rows = {entry.claim.id: (entry, entry.effects) for entry in judged if len(entry.effects) > 1}
    fig, ax = plt.subplots(figsize=(7, 1 + 0.19 * len(rows)))
    for y, (_, places) in enumerate(rows.values()):
        effects = np.clip([effect for effect, *_ in places], *EFFECTS)
        ax.plot([effects.min(), effects.max()], [y, y], color="0.85", lw=1, zorder=0)
        for effect, (_, met, is_papers) in zip(effects, places, strict=True):
            color = MET if met else MISSED
            dot = {"s": 26, "fc": color} if is_papers else {"s": 16, "fc": "w"}
            ax.scatter(effect, y, ec=color, **dot)
    for x, name in ((0, "chance"), (1, "bound")):
        ax.axvline(x, color="0.4", lw=0.8, ls="--", zorder=0)
        ax.text(x, -1.1, name, ha="center", size=8)
    labels = [f"{entry.claim.id}: {entry.elsewhere}" for entry, _ in rows.values()]
    ax.set_yticks(range(len(rows)), labels, size=7)
    ax.set(ylim=(len(rows) - 0.4, -1.6), xlim=(EFFECTS[0] - 0.1, EFFECTS[1] + 0.1))
    ax.set_xlabel(f"effect (less than {EFFECTS[0]:g} and more than {EFFECTS[1]:g}: at the ends)")
    keys = [ax.scatter([], [], s=s, fc=fc, ec="k") for s, fc in ((26, "k"), (16, "w"))]
    fig.legend(keys, ["the paper's data", "other data"], loc="outside upper right", ncols=2)
    return fig


def render_pictures(judged):
    """Draw NAME.png of each experiment, and of all claims strip.png, elsewhere.png.

    Returns the bytes of each file by its name.
    """
    names = dict.fromkeys(entry.name for entry in judged)
    pictures = [
        (name, draw_runs, [entry for entry in judged if entry.name == name]) for name in names
    ]
    pictures += [("strip", draw_strip, judged), ("elsewhere", draw_elsewhere, judged)]
    with plt.rc_context(STYLE), TemporaryDirectory() as folder:
        for name, draw, claims in pictures:
            fig = draw(claims)
            write_figure(fig, Path(folder) / f"{name}.png", colors=256)
            plt.close(fig)
        return {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}
