"""What people say of dishes and of musicians, and fits of t-STE and t-ETE to it."""

from functools import cache

import numpy as np

from repro.core.estimator import options_of
from repro.datasets import fetch_food, fetch_music
from repro.tete import TripletEmbedding, contradictions, degenerate

load_food = cache(fetch_food)
# Sorted by the pictures before any embedding was made; all other dishes are meals.
DESSERTS = (5, 6, 8, 10, 12, 23, 32, 34, 36, 39, 43, 44, 49, 50, 62, 76, 80, 85, 90, 97)
WITHOUT_FRUIT = tuple(dish for dish in DESSERTS if dish not in (5, 76, 90, 97))
BREADS = (0, 2, 7, 9, 16, 20, 25, 27, 31, 33, 35, 45, 48, 51, 56, 63, 64, 73)


def draw_dishes(contradicted=True, desserts=DESSERTS, breads=BREADS):
    """Return triplets of dishes, and the group of each dish: 0 is a meal, 1 dessert, 2 bread."""
    food = load_food()
    group = np.zeros(len(food.names), dtype=int)
    group[list(desserts)] = 1
    group[list(breads)] = 2
    kept = food.triplets if contradicted else food.triplets[~contradictions(food.triplets)]
    return kept, group


@cache
def load_music():
    """Fetch the triplets of three different artists, and the artists' genres, tags and names."""
    music = fetch_music()
    triplets = music.triplets[~degenerate(music.triplets)]
    used = np.unique(triplets)
    names = [music.names[artist] for artist in used]
    return np.searchsorted(used, triplets), music.labels[used], music.factors[used], names


def fit_both(choices, triplets, n_items, seed):
    """Fit t-STE and t-ETE from one start."""
    options = options_of(TripletEmbedding, choices)
    models = (TripletEmbedding(loss, random_state=seed, **options) for loss in ("tste", "tete"))
    return [model.fit(triplets, n_items=n_items) for model in models]
