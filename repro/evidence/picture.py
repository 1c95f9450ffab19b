"""The picture of an experiment's evidence: a row per claim, drawn from `marks_of`."""

from textwrap import wrap

import matplotlib.pyplot as plt
import numpy as np

from repro.claims.choices import name_singles
from repro.evidence.shown import asks_of, marks_of

VERDICT_COLORS = {"holds": "#00795A", "depends": "#8A6A00", "fails": "#C04A00"}
BETTER = {"≥": "better →", "≤": "← better"}
MET, RUN, READING, TURNS, DATA = "#D5EBE1", "#0072B2", "0.35", "#D55E00", "#AA4499"
STYLES = {
    "run": {"marker": "o", "s": 10, "fc": RUN, "ec": "none", "alpha": 0.8},
    "reading": {"marker": "o", "s": 42, "fc": "none", "ec": READING, "lw": 0.8},
    "undecided": {"marker": "o", "s": 42, "fc": "#FFE08A", "ec": READING, "lw": 0.8, "zorder": 2},
    "turns": {"marker": "o", "s": 42, "fc": "none", "ec": TURNS, "lw": 2.2},
    "data": {"marker": "^", "s": 28, "fc": "none", "ec": DATA, "lw": 1.1},
    "here": {"marker": "v", "s": 14, "fc": "k", "ec": "none"},
}
KEYS = {
    "run": "a run",
    "reading": "another reading",
    "turns": "one that turns the answer",
    "undecided": "undecided",
    "data": "other data",
    "here": "the runs above",
}
FOOT = (
    "A dot is a run of our reading of the paper. Where its text is silent or ambiguous, other "
    "readings are run; and the claim is tried on other data. Their marks are medians. "
    "What is asked is our reading of the words, set before these runs were made. Reproduced: "
    "yes from four fifths of the runs, no up to one fifth. A reading turns that answer if its runs "
    "clearly say the contrary. A claim holds if it is reproduced and no reading turns that; it "
    "fails if it is not reproduced and no reading turns that; otherwise it depends."
)
WIDTH, TEXT, AXIS, ANSWERS = 10.0, 0.08, 3.7, 7.72  # inches: of all, and where columns begin
LONG = 3.2  # inches of an axis
SMALL, NORMAL, LARGE = 7.5, 8.5, 9.5  # points
LINE = 0.15  # inches of a line of text
WORDS, TITLE, LETTERS = 50, 58, 145  # letters in a line: on the left, of an axis, of a conclusion
FULL, THIN = 0.62, 0.2  # inches of a claim's first axis with its words, and of each further ask


def draw_evidence(judged, sentences=None, here=None):
    """Draw the evidence of an experiment's judged claims.

    Each row has the paper's words; on an axis what the claim bounds, see `marks_of`, with the side
    shaded that meets the bound, and each further ask as a thin line below; and the three answers.
    ``sentences`` are conclusions by the claims' names, which stand below; ``here`` is a table of a
    lesson's own runs.
    """
    rows = [_Row(entry, (sentences or {}).get(entry.claim.id, ""), here) for entry in judged]
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
    """Write text whose upper left corner is given in inches."""
    height = fig.get_figheight()
    options = {"size": NORMAL, "va": "top", "linespacing": 1.2} | style
    fig.text(x / WIDTH, y / height, text, **options)


def _write_heads(fig, height, marks):
    for x, head in (
        (TEXT, "The paper's words"),
        (AXIS, "Where the runs lie"),
        (ANSWERS, "Answers"),
    ):
        _write(fig, x, height - 0.08, head, weight="bold", size=LARGE)
    keys = [_key(STYLES[mark], KEYS[mark]) for mark in marks]
    keys.append(plt.Line2D([], [], ls="", marker=">", ms=5, c="0.5", label="beyond the end"))
    keys.append(plt.Line2D([], [], ls="", marker="|", ms=9, mew=2.4, c="k", label="by chance"))
    keys.append(plt.Rectangle((0, 0), 1, 1, fc=MET, label="meets what is asked"))
    fig.legend(
        handles=keys,
        loc="upper left",
        bbox_to_anchor=(0, 1 - 0.27 / height),
        ncols=len(keys),
        frameon=False,
        fontsize=SMALL,
        handletextpad=0.2,
        columnspacing=0.9,
    )


