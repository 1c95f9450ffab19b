"""Packages that only an extra of the installation brings."""

from importlib.util import find_spec

# Packages whose name is not that of their module.
PACKAGES = {"faiss": "faiss-cpu", "myst_nb": "myst-nb", "openTSNE": "opentsne"}


def is_there(module):
    """Say whether a module is installed."""
    return find_spec(module) is not None


def needs(*modules, extra, instead=""):
    """Raise a ModuleNotFoundError that says which extra to install where a module is missing.

    ``instead`` says what works without it.
    """
    missing = [module for module in modules if not is_there(module)]
    if missing:
        packages = " ".join(PACKAGES.get(module, module) for module in missing)
        message = (
            f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing: python -m pip "
            f"install {packages}, or in a copy of the repository pip install -e '.[{extra}]'"
        )
        raise ModuleNotFoundError(message + (f"; or {instead}" if instead else ""), name=missing[0])
