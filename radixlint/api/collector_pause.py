"""Reading without the cyclic collector: millions of objects are made that stay, and each pass would visit them all."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Callable, Iterator
from typing import TypeVar

_T = TypeVar("_T")


@contextlib.contextmanager
def without_visits_to(make: Callable[[], _T]) -> Iterator[_T]:
    """Give what ``make`` returns; the collector is off while it is made, and does not visit it within the block."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        made = make()
        gc.freeze()
        if was_enabled:
            gc.enable()
        yield made
    finally:
        gc.unfreeze()
        if was_enabled:
            gc.enable()
