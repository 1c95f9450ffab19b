from .answers import (
    Answers as Answers,
    Share as Share,
    answer as answer,
    sensitivity as sensitivity,
)
from .choices import (
    Reading as Reading,
    Source as Source,
    choice as choice,
    filled as filled,
    fitting as fitting,
    readings_of as readings_of,
    sources as sources,
)
from .claim import (
    Ask as Ask,
    Claim as Claim,
    at_least as at_least,
    at_most as at_most,
    less as less,
    more as more,
)
from .tables import (
    CHANCE as CHANCE,
    address as address,
    cells as cells,
    table_of as table_of,
)
