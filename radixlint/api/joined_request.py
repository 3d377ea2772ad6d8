"""A request, the templates that made it, and what it would be without the values at the places of findings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec import structs

from radixlint.api.joined_matches import Made, Matcher
from radixlint.api.joined_regions import Region, regions_of
from radixlint.api.joined_units import Parting, Unit, units_of
from radixlint.layout import Layout
from radixlint.rewrites.message_edits import MessageEdits
from radixlint.traffic import Request


@dataclass(frozen=True, slots=True)
class JoinedRequest:
    """``made`` are its templates, ``regions`` the places of their findings in it, in wire order."""

    request: Request
    layout: Layout
    made: tuple[Made, ...]
    regions: tuple[Region, ...]

    def units(self) -> list[Unit]:
        """Return its texts; they are read anew, for a log holds many."""
        return units_of(self.request, self.layout)

    def value(self, region: Region) -> str:
        """Return what stands in a region."""
        return self.units()[region.unit].text[region.start : region.end]

    def broken_at(self, at: Parting, earlier: JoinedRequest | None) -> int | None:
        """Return the number of the region at which it parts, at ``at``, from an earlier request; None if it is at none.

        Where the same place of the earlier request holds another value, both may go on alike for a few characters.
        """
        theirs = {(region.finding, region.unit): region for region in earlier.regions} if earlier else {}
        for number, region in enumerate(self.regions):
            if (region.unit, region.opening) > at:
                return None
            if at <= (region.unit, region.end):
                return number
            other = theirs.get((region.finding, region.unit))
            if earlier is not None and other is not None and earlier.value(other) != self.value(region):
                return number
        return None

    def without_values(self, edits: MessageEdits) -> Request:
        """Return the request without what stands in the regions; the same object if there are none."""
        return self._edited([(region.unit, region.start, region.end) for region in self.regions], edits)

    def ahead_of(self, number: int, edits: MessageEdits) -> Request:
        """Return what of ``without_values`` stands in front of a region."""
        unit, units = self.regions[number].unit, self.units()
        removed = [(r.unit, r.start, r.end) for r in self.regions[:number]]
        removed.append((unit, self.regions[number].start, len(units[unit].text)))
        ahead = self._edited(removed, edits)
        last = units[unit].message
        return ahead if last is None else structs.replace(ahead, messages=ahead.messages[: last + 1])

    def _edited(self, removed: Sequence[tuple[int, int, int]], edits: MessageEdits) -> Request:
        if not removed:
            return self.request
        text, messages, units = self.request.rendered, list(self.request.messages), self.units()
        for unit, start, end in reversed(removed):
            at = units[unit].message
            if at is not None:
                messages[at] = edits.spliced(messages[at], start, end, "").message
            elif text is not None:
                text = text[:start] + text[end:]
        return structs.replace(self.request, messages=tuple(messages), rendered=text, marks=())


def joined_request(request: Request, layout: Layout, matcher: Matcher) -> JoinedRequest:
    """Return a request with the templates that made it."""
    units = units_of(request, layout)
    made = tuple(matcher.made(units))
    regions = [region for one in made for region in regions_of(matcher.templates[one.template], one, units)]
    return JoinedRequest(request, layout, made, tuple(sorted(regions, key=lambda r: (r.unit, r.start))))
