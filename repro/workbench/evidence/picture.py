"""The picture of the evidence on claims, as SVG for notebooks, pages and the site.

A claim has the paper's words, its verdict with the counts beside it, and a strip of runs for our
setting and for each value of a choice on which the verdict depends. A strip is an axis of what the
claim bounds, with the side that meets the bound shaded, and marks for chance and the rival.
"""

import re
from html import escape
from textwrap import wrap

import numpy as np
import pandas as pd

from repro.experiments.claims import called
from repro.workbench.evidence.rows import ours_of
from repro.workbench.evidence.rule import OUTCOMES
from repro.workbench.evidence.scorecard import by_the_papers, grouped, tally
from repro.workbench.formatting import as_printed, signed

WIDTH, LEFT, LONG, TALL = 720, 232, 320, 21  # pixels: all, left end and length of an axis, a strip
LETTER = 0.55  # the mean width of a letter, as a share of its height
TONES = {"good": "#00684c", "mixed": "#7a5c00", "bad": "#b23f00"}
SHADE, MET, MISSED, HERE = "#d5ebe1", "#0072b2", "#ffffff", "#000000"
SOFT, HARD = "#555555", "#1a1a1a"
BESIDE = (
    "Beside a verdict: the runs of ours that meet the claim; the sets of other data on which at "
    "least four fifths do; combinations of other settings, of a run each."
)
CLAIMED = {"≥": "as claimed →", "≤": "← as claimed"}
FAR = 3  # times the range of the runs: an axis does not reach a chance level beyond it
BEYOND = 0.05  # share of the runs that may lie beyond each end of an axis; they are drawn there
SAME = 1e-6  # relative difference up to which numbers share a place
NAME = re.compile(r"\b([a-z]\w*)(?= = )")
# The kinds of settings in the order of a page, and what is written above their strips.
GROUPS = {
    "ours": "",
    "settings": "Other settings that the text admits",
    "sensitivity": "Against the paper's text; these do not count",
    "other_data": "Other data; these do not count",
    "combination": "Several other values at once; these do not count",
}


def lines_of(entry):
    """Return the asks of a judged claim, grouped by the quantity they bound: a list of lists.

    The quantity of the ask that fewest observations meet comes first.
    """
    lines = {}
    for ask in sorted(entry.claim.asks, key=lambda ask: ask is not entry.ask):
        lines.setdefault(ask.quantity, []).append(ask)
    return list(lines.values())


def range_of(asks):
    """Return the lower and upper bound that asks set on one quantity; infinite if none."""
    low = max((ask.bound for ask in asks if ask.sign == "≥"), default=-np.inf)
    return low, min((ask.bound for ask in asks if ask.sign == "≤"), default=np.inf)


def criterion_of(asks):
    """Return the bounds that asks set on one quantity, as text: "≥ 0.95", or "−0.1 to 0.1"."""
    low, high = range_of(asks)
    if np.isfinite([low, high]).all():
        return f"{signed(low)} to {signed(high)}"
    return f"≥ {signed(low)}" if np.isfinite(low) else f"≤ {signed(high)}"


def in_words(text):
    """Replace the names of choices by plain words: "optimiser = l-bfgs"."""
    return NAME.sub(lambda found: called(found[1]), text)


def levels_of(entry, ask):
    """List the chance level, and the point where a rival is no worse: mark, value and name."""
    ours, levels = ours_of(entry.runs), []
    if ask.has_chance(ours):
        chance = np.median(entry.claim.values_of(ask, ours, by_chance=True))
        levels.append(("chance", chance, f"{ask.chance_name} {signed(chance)}"))
    if ask.than not in (None, ask.chance):
        levels.append(("rival", 0.0, f"as {ask.than}"))
    return levels


def limits_of(runs, known, chances):
    """Return limits of an axis that show known levels, most runs, and chance if it is not far."""
    runs = pd.Series(runs[np.isfinite(runs)])
    low, high = min(*known, runs.quantile(BEYOND)), max(*known, runs.quantile(1 - BEYOND))
    whole = max(high, runs.max()) - min(low, runs.min())
    for chance in chances:
        if max(low - chance, chance - high) <= FAR * whole:
            low, high = min(low, chance), max(high, chance)
    size = max(abs(low), abs(high)) or 1
    room = 0.1 * (high - low if high - low > SAME * size else size)
    return low - room, high + room


