"""Read the prompt file that a configuration names, as if its text stood where the name stands."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from radixlint.errors import SourceError
from radixlint.passage import Passage, whole
from radixlint.prompt import Segment, SourceText, Span
from radixlint.sources import Includes, read_prompts


class _Chain(Struct, frozen=True):
    """Opens files for a file that was opened itself, but not those that led to it."""

    includes: Includes
    paths: tuple[str, ...]

    def open(self, name: str, from_path: str) -> SourceText | None:
        found = self.includes.open(name, from_path)
        if found is not None and found.path in self.paths:
            raise SourceError(f"{' -> '.join([*self.paths, found.path])} is a cycle")
        return found


def read_filed(place: Passage, name: str, includes: Includes, notes: list[str]) -> list[Segment]:
    """Return the segments of the file ``name``, placed at ``place``; a fault becomes a note and gives none."""
    span = place.span(0, len(place.text))
    chain = _Chain(includes, (*includes.paths, place.ground.path) if isinstance(includes, _Chain) else (place.ground.path,))
    try:
        source = chain.open(name.removeprefix("./"), place.ground.path)
        if source is None:
            notes.append(f"line {span.line}: cannot open {name!r} (not found), read without it")
            return []
        found = read_prompts(source, chain)
    except SourceError as error:
        notes.append(f"line {span.line}: {error.message}, read without it")
        return []
    if found is None or len(found.prompts) != 1:
        return [_moved(whole(source).literal(0, len(source.text)), span)] if found is None and source.text else []
    return [_moved(segment, span) for segment in found.prompts[0].segments]


def _moved(segment: Segment, span: Span) -> Segment:
    controls = tuple(replace(control, span=span) for control in segment.controls)
    related = (segment.span, *(place for place in segment.related if place != span))
    offsets = ((span.line, span.column),) * len(segment.text) if segment.is_literal else ()
    return replace(segment, span=span, controls=controls, related=related, offsets=offsets)
