"""The pages of claims: all in a table, and one per claim, where a reader switches the choices."""

import html
import json

import numpy as np

from repro.claims.choices import sources, words_of
from repro.site.markdown import menu, page, plain

COLUMNS = "claim", "the paper says", "kind", "verdict", "met", "effect", "elsewhere", "carries over"
SWITCH = (
    "Switch a choice that the paper leaves open, or take other data. Each dot is a run, green "
    "where the bound (dashed) is met; grey are the runs of our reading. A run meets the claim if "
    "it meets all that is asked."
)


def claims_page(project):
    """Write all claims as a table that a reader can sort."""
    rows = [COLUMNS, ["---"] * len(COLUMNS), *(_claim_row(of) for of in project.judged)]
    return page(
        "All claims",
        "Choose a head to sort by it. *Met*: in which share of the runs of our reading. *Effect*: "
        "how far the median run is on the way from chance (0) to the bound (1), for the criterion "
        "that is least far and has a chance level; *elsewhere*: the same on each set of data that "
        "the paper does not use. *Carries over*: on how many of these four fifths of the runs "
        "meet the claim. A claim leads to its page, where its open choices can be switched.",
        '<div class="sortable">',
        "\n".join(f"| {' | '.join(row)} |" for row in rows),
        "</div>",
        menu(f"claims/{of.claim.id}" for of in project.judged),
    )


def verdict_of(of):
    """Write the verdict on a claim as a coloured word."""
    return f'<span class="verdict {of.verdict.word}">{of.verdict.word}</span>'


def _claim_row(of):
    claim, verdict, (held, asked) = of.claim, of.verdict, of.verdict.carries
    here = [f"{effect:.2f}" for effect, _, is_papers in of.effects if is_papers]
    away = sorted(effect for effect, _, is_papers in of.effects if not is_papers)
    return (
        f"[{plain(claim.id)}](claims/{claim.id}.md)",
        plain(claim.says),
        claim.kind + ("" if claim.by == "paper" else ", asked by us"),
        verdict_of(of),
        f"{float(verdict.primary):.0%}",
        *(here or ["–"]),
        " ".join(f"{effect:.1f}" for effect in away) or "–",
        f"{held} of {asked}" if asked else "–",
    )


def claim_pages(project):
    """Write a page for each judged claim, by the name of the page."""
    return {f"claims/{of.claim.id}": claim_page(of, project.root) for of in project.judged}


def claim_page(of, root):
    """Write the page of a judged claim; what `claim.js` draws is in it as JSON."""
    claim, verdict = of.claim, of.verdict
    depends = f" It depends {verdict.depends_on}." if verdict.depends_on else ""
    drawn = (root / "figures" / "sweeps" / f"{of.name}.npz").exists()
    parts = [
        f"{of.paper} {claim.where}, asked in [{of.name}](../notebooks/{of.name}.ipynb).",
        f"<p>{verdict_of(of)} {html.escape(depends)}</p>",
        plain(f"Criterion changed; before: {claim.was}") if claim.was else "",
        SWITCH,
        "``````{raw} html",
        f'<script src="../_static/{of.name}.js"></script>' if drawn else "",
        f'<div class="claim">\n{_selects(of)}\n<p class="outcome" aria-live="polite"></p>',
        '<div class="asks"></div>',
        '<figure hidden><svg viewBox="-1050 -1050 2100 2100"></svg><figcaption>The run of median '
        "loss, its first two axes; colours follow the order of the points.</figcaption></figure>",
        f'<script type="application/json">{data_of(of)}</script>\n</div>',
        "``````",
    ]
    return page(plain(f"{claim.id}: {claim.says}"), *parts)


def _values(of):
    """List the choices that some runs change, each with its values: ours first."""
    primary = next(reading.choices for reading in of.runs if reading.kind == "primary")
    listed = {
        name: [getattr(primary, name), *source.others, *source.elsewhere]
        for name, source in sources(primary).items()
        if source.others or source.elsewhere
    }
    return primary, listed


def _selects(of):
    """Write a switch per choice."""
    primary, listed = _values(of)
    rows = []
    for name, (ours, *others) in listed.items():
        words = [words_of(type(primary)(**{name: value}), name) for value in others]
        shown = "".join(f"<option>{html.escape(word)}</option>" for word in (f"{ours}", *words))
        rows.append(f"<label><code>{name}</code> <select>{shown}</select></label>")
    return "\n".join(rows)


def data_of(of):
    """Return what the page draws, as JSON that may stand within a script.

    ``readings`` holds, by the numbers of the values switched to, the words of the reading, which
    observations meet the claim, and what each ask bounds in them.
    """
    _, listed = _values(of)
    values = {reading: of.claim.values(rows) for reading, rows in of.runs.items()}
    readings = {}
    for reading, of_asks in values.items():
        places = [v.index(getattr(reading.choices, name)) for name, v in listed.items()]
        readings[",".join(map(str, places))] = {
            "words": reading.words,
            "met": of.claim.observations(of.runs[reading]),
            "values": [[_short(value) for value in of_ask] for of_ask in of_asks],
        }
    asks = []
    for k, ask in enumerate(of.claim.asks):
        every = np.concatenate([of_asks[k] for of_asks in values.values()] + [[ask.bound]])
        low, high = np.nanmin(every), np.nanmax(every)
        about = {"says": ask.criterion, "sign": ask.sign, "bound": ask.bound}
        asks.append(about | {"low": _short(low), "high": _short(high)})
    content = json.dumps({"asks": asks, "readings": readings}, ensure_ascii=False)
    return content.replace("<", "\\u003c")


def _short(value):
    """Round to five digits; what is not a number is null in JSON."""
    return float(f"{value:.5g}") if np.isfinite(value) else None


def embeddings_script(path):
    """Write the embeddings of an experiment's readings as a script: a page may not read files.

    They are in the file that `repro.evidence.sweeps.write_embeddings` wrote.
    """
    with np.load(path) as kept:
        first_axes = {words: kept[words][:, :2].tolist() for words in kept.files}
    return f"const EMBEDDINGS = {json.dumps(first_axes, separators=(',', ':'))};\n"
