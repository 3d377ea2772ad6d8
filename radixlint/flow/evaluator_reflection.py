"""Functions that look into objects, classes and names of the program: ``getattr``, ``vars``, ``partial``, ``namedtuple``."""

from __future__ import annotations

import re
from abc import abstractmethod
from typing import Any, Final

from msgspec.structs import replace

from radixlint.flow.classes import ClassInfo
from radixlint.flow.evaluator_base import Named, Values
from radixlint.flow.evaluator_expressions import Expressions
from radixlint.flow.evaluator_frames import Closure
from radixlint.flow.program import Call, Class, Declare, Node
from radixlint.flow.scope import Space
from radixlint.flow.values import Callback, Field, Instance, Library, Listed, Mapped, Number, Part, Value, Written

_NAMES_MAX: Final = 60
_PARTIALS: Final = frozenset({"functools.partial", "functools.partialmethod"})
_AS_MAPPING: Final = frozenset({"dataclasses.asdict", "vars", "attr.asdict", "attrs.asdict"})
_NAMESPACES: Final = frozenset({"locals", "vars", "globals"})
_RECORDS: Final = {"collections.namedtuple": "NamedTuple", "typing.NamedTuple": "NamedTuple", "typing.TypedDict": "TypedDict"}
_COPIES: Final = frozenset({"dataclasses.replace", "attrs.evolve", "attr.evolve", "copy.replace"})
_MARKS: Final = frozenset({"property", "functools.cached_property", "staticmethod", "classmethod"})
_GETTERS: Final = frozenset({"operator.itemgetter", "operator.attrgetter", "operator.methodcaller"})
_WORD: Final = re.compile(r"\w+")


