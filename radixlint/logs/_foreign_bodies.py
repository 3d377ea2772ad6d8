"""Bodies of other APIs, told by their fields, so that a skipped record says what it is and not only what it lacks."""

from __future__ import annotations

from typing import Final

from radixlint.logs._record_json import Record, open_envelopes

GEMINI: Final = "Gemini body, not read yet"
COMPLETION: Final = "text completion body, not read yet"


def foreign_body(record: Record) -> str | None:
    """Return the reason to skip ``record``, by the API that its body (in whatever envelope) is for; None if unknown."""
    return next((reason for body in open_envelopes(record) if (reason := _reason(body)) is not None), None)


def _reason(body: Record) -> str | None:
    if "contents" in body:
        return GEMINI
    return COMPLETION if "prompt" in body else None
