"""LiteLLM's ``StandardLoggingPayload``, as its loggers and callbacks (S3, GCS, a file, a webhook) write it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Raw

from radixlint.logs._litellm_calls import LiteLLMCalls, host_of, listed, text_in
from radixlint.logs._logged_bodies import Lack, as_fields
from radixlint.logs._record_json import Record, as_record, decode_value, unwrap
from radixlint.logs._record_settings import PARAMETER_NAMES
from radixlint.logs._tally import Tally
from radixlint.traffic import Request

NAME: Final = "litellm-payload"
ACCEPTS: Final = "LiteLLM's StandardLoggingPayload (model_map_information, messages)"
GIVES: Final = "text, unless turn_off_message_logging is on; then usage only"
MISSING: Final = "no LiteLLM payload"
RANK: Final = 15

_KEY: Final = "model_map_information"
_PARAMETERS: Final = (
    *("tools", "functions", "system", "instructions", "previous_response_id", "cache_control"),
    *PARAMETER_NAMES,
    "extra_body",
)
_NO_TEXT: Final = Lack(
    "no messages in the payload; set turn_off_message_logging: false",
    "Payloads without messages give usage alone (set turn_off_message_logging: false in LiteLLM's litellm_settings)",
)


def find(record: Record) -> tuple[Record, ...]:
    """Return the envelopes down to the payload, or nothing."""
    envelopes = unwrap(record, (_KEY,))
    return envelopes if envelopes and "call_type" in envelopes[-1] else ()


class _Payloads:
    """The payloads of one run."""

    def __init__(self, tally: Tally) -> None:
        self._calls = LiteLLMCalls(tally)

    def take(self, found: Sequence[Record]) -> Sequence[Request]:
        row = found[-1]
        if not self._calls.is_call(row):
            return ()
        metadata = as_record(row.get("metadata")) or {}
        hidden = as_record(row.get("hidden_params")) or {}
        template = as_record(metadata.get("prompt_management_metadata")) or {}
        fields: dict[str, object] = {
            "id": text_in(row, "id", "litellm_call_id"),
            "model": text_in(row, "model", "model_group"),
            "session_id": text_in(row, "session_id") or text_in(metadata, "session_id") or text_in(row, "trace_id"),
            "user_id": text_in(row, "end_user") or text_in(metadata, "user_api_key_end_user_id", "user_api_key_user_id"),
            "team_id": text_in(metadata, "user_api_key_team_id", "user_api_key_org_id"),
            "tags": listed(row.get("request_tags")),
            "template_id": text_in(template, "prompt_id"),
            "version": text_in(template, "prompt_version"),
            "host": host_of(text_in(row, "api_base") or text_in(hidden, "api_base")),
            "timestamp": text_in(row, "startTime"),
        }
        return self._calls.read(row, _body(row), fields, _NO_TEXT)

    def rest(self) -> Sequence[Request]:
        return ()

    def stats(self) -> None:
        return None


open = _Payloads  # noqa: A001 - the name of the interface


def _body(row: Record) -> Record | None:
    """Return the body as far as the payload holds it: messages (or input), and the parameters that are prompt."""
    field = row.get("messages")
    if field is None or bytes(field) in (b"null", b'""', b"[]", b"{}"):
        return None
    parameters = as_record(row.get("model_parameters")) or {}
    kept: Record = {name: parameters[name] for name in _PARAMETERS if name in parameters}
    messages = as_record(field)
    if messages is not None:
        return {**kept, **messages}
    call_type = text_in(row, "call_type") or ""
    if "responses" in call_type:
        return {"model": row.get("model", field), "input": field, **kept}
    if bytes(field).startswith(b'"') and listed(field) is None:
        return {"prompt": field} if "text_completion" in call_type else as_fields({"messages": _asked(field)}) | kept
    return {"messages": field, **kept}


def _asked(text: Raw) -> list[dict[str, object]]:
    return [{"role": "user", "content": decode_value(text)}]
