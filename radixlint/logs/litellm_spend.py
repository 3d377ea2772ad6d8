"""LiteLLM's spend log: rows of ``LiteLLM_SpendLogs``, with the request body if prompts are stored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from radixlint.logs._litellm_calls import LiteLLMCalls, host_of, listed, text_in
from radixlint.logs._logged_bodies import Lack
from radixlint.logs._record_json import Record, as_record
from radixlint.logs._tally import Tally
from radixlint.traffic import Request

NAME: Final = "litellm-spend"
ACCEPTS: Final = "LiteLLM spend logs (call_type, request_id, spend)"
GIVES: Final = "text with store_prompts_in_spend_logs and a raised MAX_STRING_LENGTH_PROMPT_IN_DB, else usage only"
MISSING: Final = "no row of a LiteLLM spend log"
RANK: Final = 15

_NO_TEXT: Final = Lack(
    "no prompt stored; set store_prompts_in_spend_logs",
    "Requests without a stored prompt give usage alone (set store_prompts_in_spend_logs: true in LiteLLM's general_settings, "
    "and raise MAX_STRING_LENGTH_PROMPT_IN_DB)",
)


def find(record: Record) -> tuple[Record, ...]:
    """Return the row, or nothing."""
    names = record.keys()
    is_row = "call_type" in names and "spend" in names and "request_id" in names and "model_map_information" not in names
    return (record,) if is_row else ()


class _Rows:
    """The rows of one run."""

    def __init__(self, tally: Tally) -> None:
        self._calls = LiteLLMCalls(tally)

    def take(self, found: Sequence[Record]) -> Sequence[Request]:
        row = found[0]
        if not self._calls.is_call(row):
            return ()
        metadata = as_record(row.get("metadata")) or {}
        fields: dict[str, object] = {
            "id": text_in(row, "request_id"),
            "model": text_in(row, "model", "model_group"),
            "session_id": text_in(row, "session_id"),
            "user_id": text_in(row, "end_user", "user"),
            "team_id": text_in(row, "team_id", "organization_id")
            or text_in(metadata, "user_api_key_team_id", "user_api_key_org_id"),
            "tags": listed(row.get("request_tags")),
            "host": host_of(text_in(row, "api_base")),
            "timestamp": text_in(row, "startTime", "start_time"),
        }
        return self._calls.read(row, _body(row), fields, _NO_TEXT)

    def rest(self) -> Sequence[Request]:
        return ()

    def stats(self) -> None:
        return None


open = _Rows  # noqa: A001 - the name of the interface


def _body(row: Record) -> Record | None:
    """Return the request as it came to the proxy, or the messages alone."""
    asked = as_record(row.get("proxy_server_request"))
    if asked:
        return as_record(asked.get("body")) or asked
    field = row.get("messages")
    messages = as_record(field)
    if messages is not None:
        return messages or None
    return {"messages": field} if field is not None and listed(field) else None
