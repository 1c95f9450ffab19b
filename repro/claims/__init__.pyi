from .ledger import (
    Claim as Claim,
    Ledger as Ledger,
    Part as Part,
    figures_dir as figures_dir,
)
