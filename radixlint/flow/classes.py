"""Classes of the linted tree: their bases, methods and fields."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from radixlint.flow.program import (
    Assign,
    Call,
    Class,
    Collection,
    Comprehension,
    Constant,
    Declare,
    Define,
    Display,
    Function,
    Member,
    Name,
    Node,
)
from radixlint.flow.scope import ModuleSpace, Space
from radixlint.flow.values import Callback, Library, Value
from radixlint.prompt import Span

_BASES_MAX: Final = 20
_HEIRS_MAX: Final = 12
_FIELD_BASES: Final = frozenset({"BaseModel", "NamedTuple", "TypedDict", "Struct", "SQLModel", "BaseSettings"})
_FIELD_DECORATORS: Final = frozenset({"dataclass", "define", "frozen", "mutable", "attrs", "s"})
_ENUMS: Final = frozenset({"Enum", "StrEnum", "IntEnum", "Flag", "IntFlag"})


_PLAIN_DECORATORS: Final = frozenset({"total_ordering", "final", "runtime_checkable", "ABCMeta"})
_PLAIN_BASES: Final = re.compile(
    r"object|(?:typing(?:_extensions)?\.)?(?:Protocol|Generic)|(?:abc\.)?ABC|collections\.abc\.\w+(?<!View)"
)
# What has one of these gives another object than itself where it is made, read or waited for.
_STAND_INS: Final = ("__new__", "__get__", "__await__")


class ClassInfo:
    """A class: ``space`` holds its functions and constants, ``bases`` what its bases stand for, ``own`` is the module's space.

    ``below`` are the classes seen so far that name it as a base, by their node.
    """

    __slots__ = ("bases", "below", "node", "own", "space")

    def __init__(self, node: Class, space: Space, own: ModuleSpace, bases: tuple[Value, ...]) -> None:
        self.node = node
        self.space = space
        self.own = own
        self.bases = bases
        self.below: dict[int, ClassInfo] = {}
        for base in bases:
            if isinstance(base, Callback) and isinstance(base.target, ClassInfo):
                base.target.below[id(node)] = self

    @property
    def name(self) -> str:
        """The class's own name."""
        return self.node.name

    def own_span(self) -> Span:
        """Return the place of its definition's first code point."""
        return self.own.module.passage.span(self.node.start, self.node.start + 1)

    def lineage(self) -> list[ClassInfo]:
        """Return the class and its bases of the tree, nearest first, each once."""
        found: list[ClassInfo] = []
        stack: list[ClassInfo] = [self]
        while stack and len(found) < _BASES_MAX:
            each = stack.pop()
            if each not in found:
                found.append(each)
                stack.extend(b.target for b in reversed(each.bases) if isinstance(b, Callback) and _is_of_tree(b))
        return found

    def heirs(self) -> list[ClassInfo]:
        """Return the classes below it that are known, in order, each once."""
        found: list[ClassInfo] = []
        stack = list(self.below.values())[::-1]
        while stack and len(found) < _HEIRS_MAX:
            each = stack.pop()
            if each is not self and each not in found:
                found.append(each)
                stack.extend(reversed(each.below.values()))
        return found

    def find(self, name: str, behind: ClassInfo | None = None) -> tuple[ClassInfo, Value] | None:
        """Return the class that has ``name``, and its value; with ``behind`` as ``super()`` in that class finds it."""
        line = self.lineage()
        if behind in line:
            line = line[line.index(behind) + 1 :]
        return next(((each, each.space.bound[name]) for each in line if name in each.space.bound), None)

    def library_bases(self) -> list[str]:
        """Return the dotted names of bases from outside of the tree."""
        return [base.name for each in self.lineage() for base in each.bases if isinstance(base, Library)]

    def _base_words(self) -> set[str]:
        words = {word.partition("[")[0].rpartition(".")[2] for each in self.lineage() for word in each.node.bases}
        return words | {name.rpartition(".")[2] for name in self.library_bases()}

    @property
    def is_enum(self) -> bool:
        """Whether its constants are members of an enumeration."""
        return bool(self._base_words() & _ENUMS)

    @property
    def is_typed_dict(self) -> bool:
        """Whether it describes a dict."""
        return "TypedDict" in self._base_words()

    @property
    def is_protocol(self) -> bool:
        """Whether it only says which methods others have."""
        return any(word.partition("[")[0].rpartition(".")[2] == "Protocol" for word in self.node.bases)

    @property
    def is_tuple(self) -> bool:
        """Whether its objects are tuples of their fields."""
        return "NamedTuple" in self._base_words()

    @property
    def has_fields(self) -> bool:
        """Whether its objects are made from the fields that its body declares."""
        words = {word for each in self.lineage() for word in _last_words(each.node.decorators)}
        return bool(words & _FIELD_DECORATORS or self._base_words() & _FIELD_BASES)

    @property
    def is_plain(self) -> bool:
        """Whether it is sure that ``object`` alone makes its objects and prints them where it has no method for that."""
        line = self.lineage()
        if any(each.node.decorators and not _PLAIN_DECORATORS.issuperset(_last_words(each.node.decorators)) for each in line):
            return False
        bases = [base for each in line for base in each.bases if not _is_of_tree(base)]
        is_known = all(isinstance(base, Library) and _PLAIN_BASES.fullmatch(base.name) for base in bases)
        return is_known and all(self.find(name) is None for name in _STAND_INS)

    def type_of(self, name: str) -> str:
        """Return how the class or one of its bases annotates an attribute, ``set`` where it is made as one; else empty."""
        return next((found for each in self.lineage() if (found := _annotated(each.node, name))), "")

    def field_names(self) -> set[str]:
        """Return the names of the declared fields."""
        return {name for name, _, _ in self.fields()}

    def shown_fields(self) -> set[str]:
        """Return the names of the fields that its objects are printed with."""
        return {name for name, default, _ in self.fields() if not isinstance(default, Call) or not _is_hidden(default)}

    def fields(self) -> list[tuple[str, Node | None, ClassInfo]]:
        """Return the declared fields in order, those of bases first: name, default, and the class that declares it."""
        found: dict[str, tuple[str, Node | None, ClassInfo]] = {}
        for each in reversed(self.lineage()):
            for name, default in _declared(each.node):
                found[name] = (name, default, each)
        return list(found.values())


