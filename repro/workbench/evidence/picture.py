"""The picture of an experiment's evidence: a row per claim, drawn from `marks_of`."""

from textwrap import wrap

import matplotlib.pyplot as plt
import numpy as np

from repro.workbench.evidence.shown import (
    CLAIMED,
    criterion_of,
    limits_of,
    lines_of,
    marks_of,
    on_one_scale,
    range_of,
    signed,
)

TONES = {"good": "#00795A", "mixed": "#8A6A00", "bad": "#C04A00"}
MET, RUN, SETTING, TURNS, DATA = "#D5EBE1", "#0072B2", "0.35", "#D55E00", "#AA4499"
STYLES = {
    "run": {"marker": "o", "s": 10, "fc": RUN, "ec": "none", "alpha": 0.8},
    "setting": {"marker": "o", "s": 42, "fc": "none", "ec": SETTING, "lw": 0.8},
    "turns": {"marker": "o", "s": 42, "fc": "none", "ec": TURNS, "lw": 2.2},
    "data": {"marker": "^", "s": 28, "fc": "none", "ec": DATA, "lw": 1.1},
    "here": {"marker": "v", "s": 14, "fc": "k", "ec": "none"},
}
KEYS = {
    "run": "a run",
    "setting": "another setting",
    "turns": "one on which the verdict depends",
    "data": "other data",
    "here": "this page's run",
}
FOOT = (
    "A dot is one run of our setting, a circle or a triangle the median of the runs of another "
    "setting or other data. The shaded side meets the bound, which states how we understand the "
    "words; a thin strip has the scale of the axis above it, or the one written beside it. "
    "Reproduced: at least four fifths of the runs meet it under ours, and more than half under "
    "every other setting; the rule is in figures/README.md."
)
WIDTH, TEXT, AXIS, VERDICT = 10.0, 0.08, 3.6, 7.5  # inches: width, and left edges of columns
LONG = 2.98  # inches: length of an axis
SMALL, NORMAL, LARGE = 7.5, 8.5, 9.5  # points
BOLD = {"weight": "bold", "size": LARGE}
LINE = 0.15  # inches per line of text
# Letters per line: words on the left, place, title of an axis, label of a thin axis, text below,
# verdict, counts.
WORDS, PLACE, TITLE, LABEL, LETTERS, BESIDE, COUNTS = 44, 48, 55, 58, 145, 30, 42
FULL, THIN = 0.62, 0.2  # inches of a claim's first axis with its text, and of each further axis
LETTER, NAME = 0.055, 0.1  # approximate inches per letter above an axis, and of a claim's name
APART = 0.15  # inches between two labels
BEYOND = 0.1  # share of the runs that may lie beyond each end of an axis; they are told there


def draw_evidence(judged, sentences=None, here=None, mine=None):
    """Draw the evidence of an experiment's judged claims.

    Each row has the paper's words; an axis for the bounded quantity, see `marks_of`, with the side
    that meets the bound shaded, and a thin axis for each further ask; and the verdict with counts.
    ``sentences`` are conclusions, by claim, written below; ``here`` is a table of a lesson's own
    runs, ``mine`` holds the reader's own bounds.
    """
    sentences = sentences or {}
    rows = [
        _Row(entry, sentences.get(entry.claim.id, ""), marks_of(entry, here, mine))
        for entry in judged
    ]
    marks = {mark for row in rows for mark in row.marks["mark"]}
    foot = wrap(FOOT, LETTERS)
    height = 0.62 + sum(row.height for row in rows) + LINE * len(foot) + 0.1
    fig = plt.figure(figsize=(WIDTH, height), layout="none")
    _write_heads(fig, height, [mark for mark in KEYS if mark in marks])
    top = height - 0.62
    for row in rows:
        row.draw(fig, top)
        top -= row.height
        ends = [TEXT / WIDTH, 1 - TEXT / WIDTH]
        fig.add_artist(plt.Line2D(ends, [top / height] * 2, color="0.85", lw=0.7))
    _write(fig, TEXT, top - 0.06, "\n".join(foot), color="0.35")
    return fig


def _write(fig, x, y, text, **style):
    """Write text with its upper left corner at (x, y) in inches."""
    height = fig.get_figheight()
    options = {"size": NORMAL, "va": "top", "linespacing": 1.2} | style
    fig.text(x / WIDTH, y / height, text, **options)


def _write_heads(fig, height, marks):
    heads = {TEXT: "The paper's words", AXIS: "Where the runs lie", VERDICT: "Verdict"}
    for x, head in heads.items():
        _write(fig, x, height - 0.08, head, **BOLD)
    keys = [_key(STYLES[mark], KEYS[mark]) for mark in marks]
    keys.append(plt.Line2D([], [], ls="", marker=">", ms=5, c="0.5", label="beyond the end"))
    chance = {"marker": "|", "ms": 9, "mew": 2.4, "c": "k", "label": "chance or reference"}
    keys.append(plt.Line2D([], [], ls="", **chance))
    keys.append(plt.Rectangle((0, 0), 1, 1, fc=MET, label="meets the bound"))
    fig.legend(
        handles=keys,
        loc="upper left",
        bbox_to_anchor=(0, 1 - 0.27 / height),
        ncols=len(keys),
        frameon=False,
        fontsize=SMALL,
        handletextpad=0.2,
        columnspacing=0.8,
    )


