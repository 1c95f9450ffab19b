"""Formulas in pages, drawn when the page is written: no script draws them, so nothing moves."""

import html
import re
from functools import cache

from repro.core.errors import UserError

SIZE = 17  # pixels of a letter's em beside text of 16
SYMBOL = re.compile(r"<symbol [^>]*?(?:/>|>.*?</symbol>)", re.S)
TAG = re.compile(r"\\tag\{([^}]*)\}")


@cache
def formula(latex, block=False):
    r"""Return a formula as HTML: a picture, and MathML for those who listen.

    ``block`` sets it in a line of its own, with the number that ``\tag`` gives. Pass the page
    through `gather_glyphs`, since the glyphs of each formula come with it.
    """
    import ziamath
    from latex2mathml.converter import convert

    ziamath.config.svg2 = True
    tags = TAG.findall(latex)
    latex = TAG.sub("", latex).strip()
    drawn = ziamath.Latex(latex, size=SIZE, inline=not block, color="currentColor")
    look = f'class="formula" aria-hidden="true" style="vertical-align: {drawn.getyofst():.1f}px"'
    picture = re.sub(r'^<svg xmlns="[^"]*"', f"<svg {look}", drawn.svg())
    spoken = convert(latex, display="block" if block else "inline")
    if "\\" in spoken:
        raise UserError(f"a command of this formula is not known: {latex}")
    spoken = spoken.replace("<math", '<math class="spoken"', 1)
    if not block:
        return f"{picture}{spoken}"
    number = f"<span>({html.escape(tags[0])})</span>" if tags else ""
    return f'<div class="formula" tabindex="0">{picture}{spoken}{number}</div>'


def gather_glyphs(page):
    """Define each glyph of a page's formulas once, before all that use it."""
    glyphs = dict.fromkeys(SYMBOL.findall(page))
    if not glyphs:
        return page
    hidden = 'width="0" height="0" style="position: absolute" aria-hidden="true"'
    return f"<svg {hidden}>{''.join(glyphs)}</svg>{SYMBOL.sub('', page)}"
