"""Optional packages, installed only with an extra."""

from importlib.util import find_spec

# Packages whose name differs from that of their module.
PACKAGES = {"faiss": "faiss-cpu", "myst_nb": "myst-nb", "openTSNE": "opentsne"}


def is_there(module):
    """Return whether a module is installed."""
    return find_spec(module) is not None


def needs(*modules, extra, instead=""):
    """Raise a ModuleNotFoundError that names the extra to install if a module is missing.

    ``instead`` names an alternative that works without the module.
    """
    missing = [module for module in modules if not is_there(module)]
    if missing:
        packages = " ".join(PACKAGES.get(module, module) for module in missing)
        message = (
            f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing: python -m pip "
            f"install {packages}, or in a copy of the repository pip install -e '.[{extra}]'"
        )
        raise ModuleNotFoundError(message + (f"; or {instead}" if instead else ""), name=missing[0])
