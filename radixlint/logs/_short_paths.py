"""Paths as they are shown in sentences: no longer than it takes to tell them apart."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from pathlib import PurePath
from typing import Final

_PARTS_SHOWN: Final = 2


def short_paths(paths: Iterable[str]) -> dict[str, str]:
    """Return for each of ``paths`` its last two parts, or all of it if another one ends in the same two."""
    shown = {path: os.path.join("", *PurePath(path).parts[-_PARTS_SHOWN:]) for path in paths}
    times = Counter(shown.values())
    return {path: short if times[short] == 1 else path for path, short in shown.items()}
