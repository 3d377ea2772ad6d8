"""Windows on the history that the form of a program shows: old turns dropped one by one, the newest alone kept or loaded."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from msgspec.structs import replace

from radixlint.flow.merging_facts import facts_of
from radixlint.flow.program import Argument, Assign, Call, Constant, Cut, Define, Display, Import, Module, Node, Text
from radixlint.flow.program_walk import Around, all_statements, expressions, name_of, source_of, span_of
from radixlint.flow.unit_bounds import Sizes, drops_many, newest_kept
from radixlint.flow.unit_dropped import dropped
from radixlint.flow.unit_sent import SentLists, dotted_of
from radixlint.flow.unit_shown import is_only_seen
from radixlint.flow.unit_signs import names_talk, names_talk_alone, words_of
from radixlint.flow.values import Listed, Value
from radixlint.prompt import Confidence, Event, Expression, Habit, Span

_SIGNS: Final = (
    *("deque(", "maxlen", "trim_messages", "trimMessages", "Memory", "Buffer", "limit", "Limit", "LIMIT", "last_n", "lastN"),
    *("islice", "takeRight"),
)
# Each begins with fixed text, which is found faster than the begin of a word.
_WORD_SIGNS: Final = tuple(
    map(
        re.compile,
        (
            r"del(?<!\wdel)\b",
            r"pop(?<!\wpop)",
            r"shift(?<!\wshift)\b",
            r"splice(?<!\wsplice)\b",
            r"slice\([1-9]",
            r"\[[1-9]\s*:\s*\]",
        ),
    )
)
_TRIMMERS: Final = ("trim_messages", "trimMessages")
# Keep a number of turns or tokens of a conversation.
_MEMORIES: Final = (
    "ConversationBufferWindowMemory",
    "ConversationTokenBufferMemory",
    "BufferWindowMemory",
    "BufferedChatCompletionContext",
    "ChatMemoryBuffer.from_defaults",
)
_BOUNDS: Final = ("limit", "last_n", "last", "n", "k", "max_messages", "num_messages", "max_turns", "take")
_LOADS: Final = frozenset(("load", "get", "fetch", "recent", "read", "list", "find", "select", "query", "last", "latest"))
_TALK: Final = frozenset(("messages", "history", "turns", "conversation", "chat", "transcript", "dialog", "dialogue"))
_NEWEST_ROWS: Final = re.compile(
    r"\bfrom\s+\W?\w*(?:messages|turns|history|conversation)\w*\b.*\border\s+by\b.*\bdesc\b.*\blimit\s+(?!1\b)[\w:?%$@({]",
    re.I | re.S,
)


class Windows:
    """Finds the windows of one file."""

    def __init__(self, module: Module, lists: SentLists) -> None:
        self._module = module
        self._lists = lists
        self._sizes = Sizes(module)
        self._cuts: dict[int, tuple[Cut, Event]] = {}

    def note_cut(self, value: Value, node: Cut) -> None:
        """Note that a program takes the newest items of a list and no fixed beginning."""
        if newest_kept(node, self._module, self._sizes) is None:
            return
        facts, base = facts_of(value), dotted_of(node.base)
        names = facts.names
        # What a list that is made here holds so far does not say what it is; its name does.
        if names_talk(base):
            names = (base.rpartition(".")[2],)
        elif base and (isinstance(value, Listed) or not names):
            names = (base,)
        event = _window(node, "", self._module)
        self._cuts.setdefault(id(node), (node, replace(event, value=Expression(event.text, names), related=facts.places)))

    def found(self, *, sends: bool, reached: Collection[Span]) -> Iterator[Event]:
        """Yield the windows; those that are loaded so only where the file ``sends`` prompts.

        What is made outside of ``reached``, the places that prompts are followed back to, is a guess.
        """
        yield from self._cut(reached) if self._cuts else ()
        module, text = self._module, self._module.passage.text
        if not any(sign in text for sign in _SIGNS) and not any(sign.search(text) for sign in _WORD_SIGNS):
            return
        for node, around in all_statements(module.body):
            lost = dropped(node, around, module, self._sizes)
            if lost is not None:
                confidence = self._sureness(lost.base, around) if lost.is_sure else Confidence.LOW
                event = _window(node, self._name(lost.base, around), module, confidence)
                yield replace(event, covers=lost.tests)
            for inner in expressions(node):
                if isinstance(inner, Call):
                    yield from self._kept_by(inner, node, around)
                    if sends:
                        yield from _loaded(inner, module, reached)

    def _cut(self, reached: Collection[Span]) -> Iterator[Event]:
        """Yield the cuts that are sent, or may be: not those that are shown only, nor a list that is cut to a part for good."""
        module, seen = self._module, set()
        for statement, around in all_statements(module.body):
            for node in expressions(statement):
                noted = self._cuts.get(id(node))
                if noted is None or id(node) in seen:
                    continue
                seen.add(id(node))
                cut, event = noted
                kept = newest_kept(cut, module, self._sizes)
                if kept is None or drops_many(cut, kept, statement, around, module, self._sizes):
                    continue
                if is_only_seen(cut, statement, around, module) or _is_put_together(cut, statement, module):
                    continue
                if not names_talk(_named(event)) and self._lists.is_history(cut.base, around):
                    event = replace(event, value=Expression(event.text, ("history",)))
                is_sent = not reached or _is_reached(event.span, reached) or self._lists.is_sent(cut)
                yield event if is_sent else replace(event, confidence=Confidence.LOW)

    def _name(self, node: Node, around: Around) -> str:
        """Return the name that says what a list is: its own, or that of a history where it is sent as one."""
        own = dotted_of(node) or source_of(node, self._module)
        if names_talk(own):
            return own.rpartition(".")[2]
        return own if not self._lists.is_history(node, around) else "history"

    def _sureness(self, node: Node, around: Around) -> Confidence:
        """Return how sure it is that a list with the name of a history is sent: others keep the histories of other things."""
        is_sure = names_talk_alone(dotted_of(node)) or self._lists.is_list_sent(node, around)
        return Confidence.HIGH if is_sure else Confidence.LOW

    def _kept_by(self, call: Call, statement: Node, around: Around) -> Iterator[Event]:
        """Yield what keeps the newest items by itself: a bounded ``deque``, a trimmer, a memory of a library."""
        module, word = self._module, name_of(call.callee)
        first = call.arguments[0].value if call.arguments else None
        if word == "deque":
            bound = _argument(call, ("maxlen",), 1)
            if bound is not None and not _is_none(bound) and _number(bound) != 1:
                target = statement.targets[0] if isinstance(statement, Assign) else None
                if target is not None:
                    yield _window(call, self._name(target, around), module, self._sureness(target, around))
        elif word in _TRIMMERS:
            yield from self._trimmed(call, word, first)
        elif word in ("islice", "takeRight") and first is not None and not is_only_seen(call, statement, around, module):
            base = self._taken_from_end(call, word, first)
            if base is not None:
                yield _window(call, self._name(base, around), module)
        elif source_of(call.callee, module).endswith(_MEMORIES):
            yield _window(call, "history", module)

    def _trimmed(self, call: Call, word: str, first: Node | None) -> Iterator[Event]:
        """Yield a trimmer that keeps the newest messages; one of the file itself is judged by what it does."""
        strategy = _argument(call, ("strategy",), None)
        is_last = strategy is None or (isinstance(strategy, Text) and strategy.passage.text == "last")
        if not is_last or any(isinstance(n, Define) and n.function.name == word for n, _ in all_statements(self._module.body)):
            return
        is_list = first is not None and call.arguments[0].name in (None, "messages")
        name = (dotted_of(first) or source_of(first, self._module)) if is_list and first is not None else "messages"
        is_known = any(isinstance(n, Import) and "langchain" in n.module for n, _ in all_statements(self._module.body))
        yield _window(call, name, self._module, Confidence.HIGH if is_known else Confidence.LOW)

    def _taken_from_end(self, call: Call, word: str, first: Node) -> Node | None:
        """Return the list that ``islice(reversed(history), n)``, ``islice(history, len(history) - n, None)`` take from."""
        second = call.arguments[1].value if len(call.arguments) > 1 else None
        if second is None or _number(second) in (0, 1):
            return None
        if word == "takeRight":
            return first
        if isinstance(first, Call) and name_of(first.callee) == "reversed" and first.arguments and len(call.arguments) == 2:
            return first.arguments[0].value
        is_end = len(call.arguments) == 3 and _is_none(call.arguments[2].value)
        return first if is_end and self._sizes.before_end(second, first, self._module) is not None else None


def _is_put_together(cut: Cut, statement: Node, module: Module) -> bool:
    """Whether all that stands ahead of the newest items is sent with them: ``shortened(messages[:-4]) + messages[-4:]``."""
    if cut.lower is None:
        return False
    base, bound = source_of(cut.base, module), source_of(cut.lower, module)
    cuts = (each for each in expressions(statement) if isinstance(each, Cut) and each.lower is None and each.upper is not None)
    is_one = not isinstance(getattr(statement, "value", None), Display) or len(getattr(statement, "targets", ())) == 0
    return is_one and any(
        source_of(each.base, module) == base and each.upper is not None and source_of(each.upper, module) == bound
        for each in cuts
    )


def _named(event: Event) -> str:
    return event.value.names[0] if event.value is not None and event.value.names else ""


def _loaded(call: Call, module: Module, reached: Collection[Span]) -> Iterator[Event]:
    """Yield a load of the newest turns alone."""
    confidence = Confidence.MEDIUM if _is_reached(span_of(call, module), reached) else Confidence.LOW
    words = set(words_of(name_of(call.callee)))
    bound = _argument(call, _BOUNDS, None)
    if words & _TALK and words & _LOADS and bound is not None and not _is_none(bound) and _number(bound) != 1:
        yield _window(call, "history", module, confidence)
        return
    texts = (argument.value for argument in call.arguments[:1])
    if any(isinstance(inner, Text) and _NEWEST_ROWS.search(inner.passage.text) for text in texts for inner in expressions(text)):
        yield _window(call, "history", module, confidence)


def _is_reached(place: Span, reached: Iterable[Span]) -> bool:
    """Whether a prompt holds what is made at ``place``, or what is made of it there."""
    start, end = (place.line, place.column), (place.end_line, place.end_column)
    own = [((at.line, at.column), (at.end_line, at.end_column)) for at in reached if at.path == place.path]
    return any(first < end and start < last for first, last in own)


def _window(node: Node, name: str, module: Module, confidence: Confidence = Confidence.HIGH) -> Event:
    text = source_of(node, module)
    return Event(Habit.WINDOW, span_of(node, module), text, Expression(text, (name,)), (), confidence)


def _argument(call: Call, names: tuple[str, ...], position: int | None) -> Node | None:
    found = next((given.value for given in call.arguments if given.name in names), None)
    if found is None and position is not None and len(call.arguments) > position:
        given: Argument = call.arguments[position]
        return given.value if given.name is None else None
    return found


def _number(node: Node | None) -> int | None:
    return node.value if isinstance(node, Constant) and isinstance(node.value, int) and not isinstance(node.value, bool) else None


def _is_none(node: Node) -> bool:
    return isinstance(node, Constant) and node.value is None
