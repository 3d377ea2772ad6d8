"""Which classes below a method's own class fill in what it asks its object for, so that it is followed on their objects too."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from radixlint.flow.classes import ClassInfo
from radixlint.flow.evaluator_frames import Closure
from radixlint.flow.stubs import stub_of
from radixlint.flow.values import Callback

_ASKED: Final = re.compile(r"\b(?:self|this|cls)\s*\.\s*#?(\w+)")
_MAKERS: Final = ("__init__", "constructor")
_METHODS_MAX: Final = 40
_HEIRS_MAX: Final = 4

SetBy = Callable[[ClassInfo, str], bool]
"""Tells whether the methods of a class itself set an attribute."""


def entered_on(closure: Closure, is_set_by: SetBy) -> list[ClassInfo]:
    """Return the classes on whose objects a method is entered: its own unless only those below have all that it asks for."""
    owner = closure.owner
    if owner is None:
        return []
    if not owner.below:
        return [owner]
    asked = _asked(closure, owner)
    found: list[ClassInfo] = []
    is_whole = True
    for heir in owner.heirs():
        own = filled_in(heir, owner, closure, asked, is_set_by) if len(found) < _HEIRS_MAX else set()
        if own:
            found.append(heir)
            is_whole = is_whole and all(_is_given(owner, name, is_set_by) for name in own)
    return found if found and not is_whole else [owner, *found]


def inherited(heir: ClassInfo, is_set_by: SetBy) -> list[Closure]:
    """Return the methods of other files that a class inherits, and for which it fills in something they ask for."""
    found: list[Closure] = []
    for owner in heir.lineage()[1:]:
        methods = (
            [each.target for each in owner.space.bound.values() if isinstance(each, Callback)]
            if owner.own is not heir.own
            else ()
        )
        for closure in methods:
            if isinstance(closure, Closure) and filled_in(heir, owner, closure, _asked(closure, owner), is_set_by):
                found.append(closure)
    return found


def filled_in(heir: ClassInfo, owner: ClassInfo, closure: Closure, asked: set[str], is_set_by: SetBy) -> set[str]:
    """Return which names that a method of ``owner`` asks for a class below has its own of, none if it replaces the method."""
    line, name = heir.lineage(), closure.function.name
    held = owner.find(name)
    if held is None or owner not in line or heir.find(name) != held:
        return set()
    between = line[: line.index(owner)]
    own = {name for name in asked if any(name in each.space.bound or is_set_by(each, name) for each in between)}
    if any(maker in each.space.bound for each in between for maker in _MAKERS):
        # What it hands to the maker of the class above is its own too.
        own |= {name for name in asked if any(is_set_by(each, name) for each in owner.lineage())}
    return own


def _asked(closure: Closure, owner: ClassInfo) -> set[str]:
    """Return the names that a method asks its object for, and those that methods of its class do which it calls."""
    found: set[str] = set()
    stack = [closure]
    for _ in range(_METHODS_MAX):
        if not stack:
            break
        each = stack.pop()
        text = each.home.module.passage.text[each.function.start : each.function.end]
        for name in sorted(set(_ASKED.findall(text)) - found):
            found.add(name)
            held = owner.find(name)
            target = held[1].target if held is not None and isinstance(held[1], Callback) else None
            if isinstance(target, Closure):
                stack.append(target)
    return found


def _is_given(owner: ClassInfo, name: str, is_set_by: SetBy) -> bool:
    held = owner.find(name)
    if held is None:
        return any(is_set_by(each, name) for each in owner.lineage())
    return stub_of(held[1]) is None
