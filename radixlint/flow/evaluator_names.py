"""Names and attributes: what they stand for where they are read."""

from __future__ import annotations

import builtins
from abc import abstractmethod
from typing import Final

from msgspec.structs import replace

from radixlint.flow.classes import ClassInfo
from radixlint.flow.evaluator_base import Values, dotted
from radixlint.flow.evaluator_frames import Above, Closure, TextMethod
from radixlint.flow.evaluator_keeping import Keeping
from radixlint.flow.merging import several
from radixlint.flow.merging_facts import facts_of
from radixlint.flow.model_types import plain_type
from radixlint.flow.program import Name, Node
from radixlint.flow.scope import ModuleSpace, Space
from radixlint.flow.values import (
    Absent,
    Callback,
    Facts,
    Field,
    Instance,
    Library,
    Listed,
    Mapped,
    Number,
    Part,
    Several,
    Unknown,
    Value,
    Written,
)
from radixlint.prompt import Segment, Span

_PYTHON_NAMES: Final = frozenset(name for name in dir(builtins) if not name.startswith("_"))
_SCRIPT_NAMES: Final = frozenset(
    {
        *("crypto", "process", "console", "globalThis", "window", "document", "navigator", "performance", "fetch", "require"),
        *("structuredClone", "parseInt", "parseFloat", "encodeURIComponent", "decodeURIComponent", "module", "exports"),
    }
)
_TEXT_METHODS: Final = frozenset({"format", "join", "replace", "format_map"})
_SIZES: Final = frozenset({"length", "size"})
_PROPERTIES: Final = frozenset({"property", "cached_property", "get", "getter"})
_STATIC: Final = frozenset({"staticmethod", "static"})


