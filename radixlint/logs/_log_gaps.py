"""What a log seems to lack: without it the hit rates say less than they seem to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from radixlint.traffic import Request

# A text shorter than this is not cut by any logger we know of.
_MIN_CUT_CHARS: Final = 256
_MIN_CUT_TEXTS: Final = 3
_SGLANG_CUT_CHARS: Final = 1024 + 3 + 1024
_CUT_ENDINGS: Final = ("[truncated]", "(truncated)", "<truncated>", "...[truncated", "truncated)")
_LOWER_BOUNDS: Final = "rates are lower bounds"


def name_gaps(requests: Sequence[Request]) -> tuple[str, ...]:
    """Return a sentence for each thing that seems missing from ``requests``, which are in order."""
    told = [request for request in requests if request.token_ids is None]
    sentences = (_no_tools(told), _no_system(told), _cut_text(told), _starts_in_the_middle(told), _repeated_ids(requests))
    return tuple(sentence for sentence in sentences if sentence)


def _no_tools(told: Sequence[Request]) -> str | None:
    if not told or any(request.tools for request in told):
        return None
    return "No tools in any record: if the application sends tools, they stand first in the prompt and are missing here."


def _no_system(told: Sequence[Request]) -> str | None:
    if not told or any(message.role in ("system", "developer") for request in told for message in request.messages):
        return None
    return f"No system message in any record: if the application sends one, the log lacks it and {_LOWER_BOUNDS}."


def _cut_text(told: Sequence[Request]) -> str | None:
    texts = {message.text for request in told for message in request.messages if len(message.text) >= _MIN_CUT_CHARS}
    ended = sum(text.endswith(_CUT_ENDINGS) for text in texts)
    if ended:
        return f"{ended} different texts end as if cut: {_LOWER_BOUNDS}, and token counts too low."
    longest = max(map(len, texts), default=0)
    equal = sum(len(text) == longest for text in texts)
    if equal < _MIN_CUT_TEXTS or not _is_cap(longest):
        return None
    return f"{equal} different texts have exactly {longest} characters and none is longer: text looks cut, {_LOWER_BOUNDS}."


def _is_cap(chars: int) -> bool:
    # Loggers cut at round numbers; SGLang keeps as much from the start as from the end, with three dots between.
    return chars % 256 == 0 or chars % 500 == 0 or chars == _SGLANG_CUT_CHARS


def _starts_in_the_middle(told: Iterable[Request]) -> str | None:
    first: dict[str, Request] = {}
    for request in told:
        if request.session is not None:
            first.setdefault(request.session, request)
    late = sum(any(message.role == "assistant" for message in request.messages) for request in first.values())
    if not late:
        return None
    return (
        f"In {late} of {len(first)} sessions the first request already carries an answer: unless these are fixed examples,"
        f" the log is sampled or starts in the middle, and {_LOWER_BOUNDS}."
    )


def _repeated_ids(requests: Sequence[Request]) -> str | None:
    ids = [request.id for request in requests if request.id is not None]
    if len(set(ids)) == len(ids):
        return None
    return f"Ids repeat ({len(set(ids))} different in {len(ids)} records): they are shown, never used to tell requests apart."
