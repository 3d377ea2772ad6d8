"""Requests of a batch and their answers, joined by ``custom_id`` in whatever order and file they stand."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from radixlint.logs._record_settings import joined_settings
from radixlint.logs._tally import Tally
from radixlint.traffic import Request

_REPEATED: Final = "Batch ids that were given several times were joined in their order"
_AGAIN: Final = "Repeated rows of a batch (same id and content) were merged"
_ALONE: Final = "Answers of a batch without their requests give usage alone: read the batch's input file too"

Half = dict[str, deque[tuple[Request, tuple[str, int]]]]


class BatchJoin:
    """What waits for its other half; a request gets its index when its first half is seen."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._requests: Half = {}
        self._answers: Half = {}

    def add_request(self, custom_id: str, request: Request) -> Sequence[Request]:
        """Return ``request`` with its answer, nothing if the answer was not seen yet."""
        answer = _take(self._answers, custom_id)
        if answer is not None:
            return (_joined(request, answer, answer.index),)
        self._wait(self._requests, custom_id, request)
        return ()

    def add_answer(self, custom_id: str, answer: Request) -> Sequence[Request]:
        """Return the request that ``answer`` (a request without prompt) belongs to, nothing if it was not seen yet."""
        request = _take(self._requests, custom_id)
        if request is not None:
            return (_joined(request, answer, request.index),)
        self._wait(self._answers, custom_id, answer)
        return ()

    def rest(self) -> tuple[Request, ...]:
        """Return the requests without answers, and the answers without requests, by index."""
        answers = [one for waiting in self._answers.values() for one in waiting]
        for _, place in answers:
            self._tally.note(_ALONE, place)
        alone = [*answers, *(one for waiting in self._requests.values() for one in waiting)]
        return tuple(sorted((request for request, _ in alone), key=lambda one: one.index))

    def _wait(self, half: Half, custom_id: str, one: Request) -> None:
        waiting = half.setdefault(custom_id, deque())
        if waiting and replace(waiting[-1][0], index=one.index) == one:
            self._tally.note(_AGAIN)
            return
        if waiting:
            self._tally.note(_REPEATED)
        waiting.append((replace(one, index=self._tally.new_index()), self._tally.place))


def _take(half: Half, custom_id: str) -> Request | None:
    waiting = half.get(custom_id)
    if waiting is None:
        return None
    found, _ = waiting.popleft()
    if not waiting:
        del half[custom_id]
    return found


def _joined(request: Request, answer: Request, index: int) -> Request:
    return replace(
        request,
        index=index,
        time_s=answer.time_s if request.time_s is None else request.time_s,
        model=request.model or answer.model,
        namespace=request.namespace or answer.namespace,
        usage=answer.usage,
        reply=answer.reply,
        settings=joined_settings(request.settings, answer.settings),
    )
