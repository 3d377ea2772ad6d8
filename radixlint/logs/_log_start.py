"""Whether conversations begin in the log, or were under way before it, or have gaps."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from radixlint.traffic import Request

_WHY: Final = "unless these are fixed examples, the log is sampled or starts in the middle, and rates are lower bounds."
_LEAST_EXAMPLES: Final = 3
_LABEL: Final = re.compile(r"\A\w[\w ]{0,20}:\s+")


def tell_late_start(told: Sequence[Request]) -> str | None:
    """Return a sentence if requests of ``told``, which are in order, carry answers to questions that are not in the log."""
    late, sessions = _late_sessions(told)
    if late:
        return f"In {late} of {sessions} sessions the first request already carries an answer: {_WHY}"
    loose = [request for request in told if request.session is None]
    unasked = _unasked(loose)
    if unasked:
        return f"{unasked} of {len(loose)} requests carry an answer to a question that no earlier request asked: {_WHY}"
    return None


def _late_sessions(told: Sequence[Request]) -> tuple[int, int]:
    first: dict[str, Request] = {}
    for request in told:
        if request.session is not None:
            first.setdefault(request.session, request)
    return sum(_newest_answer(request) is not None for request in first.values()), len(first)


def _unasked(loose: Sequence[Request]) -> int:
    """Count the requests whose newest answer follows a question that was no earlier request's newest message.

    Only that question is compared: what stands before it may have been cut or edited since. An answer that several
    requests carry and go on from differently is a fixed example.
    """
    asked: set[str] = set()
    goings_on: dict[tuple[str, str], set[str]] = {}
    unasked: list[tuple[str, str]] = []
    for request in loose:
        newest = _newest_answer(request)
        if newest:
            question, answer = (_question(request.messages[i].text) for i in (newest - 1, newest))
            goings_on.setdefault((question, answer), set()).add(request.messages[-1].text)
            if question not in asked:
                unasked.append((question, answer))
        if request.messages:
            asked.add(_question(request.messages[-1].text))
    return sum(len(goings_on[pair]) < _LEAST_EXAMPLES for pair in unasked)


def _newest_answer(request: Request) -> int | None:
    """Return the position of the newest message of the assistant; None without one.

    A greeting in front of the first question answers nothing, so it counts as none.
    """
    roles = [message.role for message in request.messages]
    for position in range(len(roles) - 1, 0, -1):
        if roles[position] == "assistant" and roles[position - 1] not in ("system", "developer"):
            return position
    return None


def _question(text: str) -> str:
    # What stands above the question (retrieved notes, the time) and its label are often left out when it becomes history.
    return _LABEL.sub("", text.rstrip().rpartition("\n")[2].strip())
