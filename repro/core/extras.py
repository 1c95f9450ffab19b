"""Packages that only an extra of the installation brings."""

from importlib.util import find_spec


def needs(*modules, extra, instead=""):
    """Raise a ModuleNotFoundError that says which extra to install where a module is missing.

    ``instead`` says what works without it.
    """
    for module in modules:
        if find_spec(module) is None:
            message = f"{module} is missing: python -m pip install -e '.[{extra}]'"
            raise ModuleNotFoundError(message + (f", or {instead}" if instead else ""), name=module)