def _key(style, label):
    return plt.Line2D(
        *([], []),
        ls="",
        label=label,
        marker=style["marker"],
        ms=style["s"] ** 0.5,
        mfc=style["fc"],
        mec=style["ec"],
        mew=style.get("lw", 1.0),
    )


class _Row:
    """What is drawn of one claim."""

    def __init__(self, entry, sentence, here):
        self.entry, self.asks = entry, asks_of(entry)
        self.marks = marks_of(entry, here)
        claim = entry.claim
        said = f"“{claim.words}”" if claim.words else f"{claim.says} (asked by us)"
        self.words = wrap(said, WORDS)
        self.answers = _answers(entry)
        self.below = wrap(f"In short: {sentence}", LETTERS) if sentence else []
        self.below += [line for text in _readings(entry.answers) for line in wrap(text, LETTERS)]
        left = 1.4 * LINE + LINE * len(self.words)
        self.axes = FULL + 0.1 + THIN * (len(self.asks) - 1)
        self.upper = max(left, self.axes, LINE * (len(self.answers) + 1.5)) + 0.12
        self.height = self.upper + LINE * len(self.below) + (0.1 if self.below else 0)

    def draw(self, fig, top):
        claim, answers = self.entry.claim, self.entry.answers
        kind = "" if claim.kind == "empirical" else f" · {claim.kind}"
        top -= 0.08
        _write(fig, TEXT, top, claim.id, weight="bold", size=LARGE)
        _write(fig, TEXT + 0.85, top, claim.where + kind, size=SMALL, color="0.35")
        _write(fig, TEXT, top - 1.35 * LINE, "\n".join(self.words))
        _write(
            fig,
            ANSWERS,
            top,
            answers.word,
            weight="bold",
            size=LARGE,
            color=VERDICT_COLORS[answers.word],
        )
        for k, (question, found) in enumerate(self.answers):
            y = top - (1.35 + k) * LINE
            _write(fig, ANSWERS, y, question, size=SMALL, color="0.35")
            _write(fig, ANSWERS + 1.08, y, found, size=SMALL)
        for k, ask in enumerate(self.asks):
            self._draw_ask(fig, k, ask, top - (0.48 if k == 0 else FULL + 0.06 + THIN * (k - 0.25)))
        _write(fig, TEXT, top - self.upper + 0.06, "\n".join(self.below))

    def _draw_ask(self, fig, k, ask, bottom):
        """Draw an ask on an axis with its lower end at a height in inches."""
        marks = self.marks[self.marks["ask"] == k]
        low, high = _limits(marks)
        tall, height = (0.2 if k == 0 else 0.12), fig.get_figheight()
        ax = fig.add_axes((AXIS / WIDTH, bottom / height, LONG / WIDTH, tall / height))
        shade = (ask.bound, high) if ask.sign == "≥" else (low, ask.bound)
        ax.axvspan(*shade, color=MET, lw=0)
        for mark, style in STYLES.items():
            values = marks.loc[marks["mark"] == mark, "value"].to_numpy()
            if k:
                style = style | {"s": 0.6 * style["s"]}
            heights = _heights(mark, len(values))
            _scatter(ax, values, heights, low, high, **style)
        ax.set(xlim=(low, high), ylim=(-1, 1), yticks=[])
        ax.spines[["left", "top", "right"]].set_visible(False)
        runs = marks.loc[marks["mark"] == "run", "value"].to_numpy()
        met = f"{ask.sign} {ask.bound:g}: {int(ask.met_by(runs).sum())} of {len(runs)}"
        _draw_levels(ax, marks, met if k == 0 else None)
        if k == 0:
            ax.tick_params(labelsize=SMALL, length=2, pad=1)
            ax.locator_params(axis="x", nbins=5)
            if max(abs(low), abs(high)) < 1e-3:
                ax.xaxis.set_major_formatter(lambda x, _: f"{x:.2g}" if x else "0")
            title = f"{ask.quantity}   {BETTER[ask.sign]}"
            size = NORMAL if len(title) < TITLE else NORMAL * TITLE / len(title)
            _write(fig, AXIS, bottom + 0.48, title, size=size)
        else:
            ax.set_xticks([])
            _write(
                fig,
                AXIS - 0.08,
                bottom + 0.13,
                f"{ask.quantity} = {np.median(runs):.3g} ({met})",
                size=SMALL,
                ha="right",
                color="0.3",
            )


