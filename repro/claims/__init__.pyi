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
    above as above,
    at_least as at_least,
    at_most as at_most,
    below as below,
)
from .verdicts import (
    Verdict as Verdict,
    judge as judge,
    variance_shares as variance_shares,
)
