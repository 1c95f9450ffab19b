"""The report on answers as one reads it: sentences, a picture and a page."""

import base64
import io
from html import escape
from importlib.metadata import version

import numpy as np
import pandas as pd
from scipy.stats import chi2

from repro.answers import held_out
from repro.answers.annotators import FEW, own_error
from repro.answers.design import ENOUGH
from repro.core.checks import check_count
from repro.core.errors import UserError
from repro.core.extras import needs
from repro.core.files import write_text

CITATIONS = {
    "tete": "t-ETE (Amid, Vlassis and Warmuth 2016)",
    "tste": "t-STE (van der Maaten and Weinberger 2012)",
    "ste": "STE (van der Maaten and Weinberger 2012)",
    "ckl": "CKL (Tamuz et al. 2011)",
    "gnmds": "GNMDS (Agarwal et al. 2007)",
}
RULE = "the fewest within one standard error of the best accuracy"
# Whatever the user's settings of pandas, which may print small numbers as 0.
AS_PRINTED = "display.precision", 6, "display.float_format", None, "display.chop_threshold", None
CAPTION = (
    "a: the map on its first two axes, turned at will, with ellipses that hold a place with 95 %. "
    "b to d: the share of held-out answers that maps give, with one standard error, by dimension, "
    "by method and by the number of answers; broken: the most that any map could give."
)
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Answers</title>
<body style="font:15px sans-serif;max-width:60em;margin:2em auto"><h1>Answers</h1>{}
<img alt="The map" style="width:100%" src="data:image/png;base64,{}">{}</body></html>\n"""


class AnswersReport:
    """The results of `report_answers`; printed, they read as the sentences ``says_``.

    Attributes
    ----------
    answers_ : NamedTriplets
    method_ : str
    n_components_ : int
        The dimension of the map.
    rule_ : str
        Why that dimension: as asked, or as the smallest whose accuracy is within one standard
        error of the best.
    embedding_ : (n, d) float64 array
        The map y on its principal axes, with root mean square distance 1 from the centre.
    ellipses_ : (n, d, d) float64 array
        The covariance S of each place. The 95 % ellipse of an item holds the places z where
        (z - y)' S⁻¹ (z - y) is at most the 95 % quantile of χ² with d degrees of freedom. NaN for
        items that no answer is about.
    accuracy_ : pandas.DataFrame
        By method and dimension d: the share of held-out answers that maps predict (``accuracy``)
        with its standard ``error``, and the ``gain`` over the chosen map with its ``gain error``,
        which is paired and hence smaller.
    learning_curve_ : pandas.DataFrame
        The same by the number of answers to which maps are fitted.
    consistency_ : pandas.DataFrame
        See `repro.answers.held_out.agreement`.
    items_ : pandas.DataFrame
        The number of ``answers`` with each item, whether it is ``rare`` (below half the median),
        the ``radius`` of its ellipse along the longest axis, and its place (``axis 1`` …).
    annotators_ : pandas.DataFrame
        Of each annotator, if known, the ``answers``, ``accuracy`` and ``error`` on them, the share
        of repeated questions answered alike (``consistency``), the ``place`` on the screen chosen
        more often than by the others, its ``share``, and the probability ``p`` of such shares if
        the person chooses places as the others do (χ² test); and whether the annotator is
        ``doubtful``: with ten answers or more not above chance by two errors and below the accuracy
        of all by two, or below the median accuracy by three robust standard deviations, or by three
        own errors if these are larger.
    n_samples_ : int
        The samples of the bootstrap.
    resample_ : str
        What a sample draws.
    without_ : tuple of float, or None
        Accuracies on the answers of all but the doubtful: of maps of all answers, of these alone.
    """

    def __init__(self, **results):
        vars(self).update(results)
        self.says_ = list(_sentences(self))

    def __str__(self):
        return "\n".join(self.says_)

    @property
    def methods_(self):
        """Sentences for the methods of a paper."""
        answers, d = self.answers_, self.n_components_
        people = f" of {len(self.annotators_)} people" if len(self.annotators_) > 1 else ""
        tried = self.accuracy_.loc[self.method_]
        of_d = tried.loc[d]
        why = f"{RULE}, of 1 to {len(tried)}" if self.rule_ == RULE else self.rule_
        return (
            f"A map of {answers.n_items} items in {d} dimension{'s' * (d > 1)} ({why}) was fitted "
            f"to {len(answers.table)} answers{people} with {answers.n_options} options by "
            f"{CITATIONS[self.method_]} (repro {version('repro')}). It gives "
            f"{of_d['accuracy']:.1%} ± {of_d['error']:.1%} (standard error) of held-out answers, "
            "in five folds that keep answers about the same three items together; "
            f"chance gives {1 / answers.n_options:.1%}. The 95 % ellipses are from "
            f"{self.n_samples_} bootstrap samples of {self.resample_}s, widened by the distortion "
            f"of {held_out.SIMULATIONS} maps of simulated answers."
        )

    def plot(self, axes=(1, 2), figsize=(9.5, 6), size=7):
        """Return a figure: a, the map on two of its axes with 95 % ellipses; b–d, accuracies.

        A map of one dimension is drawn from left to right, its items one above the other. `CAPTION`
        explains the figure for a paper. ``axes`` are counted from 1; ``figsize`` is in inches, the
        ``size`` of names in points. A name that finds no room is left out.
        """
        numbers = np.array([check_count(axis, "axes") for axis in np.atleast_1d(axes)])
        is_pair = len(numbers) == 2 and numbers[0] != numbers[1]
        if self.n_components_ > 1 and not (is_pair and max(numbers) <= self.n_components_):
            raise UserError(f"axes must be two of 1 to {self.n_components_}, got {axes}")
        needs("matplotlib", extra="notebooks")
        from matplotlib import figure

        from repro import plots

        tables = {
            "dimensions": self.accuracy_.loc[self.method_].sort_index(),
            "method": self.accuracy_.xs(self.n_components_, level="d"),
            "answers": self.learning_curve_,
        }
        with plots.in_style():
            fig = figure.Figure(figsize=figsize)
            ax, *panels = fig.subplot_mosaic("aab;aac;aad").values()
            self._draw_map(ax, numbers - 1, size)
            for panel in panels[1:]:  # before anything is drawn, which sets the limits of all
                panel.sharey(panels[0])
            for panel, (name, table) in zip(panels, tables.items(), strict=True):
                panel.errorbar(table.index, table["accuracy"], table["error"], fmt="o", ms=4)
                panel.axhline(self.consistency_.loc["all", "at best"], color="0.5", ls="--")
                panel.set(xlabel=name, ylabel="accuracy")
            plots.letters_above([ax, *panels])
            plots.mark_standin(fig)
        return fig

    def _draw_map(self, ax, axes, size):
        from matplotlib.patches import Ellipse

        from repro import plots

        color = plots.COLORS["t-ETE"]
        has_place = np.isfinite(self.embedding_[:, 0])
        axes = axes[: self.n_components_]
        Y = self.embedding_[np.ix_(has_place, axes)]
        S = self.ellipses_[np.ix_(has_place, axes, axes)]
        if self.n_components_ == 1:
            height = np.linspace(-1, 1, len(Y))[Y[:, 0].argsort().argsort()]
            Y = np.column_stack([Y, height])
            S = np.pad(S, ((0, 0), (0, 1), (0, 1)))
        named = self.items_.index[has_place], ["black"] * len(Y), np.random.default_rng(0)
        quantile = chi2.ppf(0.95, len(axes))
        # The frame holds the whole map with its ellipses.
        reach = np.sqrt(np.einsum("nii->ni", S) * quantile)
        plots.embedding_names(ax, Y, *named, size=size, around=np.vstack([Y - reach, Y + reach]))
        sizes, turns = np.linalg.eigh(S)
        widths = 2 * np.sqrt(np.maximum(sizes, 1e-6) * quantile)
        for y, (low, high), (u, v) in zip(Y, widths, turns[:, :, 1], strict=True):
            ellipse = Ellipse(y, high, low, angle=np.degrees(np.arctan2(v, u)))
            ax.add_patch(ellipse).set(fc=(color, 0.1), ec=(color, 0.6), lw=0.6, zorder=0)

    def to_html(self, path=None):
        """Return sentences, figure and tables as an HTML page; write it to ``path`` if given."""
        from repro import plots

        picture = io.BytesIO()
        with plots.in_style():
            self.plot().savefig(picture, format="png", dpi=150)
        tables = {
            "Accuracy by method and dimension": self.accuracy_,
            "Consistency": self.consistency_,
            "Accuracy by number of answers": self.learning_curve_,
            "Items, the least sure first": self.items_.sort_values("radius", ascending=False),
            "Annotators, the least predictable first": self.annotators_,
        }
        text = [f"<p>{escape(sentence)}" for sentence in (*self.says_, CAPTION)]
        image = base64.b64encode(picture.getvalue()).decode()
        with pd.option_context(*AS_PRINTED):
            parts = [f"<h2>{k}</h2>{t.round(3).to_html()}" for k, t in tables.items() if len(t)]
        page = PAGE.format("".join(text), image, "".join(parts))
        if path is not None:
            try:
                write_text(path, page)
            except OSError as error:
                raise UserError(f"{path} cannot be written: {error.strerror}") from None
        return page


def _sentences(report):
    """Yield sentences on the results and limits of a report; ± is one standard error."""
    answers, d, tried = report.answers_, report.n_components_, report.accuracy_.loc[report.method_]
    counts = answers.counts
    yield (
        f"{counts['answers']} answers about {answers.n_items} items are used. Rows with an empty "
        f"cell: {counts['missing']}; of a header: {counts['header']}; copies of another row: "
        f"{counts['duplicate']}; rows that contradict another: {counts['contradictory']} (dropped: "
        f"{' and '.join(answers.dropped) or 'none of these two'})."
    )
    pairs, share, _, _, best, low, high = report.consistency_.loc["all"]
    if pairs:
        yield f"Of {pairs:.0f} pairs of answers to one question {share:.1%} agree."
        yield (
            f"So any map gives at most {best:.1%} (95 % interval {low:.1%} to {high:.1%}), and "
            "less if hard questions are answered less surely."
        )
    elif "contradictory" in answers.dropped:
        yield "Contradictions were dropped: the most that a map could give is not known any more."
    else:
        yield "No question was asked again: the most that a map could give is not known."
    accuracy, error, chance = *tried.loc[d, ["accuracy", "error"]], 1 / answers.n_options
    yield f"A map gives {accuracy:.1%} ± {error:.1%} of answers not seen; chance {chance:.1%}."
    if accuracy < chance + 2 * error:
        yield "That is not above chance: too few answers, much noise, or columns of another kind."
    others = [f"{k}: {_points(x)}" for k, x in tried.sort_index().iterrows() if k != d]
    yield f"Dimensions: {d}, {report.rule_}; others, in points: {', '.join(others)}."
    if len(answers.table) < ENOUGH * answers.n_items * d:
        yield f"Fewer than {ENOUGH} answers for each item and dimension may hide some dimensions."
    rivals = report.accuracy_.xs(d, level="d").drop(report.method_).sort_values("gain")
    best = rivals.iloc[-1]
    yield f"Method: {report.method_}; the best of the others, {best.name}: {_points(best)} points."
    half = report.learning_curve_.iloc[-2]
    more = "twice as many would likely add less"
    if half["gain"] > -2 * half["gain error"]:
        more = "what more would add cannot be told"
    yield f"With half of the answers: {_points(half)} points; {more}."
    items = report.items_
    yield f"Least sure are the places of {', '.join(items['radius'].nlargest(3).index)}."
    yield from _named("No answer is about these items, which have no place", items["answers"] == 0)
    yield from _named("In less than half as many answers as the median item are", items["rare"])
    people = report.annotators_
    if people.empty:
        return
    at_chance = people["doubtful"] & (people["accuracy"] < chance + 2 * own_error(people))
    guess = ", ".join(people.index[at_chance]) or "none"
    yield f"Annotators whom no map gives better than chance: {guess}."
    yield from _named("Annotators far below the rest", people["doubtful"] & ~at_chance)
    if report.without_:
        both, alone = report.without_
        yield f"Of the others' answers, maps give {both:.1%} with them and {alone:.1%} without."
    prefers = people.get("p", pd.Series(1.0, people.index)) < 0.001 / len(people)
    for who, row in people[prefers].iterrows():
        yield f"{who} chooses place {row['place']} in {row['share']:.0%} of the answers."
    few = f"Of annotators with fewer than {FEW} answers nothing can be told"
    yield from _named(few, people["answers"] < FEW)


def _named(text, which):
    """Yield a sentence that names the rows of a table that are meant, if there are any."""
    if which.any():
        yield f"{text}: {', '.join(which.index[which])}."


def _points(row):
    return f"{100 * row['gain']:+.1f} ± {100 * row['gain error']:.1f}"
