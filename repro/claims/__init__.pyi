from .choices import (
    Reading as Reading,
    Source as Source,
    choice as choice,
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
from .verdicts import (
    Verdict as Verdict,
    judge as judge,
    variance_shares as variance_shares,
)
