"""Small models and a listener that notes what it is told, to test the evaluator apart from tables and units."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from msgspec.structs import replace

from radixlint.errors import SourceError
from radixlint.flow.calls import Context, Outcome, Site
from radixlint.flow.evaluator import Budget, evaluate
from radixlint.flow.merging_facts import facts_of
from radixlint.flow.program import Function, Module, Node
from radixlint.flow.python_lowering import lower_python
from radixlint.flow.values import (
    Absent,
    Callback,
    Facts,
    Field,
    Instance,
    Listed,
    Mapped,
    Number,
    Part,
    Several,
    Unknown,
    Value,
    Written,
)
from radixlint.passage import whole
from radixlint.prompt import Chance, Control, Segment, SourceText, Span, Taint


class FakeModels:
    """Knows ``append``, ``extend``, ``insert``, ``join`` and ``set``; prints values as an f-string does."""

    def call(self, site: Site, context: Context) -> Outcome | None:
        """Return the outcome of the few calls that are known."""
        base = site.receiver
        if site.name == ".append" and isinstance(base, Listed):
            return Outcome(Absent(), replace_parts(base, (*base.parts, Part(site.positional[0], site.span))))
        if site.name == ".extend" and isinstance(base, Listed):
            return Outcome(Absent(), replace_parts(base, (*base.parts, *_items(site.positional[0], site.span))))
        if site.name == ".insert" and isinstance(base, Listed):
            return Outcome(Absent(), replace_parts(base, (Part(site.positional[1], site.span), *base.parts)))
        if site.name == ".join" and isinstance(base, Written):
            return Outcome(self._joined(base, site.positional[0], site.span, context))
        if site.name == "set":
            return Outcome(Listed(_items(site.positional[0], site.span), site.span, "set"))
        if site.name == "list":
            return Outcome(Listed(_items(site.positional[0], site.span), site.span))
        if site.name == "map":
            element = self.iterated(site.positional[1], site.span, context)
            return Outcome(Listed((Part(context.invoke(site.positional[0], (element,), (), site.span), site.span),), site.span))
        return None

    def _joined(self, between: Written, items: Value, span: Span, context: Context) -> Value:
        if not isinstance(items, Listed):
            return self.printed(items, span, context)
        parts: list[Segment] = []
        for index, item in enumerate(items.parts):
            text = self.printed(item.value, span, context)
            assert isinstance(text, Written)
            parts.extend(between.parts if index else ())
            parts.extend(replace(part, controls=item.controls + part.controls) for part in text.parts)
        return Written(tuple(parts))

    def iterated(self, value: Value, span: Span, context: Context) -> Value:
        """Return the one item, or a value made of all; of a set with the taint of its order."""
        taints = (Taint(Chance.SET, span, "set"),) if isinstance(value, Listed) and value.kind == "set" else ()
        if isinstance(value, Listed) and len(value.parts) == 1 and not taints:
            return value.parts[0].value
        if isinstance(value, Unknown):
            return Unknown(value.facts, span, value.text, value.path)
        facts = facts_of(value)
        return Unknown(Facts(facts.names, facts.calls, taints=(*facts.taints, *taints)), span, "item")

    def printed(self, value: Value, span: Span, context: Context, form: str = "", conversion: str = "") -> Value:
        """Return ``value`` as text."""
        if isinstance(value, Written):
            return value
        if isinstance(value, Number):
            return Written((Segment(str(value.value), value.span),))
        if isinstance(value, Absent):
            return Written(())
        if isinstance(value, Several):
            found: list[Segment] = []
            for controls, choice in value.choices:
                text = self.printed(choice, span, context)
                assert isinstance(text, Written)
                found.extend(replace(part, controls=controls + part.controls) for part in text.parts)
            return Written(tuple(found))
        spelled = context.spelled(value, span) if isinstance(value, Instance) else None
        if spelled is not None:
            return self.printed(spelled, span, context)
        facts = facts_of(value)
        source, written = (value.span, value.text) if isinstance(value, Unknown) else (span, "?")
        related = tuple(dict.fromkeys((*facts.places, span)))
        return Written((Segment(written, source, expression=facts.of(written), related=related, taints=facts.taints),))


def replace_parts(base: Listed, parts: tuple[Part, ...]) -> Listed:
    """Return ``base`` with other parts."""
    return Listed(parts, base.span, base.kind, base.taints)


def _items(value: Value, span: Span) -> tuple[Part, ...]:
    return value.parts if isinstance(value, Listed) else (Part(value, span, is_spread=True),)


@dataclass
class Notes:
    """Notes what the evaluator tells."""

    calls: list[tuple[Site, Outcome]] = field(default_factory=list)
    returns: list[tuple[str, Value, tuple[Span, ...]]] = field(default_factory=list)
    bounds: list[tuple[str, Value]] = field(default_factory=list)
    shown: list[Value] = field(default_factory=list)

    def called(self, site: Site, outcome: Outcome) -> None:
        """Note a call."""
        self.calls.append((site, outcome))

    def returned(self, function: Function, module: Module, value: Value, node: Node, callers: tuple[Span, ...]) -> None:
        """Note a value given back."""
        self.returns.append((function.name, value, callers))

    def bound(
        self, target: str, value: Value, node: Node, module: Module, owner: Function | None, added: Value | None = None
    ) -> None:
        """Note an assignment."""
        self.bounds.append((target, value))

    def evaluated(self, value: Value, node: Node, module: Module, owner: Function | None) -> None:
        """Note a display."""
        self.shown.append(value)

    def sent(self, name: str = "send") -> list[Value]:
        """Return the first arguments of calls to ``name``, of entries first seen first."""
        return [site.positional[0] for site, _ in self.calls if site.name == name]

    def names(self) -> list[str]:
        """Return the names of all calls."""
        return [site.name for site, _ in self.calls]

    def value_of(self, target: str) -> Value:
        """Return the last value bound to ``target``."""
        return next(value for name, value in reversed(self.bounds) if name == target)


def module_of(code: str, path: str = "app.py") -> Module:
    """Return a program in Python."""
    return lower_python(whole(SourceText(path, code)), path)


def run(code: str, files: dict[str, str] | None = None, budget: Budget | None = None) -> Notes:
    """Evaluate ``code`` as ``app.py`` among ``files`` and return what was told."""
    files = files or {}
    known = {name: module_of(text, name) for name, text in files.items()}

    def load(name: str, from_path: str) -> Module | None:
        for folder in (Path(from_path).parent, *Path(from_path).parent.parents):
            parts: list[str] = []
            for word in (folder / name).parts:
                parts = parts[:-1] if word == ".." and parts else [*parts, word]
            found = "/".join(word for word in parts if word != ".")
            if found in known:
                return known[found]
        return None

    notes = Notes()
    evaluate(module_of(code), FakeModels(), notes, load, budget)
    return notes


def shape(value: Value | None) -> str:
    """Return a value as a line: fixed text as it is, the rest in braces, conditions and loops as ``[...]`` around a part."""
    if isinstance(value, Written):
        return "".join(_around(part.controls, _part(part)) for part in value.parts)
    if isinstance(value, Number):
        return f"#{value.value}"
    if isinstance(value, Unknown):
        return "{" + ",".join((*value.facts.calls, *value.facts.names)) + "}"
    if isinstance(value, Listed):
        inner = ", ".join(_around(p.controls, ("*" if p.is_spread else "") + shape(p.value)) for p in value.parts)
        return f"{value.kind}({inner})"
    if isinstance(value, Mapped):
        return "<" + ", ".join(_around(f.controls, _entry(f)) for f in value.fields) + ">"
    if isinstance(value, Several):
        return "|".join(_around(controls, shape(choice)) for controls, choice in value.choices)
    if isinstance(value, Instance):
        return f"@{value.made}"
    return type(value).__name__ + (f":{value.name}" if isinstance(value, Callback) else "")


def _entry(entry: Field) -> str:
    return f"{'**' if entry.is_spread else entry.key}: {shape(entry.value)}"


def _part(part: Segment) -> str:
    if part.expression is None:
        return part.text
    return "{" + ",".join((*part.expression.calls, *part.expression.names)) + "}"


def _around(controls: tuple[Control, ...], inner: str) -> str:
    for control in reversed(controls):
        word = f"{control.kind.value[:4]} {control.expression.text}" + (f"/{control.branch}" if control.branch else "")
        inner = f"[{word}: {inner}]"
    return inner


__all__ = ["Budget", "FakeModels", "Notes", "SourceError", "module_of", "run", "shape"]
