"""Find plug-ins by walking a package: a module is a plug-in, its file name is its name; importing waits until it is used."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from types import ModuleType


def plugin_names(package: ModuleType) -> tuple[str, ...]:
    """Return the plug-in names of ``package``, sorted: module names with ``_`` written as ``-``; nothing is imported."""
    return _names_in(*package.__path__)


@functools.cache
def _names_in(*folders: str) -> tuple[str, ...]:
    return tuple(sorted(m.name.replace("_", "-") for m in pkgutil.iter_modules(folders) if not m.name.startswith("_")))


def load_plugin(package: ModuleType, name: str) -> ModuleType:
    """Import and return the plug-in ``name`` (as ``plugin_names`` spells it).

    Raises:
        KeyError: there is no such plug-in.
    """
    if name not in plugin_names(package):
        raise KeyError(name)
    return importlib.import_module(f"{package.__name__}.{name.replace('-', '_')}")