def shown_settings(entry):
    """List the settings whose runs a picture shows: ours, and the values of choices that decide."""
    deciding = {name for setting in entry.verdict.turning for name in setting.changed}
    counted = entry.verdict.of_kind("settings")
    return [s for s in entry.verdict.counts if s.kind == "ours"] + [
        setting for setting in counted if deciding.intersection(setting.changed)
    ]


def draw_evidence(judged):
    """Draw the evidence on several judged claims, one below the other: the text of an SVG file."""
    placed, y = [], 0
    for part in map(draw_claim, judged):
        placed.append(part.replace("<svg ", f'<svg y="{y}" ', 1))
        y += int(re.search(r'viewBox="0 0 \d+ (\d+)"', part)[1])
    return _svg("".join(placed), y, "The evidence on each claim") + "\n"


def draw_papers(judged):
    """Draw a bar per paper with its empirical claims by outcome: the text of an SVG file."""
    drawing = _Drawing()
    for paper, entries in grouped(by_the_papers(judged, "empirical"), "paper").items():
        drawing.write(paper, 8, 13, y=drawing.y + 20, weight="bold")
        x = 70
        for outcome, n in tally(entries, "empirical").items():
            wide, fill = 620 * n / len(entries), TONES[OUTCOMES["empirical"][outcome]]
            bar = f'<rect x="{x:.1f}" y="{drawing.y + 4}" width="{wide:.1f}" height="24"'
            drawing.parts.append(f'{bar} fill="{fill}" stroke="#ffffff"/>')
            words = f"{n} {outcome}" if wide > 90 else str(n or "")
            drawing.write(words, x + 6, 12, y=drawing.y + 20, fill="#ffffff")
            x += wide
        drawing.y += 32
    return drawing.svg("What became of the empirical claims of each paper") + "\n"


def draw_legend(here=False):
    """Draw what the marks mean, ``here`` with a page's own run, as the text of an SVG element."""
    drawing, x = _Drawing(), 8
    for mark, words in (
        (f'<circle cx="6" r="3" {_dot(True)}/>', "run within the bound"),
        (f'<circle cx="6" r="3" {_dot(False)}/>', "run outside it"),
        (f'<rect y="-7" width="12" height="14" fill="{SHADE}"/>', "what is asked"),
        (_line(6, -7, 14, "chance"), "chance, reference"),
        (_line(6, -7, 14, "rival"), "no worse than the rival"),
        *([(_triangle(6, -3), "run of this page")] if here else []),
    ):
        drawing.parts.append(f'<g transform="translate({x} 14)">{mark}</g>')
        drawing.write(words, x + 16, 10, y=18)
        x += 30 + 10 * 0.51 * len(words)
    drawing.y = 24
    drawing.write(BESIDE, 8, 10, fill=SOFT)
    return drawing.svg("The marks")


def draw_claim(entry, here=None, mine=None, every=False):
    """Draw the evidence on a judged claim, as the text of an SVG element.

    ``here`` is a table of a lesson's own runs, ``mine`` holds the reader's own bounds by quantity.
    If ``every``, each setting that is counted has a strip, and the words are left out.
    """
    drawing, claim, verdict = _Drawing(), entry.claim, entry.verdict
    if not every:
        drawing.y = 6
        drawing.write(claim.id, 8, 13, weight="bold", keep=True)
        tone = TONES[verdict.tone]
        drawing.write(verdict.words, 24 + 7.5 * len(claim.id), 13, weight="bold", fill=tone)
        kind = "can" if claim.can else claim.kind
        place = claim.where + ("" if kind == "empirical" else f"; {kind}")
        said = f"“{as_printed(claim.words)}”" if claim.words else f"Asked by us: {claim.says}"
        drawing.write(f"{said} ({place})", 8, 12)
        far = f" · {entry.how_far}" if entry.how_far else ""
        drawing.write(entry.beside + far, 8, 11, fill=SOFT)
    settings = list(verdict.counts) if every else shown_settings(entry)
    axes = []
    for asks in lines_of(entry):
        own = (mine or {}).get(asks[0].quantity, ...)
        shown = settings if not axes else settings[:1]
        axes.append(_Axis(entry, asks, shown, () if own is ... else (float(own),)))
    alike = [axis for axis in axes if axis.scale == axes[0].scale]
    for axis in alike:
        lows, highs = zip(*(other.limits for other in alike), strict=True)
        axis.limits = min(lows), max(highs)
    for above, axis in zip([None, *axes], axes, strict=False):
        axis.draw(drawing, here, first=above is None)
        if above is None or axis.limits != above.limits:
            axis.draw_ticks(drawing)
    drawing.y += 8
    drawing.parts.append(f'<path d="M8 {drawing.y}H{WIDTH - 8}" stroke="#d0d0d0"/>')
    counts = [f"{in_words(s.words)} {verdict.counts[s]}" for s in settings]
    return drawing.svg(f"{claim.id}: {verdict.words}; {entry.beside}; {'; '.join(counts)}")


