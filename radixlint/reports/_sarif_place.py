"""Places and edits in SARIF: addresses relative to the folder of the run, regions in code points."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from radixlint.prompt import Span
from radixlint.reports._finding_json import valid
from radixlint.result.finding import Edit, Related
from radixlint.safe_text import safe_line

ROOT_ID: Final = "%SRCROOT%"
_MAX_LOCATIONS: Final = 1000


def artifact(path: str) -> dict[str, object]:
    """Return the address of a file; every byte of its name that an address cannot hold is percent-encoded."""
    from urllib.parse import quote

    # A name may hold bytes that are not UTF-8; os.fsencode gives back those that the file system has.
    address = quote(os.fsencode(path))
    if path.startswith("/"):
        return {"uri": f"file:///{address.lstrip('/')}"}
    return {"uri": address, "uriBaseId": ROOT_ID}


def location(span: Span) -> dict[str, object]:
    """Return a location with its region."""
    return {"physicalLocation": {"artifactLocation": artifact(span.path), "region": region(span)}}


def region(span: Span) -> dict[str, int]:
    """Return lines and columns; as in a span the end is exclusive."""
    return {"startLine": span.line, "startColumn": span.column, "endLine": span.end_line, "endColumn": span.end_column}


def related_locations(related: Sequence[Related]) -> list[dict[str, object]]:
    """Return the places that explain a finding, as many as code scanning takes."""
    return [
        {"id": number, **location(place.span), "message": {"text": message_text(place.message)}}
        for number, place in enumerate(related[:_MAX_LOCATIONS], start=1)
    ]


def code_flows(span: Span, message: str, related: Sequence[Related]) -> list[dict[str, object]]:
    """Return the one way of a value from its source through the places it comes through, none if there are none."""
    through = [(place.span, place.message) for place in related if place.is_step]
    if not through:
        return []
    steps = [(span, message), *through[: _MAX_LOCATIONS - 1]]
    locations = [{"location": {**location(at), "message": {"text": message_text(text)}}} for at, text in steps]
    return [{"threadFlows": [{"locations": locations}]}]


def fixes(edits: Sequence[Edit], description: str) -> list[dict[str, object]]:
    """Return the one fix that makes all ``edits``, none if there are none."""
    by_path: dict[str, list[Edit]] = defaultdict(list)
    for edit in edits:
        by_path[edit.span.path].append(edit)
    changes = [
        {"artifactLocation": artifact(path), "replacements": [_replacement(edit) for edit in edits_of_file]}
        for path, edits_of_file in sorted(by_path.items())
    ]
    return [{"description": {"text": message_text(description)}, "artifactChanges": changes}] if changes else []


def _replacement(edit: Edit) -> dict[str, object]:
    text = edit.text if edit.line_end is None else edit.text.replace("\n", edit.line_end)
    return {"deletedRegion": region(edit.span), "insertedContent": {"text": valid(text)}}


def message_text(text: str) -> str:
    """Return ``text`` on one line; what looks like a link is none: readers make links of ``[words](address)``."""
    return safe_line(text).replace("](", "] (")
