"""What a log seems to lack: without it the hit rates say less than they seem to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from radixlint.logs._cut_text import tell_cut_text
from radixlint.logs._engine_lines import REQUEST_SWITCHES
from radixlint.logs._log_start import tell_late_start
from radixlint.plural import counted
from radixlint.traffic import EngineStats, Message, Request

_LOWER_BOUNDS: Final = "rates are lower bounds"


def name_gaps(requests: Sequence[Request], stats: Sequence[EngineStats] = ()) -> tuple[str, ...]:
    """Return a sentence for each thing that seems missing from a log of ``requests``, which are in order.

    ``stats`` are those of engines that log no request.
    """
    told = [request for request in requests if request.token_ids is None]
    laid_out = [request for request in told if request.messages or request.tools]
    messages = _distinct_messages(laid_out)
    sentences = (
        *(_no_requests(one.engine) for one in stats),
        _no_tools(laid_out),
        _no_system(laid_out, messages),
        tell_cut_text(messages, {request.rendered for request in told if request.rendered is not None}),
        tell_late_start(laid_out),
        _repeated_ids(requests),
    )
    return tuple(sentence for sentence in sentences if sentence)


def _distinct_messages(laid_out: Sequence[Request]) -> list[Message]:
    """Return each message object of ``laid_out`` once: requests of a conversation share theirs."""
    found: dict[int, Message] = {}
    for request in laid_out:
        found.update(zip(map(id, request.messages), request.messages, strict=True))
    return list(found.values())


def _no_requests(engine: str) -> str | None:
    switch = REQUEST_SWITCHES.get(engine)
    return f"Of {engine} only statistics lines could be read: to see requests, log them with {switch}." if switch else None


def _no_tools(told: Sequence[Request]) -> str | None:
    if not told or any(request.tools for request in told):
        return None
    return "No tools in any record: if the application sends tools, they stand first in the prompt and are missing here."


def _no_system(told: Sequence[Request], messages: Sequence[Message]) -> str | None:
    if not told or any(message.role in ("system", "developer") for message in messages):
        return None
    return f"No system message in any record: if the application sends one, the log lacks it and {_LOWER_BOUNDS}."


def _repeated_ids(requests: Sequence[Request]) -> str | None:
    ids = [request.id for request in requests if request.id is not None]
    different = len(set(ids))
    if different == len(ids):
        return None
    return (
        f"Ids repeat ({different} different in {counted(len(ids), 'record')}): they are shown, never used to tell requests apart."
    )
