"""Packages that only an extra of the installation brings."""

from importlib.util import find_spec


def needs(*modules, extra, instead=""):
    """Say which extra to install where a module is missing.

    Parameters
    ----------
    *modules : str
        As they are imported.
    extra : str
        Of pyproject.toml.
    instead : str
        What works without it.

    Raises
    ------
    ModuleNotFoundError
    """
    for module in modules:
        if find_spec(module) is None:
            message = f"{module} is missing: python -m pip install -e '.[{extra}]'"
            raise ModuleNotFoundError(message + (f", or {instead}" if instead else ""), name=module)
