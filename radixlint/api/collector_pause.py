"""Reading without the cyclic collector: millions of objects are made that stay, and each pass would visit them all."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Callable, Iterator
from typing import Final, TypeVar

_T = TypeVar("_T")


_SELDOM: Final = (200_000, 50, 100)


@contextlib.contextmanager
def with_rare_visits() -> Iterator[None]:
    """Let the collector come by some hundred times more seldom within the block: it is for what holds few cycles."""
    before = gc.get_threshold()
    gc.set_threshold(*_SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*before)


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
