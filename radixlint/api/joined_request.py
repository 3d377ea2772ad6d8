"""A request, the templates that made it, and what it would be without the values at the places of findings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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

    def units(self) -> Iterator[Unit]:
        """Yield its texts; they are read anew, for a log holds many."""
        return units_of(self.request, self.layout)

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
            if other is not None and other.value != region.value:
                return number
        return None

    def without_values(self, edits: MessageEdits) -> Request:
        """Return the request without what stands in the regions; the same object if there are none."""
        return self._edited([(region.message, region.start, region.end) for region in self.regions], edits)

    def ahead_of(self, number: int, edits: MessageEdits) -> Request:
        """Return what of ``without_values`` stands in front of a region."""
        region = self.regions[number]
        message, request = region.message, self.request
        text = (request.rendered or "") if message is None else request.messages[message].text
        removed = [(r.message, r.start, r.end) for r in self.regions[:number]]
        ahead = self._edited([*removed, (message, region.start, len(text))], edits)
        return ahead if message is None else structs.replace(ahead, messages=ahead.messages[: message + 1])

    def _edited(self, removed: Sequence[tuple[int | None, int, int]], edits: MessageEdits) -> Request:
        if not removed:
            return self.request
        text, messages = self.request.rendered, list(self.request.messages)
        for message, start, end in reversed(removed):
            if message is not None:
                messages[message] = edits.spliced(messages[message], start, end, "").message
            elif text is not None:
                text = text[:start] + text[end:]
        return structs.replace(self.request, messages=tuple(messages), rendered=text, marks=())


def joined_request(request: Request, layout: Layout, matcher: Matcher) -> JoinedRequest:
    """Return a request with the templates that made it."""
    units = list(units_of(request, layout))
    made = tuple(matcher.made(units))
    regions = [region for one in made for region in regions_of(matcher.templates[one.template], one, units)]
    return JoinedRequest(request, layout, made, tuple(sorted(regions, key=lambda r: (r.unit, r.start))))
