"""Choices, claims and verdicts: pure functions of the runs of an experiment; no files."""

from repro.claims.answers import (
    Answers as Answers,
    Share as Share,
    answer as answer,
    sensitivity as sensitivity,
)
from repro.claims.choices import (
    Reading as Reading,
    Source as Source,
    choice as choice,
    filled as filled,
    fitting as fitting,
    readings_of as readings_of,
    sources as sources,
)
from repro.claims.claim import (
    Ask as Ask,
    Claim as Claim,
    at_least as at_least,
    at_most as at_most,
    less as less,
    more as more,
)
from repro.claims.tables import (
    CHANCE as CHANCE,
    address as address,
    cells as cells,
    score_and_space as score_and_space,
    shown_name as shown_name,
    table_of as table_of,
)
