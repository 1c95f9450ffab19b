"""What an experiment declares: choices, claims and the measures that they ask for; no files."""

from repro.experiments.claims.choices import (
    Setting as Setting,
    Source as Source,
    called as called,
    choice as choice,
    filled as filled,
    fitting as fitting,
    settings_of as settings_of,
    sources as sources,
)
from repro.experiments.claims.claim import (
    Ask as Ask,
    Claim as Claim,
    at_least as at_least,
    at_most as at_most,
    cost as cost,
    identity as identity,
    less as less,
    more as more,
    question as question,
)
from repro.experiments.claims.tables import (
    CHANCE as CHANCE,
    address as address,
    cells as cells,
    score_and_space as score_and_space,
    shown_name as shown_name,
    table_of as table_of,
)