def _last_words(names: Iterable[str]) -> set[str]:
    return {name.rpartition(".")[2] for name in names}


def _is_hidden(default: Call) -> bool:
    given = next((argument.value for argument in default.arguments if argument.name == "repr"), None)
    return isinstance(given, Constant) and given.value is False


def _is_of_tree(base: Value) -> bool:
    return isinstance(base, Callback) and isinstance(base.target, ClassInfo)


def _annotated(node: Class, name: str) -> str:
    for each in node.body:
        if isinstance(each, Declare) and each.name == name:
            return each.annotation
        if isinstance(each, Assign) and each.annotation and isinstance(each.targets[0], Name) and each.targets[0].name == name:
            return each.annotation
        if isinstance(each, Define) and each.function.name == name and "property" in " ".join(each.function.decorators):
            return each.function.returns
        found = _kept_by(each.function, name) if isinstance(each, Define) and each.function.name == "__init__" else ""
        if found:
            return found
    return ""


def _kept_by(maker: Function, name: str) -> str:
    """Return the type of an attribute that ``__init__`` keeps: its own annotation, that of its parameter, or a set made there."""
    for each in maker.body:
        target = each.targets[0] if isinstance(each, Assign) else None
        if not isinstance(each, Assign) or not isinstance(target, Member) or target.name != name:
            continue
        if not isinstance(target.base, Name) or not maker.parameters or target.base.name != maker.parameters[0].name:
            continue
        value = each.value
        if each.annotation:
            return each.annotation
        if isinstance(value, Name):
            return next((known.annotation for known in maker.parameters if known.name == value.name), "")
        is_call = isinstance(value, Call) and isinstance(value.callee, Name) and value.callee.name in ("set", "frozenset")
        is_set = isinstance(value, Display | Comprehension) and value.kind is Collection.SET
        return "set" if is_call or is_set else ""
    return ""


def _declared(node: Class) -> Iterator[tuple[str, Node | None]]:
    for each in node.body:
        if not isinstance(each, Declare | Assign) or not each.annotation or "ClassVar" in each.annotation:
            continue
        if isinstance(each, Declare):
            yield each.name, None
        elif isinstance(each.targets[0], Name):
            yield each.targets[0].name, each.value
