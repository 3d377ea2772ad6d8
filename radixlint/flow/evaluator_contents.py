"""Objects of classes that are lists, mappings or text: values of these forms that know their class and its methods."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from radixlint.flow.classes import ClassInfo
from radixlint.flow.evaluator_base import Named, Values, dotted
from radixlint.flow.evaluator_frames import Above
from radixlint.flow.evaluator_items import Items
from radixlint.flow.program import Call, Item, Member, Node
from radixlint.flow.scope import Space
from radixlint.flow.values import Absent, Callback, Library, Listed, Mapped, Value, Written
from radixlint.prompt import Span

Content = Listed | Mapped | Written
CONTENT: Final = "*content"
"""The name under which the attributes of an object keep what it holds; no program can use it."""
_TYPING: Final = {f"typing.{name}": name.lower() for name in ("List", "Dict", "Set", "Tuple")}
_MAKERS: Final = {
    **_TYPING,
    **{name: name for name in ("list", "dict", "set", "tuple", "str")},
    **dict.fromkeys(("collections.UserList", "collections.deque"), "list"),
    **dict.fromkeys(("collections.UserDict", "collections.OrderedDict"), "dict"),
    "collections.UserString": "str",
    "Array": "list",
}
_OWN_NAMES: Final = frozenset({"__doc__", "__slots__", "__module__"})
_SPELLED: Final = frozenset({"__str__", "__repr__", "__format__"})
_EMPTY: Final = ("list", "dict", "set")


class Contents(Items):
    """Makes such objects, and finds their attributes and methods."""

    def content(self, owner: ClassInfo, positional: Values, named: Named, span: Span) -> Value | None:
        """Return what a new object of a class below ``list``, ``dict`` or ``str`` holds, None for other classes."""
        maker = next((_MAKERS[name] for name in owner.library_bases() if name in _MAKERS), None)
        if maker is None:
            return None
        if owner.find("__new__") is not None:
            found: Value | None = self.said(Callback(owner.name, owner), owner, "__new__", positional, span)
        else:
            is_filled = maker not in _EMPTY or all(owner.find(name) is None for name in ("__init__", "constructor"))
            found = self.invoke(Library(maker), positional if is_filled else (), named if is_filled else (), span)
        if not isinstance(found, Content):
            return None
        return self._owned(found, owner) if any(set(each.space.bound) - _OWN_NAMES for each in owner.lineage()) else found

    def _owned(self, value: Content, owner: ClassInfo) -> Value:
        space = Space()
        made = replace(value, identity=len(self.objects) + 1)
        self.objects[made.identity] = (space, owner)
        self.store.write(space, CONTENT, made)
        return made

    def latest(self, value: Value) -> Value:
        """Return what an object that is a list, mapping or text holds now; all else as it is."""
        if isinstance(value, Content) and value.identity:
            return self.objects[value.identity][0].bound.get(CONTENT, value)
        return value

    def changed(self, place: Node, old: Value | None, new: Value) -> None:
        """Put ``new`` where the value that was changed in place stands, also under its other names."""
        if isinstance(old, Listed | Mapped) and old.identity and type(new) is type(old):
            new = new if getattr(new, "identity", 0) else replace(new, identity=old.identity)
            space = self.objects[old.identity][0]
            # Where branches met, what the object holds and what its names stand for are alike and no longer one.
            if space.bound.get(CONTENT) == old:
                self.store.write(space, CONTENT, new)
        super().changed(place, old, new)

    def attribute(self, base: Value, name: str, node: Node, base_node: Node) -> Value:
        """Return an attribute of a value."""
        if isinstance(base, Content) and base.identity and not isinstance(node, Item):
            space, owner = self.objects[base.identity]
            if name in space.bound:
                return self._read(space, name, dotted(node), node)
            found = owner.find(name)
            if found is not None:
                return self._member(found, base, node)
            if name == "data":
                # What the classes of ``collections`` keep it in.
                return self.latest(base)
            if name == "__class__":
                return Callback(owner.name, owner)
            asked = self._asked_for(base, name, node) if not isinstance(base, Mapped) or base.get(name) is None else None
            if asked is not None:
                return asked
        return super().attribute(base, name, node, base_node)

    def held_above(self, base: Value, name: str) -> Content | None:
        """Return the list, mapping or text that ``super().name`` of an object is about, None if a class of the tree has it."""
        target = base.target if isinstance(base, Callback) else None
        if not isinstance(target, Above) or target.line.find(name, target.owner) is not None:
            return None
        held = self.latest(target.receiver)
        return held if isinstance(held, Content) and held.identity else None

    def of_built_in(self, node: Call, held: Content, name: str, positional: Values, named: Named) -> Value | None:
        """Return what ``super().__init__`` and the like of a list, mapping or text gives, None for its plain methods."""
        place = node.callee.base if isinstance(node.callee, Member) else node
        first = positional[0] if positional else None
        key = first.fixed if isinstance(first, Written) else None
        if name == "__init__" and isinstance(held, Listed | Mapped):
            made = self.invoke(Library("dict" if isinstance(held, Mapped) else "list"), positional, named, self.span(node))
            if isinstance(held, Listed) and isinstance(made, Listed):
                made = replace(made, kind=held.kind)
            self.changed(place, held, made)
            return Absent()
        if name == "__setitem__" and len(positional) == 2 and isinstance(held, Mapped):
            self.changed(place, held, self._with_field(held, key, positional[1], node, positional[0]))
            return Absent()
        if name == "__getitem__":
            return self.member(held, key or str(getattr(first, "value", "")))
        if name in _SPELLED:
            return self.printed(replace(held, identity=0), node)
        return replace(held, identity=0) if name == "__iter__" else None
