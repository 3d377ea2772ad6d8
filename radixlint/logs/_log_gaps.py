"""What a log seems to lack: without it the hit rates say less than they seem to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from radixlint.logs._cut_text import tell_cut_text
from radixlint.logs._engine_lines import REQUEST_SWITCHES
from radixlint.logs._log_start import tell_late_start
from radixlint.traffic import EngineStats, Request

_LOWER_BOUNDS: Final = "rates are lower bounds"


def name_gaps(requests: Sequence[Request], stats: Sequence[EngineStats] = ()) -> tuple[str, ...]:
    """Return a sentence for each thing that seems missing from a log of ``requests``, which are in order.

    ``stats`` are those of engines that log no request.
    """
    told = [request for request in requests if request.token_ids is None]
    laid_out = [request for request in told if request.messages or request.tools]
    sentences = (
        *(_no_requests(one.engine) for one in stats),
        _no_tools(laid_out),
        _no_system(laid_out),
        tell_cut_text(told),
        tell_late_start(laid_out),
        _repeated_ids(requests),
    )
    return tuple(sentence for sentence in sentences if sentence)


def _no_requests(engine: str) -> str | None:
    switch = REQUEST_SWITCHES.get(engine)
    return f"Of {engine} only statistics lines could be read: to see requests, log them with {switch}." if switch else None


def _no_tools(told: Sequence[Request]) -> str | None:
    if not told or any(request.tools for request in told):
        return None
    return "No tools in any record: if the application sends tools, they stand first in the prompt and are missing here."


def _no_system(told: Sequence[Request]) -> str | None:
    if not told or any(message.role in ("system", "developer") for request in told for message in request.messages):
        return None
    return f"No system message in any record: if the application sends one, the log lacks it and {_LOWER_BOUNDS}."


def _repeated_ids(requests: Sequence[Request]) -> str | None:
    ids = [request.id for request in requests if request.id is not None]
    if len(set(ids)) == len(ids):
        return None
    return f"Ids repeat ({len(set(ids))} different in {len(ids)} records): they are shown, never used to tell requests apart."