def _key(style, label):
    size = {"ms": style["s"] ** 0.5, "mew": style.get("lw", 1.0)}
    colors = {"mfc": style["fc"], "mec": style["ec"]}
    return plt.Line2D([], [], ls="", marker=style["marker"], label=label, **size, **colors)


class _Row:
    """The drawing of one claim."""

    def __init__(self, entry, sentence, marks):
        self.entry, self.lines, self.marks = entry, lines_of(entry), marks
        claim = entry.claim
        said = f"“{claim.words}”" if claim.words else f"Asked by us: {claim.says}"
        self.words = wrap(said, WORDS)
        self.verdict = wrap(entry.verdict.words, BESIDE)
        self.counts = [line for text in entry.beside.split(" · ") for line in wrap(text, COUNTS)]
        self.below = wrap(f"In short: {sentence}", LETTERS) if sentence else []
        turning = "; ".join(setting.words for setting in entry.verdict.turning)
        self.below += wrap(f"On the other side if {turning}.", LETTERS) if turning else []
        left = 1.4 * LINE + LINE * len(self.words)
        self.axes = FULL + 0.1 + THIN * (len(self.lines) - 1)
        self.upper = max(left, self.axes, LINE * (len(self.verdict + self.counts) + 0.7)) + 0.12
        self.height = self.upper + LINE * len(self.below) + (0.1 if self.below else 0)

    def draw(self, fig, top):
        claim, verdict = self.entry.claim, self.entry.verdict
        kind = "" if claim.kind == "empirical" else f" · {claim.kind}"
        top -= 0.08
        _write(fig, TEXT, top, claim.id, **BOLD)
        place = claim.where + kind
        size = SMALL * min(1, PLACE / len(place))
        x = TEXT + max(0.85, NAME * len(claim.id))
        _write(fig, x, top, place, size=size, color="0.35")
        _write(fig, TEXT, top - 1.35 * LINE, "\n".join(self.words))
        color = TONES[verdict.tone]
        _write(fig, VERDICT, top, "\n".join(self.verdict), color=color, **BOLD)
        y = top - (0.35 + len(self.verdict)) * LINE
        _write(fig, VERDICT, y, "\n".join(self.counts), size=SMALL)
        for k, asks in enumerate(self.lines):
            below = 0.48 if k == 0 else FULL + 0.06 + THIN * (k - 0.25)
            self._draw_line(fig, k, asks, top - below)
        _write(fig, TEXT, top - self.upper + 0.06, "\n".join(self.below))

    def _draw_line(self, fig, k, asks, bottom):
        """Draw asks of one quantity on an axis with its lower edge at a height in inches."""
        marks = self.marks[self.marks["line"] == k]
        alike = [on_one_scale(asks, others) for others in self.lines]
        limits = _limits(self.marks[self.marks["line"].isin(np.flatnonzero(alike))])
        ax = _axis(fig, bottom, 0.2 if k == 0 else 0.12, limits, range_of(asks))
        for mark, style in STYLES.items():
            values = marks.loc[marks["mark"] == mark, "value"].to_numpy()
            size = style["s"] if k == 0 else 0.6 * style["s"]
            _scatter(ax, values, _heights(mark, len(values)), **style | {"s": size})
            if k == 0 and mark not in ("run", "here"):  # their counts are written elsewhere
                _tell_beyond(ax, values, mark, style["ec"])
        runs = marks.loc[marks["mark"] == "run", "value"].to_numpy()
        met = int(np.logical_and.reduce([ask.met_by(runs) for ask in asks]).sum())
        asked, quantity = f"{criterion_of(asks)}: {met} of {len(runs)}", asks[0].quantity
        _draw_levels(ax, marks, asked if k == 0 else None)
        if k == 0:
            claimed = CLAIMED[asks[0].sign] if len(asks) == 1 else ""
            title = f"{quantity}   {claimed}"
            _write(fig, AXIS, bottom + 0.48, title, size=NORMAL * min(1, TITLE / len(title)))
        else:
            ax.set_xticks([])
            if not alike[0]:
                ends = " to ".join(map(signed, limits))
                beside = AXIS + LONG + 0.12
                _write(fig, beside, bottom + 0.12, ends, size=SMALL - 1, color="0.3")
            said = f"{quantity} {asked}"
            size = SMALL * min(1, LABEL / len(said))
            _write(fig, AXIS - 0.08, bottom + 0.13, said, size=size, ha="right", color="0.3")


