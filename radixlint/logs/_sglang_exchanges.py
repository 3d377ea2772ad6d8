"""Requests and answers that SGLang logs on lines of their own, joined by request id: one request each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from radixlint.logs._record_fields import shared_fields
from radixlint.logs._record_json import Record, RecordError
from radixlint.logs._tally import Place, Tally
from radixlint.traffic import TOKEN_BYTES, Message, Request, Usage

CUT: Final = "prompt cut by the logger; log with --log-requests --log-requests-level 3"
NO_PROMPT: Final = "no prompt logged; log with --log-requests --log-requests-level 3"
_HEALTH_CHECK: Final = "HEALTH_CHECK"
_PART_OF_OUTPUT: Final = "Answers of which only a part of the ids is logged were left out"
_COUNTS_ALONE: Final = "Requests without a prompt give the engine's counts alone (log with --log-requests --log-requests-level 3)"
_CHAT_BODIES: Final = "Requests are read from their chat bodies, because no complete prompt of the engine is logged"
_RETRACTED: Final = "Requests that were retracted are counted once here, but again in each statistics line"


class Prompt(Struct, frozen=True):
    """What a line says of a prompt: ids, else rendered text, else nothing (levels 0 and 1), perhaps because it was cut."""

    token_ids: bytes | None = None
    text: str | None = None
    is_cut: bool = False


class Answer(Struct, frozen=True):
    """What a line says of an answer; ``latency_s`` is the time from the request to it, ``retractions`` a count."""

    usage: Usage | None
    output_ids: bytes | None = None
    text: str | None = None
    latency_s: float | None = None
    retractions: int = 0


class Exchanges:
    """The requests under way. ``record`` always holds what ``shared_fields`` reads, the request id under ``id``."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._open: dict[str, tuple[Request, Place]] = {}
        self._refused: set[str] = set()
        self._bare: list[Place] = []
        self._chats: list[tuple[Request | None, Place]] = []
        self._has_prompts = False

    def received(self, rid: str | None, record: Record, prompt: Callable[[], Prompt]) -> tuple[Request, ...]:
        """Keep a request until its answer comes; return one that is open under the same id, as it will get none.

        Raises:
            RecordError: its prompt was cut.
        """
        if _is_health_check(rid):
            return ()
        try:
            request = self._request(record, prompt)
        except RecordError:
            if rid is not None:
                self._refused.add(rid)
            raise
        if rid is None:
            return self._unanswered(request, self._tally.place)
        before = self._open.pop(rid, None)
        self._open[rid] = request, self._tally.place
        return () if before is None else self._unanswered(*before)

    def finished(self, rid: str | None, record: Record, prompt: Callable[[], Prompt], answer: Answer) -> tuple[Request, ...]:
        """Return the request that is answered; the line of the answer is enough.

        Raises:
            RecordError: its prompt was cut, or there is nothing of use.
        """
        if _is_health_check(rid):
            return ()
        if rid in self._refused:
            self._refused.discard(rid)  # it was counted when it came in
            return ()
        request, place = (None if rid is None else self._open.pop(rid, None)) or (None, self._tally.place)
        is_counted = request is not None
        if request is None:
            request = self._request(record, prompt)
            if request.time_s is not None and answer.latency_s is not None:
                request = replace(request, time_s=request.time_s - answer.latency_s)
        if not request.has_prompt and answer.usage is None:
            if not is_counted:
                raise RecordError(NO_PROMPT)
            self._bare.append(place)
            return ()
        if not request.has_prompt:
            self._tally.note(_COUNTS_ALONE, place)
        if answer.retractions:
            self._tally.note(_RETRACTED)
        return (self._answered(request, answer),)

    def chat(self, request: Request | None) -> None:
        """Keep a chat body as sent (None if cut): it is of use only if the engine's own prompts are not in the log."""
        if not self._has_prompts:
            self._chats.append((request, self._tally.place))

    def rest(self) -> tuple[Request, ...]:
        """Return the requests without an answer, or those of the chat bodies if there are no prompts else."""
        requests = [one for request, place in self._open.values() for one in self._unanswered(request, place)]
        self._open.clear()
        if not self._has_prompts:
            for request, place in self._chats:
                index = self._tally.new_index()
                if request is None:
                    self._tally.skip(CUT, place=place)
                else:
                    self._tally.note(_CHAT_BODIES, place)
                    requests.append(replace(request, index=index))
        self._chats.clear()
        for place in self._bare:
            self._tally.skip(NO_PROMPT, place=place)
        return tuple(requests)

    def _request(self, record: Record, prompt: Callable[[], Prompt]) -> Request:
        told = self._checked(prompt)
        request = shared_fields([record], self._tally.new_index(), self._tally)
        return replace(request, token_ids=told.token_ids, rendered=told.text)

    def _checked(self, prompt: Callable[[], Prompt]) -> Prompt:
        told = prompt()
        if told.is_cut:
            raise RecordError(CUT)
        if told.token_ids is not None or told.text is not None:
            self._has_prompts = True
            self._chats.clear()
        return told

    def _unanswered(self, request: Request, place: Place) -> tuple[Request, ...]:
        if request.has_prompt:
            return (request,)
        self._bare.append(place)
        return ()

    def _answered(self, request: Request, answer: Answer) -> Request:
        output = answer.output_ids or b""
        expected = None if answer.usage is None else answer.usage.output_tokens
        if output and expected is not None and len(output) != expected * TOKEN_BYTES:
            self._tally.note(_PART_OF_OUTPUT)
            output = b""
        reply = None if answer.text is None else Message("assistant", answer.text)
        return replace(request, usage=answer.usage, output_ids=output, reply=reply)


def _is_health_check(rid: str | None) -> bool:
    return rid is not None and rid.startswith(_HEALTH_CHECK)
