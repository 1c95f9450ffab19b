"""What moved in version 1.1: old names resolve until 2.0, with a warning."""

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
    "repro.core.quiet": "repro.experiments",
}
MOVED_NAMES = {
    "repro.plots": {
        "figures_dir": "repro.workbench.lessons.figures",
        "save": "repro.workbench.lessons.figures:save_figure",
        "write_figure": "repro.workbench.lessons.figures",
    },
    "repro.measures": {
        "cost_exponent": "repro.experiments._costs",
        "fitted_directions": "repro.experiments.mre_fig3_isomap_faces",
        "ink": "repro.experiments._images",
        "left_minus_right": "repro.experiments._images",
        "nearest_is_adjacent": "repro.experiments.kie_fig4_joint",
        "neighbor_distance": "repro.experiments.bre_fig7_brendan",
        "neighbor_views": "repro.experiments._views",
        "pieces_per_class": "repro.experiments.tete_fig6_dimensionality_reduction",
        "plane_fit": "repro.experiments.bre_fig7_brendan",
        "rank_errors": "repro.experiments.mre_fig3_isomap_faces",
        "signed_permutation_difference": "repro.experiments.kie_fig1_s_curve",
        "slant": "repro.experiments._images",
        "view_distance_ratio": "repro.experiments._views",
        "view_error": "repro.experiments._views",
        "view_gap": "repro.experiments._views",
        "view_match": "repro.experiments._views",
        "view_scores": "repro.experiments._views",
    },
}


def moved_name(module, name):
    """Return a function that moved from a module; for the module's ``__getattr__``."""
    if name not in MOVED_NAMES[module]:
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    room, _, new = MOVED_NAMES[module][name].partition(":")
    warnings.warn(f"{module}.{name} is now {room}.{new or name}", DeprecationWarning, stacklevel=3)
    return getattr(import_module(room), new or name)


class OldNames(MetaPathFinder, Loader):
    """Finder and loader of modules by their old names."""

    def find_spec(self, name, path=None, target=None):
        """Return the spec of a module that moved, or None."""
        for old, new in MOVED.items():
            if f"{name}.".startswith(f"{old}."):
                return ModuleSpec(name, self, origin=new + name.removeprefix(old))
        return None

    def create_module(self, spec):
        """Import the module by its new name."""
        module = import_module(spec.origin)
        warnings.warn(f"{spec.name} is now {spec.origin}", DeprecationWarning, stacklevel=2)
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module):
        """Give the module its own specification back; it was executed under its new name."""
        module.__spec__ = module.__spec__.loader_state


sys.meta_path.insert(0, OldNames())  # before the finder that would load a second copy
