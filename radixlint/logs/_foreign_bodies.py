"""Bodies of other APIs, told by their fields, so that a skipped record says what it is and not only what it lacks."""

from __future__ import annotations

from typing import Final

from radixlint.logs._record_json import Record, open_envelopes

ANTHROPIC: Final = "Anthropic body, not read yet"
RESPONSES: Final = "Responses body, not read yet"
GEMINI: Final = "Gemini body, not read yet"
COMPLETION: Final = "text completion body, not read yet"

_ANTHROPIC_FIELDS: Final = ("system", "anthropic_version")


def is_anthropic(body: Record) -> bool:
    """Whether a body with messages is one of Anthropic's: its system text stands outside the messages."""
    return any(name in body for name in _ANTHROPIC_FIELDS)


def foreign_body(record: Record) -> str | None:
    """Return the reason to skip ``record``, by the API that its body (in whatever envelope) is for; None if unknown."""
    return next((reason for body in open_envelopes(record) if (reason := _reason(body)) is not None), None)


def _reason(body: Record) -> str | None:
    if _is_responses(body):
        return RESPONSES
    if "contents" in body:
        return GEMINI
    return COMPLETION if "prompt" in body else None


def _is_responses(body: Record) -> bool:
    # An object under this name is an envelope, and embeddings have texts there too.
    given = bytes(body["input"]) if "input" in body else b""
    is_embedding = "model" in body and b"embed" in bytes(body["model"])
    return not is_embedding and given.startswith((b"[", b'"')) and (given[1:].lstrip()[:1] == b"{" or given[:1] == b'"')
