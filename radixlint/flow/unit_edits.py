"""Messages of a history that the form of a program shows to be changed: written anew, filtered, taken out of the middle."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from radixlint.flow.program import (
    Assign,
    Call,
    Choice,
    Comprehension,
    Constant,
    Cut,
    Define,
    Display,
    Evaluate,
    For,
    Function,
    Item,
    Mapping,
    Member,
    Module,
    Name,
    Node,
    Outer,
    Return,
    Spread,
    Stop,
    Text,
    While,
)
from radixlint.flow.program_walk import (
    Around,
    all_statements,
    expressions,
    name_of,
    root_of,
    source_of,
    span_of,
    statements,
)
from radixlint.flow.unit_aliases import are_copies, taken_from
from radixlint.flow.unit_bounds import size_tests
from radixlint.flow.unit_sent import SentLists, dotted_of, owner_of
from radixlint.flow.unit_signs import names_talk, words_of
from radixlint.prompt import Confidence, Event, Expression, Habit

# The newest message is not sent yet, or is this turn's own.
_NEWEST: Final = re.compile(r"\[\s*-\s*1\s*\]|\.at\(\s*-1\s*\)|(?:len\([^()]*\)|\.length)\s*-\s*1\b")
_BY_SIZE: Final = re.compile(r"\blen\(|\.length\b")
# What is told of the system text is the same for every turn.
_SYSTEM_ALONE: Final = re.compile(r"['\"](?:system|developer)['\"]")
_TEXTS: Final = frozenset(("content", "text", "parts", "output"))
_WRAPS: Final = ("enumerate", "reversed", "list", "entries")
_MAKERS: Final = frozenset(("__init__", "__post_init__", "constructor"))
# Other keys are of a mapping: ``del history[session]``.
_PLACES: Final = frozenset(("i", "j", "idx", "index", "pos", "position"))
_SIGNS: Final = re.compile(r"content|\bdel\b|\.(?:pop|remove|splice|filter|map)\(|\bfor\b")


def edits_in(module: Module, lists: SentLists) -> Iterator[Event]:
    """Yield the edits of messages that were sent before, or may have been."""
    if _SIGNS.search(module.passage.text) is None:
        return
    for node, around in all_statements(module.body):
        found = _text_written(node, around, module) or _taken_out(node, around, module) or _remade(node, around, module)
        if found is not None:
            place, items, confidence, habit = found
            name = dotted_of(items) or source_of(items, module)
            is_sent = lists.is_list_sent(items, around)
            if not is_sent and (confidence is Confidence.LOW or are_copies(items, node, around)):
                continue
            if not names_talk(name) and lists.is_history(items, around):
                name = "history"
            # What is taken out of messages that are followed to no request may be shown only.
            confidence = confidence if is_sent or not isinstance(place, Evaluate) else Confidence.LOW
            value = Expression(name, (name,))
            # A window is told as it is written, an edit by the list that it is of.
            target = value if habit is Habit.HISTORY_EDITED else None
            yield Event(habit, span_of(place, module), source_of(place, module), value, (), confidence, target)


Found = tuple[Node, Node, Confidence, Habit]


def _text_written(node: Node, around: Around, module: Module) -> Found | None:
    """Return the history whose messages get another text: in a loop over them, or at an index that is not the newest."""
    target = node.targets[0] if isinstance(node, Assign) else None
    key = target.key.passage.text if isinstance(target, Item) and isinstance(target.key, Text) else name_of(target or node)
    if not isinstance(target, Item | Member) or key not in _TEXTS:
        return None
    loop, iterable = looped_list(target.base, around)
    message = target.base if loop is not None else taken_from(target.base, node, around)
    if isinstance(message, Item) and not isinstance(message.key, Text):
        return _at_index(message, node, around, module)
    if loop is None or iterable is None or key not in ("content", "text") or (key == "text" and loop is around[-1]):
        return None
    if _is_newest(loop, around) or is_made_here(iterable, loop, around, module) or _tests_newest(node, around, loop, module):
        return None
    return node, iterable, Confidence.MEDIUM, Habit.HISTORY_EDITED


def _at_index(message: Item, node: Node, around: Around, module: Module) -> Found | None:
    written = source_of(message, module)
    is_first = isinstance(message.key, Constant) and message.key.value == 0
    if is_first or _NEWEST.search(written) or not dotted_of(message.base):
        return None
    loop = next((n for n in reversed(around) if isinstance(n, For) and name_of(message.key) in bound_by(n)), None)
    if loop is not None and _is_search(loop, module):
        return None
    if loop is None and any(isinstance(n, While) and _stops(n) for n in around):
        return None
    if is_made_here(message.base, loop or node, around, module):
        return None
    return node, message.base, Confidence.MEDIUM, Habit.HISTORY_EDITED


def _taken_out(node: Node, around: Around, module: Module) -> Found | None:
    """Return the history that loses a message in the middle: ``messages.pop(3)``, ``messages.remove(message)`` in a loop."""
    call = node.value if isinstance(node, Evaluate | Assign) else None
    if not isinstance(call, Call) or not isinstance(call.callee, Member) or not call.arguments:
        return None
    first, base, method = call.arguments[0].value, call.callee.base, call.callee.name
    loop = next((n for n in reversed(around) if isinstance(n, For) and name_of(first) in bound_by(n)), None)
    is_fixed = isinstance(first, Constant) and type(first.value) is int and first.value > 0
    if method == "remove":
        is_found = loop is not None and dotted_of(of_wrapped(loop.iterable)) == dotted_of(base) != ""
    elif method == "pop":
        is_place = bool(_PLACES & set(words_of(name_of(first))[-1:])) or (loop is not None and _counts(loop))
        is_found = len(call.arguments) == 1 and (is_fixed or is_place)
    else:
        is_found = method == "splice" and len(call.arguments) == 2 and is_fixed
    # Who makes room at the front drops turns, few or many at once.
    is_for_room = getattr(first, "value", None) == 1 and bool(size_tests(node, around, module))
    if not is_found or is_for_room or is_made_here(base, loop or node, around, module):
        return None
    return node, base, Confidence.MEDIUM, Habit.HISTORY_EDITED


def _counts(loop: For) -> bool:
    return name_of(getattr(loop.iterable, "callee", loop)) in ("range", "enumerate", "reversed")


def _remade(node: Node, around: Around, module: Module) -> Found | None:
    """Return the history that becomes a list of some of its messages, or of its messages with other texts.

    What is done to each message alike, whenever it is sent, is the same in all requests: it counts where the list that is kept
    is changed. What depends on where a message stands changes as the history grows.
    """
    if not isinstance(node, Assign | Return | Evaluate) or node.value is None:
        return None
    for each in expressions(node.value):
        found = _filter_of(each)
        if found is None:
            continue
        iterable, element, test = found
        items = of_wrapped(iterable)
        whole = items.base if isinstance(items, Cut) else items
        words = " ".join(source_of(one, module) for one in (element, test) if one is not None)
        is_rewrite = _writes_text(element, module)
        if not dotted_of(whole) or (not is_rewrite and test is None) or (test is not None and _SYSTEM_ALONE.search(words)):
            continue
        is_by_place = _BY_SIZE.search(words) is not None or (is_rewrite and isinstance(items, Cut) and items.upper is not None)
        if is_by_place:
            return each, whole, Confidence.MEDIUM, Habit.HISTORY_EDITED if is_rewrite else Habit.WINDOW
        if not isinstance(node, Assign):
            continue
        target = node.targets[0]
        own = target.base if isinstance(target, Cut) else target
        if each is node.value and dotted_of(own) == dotted_of(whole):
            return node, whole, Confidence.MEDIUM if _is_lasting(target, around) else Confidence.LOW, Habit.HISTORY_EDITED
    return None


def _filter_of(node: Node) -> tuple[Node, Node | None, Node | None] | None:
    """Return what a comprehension, ``filter`` or ``map`` goes through, the new item and the test, None where there is none."""
    if isinstance(node, Comprehension) and len(node.clauses) == 1:
        clause = node.clauses[0]
        return clause.iterable, node.element, clause.tests[0] if clause.tests else None
    callee = node.callee if isinstance(node, Call) else None
    if not isinstance(node, Call) or not isinstance(callee, Member) or callee.name not in ("filter", "map") or not node.arguments:
        return None
    function = node.arguments[0].value
    last = function.body[-1] if isinstance(function, Function) and function.body else None
    if not isinstance(last, Return) or last.value is None:
        return None
    return (callee.base, last.value, None) if callee.name == "map" else (callee.base, None, last.value)


def _writes_text(element: Node | None, module: Module) -> bool:
    """Whether a new item is a message whose text is another one than that of the message it stands for."""
    if isinstance(element, Choice):
        return _writes_text(element.yes, module) or _writes_text(element.no, module)
    if not isinstance(element, Mapping) or not any(entry.key is None for entry in element.entries):
        return False
    texts = [entry.value for entry in element.entries if isinstance(entry.key, Text) and entry.key.passage.text in _TEXTS]
    return any(not dotted_of(text) and not isinstance(text, Display) for text in texts)


def _is_lasting(target: Node, around: Around) -> bool:
    """Whether what is bound outlives the function: an attribute, a list changed in place, a name of the module."""
    owner = owner_of(around)
    if owner is not None and owner.name in _MAKERS:
        return False
    if isinstance(target, Cut | Member) or owner is None:
        return True
    names = {name for node, _ in statements(owner.body) if isinstance(node, Outer) for name in node.names}
    return name_of(target) in names


def looped_list(item: Node, around: Around) -> tuple[For | None, Node | None]:
    """Return the outermost loop that ``item`` is of, through loops over what its own items hold, and the list it goes over."""
    found: For | None = None
    iterable: Node | None = None
    name = name_of(root_of(item))
    for loop in reversed(around):
        if isinstance(loop, For) and name in bound_by(loop):
            found, iterable = loop, of_wrapped(loop.iterable)
            iterable = iterable.base if isinstance(iterable, Cut) else iterable
            name = name_of(root_of(iterable))
    return found, iterable


def bound_by(loop: For) -> set[str]:
    """Return the names that a loop binds: ``message``, or both of ``index, message``."""
    items = getattr(loop.target, "items", (loop.target,))
    return {name_of(item) for item in items} - {""}


def of_wrapped(node: Node) -> Node:
    """Return what is looped over, without ``enumerate`` and ``reversed`` around it."""
    while isinstance(node, Call) and node.arguments and name_of(node.callee) in _WRAPS:
        node = node.arguments[0].value
    return node


def _is_newest(loop: For, around: Around) -> bool:
    """Whether the loop goes over the newest messages alone, which are not sent yet (``messages[-1:]``), or stops at one."""
    items = loop.iterable
    if isinstance(items, Cut) and items.upper is None and items.lower is not None:
        return True
    return name_of(getattr(items, "callee", loop)) == "reversed" and _has_way_out(loop)


def _is_search(loop: For, module: Module) -> bool:
    """Whether a loop counts down from the newest message and stops at the one that it looks for."""
    words = source_of(loop.iterable, module)
    return _has_way_out(loop) and ("reversed" in words or re.search(r"-\s*1\s*\)$", words) is not None)


def _stops(loop: While) -> bool:
    """Whether a loop ends where it has found what it looks for."""
    ends = (
        node for node, _ in statements(loop.body) if isinstance(node, Return) or (isinstance(node, Stop) and node.word == "break")
    )
    return next(ends, None) is not None


def _has_way_out(loop: For) -> bool:
    return any(isinstance(node, Stop | Return) for node, _ in statements(loop.body))


def _tests_newest(node: Node, around: Around, loop: For, module: Module) -> bool:
    """Whether the change hangs on a test for the newest message."""
    inside = around[around.index(loop) :] if loop in around else ()
    return any(_NEWEST.search(source_of(test, module)) for each in inside if (test := getattr(each, "test", None)) is not None)


def is_made_here(items: Node, at: Node, around: Around, module: Module) -> bool:
    """Whether a change is made, once, to messages that the function wrote out just ahead and did nothing with since."""
    start = next((i for i in range(len(around) - 1, -1, -1) if isinstance(around[i], Define)), -1)
    owner = owner_of(around)
    if not isinstance(items, Name) or any(isinstance(node, For | While) and node is not at for node in around[start + 1 :]):
        return False
    body = owner.body if owner is not None else module.body
    made = [n for n in body if isinstance(n, Assign) and n.end <= at.start and name_of(n.targets[0]) == items.name]
    if not made or not isinstance(made[-1].value, Display) or any(isinstance(item, Spread) for item in made[-1].value.items):
        return False
    between = module.passage.text[made[-1].end : at.start]
    return re.search(rf"\b{re.escape(items.name)}\b(?!\[\d+\])", between) is None
