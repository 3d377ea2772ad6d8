"""Lists that a file sends as messages and adds to between requests: histories, whatever they are called."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from radixlint.flow.program import (
    Assign,
    Augment,
    Binary,
    Call,
    Choice,
    Comprehension,
    Cut,
    Declare,
    Define,
    Display,
    Either,
    Entry,
    For,
    Function,
    Item,
    Member,
    Module,
    Name,
    Node,
    Return,
    Spread,
    Text,
    Waited,
    While,
)
from radixlint.flow.program_walk import Around, all_statements, expressions, name_of
from radixlint.flow.unit_signs import names_talk

_GIVEN: Final = frozenset(("messages", "contents", "input", "history", "chat_history"))
_FIELDS: Final = frozenset(("messages", "contents", "history"))
_ADDS: Final = frozenset(("append", "extend", "push", "insert", "unshift", "appendleft", "concat"))
# Give their argument, or what they are called on, in another form.
_PASS: Final = frozenset(("list", "tuple", "reversed", "islice", "copy", "deepcopy", "slice", "filter", "map", "concat", "get"))
_ASKS: Final = frozenset(
    ("invoke", "ainvoke", "stream", "astream", "generate", "chat", "generate_content", "apply_chat_template")
)
_STEPS_MAX: Final = 400

Key = tuple[int, str]
Place = tuple[Node, int]


def dotted_of(node: Node) -> str:
    """Return a chain of names and fixed keys with dots, empty if it is none: ``state.messages`` of ``state["messages"]``."""
    words: list[str] = []
    while isinstance(node, Member | Item):
        if isinstance(node, Member):
            words.append(node.name)
        elif isinstance(node.key, Text):
            words.append(node.key.passage.text)
        else:
            return ""
        node = node.base
    if not isinstance(node, Name):
        return ""
    return ".".join(("self" if node.name == "this" else node.name, *reversed(words)))


def _path_of(node: Node) -> str:
    """Return a chain as ``dotted_of`` does, with ``[]`` for other items: ``talks[]`` of ``talks.setdefault(user, [])``."""
    words: list[str] = []
    while not isinstance(node, Name):
        if isinstance(node, Member):
            words.append(f".{node.name}")
        elif isinstance(node, Item):
            words.append(f".{node.key.passage.text}" if isinstance(node.key, Text) else "[]")
        elif isinstance(node, Call) and isinstance(node.callee, Member) and node.callee.name in ("setdefault", "get"):
            words.append("[]")
            node = node.callee
        else:
            return ""
        node = node.base
    return "".join(("self" if node.name == "this" else node.name, *reversed(words)))


def owner_of(around: Around) -> Function | None:
    """Return the innermost function around a statement."""
    return next((node.function for node in reversed(around) if isinstance(node, Define)), None)


class SentLists:
    """The lists of one program, worked out at the first question."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._keys: set[Key] | None = None
        self._visited: dict[int, Node] = {}
        self._own: dict[int, set[str]] = {0: set()}
        self._given: dict[Key, list[Place]] = defaultdict(list)
        self._returns: dict[str, list[Place]] = defaultdict(list)
        self._grown: dict[Key, set[int]] = defaultdict(set)
        self._sent: list[tuple[Place, Around]] = []
        self._around: dict[int, Around] = {0: ()}
        self._made_in: dict[Key, Around] = {}

    def _sent_keys(self) -> set[Key]:
        """Return the lists that are sent."""
        if self._keys is None:
            self._read()
            self._keys = self._reached([place for place, _ in self._sent], self._visited)
        return self._keys

    def is_sent(self, node: Node) -> bool:
        """Whether messages that are sent are followed back to ``node``."""
        self._sent_keys()
        return id(node) in self._visited

    def _read(self) -> None:
        functions: dict[str, Function] = {}
        found = [(node, around, owner_of(around)) for node, around in all_statements(self._module.body)]
        for node, around, owner in found:
            self._note_names(node, owner, around)
            if isinstance(node, Define):
                functions[node.function.name] = node.function
        for node, around, owner in found:
            self._note_flows(node, id(owner) if owner else 0, around, functions, owner)

    def is_history(self, node: Node, around: Around) -> bool:
        """Whether the list at ``node`` is sent and added to, by one call and the next or in a loop that sends."""
        sent = self._sent_keys()
        owner = owner_of(around)
        keys = self._reached([(node, id(owner) if owner else 0)])
        is_named = any(names_talk(name) for _, name in keys)
        return bool(keys & sent) and (is_named or any(self._lasts(key) for key in keys if self._grown.get(key)))

    def is_list_sent(self, node: Node, around: Around) -> bool:
        """Whether messages that are sent are followed back to the list at ``node``, by its name."""
        owner = owner_of(around)
        sent = self._sent_keys()
        return self._key(node, id(owner) if owner else 0) in sent

    def is_cut(self, node: Node, around: Around) -> bool:
        """Whether the list at ``node`` is a part of another one: ``newest`` where that is ``messages[-2:]``."""
        self._sent_keys()
        owner = owner_of(around)
        visited: dict[int, Node] = {}
        self._reached([(node, id(owner) if owner else 0)], visited)
        return any(isinstance(each, Cut) for each in visited.values())

    def _lasts(self, key: Key) -> bool:
        """Whether a list lives longer than one request: it is no function's own, or a loop around a request goes on with it."""
        place, name = key
        if not place or "." in name or key not in self._made_in:
            return True
        made = self._made_in[key]
        return any(
            isinstance(node, For | While) and node not in made and key in self._reached([sent])
            for sent, around in self._sent
            for node in around
        )

    def _note_names(self, node: Node, owner: Function | None, around: Around) -> None:
        names = self._own.setdefault(id(owner) if owner else 0, set())
        if owner is not None:
            names.update(field.name for each in owner.parameters for field in (each, *each.fields))
        targets = node.targets if isinstance(node, Assign) else (node.target,) if isinstance(node, For) else ()
        names.update(target.name for target in targets if isinstance(target, Name))
        if isinstance(node, Declare):
            names.add(node.name)
        if owner is not None:
            self._around.setdefault(id(owner), tuple(each for each in around if isinstance(each, Define)))

    def _note_flows(
        self, node: Node, owner: int, around: Around, functions: dict[str, Function], inside: Function | None
    ) -> None:
        if isinstance(node, Assign):
            for target in node.targets:
                key = self._key(target, owner)
                self._given[key].append((node.value, owner))
                self._note_made(key, target, node, owner, around)
        elif isinstance(node, Augment) and node.operator == "+":
            self._grown[self._key(node.target, owner)].add(owner)
        elif isinstance(node, Return) and node.value is not None and inside is not None:
            self._returns[inside.name].append((node.value, owner))
        for each in expressions(node):
            if isinstance(each, Call):
                self._note_call(each, owner, around, functions)
            elif isinstance(each, Entry) and isinstance(each.key, Text) and each.key.passage.text in _FIELDS:
                self._sent.append(((each.value, owner), around))

    def _note_made(self, key: Key, target: Node, node: Assign, owner: int, around: Around) -> None:
        """Note where a function makes a list of its own, and that a list becomes itself with something added."""
        if isinstance(node.value, Display | Call) and isinstance(target, Name) and owner and key not in self._made_in:
            self._made_in[key] = around
        parts = node.value.items if isinstance(node.value, Display) else ()
        sides = (node.value.left, node.value.right) if isinstance(node.value, Binary) else ()
        spread = [part.value for part in parts if isinstance(part, Spread)]
        if len(parts) + len(sides) > 1 and any(_path_of(each) == _path_of(target) != "" for each in (*spread, *sides)):
            self._grown[key].add(owner)

    def _note_call(self, call: Call, owner: int, around: Around, functions: dict[str, Function]) -> None:
        word = name_of(call.callee)
        if isinstance(call.callee, Member) and word in _ADDS:
            self._grown[self._key(call.callee.base, owner)].add(owner)
        for position, given in enumerate(call.arguments):
            if given.name in _GIVEN or (word in _ASKS and position == 0):
                self._sent.append(((given.value, owner), around))
        function = functions.get(word)
        if function is not None:
            names = [each.name for each in function.parameters if each.name not in ("self", "cls")]
            for position, given in enumerate(call.arguments):
                name = given.name or (names[position] if position < len(names) else "")
                self._given[id(function), name].append((given.value, owner))

    def _key(self, node: Node, owner: int) -> Key:
        """Return the function whose name it is (0 for the module's and for attributes of an object), and the name."""
        name = _path_of(node)
        first = re.split(r"[.\[]", name, maxsplit=1)[0]
        if not name or first == "self":
            return 0, name
        outer = [owner, *(id(each.function) for each in reversed(self._around.get(owner, ())) if isinstance(each, Define))]
        return next(((place, name) for place in outer if first in self._own.get(place, ())), (0, name))

    def _reached(self, places: list[Place], visited: dict[int, Node] | None = None) -> set[Key]:
        """Return the lists that values are made of, followed back through names, functions and what passes a list on."""
        found: set[Key] = set()
        stack = list(places)
        for _ in range(_STEPS_MAX):
            if not stack:
                break
            node, owner = stack.pop()
            if visited is not None:
                visited[id(node)] = node
            key = self._key(node, owner)
            if key[1] and key not in found:
                found.add(key)
                stack.extend(self._given.get(key, ()))
            if isinstance(node, Call):
                stack.extend(self._returns.get(name_of(node.callee), ()))
            stack.extend((inner, owner) for inner in _inside(node))
        return found


def _inside(node: Node) -> Iterator[Node]:
    """Yield what the items of a list come from."""
    if isinstance(node, Display):
        yield from (item.value for item in node.items if isinstance(item, Spread))
    elif isinstance(node, Spread | Waited):
        yield node.value
    elif isinstance(node, Cut):
        yield node.base
    elif isinstance(node, Binary):
        yield from (node.left, node.right)
    elif isinstance(node, Either):
        yield from node.operands
    elif isinstance(node, Choice):
        yield from (node.yes, node.no)
    elif isinstance(node, Comprehension):
        yield node.clauses[0].iterable
    elif isinstance(node, Call) and name_of(node.callee) in _PASS:
        if isinstance(node.callee, Member):
            yield node.callee.base
        yield from (given.value for given in node.arguments if not isinstance(given.value, Function))
