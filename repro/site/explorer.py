"""Interactive maps: a figure for each map of a notebook, whose points tell what they are."""

from contextlib import suppress

import numpy as np
from matplotlib.colors import to_hex

from repro.datasets.registry import ENTRIES
from repro.plots.scatter import class_colors
from repro.site.point_images import pictures_of

# What the page says of groups that no data set brings.
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
    """Return what the page of a notebook's maps shows; ``_map.md`` says by which names.

    ``points`` are what `repro.notebook.save_embeddings` wrote. The plots are a script, which needs
    ``bokeh.min.js``, and the places that it fills.
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
    """Give each group a colour: in the order of numbers if all are, else of their first point."""
    names = list(dict.fromkeys(groups))
    with suppress(ValueError):
        names.sort(key=float)
    colours = class_colors(len(names))
    return {name: to_hex(colour) for name, colour in zip(names, colours, strict=False)}


def _plots(points, colours, pictures):
    """Draw all maps on one table of points, which is what makes them mark a point together."""
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

    No tool that drags is active at first, so that on a phone a swipe scrolls the page.
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
    # Not more than one tooltip, where many points lie under the pointer.
    plot.add_tools(HoverTool(tooltips=tooltip, renderers=[dots], limit=1))
    plot.axis.visible = False
    plot.grid.visible = False
    plot.outline_line_color = None
    plot.background_fill_color = plot.border_fill_color = None  # those of the page, in the dark too
    plot.toolbar.logo = None
    return plot
