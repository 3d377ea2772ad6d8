"""Which files and folders a run looked at: what it says can only change when one of these does.

The interpreter tells of every file that is opened and every folder that is listed, so that no reader can be forgotten; only
who asks whether a file is there without opening it says so itself.
"""

from __future__ import annotations

import os
import sys
from typing import Final

_FOREIGN: Final = ("/proc/", "/dev/", "/sys/")
_seen: set[str] | None = None
_hooks: list[object] = []


def record() -> None:
    """Start to remember; a hook of the interpreter stays until it ends, so it is made once."""
    global _seen
    _seen = set()
    if not _hooks:
        sys.addaudithook(_heard)
        _hooks.append(_heard)


def asked(*paths: os.PathLike[str] | str) -> None:
    """Remember that a run depends on what stands, or does not stand, at these paths."""
    if _seen is not None:
        _seen.update(map(_place, paths))


def recorded() -> tuple[str, ...]:
    """Return the absolute paths since ``record``, sorted; none if nothing is remembered."""
    return tuple(sorted(_seen or ()))


def _place(path: os.PathLike[str] | str) -> str:
    try:
        return os.path.abspath(os.fspath(path))
    except OSError:  # the current folder is gone
        return os.fspath(path)


def _heard(event: str, arguments: tuple[object, ...]) -> None:
    if event not in ("open", "os.scandir", "os.listdir") or _seen is None or not arguments:
        return
    path = arguments[0]
    if not isinstance(path, str | os.PathLike):
        return
    if event == "open":
        mode, flags = arguments[1:]
        is_written = isinstance(mode, str) and not set(mode).isdisjoint("wax+")
        if is_written or (isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR)):
            return
    place = _place(path)
    # The interpreter looks for modules; which were loaded is asked of it in the end.
    is_import = place.endswith(".pyc") or (event == "os.listdir" and place in map(_place, sys.path))
    if not is_import and not place.startswith(_FOREIGN):
        _seen.add(place)
