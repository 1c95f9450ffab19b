"""Modules that moved in version 1.1; their old names resolve until 2.0, with a warning."""

import sys
import warnings
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec

MOVED = {
    "repro.notebook": "repro.workbench.lessons",
    "repro.evidence": "repro.workbench.evidence",
    "repro.site": "repro.workbench.site",
    "repro.course": "repro.workbench.course",
    "repro.claims": "repro.experiments.claims",
}


class OldNames(MetaPathFinder, Loader):
    """Finder and loader of modules by their old names."""

    def find_spec(self, name, path=None, target=None):
        """Return the spec of a module that moved, or None."""
        is_moved = any(f"{name}.".startswith(f"{old}.") for old in MOVED)
        return ModuleSpec(name, self) if is_moved else None

    def create_module(self, spec):
        """Import the module by its new name."""
        old = next(old for old in MOVED if f"{spec.name}.".startswith(f"{old}."))
        new = MOVED[old] + spec.name.removeprefix(old)
        module = import_module(new)
        warnings.warn(f"{spec.name} is now {new}", DeprecationWarning, stacklevel=2)
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module):
        """Give the module its own specification back; it was executed under its new name."""
        module.__spec__ = module.__spec__.loader_state


sys.meta_path.insert(0, OldNames())  # before the finder that would load a second copy