class Names(Keeping):
    """Reads names and attributes."""

    @abstractmethod
    def resolved(self, value: Value, space: Space, name: str) -> Value:
        """Return what an imported name stands for."""

    @abstractmethod
    def run_module(self, home: ModuleSpace) -> None:
        """Run the body of an imported module, once."""

    @abstractmethod
    def submodule(self, home: ModuleSpace, name: str) -> Value | None:
        """Return the module ``name`` inside of the package ``home``."""

    @abstractmethod
    def set_elsewhere(self, owner: ClassInfo, name: str, receiver: Value) -> Value | None:
        """Return what another method of the object gives to an attribute."""

    @abstractmethod
    def own(self, value: Value, names: tuple[str, ...], positional: Values, span: Span) -> Value | None:
        """Return what the first of the methods ``names`` that an object of the tree has gives, None if it has none."""

    @abstractmethod
    def as_mapping(self, value: Instance) -> Mapped:
        """Return the attributes of an object of the tree as a mapping."""

    def name(self, node: Name) -> Value:
        """Return what a name stands for."""
        if node.name == "super" and self.frame.owner is not None and self.frame.receiver is not None:
            return self._above_here(self.frame.owner, self.frame.receiver)
        space = self.frame.space.holder(node.name)
        if space is None and not self.frame.home.is_run:
            self.run_module(self.frame.home)
            space = self.frame.space.holder(node.name)
        if space is None:
            return self._free(node)
        return self._read(space, node.name, node.name, node)

    def _above_here(self, owner: ClassInfo, receiver: Value) -> Value:
        line = owner
        identity = getattr(receiver, "identity", 0)
        if identity:
            line = self.objects[identity][1]
        elif isinstance(receiver, Callback) and isinstance(receiver.target, ClassInfo):
            line = receiver.target
        return Callback("super", Above(owner, line, receiver))

    def _free(self, node: Name) -> Value:
        is_script = self.module.language == "script"
        if node.name in (_SCRIPT_NAMES if is_script else _PYTHON_NAMES) or (is_script and node.name[:1].isupper()):
            return Library(node.name)
        return Unknown(Facts(names=(node.name,)), self.span(node), node.name, node.name)

    def _read(self, space: Space, name: str, path: str, node: Node) -> Value:
        value = self.resolved(space.bound[name], space, name)
        if type(space) is ModuleSpace:
            value = self.as_read(value, space, name)
        if name not in space.given:
            return self._handed_on(value, node)
        if isinstance(value, Unknown):
            # What comes from outside has its source where it is read.
            if value.path == path:
                return replace(value, span=self.span(node), text=self.text(node))
            return self.count_at(value, node)
        pinned = self._pinned(value, node)
        if pinned is not value:
            self.store.write(space, name, pinned)
        return pinned

    def _handed_on(self, value: Value, node: Node) -> Value:
        """Return a bare parameter that was passed on as read here: its source is where it is printed at last."""
        if not isinstance(value, Unknown) or not value.path or "." in value.path or value.facts.calls:
            return self.count_at(value, node)
        if value.facts.names != (value.path,) or value.facts.taints:
            return self.count_at(value, node)
        return self.placed_at(value, node)

    def _pinned(self, value: Value, node: Node) -> Value:
        """Return a value that was begun here and grown elsewhere with the grown part placed where it is first read."""
        attribute = "parts" if isinstance(value, Listed) else "fields" if isinstance(value, Mapped) else ""
        if not attribute:
            return value
        items: tuple[Part | Field, ...] = getattr(value, attribute)
        if not any(isinstance(item.value, Unknown) and not item.value.text for item in items):
            return value
        return replace(value, **{attribute: tuple(self._placed(item, node) for item in items)})

    def _placed(self, item: Part | Field, node: Node) -> Part | Field:
        if not (isinstance(item.value, Unknown) and not item.value.text):
            return item
        value = replace(item.value, span=self.span(node), text=self.text(node))
        return replace(item, value=value, span=self.span(node))

    def attribute(self, base: Value, name: str, node: Node, base_node: Node) -> Value:
        """Return an attribute of a value."""
        if isinstance(base, Unknown):
            return self._of_unknown(base, name, node)
        if isinstance(base, Library):
            return Library(f"{base.name}.{name}")
        if isinstance(base, Instance):
            return self._of_instance(base, name, node, base_node)
        if isinstance(base, Callback):
            return self._of_callback(base, name, node, base_node)
        if isinstance(base, Several):
            choices = [(c, each) for c, each in base.choices if not isinstance(each, Number | Absent)] or base.choices
            return several([(controls, self.attribute(each, name, node, base_node)) for controls, each in choices])
        if isinstance(base, Mapped) and (found := base.get(name)) is not None:
            return self.count_at(self._with_receiver(found, base), node)
        if isinstance(base, Written) and name in ("value", "name"):
            # A member of an enumeration is its value here.
            return base
        if isinstance(base, Written) and name in _TEXT_METHODS:
            return Callback(f".{name}", TextMethod(base))
        path = dotted(node)
        names = (path,) if path and (name in _SIZES or not facts_of(base).names) else ()
        return self.unknown(node, base, extra=Facts(names=names))

    def _of_unknown(self, base: Unknown, name: str, node: Node) -> Value:
        path = f"{base.path}.{name}" if base.path else ""
        space = self.frame.space.holder(path) if path else None
        if space is not None:
            return self.count_at(space.bound[path], node)
        owner = self.class_named(base.type)
        found = owner.find(name) if owner is not None else None
        if found is not None and owner is not None and not (owner.has_fields and name in owner.field_names()):
            return self._member(found, base, node)
        known = plain_type(owner.type_of(name)) if owner is not None else ""
        if path:
            names = tuple(dict.fromkeys(path if each == base.path else each for each in base.facts.names))
            facts = replace(base.facts, names=names)
            return Unknown(facts, self.span(node), self.text(node), path, known)
        text = f"{base.text}.{name}"
        if not base.facts.calls or self.text(node) == text:
            return replace(base, span=self.span(node), text=self.text(node), type=known)
        return replace(base, text=text, type=known)

    def class_named(self, annotation: str) -> ClassInfo | None:
        """Return the class of the tree that an annotation names, None if it is none."""
        name, *inner = plain_type(annotation).split(".")
        home = self.frame.home
        if name not in home.bound or len(inner) > 1:
            return None
        value: Value | None = self.resolved(home.bound[name], home, name)
        for word in inner:
            target = value.target if isinstance(value, Callback) else None
            value = self.from_module(target, word) if isinstance(target, ModuleSpace) else None
        return value.target if isinstance(value, Callback) and isinstance(value.target, ClassInfo) else None

    def _of_instance(self, base: Instance, name: str, node: Node, base_node: Node) -> Value:
        if not base.identity:
            return Library(f"{base.made}().{name}")
        space, owner = self.objects[base.identity]
        path = dotted(node)
        if name in space.bound:
            return self._with_receiver(self._read(space, name, path, node), base)
        found = owner.find(name)
        if found is not None:
            return self._member(found, base, node)
        if name == "__class__":
            return Callback(owner.name, owner)
        if name == "__dict__":
            return self.as_mapping(base)
        value = self.set_elsewhere(owner, name, base) or self._asked_for(base, name, node)
        if value is not None:
            return value
        outside = owner.library_bases()
        if outside and not path.startswith(("self.", "this.")):
            return Library(f"{outside[0]}().{name}")
        path = path or f"{base.made}.{name}"
        return Unknown(Facts(names=(path,)), self.span(node), self.text(node), path)

    def _asked_for(self, base: Value, name: str, node: Node) -> Value | None:
        """Return what ``__getattr__`` of a class of the tree gives for a name that its objects do not have."""
        span = self.span(node)
        return self.own(base, ("__getattr__",), (Written((Segment(name, span),)),), span)

    def _with_receiver(self, value: Value, base: Value) -> Value:
        target = value.target if isinstance(value, Callback) else None
        if not isinstance(target, Closure) or target.receiver is not None or not isinstance(value, Callback):
            return value
        if self.module.language != "script":
            return value
        bound = Closure(target.function, target.space, target.home, target.owner, base)
        return replace(value, target=bound)

    def _member(self, found: tuple[ClassInfo, Value], base: Value, node: Node) -> Value:
        """Return a function or constant of a class as seen from an object of it."""
        owner, value = found
        value = self.resolved(value, owner.space, "")
        if not isinstance(value, Callback) or not isinstance(value.target, Closure):
            return value
        target = value.target
        words = {word.rpartition(".")[2] for word in target.function.decorators}
        if words & _STATIC or target.owner is None:
            return value
        receiver = base
        if "classmethod" in words and isinstance(base, Instance) and base.identity:
            receiver = Callback(self.objects[base.identity][1].name, self.objects[base.identity][1])
        bound = Closure(target.function, target.space, target.home, target.owner, receiver)
        if words & _PROPERTIES:
            return self.enter(bound, (), (), self.span(node))
        return replace(value, target=bound)

    def _of_callback(self, base: Callback, name: str, node: Node, base_node: Node) -> Value:
        target = base.target
        if isinstance(target, Above):
            found = target.line.find(name, target.owner)
            if found is not None:
                return self._member(found, target.receiver, node)
            outside = target.line.library_bases()
            return Library(f"{outside[0]}().{name}") if outside else Absent()
        if isinstance(target, ModuleSpace):
            return self._of_module(target, name, node)
        if name in ("__name__", "name", "__qualname__") and not isinstance(target, ModuleSpace):
            return Written((Segment(base.name, self.span(node)),))
        if isinstance(target, ClassInfo):
            found = target.find(name)
            if found is not None:
                owner, value = found
                value = self.resolved(value, owner.space, name)
                method = value.target if isinstance(value, Callback) else None
                words = method.function.decorators if isinstance(method, Closure) and method.owner is not None else ()
                if isinstance(method, Closure) and "static" in words:
                    method = Closure(method.function, method.space, method.home, method.owner, base)
                    return self.enter(method, (), (), self.span(node)) if "get" in words else Callback(name, method)
                return self._member(found, base, node) if "classmethod" in words else value
            outside = target.library_bases()
            if outside:
                return Library(f"{outside[0]}.{name}")
        path = dotted(node) or name
        return Unknown(Facts(names=(path,)), self.span(node), self.text(node), path)

    def _of_module(self, home: ModuleSpace, name: str, node: Node) -> Value:
        value = self.from_module(home, name)
        if value is not None:
            return self.as_read(value, home, name)
        path = dotted(node) or name
        return Unknown(Facts(names=(path,)), self.span(node), self.text(node), path)

    def from_module(self, home: ModuleSpace, name: str) -> Value | None:
        """Return what ``name`` is in a module of the tree, None if it has none."""
        if name not in home.bound:
            self.run_module(home)
        if name in home.bound:
            return self.resolved(home.bound[name], home, name)
        return self.submodule(home, name)
