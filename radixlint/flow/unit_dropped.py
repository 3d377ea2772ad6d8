"""Old items that a program drops from the front of a list while it is too long: an exchange or two at a time, or many."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from radixlint.flow.program import Assign, Binary, Call, Constant, Cut, Display, Evaluate, Member, Module, Node, Spread, Try
from radixlint.flow.program_walk import Around, source_of, span_of
from radixlint.flow.unit_bounds import FEW, Size, Sizes, size_tests
from radixlint.prompt import Span

_POPS: Final = frozenset(("pop", "popleft", "shift"))
_BLANKS: Final = re.compile(r"\s+")


class Dropped(NamedTuple):
    """What loses its oldest items, the tests that decide when, and whether it is sure that few go at a time."""

    base: Node
    tests: tuple[Span, ...]
    is_sure: bool


def dropped(node: Node, around: Around, module: Module, sizes: Sizes) -> Dropped | None:
    """Return that a statement drops the oldest items while there are too many: ``messages.pop(0)``, ``del messages[1:3]``."""
    found = _oldest(node, module, sizes)
    if found is None:
        return None
    base, count, kept = found
    tests = size_tests(node, around, module)
    if not tests and not _is_way_out(node, around):
        return None
    bounds = sizes.bounds(tests)
    limit = bounds[-1] if bounds else None
    is_few = isinstance(count, int) and 0 < count <= FEW
    if kept is not None:
        is_number = isinstance(kept, int) and isinstance(limit, int)
        is_few = limit - kept <= FEW if is_number else kept == limit  # type: ignore[operator]
    # Down to a size below the one at which it begins: there is room for a while then.
    if len(set(bounds)) > 1 or not (is_few or isinstance(count, str)):
        return None
    return Dropped(base, tuple(span_of(test, module) for test in tests), is_few)


def _is_way_out(node: Node, around: Around) -> bool:
    """Whether a statement stands where a request has failed, of being too long most likely."""
    handlers = (handler for each in around if isinstance(each, Try) for handler in each.handlers)
    return any(handler and handler[0].start <= node.start and node.end <= handler[-1].end for handler in handlers)


def _oldest(node: Node, module: Module, sizes: Sizes) -> tuple[Node, Size | None, Size | None] | None:
    """Return the list, how many of its oldest items go (None if that is not said), and how many are kept."""
    value = node.value if isinstance(node, Evaluate | Assign) else None
    if isinstance(value, Call) and isinstance(value.callee, Member):
        return _by_method(value, value.callee, module, sizes)
    if not isinstance(node, Assign) or value is None:
        return None
    target = node.targets[0]
    if isinstance(target, Cut) and isinstance(value, Display) and not value.items:
        return _cut_out(target, module, sizes)
    return _without_head(target, value, module)


def _by_method(call: Call, method: Member, module: Module, sizes: Sizes) -> tuple[Node, Size | None, Size | None] | None:
    given = [argument.value for argument in call.arguments]
    first = _number(given[0]) if given else None
    if method.name in _POPS:
        return (method.base, 1, None) if method.name != "pop" or first in (0, 1) else None
    if method.name != "splice" or first not in (0, 1) or len(given) != 2:
        return None
    return method.base, *_counted(given[1], method.base, module, sizes)


def _cut_out(target: Cut, module: Module, sizes: Sizes) -> tuple[Node, Size | None, Size | None] | None:
    lower = 0 if target.lower is None else _number(target.lower)
    if lower is None or not 0 <= lower <= FEW or target.upper is None:
        return None
    upper = _number(target.upper)
    if upper is not None and upper > lower:
        return target.base, upper - lower, None
    return target.base, *_counted(target.upper, target.base, module, sizes)


def _counted(bound: Node, base: Node, module: Module, sizes: Sizes) -> tuple[Size | None, Size | None]:
    """Return how many items go and how many stay, one of them known: ``2``, ``history.length - 20``."""
    kept = sizes.before_end(bound, base, module)
    return (None, kept) if kept is not None else (sizes.of(_BLANKS.sub("", source_of(bound, module))), None)


def _without_head(target: Node, value: Node, module: Module) -> tuple[Node, Size | None, Size | None] | None:
    """Return that a list becomes itself without items behind those kept ahead: ``h = h[2:]``, ``h = [h[0]] + h[3:]``."""
    base = _BLANKS.sub("", source_of(target.base if isinstance(target, Cut) else target, module))
    ahead = 0
    for part, is_item in _parts(value):
        at = None if is_item else _rest_from(part, base, module)
        if at is not None:
            return (target, at - ahead, None) if at > ahead else None
        heads = _number(part.upper) if isinstance(part, Cut) and part.lower is None else None
        if not is_item and heads is None:
            return None
        ahead += heads or 1
    return None


def _parts(value: Node) -> list[tuple[Node, bool]]:
    """Return what a list is put together of, in order: items, and lists."""
    if isinstance(value, Binary) and value.operator == "+":
        return [*_parts(value.left), *_parts(value.right)]
    if isinstance(value, Display):
        return [part for item in value.items for part in (_parts(item.value) if isinstance(item, Spread) else [(item, True)])]
    return [(value, False)]


def _rest_from(part: Node, base: str, module: Module) -> int | None:
    """Return from where on a part is the rest of the list ``base``."""
    if isinstance(part, Cut) and part.upper is None:
        whole, at = part.base, _number(part.lower)
    elif isinstance(part, Call) and isinstance(part.callee, Member) and part.callee.name == "slice" and len(part.arguments) == 1:
        whole, at = part.callee.base, _number(part.arguments[0].value)
    else:
        return None
    is_own = _BLANKS.sub("", source_of(whole, module)) == base
    return at if is_own and at is not None and at > 0 else None


def _number(node: Node | None) -> int | None:
    return node.value if isinstance(node, Constant) and type(node.value) is int else None
