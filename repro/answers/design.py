"""Questions to ask: balanced, with repeats and catch trials."""

import numpy as np
import pandas as pd

from repro.answers.reading import KINDS, names_of_items
from repro.core.checks import check_choice, check_count, check_real
from repro.core.errors import UserError
from repro.core.optimize import as_generator

ENOUGH = 20  # answers per item and dimension


def design_questions(
    items,
    kind="odd one out",
    *,
    n_components=2,
    per_item=ENOUGH,
    n_annotators=1,
    repeats=0.1,
    catches=0.05,
    random_state=None,
):
    """Draw the questions of a study, whose new ones show every item equally often in every place.

    How many: see `repro.report_answers`. The accuracy on n answers has a standard error of at most
    0.5 / √n.

    Parameters
    ----------
    items : sequence of at least five names
    kind : {"two alternatives", "odd one out", "most central"}
        What is asked, see `repro.read_answers`.
    n_components, per_item : int
        The expected dimension, and the answers per item and dimension: there are ``per_item *
        n_components * len(items)`` questions.
    n_annotators : int
        Number of people, who share the questions.
    repeats, catches : float in [0, 1]
        Share of questions that are asked again with other places, half of them of the next
        annotator; and share of trials to add whose answer is plain, as two of three items are one.
    random_state : int or numpy.random.Generator, optional

    Returns
    -------
    pandas.DataFrame
        A row per trial, in the order of asking: ``annotator``, ``trial`` (from 1), the items in
        the columns that `repro.read_answers` wants, ``purpose`` ("new", "repeat" or "catch"), and
        the answer ``expected`` of a catch. A repeat comes some half of the trials later than its
        first. Answers go into one more column ("chosen", "odd" or "central"); read them
        without the catches, with ``annotator="annotator"`` and ``repeat="trial"``.

    Raises
    ------
    UserError
        A ValueError, if there are fewer than five items, two with one name, or more annotators than
        questions.
    """
    check_choice(kind, "kind", tuple(KINDS)[1:])
    names = np.array(names_of_items(items), dtype=object)
    if len(names) < 5:
        raise UserError(f"items must be five names or more, got {list(names)}")
    n_blocks = check_count(n_components, "n_components") * check_count(per_item, "per_item")
    n_questions = n_blocks * len(names)
    if check_count(n_annotators, "n_annotators") > n_questions:
        raise UserError(f"n_annotators must be at most {n_questions}, the number of questions")
    for name, share in (("repeats", repeats), ("catches", catches)):
        if not 0 <= check_real(share, name) <= 1:
            raise UserError(f"{name} must be in [0, 1], got {share}")
    rng = as_generator(random_state)
    columns = list(KINDS[kind][:3])
    moving = columns[kind == "two alternatives" :]
    blocks = [_block(len(names), rng) for _ in range(n_blocks)]
    new = pd.DataFrame(names[np.concatenate(blocks)], columns=columns).assign(purpose="new")
    new["annotator"] = new.index % n_annotators
    new["time"] = rng.random(len(new))
    number = new["annotator"].rank(method="first") - 1  # so that all repeat as many, or one more
    is_repeated = np.floor((number + 1) * repeats) > np.floor(number * repeats)
    new.loc[is_repeated, "time"] /= 2
    again = new[is_repeated].assign(purpose="repeat", time=lambda table: table["time"] + 0.5)
    again["annotator"] += (again.groupby("annotator").cumcount() + again["annotator"]) % 2
    again["annotator"] %= n_annotators
    again[moving] = np.roll(again[moving], 1, axis=1)
    twice, once = rng.random((round(catches * len(new)), len(names))).argsort(axis=1)[:, :2].T
    plain = pd.DataFrame(names[np.column_stack([twice, twice, once])], columns=columns)
    plain[moving] = rng.permuted(plain[moving], axis=1)
    plain["expected"] = names[once if kind == "odd one out" else twice]
    plain["purpose"] = "catch"
    plain["annotator"] = plain.index % n_annotators
    plain["time"] = rng.random(len(plain))
    trials = pd.concat([new, again, plain]).sort_values(["annotator", "time"], ignore_index=True)
    trials["annotator"] += 1
    trials["trial"] = trials.groupby("annotator").cumcount() + 1
    return trials[["annotator", "trial", *columns, "purpose", "expected"]]


def _block(n, rng):
    """Return triples, (n, 3) int, in which each of n items has each place once."""
    order = rng.permutation(n)
    steps = np.zeros(2, int)
    while not (3 * steps % n).any():  # thirds of n would ask each question three times
        steps = rng.choice(np.arange(1, n), 2, replace=False)
    return np.column_stack([order, *(np.roll(order, step) for step in steps)])
