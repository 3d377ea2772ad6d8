"""What LiteLLM's rows share: which are calls that an engine saw, whose they are, and what was kept of their texts.

Usage is LiteLLM's own: it counts cached tokens inside ``prompt_tokens`` for every provider. ``cache_hit``, ``cache_key`` and
``saved_cache_cost`` are about its response cache; a row answered from it never reached an engine.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

from msgspec import Raw
from msgspec.structs import replace

from radixlint.logs._call_tree import REPEATED
from radixlint.logs._logged_bodies import Lack, as_fields, reply_in, with_body
from radixlint.logs._record_fields import shared_fields
from radixlint.logs._record_json import Record, as_record, decode_value
from radixlint.logs._record_settings import read_settings
from radixlint.logs._record_usage import read_usage
from radixlint.logs._tally import Tally
from radixlint.logs._uncalled_rows import FAILED, FROM_CACHE
from radixlint.traffic import Request, Usage

_NO_CHAT: Final = "Calls without a text prompt (embeddings, images, audio, ...) were left out"
_OTHER_CALLS: Final = (
    "embedding",
    "image",
    "speech",
    "transcri",
    "rerank",
    "moderation",
    "ocr",
    "vector_store",
    "video",
    "file",
    "mcp",
    "search",
)
_CUT_MARK: Final = re.compile(rb'\(litellm_truncated\b|litellm_truncated\\*":')
_REDACTED: Final = b"redacted-by-litellm"
_CUT: Final = Lack(
    "prompt cut by LiteLLM; raise MAX_STRING_LENGTH_PROMPT_IN_DB",
    "Requests whose texts LiteLLM cut give usage alone (it keeps 2,048 characters of a text unless "
    "MAX_STRING_LENGTH_PROMPT_IN_DB is raised)",
)
_HIDDEN: Final = Lack(
    "prompt redacted by LiteLLM; set turn_off_message_logging: false",
    "Requests whose texts LiteLLM redacted give usage alone (set turn_off_message_logging: false)",
)


class LiteLLMCalls:
    """The calls that were seen so far, by id."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._seen: set[str] = set()

    def is_call(self, row: Record) -> bool:
        """Whether ``row`` is a call that reached an engine with a text; what is not is told, and is no bad record."""
        call_type = text_in(row, "call_type") or ""
        if any(word in call_type for word in _OTHER_CALLS):
            self._tally.note(_NO_CHAT)
            return False
        if (text_in(row, "cache_hit") or "").lower() == "true":
            self._tally.note(FROM_CACHE)
            return False
        metadata = as_record(row.get("metadata")) or {}
        if "failure" in (text_in(row, "status"), text_in(metadata, "status")):
            self._tally.note(FAILED)
            return False
        return True

    def read(self, row: Record, body: Record | None, fields: dict[str, object], lack: Lack) -> Sequence[Request]:
        """Return the call in ``row`` unless it was seen before; ``fields`` name it as ``shared_fields`` reads them.

        Raises:
            RecordError: there is neither prompt nor usage.
        """
        id_ = fields.get("id")
        if isinstance(id_, str):
            if id_ in self._seen:
                self._tally.note(REPEATED)
                return ()
            self._seen.add(id_)
        request = shared_fields([as_fields(fields)], self._tally.next_index, self._tally, answers=[])
        kept = b"".join(bytes(value) for value in (body or {}).values())
        if _CUT_MARK.search(kept):
            body, lack = None, _CUT
        elif _REDACTED in kept:
            body, lack = None, _HIDDEN
        response = row.get("response")
        if response is not None and not _CUT_MARK.search(bytes(response)) and _REDACTED not in bytes(response):
            settings = read_settings({}, [as_record(response) or {}])
            request = replace(request, reply=reply_in(response, self._tally), settings=settings)
        request = with_body(replace(request, usage=_usage(row, self._tally)), body, lack, self._tally)
        return (replace(request, index=self._tally.new_index()),)


def text_in(fields: Record, *names: str) -> str | None:
    """Return the first of ``names`` that is given, as text."""
    for name in names:
        value = decode_value(fields[name]) if name in fields else None
        if isinstance(value, str | int | float) and value != "":
            return str(value)
    return None


def host_of(url: str | None) -> str | None:
    """Return the machine and port in ``url``, None if there is none."""
    try:
        return (urlsplit(url).netloc.rpartition("@")[2] or None) if url else None
    except ValueError:
        return None


def listed(field: Raw | None) -> object:
    """Return the list in ``field``, or in the JSON text in it; None for anything else."""
    value = None if field is None else decode_value(field)
    if isinstance(value, str) and value.startswith("["):
        value = decode_value(Raw(value.encode("utf-8", "replace")))
    return value if isinstance(value, list) else None


def _usage(row: Record, tally: Tally) -> Usage | None:
    metadata = as_record(row.get("metadata")) or {}
    response = as_record(row.get("response")) or {}
    counts: dict[str, object] = {name: decode_value(row[name]) for name in ("prompt_tokens", "completion_tokens") if name in row}
    older = _object(metadata.get("additional_usage_values"))
    given = _object(metadata.get("usage_object")) or _object(response.get("usage")) or {**counts, **older}
    # A prompt has tokens: 0 stands for a count that LiteLLM does not have.
    if "prompt_tokens" in given and not given["prompt_tokens"]:
        return None
    is_ours = "prompt_tokens" in given
    return read_usage(given, tally, is_inclusive=True if is_ours else None) if given else None


def _object(field: Raw | None) -> dict[str, object]:
    inner = as_record(field)
    return {} if inner is None else {name: decode_value(value) for name, value in inner.items()}
