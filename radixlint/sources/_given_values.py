"""What test cases give to the variables of a prompt: what all give alike is fixed text, what differs is an input."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from radixlint.passage import Passage
from radixlint.prompt import Control, Expression, Segment


@dataclass(frozen=True, slots=True)
class GivenValues:
    """``fixed`` are variables with the one text that every case gives them, ``inputs`` those whose texts differ."""

    fixed: Mapping[str, Passage]
    inputs: frozenset[str]

    def fill(self, segments: Iterable[Segment]) -> list[Segment]:
        """Return ``segments`` with fixed variables as text, at the place of the tag, and inputs named as such."""
        return [self._filled(segment) for segment in segments]

    def _filled(self, segment: Segment) -> Segment:
        if segment.controls:
            segment = replace(segment, controls=tuple(map(self._control, segment.controls)))
        found = segment.expression
        if found is None:
            return segment
        value = self.fixed.get(found.text)
        if value is None or found.names != (found.text,):
            return replace(segment, expression=self._known(found))
        places = ((segment.span.line, segment.span.column),) * len(value.text)
        related = (value.span(0, len(value.text)), *segment.related)
        return replace(segment, text=value.text, expression=None, related=related, offsets=places)

    def _control(self, control: Control) -> Control:
        return replace(control, expression=self._known(control.expression))

    def _known(self, expression: Expression) -> Expression:
        names = (f"input.{name}" if _root(name) in self.inputs else name for name in expression.names)
        return replace(expression, names=tuple(name for name in names if _root(name) not in self.fixed))


def _root(name: str) -> str:
    return name.split(".", 1)[0]


def given_values(cases: Iterable[Mapping[str, Passage | None]]) -> GivenValues:
    """Return what ``cases`` (variables to texts, None for what is no plain text) say; a single case says nothing."""
    known = list(cases)
    if len(known) < 2:
        return GivenValues({}, frozenset())
    fixed: dict[str, Passage] = {}
    inputs: set[str] = set()
    for name in dict.fromkeys(name for case in known for name in case):
        values = [case.get(name) for case in known]
        first = values[0]
        if first is not None and all(value is not None and value.text == first.text for value in values):
            fixed[name] = first
        else:
            inputs.add(name)
    return GivenValues(fixed, frozenset(inputs))
