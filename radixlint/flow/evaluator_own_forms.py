"""Objects whose classes are in the tree say themselves how they print, add, are looked into and gone through."""

from __future__ import annotations

from abc import abstractmethod
from typing import Final

from msgspec.structs import replace

from radixlint.flow.classes import ClassInfo
from radixlint.flow.evaluator_base import Named, Values
from radixlint.flow.evaluator_frames import Closure
from radixlint.flow.evaluator_targets import Targets, plain_index
from radixlint.flow.merging_facts import joined
from radixlint.flow.model_collections import view_of
from radixlint.flow.model_json import printed_at_its_address
from radixlint.flow.program import Node
from radixlint.flow.scope import Space
from radixlint.flow.values import Absent, Callback, Instance, Listed, Mapped, Number, Part, Several, Unknown, Value, Written
from radixlint.prompt import Confidence, Segment, Span

_SPELLED: Final = ("__str__", "toString", "__repr__")
_DOUBT: Final = "an object of a class below this one may print a text of its own"
_OPERATORS: Final = {"+": "add", "%": "mod", "*": "mul", "|": "or"}


class OwnForms(Targets):
    """Calls what a class of the tree defines for printing, operators, items and loops."""

    def own(self, value: Value, names: tuple[str, ...], positional: Values, span: Span) -> Value | None:
        """Return what the first of the methods ``names`` that an object of the tree has gives, None if it has none."""
        owner = self.owner_of(value)
        if owner is None:
            return None
        name = next((name for name in names if owner.find(name) is not None), "")
        return self.said(value, owner, name, positional, span) if name else None

    def owner_of(self, value: Value) -> ClassInfo | None:
        """Return the class of an object of the tree, also of one that is a list, mapping or text."""
        identity: int = getattr(value, "identity", 0)
        return self.objects[identity][1] if identity else None

    def said(self, value: Value, owner: ClassInfo, name: str, positional: Values, span: Span) -> Value | None:
        """Return what the method ``name`` of an object gives, None if that is not known."""
        found = owner.find(name)
        target = found[1].target if found is not None and isinstance(found[1], Callback) else None
        if not isinstance(target, Closure):
            return None
        return self.enter(Closure(target.function, target.space, target.home, target.owner, value), positional, (), span)

    def spelled(self, value: Value, span: Span, form: str = "", conversion: str = "") -> Value | None:
        """Return what ``str()`` or ``format()`` gives of an object of the tree, None if its class does not say.

        A class of Python that leaves it to ``object`` has its address printed.
        """
        owner = self.owner_of(value) or (self.class_named(value.type) if isinstance(value, Unknown) else None)
        if owner is None:
            return None
        names = ("__repr__",) if conversion == "r" else _SPELLED if conversion else ("__format__", *_SPELLED)
        name = next((each for each in names if owner.find(each) is not None), "")
        if not name:
            return self._unspelled(value, owner, span) if self.module.language != "script" else None
        asked = (Written((Segment(form, span),) if form else ()),) if name == "__format__" else ()
        return _as_text(self.said(value, owner, name, asked, span), span)

    def _unspelled(self, value: Value, owner: ClassInfo, span: Span) -> Value | None:
        """Return the print of an object that ``object`` prints by its address, or a decorator by its fields."""
        is_made = isinstance(value, Instance) and self.selves.get(owner) is not value
        if owner.is_plain:
            part = printed_at_its_address(f"{owner.name}()", span).parts[0]
            # An object of a class below this one may print otherwise.
            return Written((part if is_made else replace(part, confidence=Confidence.LOW, reason=_DOUBT),))
        if not owner.has_fields or not isinstance(value, Instance) or not is_made:
            return None
        names = owner.shown_fields()
        return Mapped(tuple(field for field in self.as_mapping(value).fields if field.key in names), span)

    def member(self, value: Value, word: str) -> Value | None:
        """Return the attribute or item of ``value`` that a field of a format string names, None if it is not known."""
        if isinstance(value, Listed) and word.isdecimal():
            index = plain_index(value, Number(int(word), value.span))
            return value.parts[index].value if index is not None else None
        if isinstance(value, Mapped):
            return value.get(word)
        node = self.calling[-1] if self.calling else None
        return self.attribute(value, word, node, node) if node is not None and not isinstance(value, Listed | Written) else None

    def own_operated(self, operator: str, values: list[Value], node: Node) -> Value | None:
        """Return what the operator of a class of the tree gives, None where no operand has one."""
        word = _OPERATORS.get(operator)
        if word is None or not any(getattr(value, "identity", 0) for value in values):
            return None
        total = values[0]
        for value in values[1:]:
            span = self.span(node)
            made = self.own(total, (f"__{word}__",), (value,), span) or self.own(value, (f"__r{word}__",), (total,), span)
            if made is None and any(getattr(each, "identity", 0) for each in (total, value)):
                return None
            total = made if made is not None else self.operated(operator, [total, value], node)
        return total

    def items_of(self, value: Value, span: Span) -> Value:
        """Return the items that an object of the tree gives one after another as a list; all else as it is."""
        owner = self.owner_of(value)
        if owner is None:
            return value
        if isinstance(value, Instance) and owner.is_tuple:
            space = self.objects[value.identity][0]
            names = [name for name, _, _ in owner.fields() if name in space.bound]
            return Listed(tuple(Part(space.bound[name], span) for name in names), span, "tuple")
        made = self.own(value, ("__iter__",), (), span)
        return value if made is None or isinstance(made, Absent) else made

    def gone_through(self, value: Value, span: Span) -> Value:
        """Return what a loop or spread goes through: of a mapping of JavaScript, which is then a ``Map``, its pairs."""
        if isinstance(value, Mapped) and self.module.language == "script":
            return view_of(value, "entries", span)
        return self.items_of(value, span)

    def copied(self, value: Instance, changed: Named) -> Instance:
        """Return an object like ``value`` but for the attributes given."""
        space, owner = self.objects[value.identity]
        made, fresh = self.new_object(owner, value.given, value.span)
        for name, each in (*space.bound.items(), *changed):
            self.store.write(fresh, name, each)
        return made

    @abstractmethod
    def new_object(self, owner: ClassInfo, given: Named, span: Span) -> tuple[Instance, Space]:
        """Return a new object with no attributes, and the space that holds them."""


def _as_text(value: Value | None, span: Span) -> Value | None:
    """Return what a method gives as text as a value that no class spells any more."""
    if isinstance(value, Unknown):
        return replace(value, type="")
    if isinstance(value, Instance | Callback):
        return joined((value,), span, value.made if isinstance(value, Instance) else value.name)
    if isinstance(value, Several):
        choices = [(controls, _as_text(each, span)) for controls, each in value.choices]
        return Several(tuple((controls, each) for controls, each in choices if each is not None))
    return value