def _axis(fig, bottom, tall, limits, bounds):
    """Make an axis with the side that meets the bounds shaded; heights are in inches."""
    height = fig.get_figheight()
    ax = fig.add_axes((AXIS / WIDTH, bottom / height, LONG / WIDTH, tall / height))
    ax.axvspan(*np.clip(bounds, *limits), color=MET, lw=0)
    ax.set(xlim=limits, ylim=(-1, 1), yticks=[])
    ax.spines[["left", "top", "right"]].set_visible(False)
    ax.tick_params(labelsize=SMALL, length=2, pad=1)
    ax.locator_params(axis="x", nbins=5)
    if not 1e-3 <= np.abs(limits).max() < 1e5:
        ax.xaxis.set_major_formatter(lambda x, _: f"{x:.2g}" if x else "0")
    return ax


def _limits(marks):
    kinds = ["run"], ["bound", "rival", "mine", "here"], ["chance"]
    return limits_of(*(marks.loc[marks["mark"].isin(kind), "value"] for kind in kinds), BEYOND)


def _heights(mark, n):
    """Return the heights of marks on an axis from -1 to 1: runs one above the other."""
    if mark == "run":
        return np.linspace(-0.7, 0.7, n)
    return np.full(n, 1.0 if mark == "here" else 0.0)


def _scatter(ax, values, heights, **style):
    """Draw marks; those beyond an end become arrows at that end."""
    low, high = ax.get_xlim()
    style = {"zorder": 3, "clip_on": False} | style
    inside = (values >= low) & (values <= high)
    ax.scatter(values[inside], heights[inside], **style)
    for beyond, end, marker in ((values < low, low, "<"), (values > high, high, ">")):
        ax.scatter(np.full(beyond.sum(), end), heights[beyond], **style | {"marker": marker})


def _tell_beyond(ax, values, mark, color):
    """Write the values beyond each end beside it: one value, or their number and range."""
    low, high = ax.get_xlim()
    y = -4 if mark == "data" else 6
    for beyond, end, x, side in (
        (values < low, low, -9, "right"),
        (values > high, high, 9, "left"),
    ):
        if beyond.any():
            first, last = (signed(edge) for edge in (values[beyond].min(), values[beyond].max()))
            between = "–" if values[beyond].min() >= 0 else " to "  # not beside a minus sign
            told = first if first == last else f"{beyond.sum()}: {first}{between}{last}"
            options = {"textcoords": "offset points", "ha": side, "va": "center", "color": color}
            ax.annotate(told, (end, 0), (x, y), size=SMALL - 1, **options)


def _draw_levels(ax, marks, met):
    """Draw the levels of bound, chance and rival; with labels if ``met`` is given.

    ``met`` is the label of the bound: what is asked, and how many runs meet it.
    """
    looks = {
        "bound": ("0.2", 1.2, "-"),
        "chance": ("k", 2.4, "-"),
        "rival": ("0.4", 1.2, ":"),
        "mine": (RUN, 1.6, "--"),
    }
    found = marks[marks["mark"].isin(looks)].sort_values("value")
    low, high = ax.get_xlim()
    for mark, value in zip(found["mark"], found["value"], strict=True):
        color, width, line = looks[mark]
        if low <= value <= high:
            ax.plot([value] * 2, [-1, 1], color=color, lw=width, ls=line, zorder=2)
    if met is None:
        return
    bounds = found["mark"] == "bound"
    named = found[~bounds | (bounds.cumsum() == 1)]  # the first of two bounds is labelled for both
    labels = [met if row.mark == "bound" else row.label for row in named.itertuples()]
    beyond = (named["value"] < low) | (named["value"] > high)
    labels = [
        f"{label}: {signed(value)}" if out else label
        for label, value, out in zip(labels, named["value"], beyond, strict=True)
    ]
    at = LONG * (named["value"].to_numpy() - low) / (high - low)
    style = {"size": SMALL - 0.5, "ha": "center", "va": "bottom", "transform": ax.transAxes}
    places = _apart(at, [LETTER * len(of) for of in labels])
    for x, label, mark in zip(places, labels, named["mark"], strict=True):
        look = {"color": "k"} if mark == "bound" else {"color": "0.3", "style": "italic"}
        ax.text(x / LONG, 1.1, label, **style, **look)


def _apart(at, wide):
    """Move labels, centred and in rising order, along an axis so that none overlap."""
    half = np.asarray(wide) / 2
    places = np.clip(at, half - 0.1, LONG + 0.1 - half)
    for _ in range(50):
        for k in range(1, len(places)):
            over = places[k - 1] + half[k - 1] + APART - (places[k] - half[k])
            if over > 0:
                places[k - 1 : k + 1] += np.array([-over, over]) / 2
        places = np.clip(places, half - 0.1, LONG + 0.3 - half)
    return places