class _Drawing:
    """Parts of an SVG element, written from the top down."""

    def __init__(self):
        self.parts, self.y = [], 0

    def write(self, text, x, size, y=None, keep=False, **style):
        """Write text in as many lines as it needs; move down unless ``y`` is given, or to keep."""
        style = {"weight": "normal", "fill": HARD, "anchor": "start"} | style
        look = f'font-size="{size}" font-weight="{style["weight"]}" fill="{style["fill"]}"'
        look += f' text-anchor="{style["anchor"]}"' if style["anchor"] != "start" else ""
        lines = [text] if y is not None else wrap(text, int((WIDTH - 8 - x) / (LETTER * size)))
        at = self.y + 1.25 * size if y is None else y
        for line in lines:
            self.parts.append(f'<text x="{x:.0f}" y="{at:.0f}" {look}>{escape(line)}</text>')
            at += 1.25 * size
        if y is None and not keep:
            self.y = int(at - 1.25 * size + 3)

    def svg(self, says):
        """Return the element; ``says`` is read aloud in its place."""
        return _svg("".join(self.parts), int(self.y) + 6, says)


class _Axis:
    """The axis of a quantity that asks bound, and the strips of the runs of settings on it."""

    def __init__(self, entry, asks, settings, mine):
        self.entry, self.asks = entry, asks
        claim, counts = entry.claim, entry.verdict.counts
        self.values = {s: claim.values_of(asks[0], entry.runs[s])[: counts[s].of] for s in settings}
        yours = [("mine", value, f"yours {signed(value)}") for value in mine]
        self.levels = levels_of(entry, asks[0]) + yours
        chances = [value for mark, value, _ in self.levels if mark == "chance"]
        known = [ask.bound for ask in asks]
        known += [value for mark, value, _ in self.levels if mark != "chance"]
        self.limits = limits_of(np.concatenate([*self.values.values()]), known, chances)

    @property
    def scale(self):
        """What axes of one claim have in common if they share a scale."""
        return criterion_of(self.asks), self.asks[0].than is None

    def place(self, value):
        """Return where a value stands, in pixels; beyond an end, at that end."""
        low, high = self.limits
        return round(LEFT + LONG * float(np.clip((value - low) / (high - low), 0, 1)), 1)

    def draw(self, drawing, here, first):
        """Draw the axis with its strips, below what a drawing has; the first one has a title."""
        asked = f"{self.asks[0].quantity} {criterion_of(self.asks)}"
        low, high = self.limits
        levels = " · ".join(
            name if low <= value <= high else f"{name} (beyond)"
            for mark, value, name in self.levels
        )
        drawing.y += 4
        if first:
            claimed = f"   {CLAIMED[self.asks[0].sign]}" if len(self.asks) == 1 else ""
            drawing.write(asked + claimed, LEFT, 11, weight="bold")
            drawing.write(levels, LEFT, 10, fill=SOFT)
            drawing.y += 2
        group = "" if {s.kind for s in self.values} > {"ours", "settings"} else None
        for setting, values in self.values.items():
            if group not in (None, GROUPS[setting.kind]):
                group = GROUPS[setting.kind]
                drawing.y += 5
                drawing.write(group, 8, 11, fill=SOFT)
                drawing.y += 3
            words = in_words(setting.words) if setting.changed else "ours"
            top = drawing.y
            met = self._draw_strip(drawing, setting, values, words if first else asked)
            right, y = LEFT + LONG + 8, (top + drawing.y) / 2
            if first:
                count = str(self.entry.verdict.counts[setting])
                drawing.write(count, right, 10.5, y=y + 2)
            else:
                drawing.write(met, right, 10, y=y - 3)
                drawing.write(levels.partition(" · ")[0], right, 8.5, y=y + 7, fill=SOFT)
            if setting.kind == "ours" and here is not None and self.entry.claim.group == 1:
                for value in self.entry.claim.values_of(self.asks[0], here):
                    drawing.parts.append(_triangle(self.place(value), top))

    def _draw_strip(self, drawing, setting, values, words):
        """Draw the runs of a setting; return the number of those that meet the bounds, as text."""
        lines = wrap(words, 38)
        tall = max(TALL, 10 * len(lines))
        y, met = drawing.y, np.logical_and.reduce([ask.met_by(values) for ask in self.asks])
        left, right = (self.place(end) for end in range_of(self.asks))
        parts = [f'<rect x="{LEFT}" y="{y}" width="{LONG}" height="{tall - 3}" fill="#f4f4f4"/>']
        shade = f'width="{right - left:.1f}" height="{tall - 3}" fill="{SHADE}"'
        parts.append(f'<rect x="{left}" y="{y}" {shade}/>')
        parts += [_line(self.place(value), y, tall - 3, mark) for mark, value, _ in self.levels]
        heights = np.linspace(y + 4, y + tall - 7, len(values))
        for value, height, good in zip(values, heights, met, strict=True):
            if np.isfinite(value):
                at = f'cx="{self.place(value)}" cy="{height:.1f}" r="2.7"'
                parts.append(f"<circle {at} {_dot(good)}/>")
        style = {"anchor": "end"}
        if setting in self.entry.verdict.turning:
            style["weight"] = "bold"
        for k, line in enumerate(lines):
            at = y + tall / 2 + 2 + 10 * (k - (len(lines) - 1) / 2)
            drawing.write(line, LEFT - 8, 10.5 if len(lines) == 1 else 9.5, y=at, **style)
            parts.append(drawing.parts.pop())
        drawing.parts.append(f'<g data-words="{escape(setting.words)}">{"".join(parts)}</g>')
        drawing.y += tall
        return f"{met.sum()} of {len(met)}"

    def draw_ticks(self, drawing):
        """Draw the numbers below the strips."""
        low, high = self.limits
        step = 10.0 ** np.floor(np.log10(high - low))
        step *= next(of for of in (0.2, 0.5, 1, 2) if (high - low) / (of * step) <= 6)
        for tick in np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step:
            style = {"y": drawing.y + 8, "anchor": "middle", "fill": SOFT}
            drawing.write(signed(tick if abs(tick) > step / 2 else 0), self.place(tick), 9, **style)
        drawing.y += 11


def _svg(content, height, says):
    look = 'role="img" font-family="system-ui, sans-serif" style="max-width: 100%; height: auto"'
    size = f'width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}"'
    ground = f'<rect class="ground" width="{WIDTH}" height="{height}" fill="#ffffff"/>'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {look} aria-label="{escape(says)}">'
    return f"{head}{ground}{content}</svg>"


def _dot(met):
    return f'fill="{MET}"' if met else f'fill="{MISSED}" stroke="{TONES["bad"]}" stroke-width="1.3"'


def _line(x, y, tall, mark):
    look = {"chance": 'stroke-width="3"', "rival": 'stroke-width="1.5" stroke-dasharray="2 2"'}
    look["mine"] = f'stroke-width="1.5" stroke-dasharray="5 2" stroke="{MET}"'
    return f'<path d="M{x} {y}v{tall}" stroke="{HARD}" {look[mark]}/>'


def _triangle(x, y):
    return f'<path d="M{x - 4} {y}h8l-4 6z" fill="{HERE}"/>'
