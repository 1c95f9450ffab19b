"""Interactive maps: a figure per map of a notebook, with labelled points."""

from contextlib import suppress

import numpy as np
from matplotlib.colors import to_hex

from repro.datasets.registry import ENTRIES
from repro.plots.scatter import class_colors
from repro.workbench.site.point_images import pictures_of

# Notes on groups that are not part of a data set.
BY_HAND = {
    "tete_fig4_food": (
        "**The groups were made by hand**, from the pictures and before any embedding was made: "
        "the paper names three groups, but does not say which dishes are in them. Claim "
        "[tete-4b](../claims/tete-4b.md) rests on them."
    ),
}
PICTURE = (
    '<img class="thumbnail" src="@picture" '
    'style="width: 96px; height: 96px; object-fit: contain; image-rendering: pixelated">'
)
TOOLTIP = (
    '<div style="font: 13px sans-serif; color: #222; max-width: 200px">{}'
    '<div class="label"><b>@label</b></div><div>@group</div></div>'
)


def map_of(points):
    """Return the contents of the page of a notebook's maps, by their names in ``_map.md``.

    ``points`` are what `repro.workbench.lessons.save_embeddings` wrote. The plots are a script,
    which needs ``bokeh.min.js``, and the HTML elements that it fills.
    """
    pictures, note = pictures_of(points)
    colours = group_colours(points["groups"])
    script, divs = _plots(points, colours, pictures)
    entry = ENTRIES[points["set"]["name"]] if points["set"] else None
    return {
        "points": points,
        "colours": colours,
        "script": script,
        "divs": divs,
        "by_hand": BY_HAND.get(points["notebook"], ""),
        "note": note,
        "entry": entry,
    }


def group_colours(groups):
    """Assign a colour to each group, in numerical order, or else in order of appearance."""
    names = list(dict.fromkeys(groups))
    with suppress(ValueError):
        names.sort(key=float)
    colours = class_colors(len(names))
    return {name: to_hex(colour) for name, colour in zip(names, colours, strict=False)}


def _plots(points, colours, pictures):
    """Draw all maps from one table of points, so that a point is marked in all of them."""
    from bokeh.embed import components
    from bokeh.models import ColumnDataSource

    columns = {
        "label": points["labels"],
        "group": points["groups"],
        "colour": [colours[group] for group in points["groups"]],
    }
    if pictures:
        columns["picture"] = pictures
    for k, xy in enumerate(points["maps"].values()):
        columns |= {f"{axis}{k}": np.float32(values) for axis, values in xy.items()}
    source = ColumnDataSource(columns, name="points")
    tooltip = TOOLTIP.format(PICTURE if pictures else "")
    return components(
        [_figure(k, source, tooltip) for k in range(len(points["maps"]))],
        wrap_script=False,
    )


def _figure(k, source, tooltip):
    """Draw one map: equal axes without ticks, coloured by group.

    No drag tool is active at first, so that a swipe on a phone scrolls the page.
    """
    from bokeh.models import HoverTool
    from bokeh.plotting import figure

    plot = figure(
        tools="pan,wheel_zoom,box_zoom,lasso_select,tap,reset,save",
        active_drag=None,
        match_aspect=True,
        sizing_mode="scale_width",
        width=480,
        height=480,
        toolbar_location="below",
    )
    size = min(10.0, max(3.0, 150 / len(source.data["label"]) ** 0.5))
    fill = {"fill_color": "colour", "line_color": "white", "line_width": 0.4}
    dots = plot.scatter(
        f"x{k}", f"y{k}", source=source, size=size, fill_alpha=0.85, nonselection_alpha=0.1, **fill
    )
    dots.hover_glyph = dots.glyph.clone(size=max(2 * size, 10), line_color="black", line_width=2)
    # At most one tooltip, even if many points are under the pointer.
    plot.add_tools(HoverTool(tooltips=tooltip, renderers=[dots], limit=1))
    plot.axis.visible = False
    plot.grid.visible = False
    plot.outline_line_color = None
    plot.background_fill_color = plot.border_fill_color = None  # those of the page, dark or light
    plot.toolbar.logo = None
    return plot