class Reflection(Expressions):
    """Evaluates functions that the models cannot know, since they look into what the evaluator keeps."""

    def special(self, node: Call, name: str, positional: Values, named: Named) -> Value | None:
        """Return what such a function gives, None for all others."""
        first = positional[0] if positional else None
        if name in _NAMESPACES and first is None:
            return self._names(node, self.frame.home if name == "globals" else self.frame.space)
        if first is None:
            return None
        if name in _PARTIALS and isinstance(first, Callback | Library):
            rest = tuple((str(index), value) for index, value in enumerate(positional[1:]))
            known = first if isinstance(first, Callback) else Callback(first.name, first)
            return replace(known, bound=(*known.bound, *rest, *named))
        if name in _GETTERS:
            # Called with an object, it is given what it looks for ahead of that.
            return Callback(name, Library(f"{name}()"), (*((str(at), value) for at, value in enumerate(positional)), *named))
        if name.removesuffix("()") in _GETTERS:
            return self.gotten(node, name, positional, named)
        if name in ("getattr", "setattr"):
            return self._by_name(node, name, positional)
        if name == "require" and isinstance(first, Written) and first.fixed and self.module.language == "script":
            return self.required(first.fixed)
        if name in _RECORDS and isinstance(first, Written) and first.fixed:
            return self._record(node, _RECORDS[name], first.fixed, positional, named)
        if name in _MARKS and isinstance(first, Callback) and isinstance(first.target, Closure):
            function = first.target.function
            marked: Any = replace(function, decorators=(*function.decorators, name))
            target = Closure(marked, first.target.space, first.target.home, first.target.owner or self.frame.owner)
            return replace(first, target=target)
        return self._of_object(node, name, first, named)

    def _of_object(self, node: Call, name: str, first: Value, named: Named) -> Value | None:
        if name == "type" and (own := self.owner_of(first)) is not None:
            return Callback(own.name, own)
        if not isinstance(first, Instance) or not first.identity:
            return None
        if name in _AS_MAPPING:
            return self.as_mapping(first)
        if name in _COPIES:
            return self.copied(first, named)
        if name in ("dataclasses.astuple", "attrs.astuple", "attr.astuple"):
            parts = tuple(Part(field.value, field.span) for field in self.as_mapping(first).fields)
            return Listed(parts, self.span(node), "tuple")
        return None

    def _names(self, node: Call, space: Space) -> Mapped:
        """Return the names of a function or module and what they stand for."""
        span = self.span(node)
        known = [(name, value) for name, value in space.bound.items() if name.isidentifier()]
        fields = tuple(Field(name, self.resolved(value, space, name), span) for name, value in known[:_NAMES_MAX])
        return Mapped(fields, span)

    def gotten(self, node: Call, name: str, positional: Values, named: Named) -> Value | None:
        """Return what ``itemgetter("a", "b")(value)``, ``attrgetter("a.b")(value)`` or ``methodcaller("a")(value)`` gives."""
        if name.removesuffix("()") not in _GETTERS or len(positional) < 2:
            return None
        *keys, value = positional
        words = [_word_of(key) for key in keys]
        if name == "operator.methodcaller()":
            return self.call_by_name(node, value, words[0], tuple(keys[1:]), named) if words[0] else None
        self.calling.append(node)
        try:
            known = [self._reached_by(value, word, name) for word in words if word]
        finally:
            self.calling.pop()
        found = [each for each in known if each is not None]
        if len(found) != len(keys):
            return None
        span = self.span(node)
        return found[0] if len(found) == 1 else Listed(tuple(Part(each, span) for each in found), span, "tuple")

    def _reached_by(self, value: Value, word: str, name: str) -> Value | None:
        found: Value | None = value
        for each in word.split(".") if name == "operator.attrgetter()" else [word]:
            found = self.member(found, each) if found is not None else None
        return found

    @abstractmethod
    def call_by_name(self, node: Call, base: Value, name: str, positional: Values, named: Named) -> Value:
        """Return what the method ``name`` of a value gives, which is called at ``node``."""

    def _by_name(self, node: Call, name: str, positional: Values) -> Value | None:
        key = positional[1] if len(positional) > 1 else None
        if not isinstance(key, Written) or not key.fixed or not key.fixed.isidentifier():
            return None
        first, place = positional[0], node.arguments[0].value
        if name == "getattr":
            return self.attribute(first, key.fixed, node, place)
        space = self.space_of_object(first)
        if space is None or len(positional) < 3:
            return None
        self.store.write(space, key.fixed, positional[2])
        return positional[2]

    def _record(self, node: Call, base: str, name: str, positional: Values, named: Named) -> Value:
        """Return the class that ``namedtuple("Turn", "role content")`` makes."""
        words = [*_field_names(positional[1] if len(positional) > 1 else None), *(key for key, _ in named if base == "TypedDict")]
        body: tuple[Node, ...] = tuple(Declare(node.start, node.end, word, "Any") for word in words[:_NAMES_MAX])
        # Places are kept by node; one made here must live as long as those of the program.
        made = Class(node.start, node.end, name, (base,), body)
        self.made.append(made)
        space = Space(self.frame.space, is_class=True)
        return Callback(name, ClassInfo(made, space, self.frame.home, (Library(f"typing.{base}"),)))

    @abstractmethod
    def required(self, module: str) -> Value:
        """Return the module that ``require`` gives."""

    def as_mapping(self, value: Instance) -> Mapped:
        """Return the attributes of an object of the tree as a mapping."""
        space = self.objects[value.identity][0]
        fields = tuple(
            Field(name, self.resolved(each, space, name), value.span)
            for name, each in space.bound.items()
            if name.isidentifier() and not name.startswith("_")
        )
        return Mapped(fields, value.span)


def _word_of(key: Value) -> str:
    if isinstance(key, Number):
        return str(key.value)
    return key.fixed or "" if isinstance(key, Written) else ""


def _field_names(value: Value | None) -> list[str]:
    """Return the names that a record is given: words of a text, texts or pairs of a list, keys of a mapping."""
    if isinstance(value, Written):
        return _WORD.findall(value.fixed or "")
    if isinstance(value, Mapped):
        return [field.key for field in value.fields if field.key]
    items = [part.value for part in value.parts] if isinstance(value, Listed) else []
    firsts = [item.parts[0].value if isinstance(item, Listed) and item.parts else item for item in items]
    return [first.fixed for first in firsts if isinstance(first, Written) and first.fixed]