def _readings(answers):
    """Name the open readings that turn the first answer, and those that may."""
    heads = {"The answer is another if": answers.turned, "Undecided if": answers.undecided}
    return [f"{head} {name_singles(named)}." for head, named in heads.items() if named]


def _answers(entry):
    """Return the three questions, in short, with their answers."""
    answers, n = entry.answers, entry.claim.group
    unit = f"{entry.unit}s" if n == 1 else f"groups of {n}"
    found = f"{answers.reproduced}, {answers.share} {unit}"
    if entry.claim.can:
        found += " (one will do)"
    return [
        ("reproduced", found),
        ("whatever one reads", answers.whatever),
        ("on other data", entry.elsewhere),
        *([("how far", answers.strength)] if answers.strength else []),
    ]


def _limits(marks):
    """Return the ends of an axis: levels, what turns the answer, and nearly all runs."""
    runs = marks.loc[marks["mark"] == "run", "value"]
    known = marks.loc[marks["mark"].isin(["bound", "chance", "rival", "here"]), "value"]
    known = [*known, *np.quantile(runs, [0.1, 0.9])]
    low, high = min(known), max(known)
    room = 0.12 * ((high - low) or abs(high) or 1)
    return low - room, high + room


def _heights(mark, n):
    """Return where marks stand on an axis from -1 to 1: runs one above the other."""
    if mark == "run":
        return np.linspace(-0.7, 0.7, n)
    return np.full(n, 1.0 if mark == "here" else 0.0)


def _scatter(ax, values, heights, low, high, **style):
    """Draw marks; those beyond an end as arrows there, with their number."""
    style = {"zorder": 3, "clip_on": False} | style
    inside = (values >= low) & (values <= high)
    ax.scatter(values[inside], heights[inside], **style)
    for beyond, end, marker, side in (
        (values < low, low, "<", "right"),
        (values > high, high, ">", "left"),
    ):
        ax.scatter(np.full(beyond.sum(), end), heights[beyond], **style | {"marker": marker})
        if beyond.any() and not heights.any():  # runs tell their number elsewhere
            x, y = (9 if side == "left" else -9), (7 if style["ec"] == TURNS else -3)
            options = {"textcoords": "offset points", "ha": side, "va": "center"}
            told = _tell(values[beyond])
            ax.annotate(told, (end, 0), (x, y), size=SMALL - 1, color=style["ec"], **options)


def _tell(values):
    """Write a value, or how many there are with their range."""
    low, high = (f"{end:.2g}" for end in (values.min(), values.max()))
    return low if len(values) == 1 else f"{len(values)}: {low}–{high}"


def _draw_levels(ax, marks, met):
    """Draw what is asked, what chance gives and where a rival stands; their names if ``met``.

    That says what is asked, and how many runs meet it.
    """
    looks = {"bound": ("0.2", 1.2, "-"), "chance": ("k", 2.4, "-"), "rival": ("0.4", 1.2, ":")}
    found = marks[marks["mark"].isin(looks)].sort_values("value")
    for mark, value in zip(found["mark"], found["value"], strict=True):
        color, width, line = looks[mark]
        ax.plot([value] * 2, [-1, 1], color=color, lw=width, ls=line, zorder=2)
    if met is None:
        return
    (low, high), inch = ax.get_xlim(), LONG
    labels = [met if row.mark == "bound" else row.label for row in found.itertuples()]
    wide = [0.062 * len(label) for label in labels]  # inches of a label, about
    at = [(value - low) / (high - low) * inch for value in found["value"]]
    for x, label in zip(_apart(at, wide, inch), labels, strict=True):
        ax.text(
            x / inch,
            1.1,
            label,
            size=SMALL - 0.5,
            ha="center",
            va="bottom",
            color="0.25",
            transform=ax.transAxes,
        )


def _apart(at, wide, inch):
    """Move labels along an axis so that none overlaps; they are centred, in rising order."""
    places = [min(max(x, w / 2), inch - w / 2) for x, w in zip(at, wide, strict=True)]
    for k in range(1, len(places)):
        places[k] = max(places[k], places[k - 1] + (wide[k - 1] + wide[k]) / 2 + 0.06)
    over = max(0.0, places[-1] + wide[-1] / 2 - inch - 0.1)
    for k in reversed(range(len(places))):
        places[k] -= over
        if k and places[k] - places[k - 1] >= (wide[k - 1] + wide[k]) / 2 + 0.06:
            break
    return places
