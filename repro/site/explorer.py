"""Interactive maps: a figure each map of a notebook, whose points tell what they are."""

import html
from contextlib import suppress

from repro.datasets.registry import ENTRIES
from repro.plots.style import COLORS
from repro.site import image_sheets

SHOWN = 96  # pixels of a picture on the screen, along its longer side
# Okabe & Ito's, as in `repro.plots`; more groups than these take Bokeh's palettes.
PALETTE = (
    *("#0072B2", "#D55E00", "#009E73", "#CC79A7"),
    *("#56B4E9", "#E69F00", "#000000", "#999999"),
)
# The stylesheet of a tooltip lies in its shadow; the sheet of thumbnails comes in by a variable.
PICTURE = (
    '<div class="thumbnail" style="width: {width}px; height: {height}px; '
    "background: var(--thumbnails) @place / {whole_width}px {whole_height}px; "
    'image-rendering: {rendering}"></div>'
)
TOOLTIP = (
    '<div style="font: 13px sans-serif; color: #222; max-width: 200px">{picture}'
    '<div class="label"><b>@label</b></div><div>@group</div></div>'
)


def explorer_page(title, points, own_copy=False):
    """Write the page of a notebook's maps.

    Parameters
    ----------
    title : str
    points : Points
    own_copy : bool
        Also with pictures that may not be passed on.

    Returns
    -------
    markdown : str
        The plots are in it as HTML; it needs ``bokeh.min.js`` in the folder of static files.

    Raises
    ------
    ValueError
        If the rows of the points are not rows of the set's images.
    """
    sheet = image_sheets.sheet(points, own_copy)
    colours = group_colours(points.groups)
    about = (
        f"{len(points.labels)} points, from [{points.notebook}](../notebooks/{points.notebook}"
        ".ipynb). Hover over a point to see what it is"
    )
    if len(points.maps) > 1:
        about += (
            "; the other maps mark it, too. "
            "Draw around points with the lasso to find them again in the other maps"
        )
    raw = f"{_style(sheet)}\n{_legend(colours)}\n{_plots(points, colours, sheet)}"
    parts = (
        f"# {title}",
        f"{about}.",
        f"``````{{raw}} html\n{raw}\n``````",
        sheet.note,
        origin(points.set),
    )
    return "\n\n".join(part for part in parts if part) + "\n"


def origin(asked):
    """Write source, terms and citation of a data set, {"name": …}; nothing for None."""
    if asked is None or asked["name"] not in ENTRIES:
        return ""
    entry = ENTRIES[asked["name"]]
    return (
        f"**Data.** {entry.title}. Source: {entry.source}. "
        f"Terms: {entry.licence}. To cite: {entry.citation}"
    )


def group_colours(groups):
    """Give each group a colour: in the order of numbers if all are, else of their first point.

    Parameters
    ----------
    groups : sequence of str

    Returns
    -------
    colours : dict of str to str
    """
    from bokeh.palettes import Category10, Category20, viridis

    names = list(dict.fromkeys(groups))
    with suppress(ValueError):
        names.sort(key=float)
    if len(names) <= len(PALETTE):
        return dict(zip(names, PALETTE, strict=False))
    for palette in (Category10[10], Category20[20]):
        if len(names) <= len(palette):
            return dict(zip(names, palette, strict=False))
    return dict(zip(names, viridis(min(len(names), 256)) * len(names), strict=False))


def _plots(points, colours, sheet):
    """Draw all maps on one table of points, which is what makes them mark a point together."""
    from bokeh.embed import components
    from bokeh.models import ColumnDataSource

    columns = {
        "label": points.labels,
        "group": points.groups,
        "colour": [colours[group] for group in points.groups],
        "place": sprite_positions(len(points.labels), sheet),
    }
    for k, xy in enumerate(points.maps.values()):
        columns[f"x{k}"], columns[f"y{k}"] = xy.T.astype("float32")
    source = ColumnDataSource(columns)
    figures = {f"map{k}": _figure(name, k, source, sheet) for k, name in enumerate(points.maps)}
    script, divs = components(figures, wrap_script=False)
    grid = "\n".join(f"<div>{divs[name]}</div>" for name in figures)
    least = "24rem" if len(figures) in (2, 4) else "20rem"  # two and four stand in two columns
    return (
        '<script src="../_static/bokeh.min.js"></script>\n'
        f'<div class="maps" style="--least: {least}">\n{grid}\n</div>\n'
        f"<script>\n{script}\n</script>"
    )


def _figure(name, k, source, sheet):
    """Draw one map: equal axes without ticks, coloured by group."""
    from bokeh.models import HoverTool
    from bokeh.plotting import figure

    plot = figure(
        title=name,
        tools="pan,wheel_zoom,box_zoom,lasso_select,tap,reset,save",
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
    plot.add_tools(HoverTool(tooltips=tooltip(sheet), renderers=[dots], limit=1))
    plot.axis.visible = False
    plot.grid.visible = False
    plot.outline_line_color = None
    plot.title.text_color = COLORS.get(name.split(",")[0], "#222222")  # of "t-STE, noise", too
    plot.title.text_font_size = "12pt"
    plot.toolbar.logo = None
    return plot


def tooltip(sheet):
    """Write what hovering over a point shows, as a template of Bokeh's."""
    if not sheet.uri:
        return TOOLTIP.format(picture="")
    (h, w), scale = sheet.size, SHOWN / max(sheet.size)
    picture = PICTURE.format(
        width=round(w * scale),
        height=round(h * scale),
        whole_width=sheet.columns * round(w * scale),
        whole_height=sheet.rows * round(h * scale),
        rendering="pixelated" if scale > 2.5 else "auto",
    )
    return TOOLTIP.format(picture=picture)


def sprite_positions(n, sheet):
    """Return where in the sheet of thumbnails each of n points has its own, as CSS."""
    if not sheet.uri:
        return [""] * n
    h, w = (round(side * SHOWN / max(sheet.size)) for side in sheet.size)
    cells = (divmod(k, sheet.columns) for k in range(n))
    return [f"{-column * w}px {-row * h}px" for row, column in cells]


def _style(sheet):
    """Write the sheet of thumbnails as a variable, the one thing that reaches a tooltip."""
    if not sheet.uri:
        return ""
    return f'<style>:root {{ --thumbnails: url("{sheet.uri}"); }}</style>'


def _legend(colours):
    """Write the groups and their colours; more than twenty are told by hovering alone."""
    if not 1 < len(colours) <= 20:
        return ""
    items = (
        f'<li><span style="background: {colour}"></span>{html.escape(name)}</li>'
        for name, colour in colours.items()
    )
    return f'<ul class="legend">{"".join(items)}</ul>'
