"""Whether conversations begin in the log, or were under way before it, or have gaps."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from radixlint.plural import counted
from radixlint.traffic import Request

_WHY: Final = "unless these are fixed examples, the log is sampled or starts in the middle, and rates are lower bounds."
_LEAST_EXAMPLES: Final = 3
_LABEL: Final = re.compile(r"\A\w[\w ]{0,20}:\s+")
_LABEL_CHARACTERS: Final = 22


def tell_late_start(told: Sequence[Request]) -> str | None:
    """Return a sentence if requests of ``told``, which are in order, carry answers to questions that are not in the log."""
    late, sessions = _late_sessions(told)
    if late:
        return f"In {late} of {counted(sessions, 'session')} the first request already carries an answer: {_WHY}"
    loose = [request for request in told if request.session is None]
    unasked = _unasked(loose)
    if unasked:
        return (
            f"{unasked} of {counted(len(loose), 'request')} carry an answer to a question that no earlier request asked: {_WHY}"
        )
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
    goings_on: dict[tuple[str, str], set[str]] = {}  # of those alone whose question nobody had asked at first sight
    unasked: list[tuple[str, str]] = []
    for request in loose:
        newest = _newest_answer(request)
        if newest:
            question = _question(request.messages[newest - 1].text)
            pair = question, _question(request.messages[newest].text)
            if question not in asked:
                unasked.append(pair)
                goings_on.setdefault(pair, set()).add(request.messages[-1].text)
            elif pair in goings_on:
                goings_on[pair].add(request.messages[-1].text)
        if request.messages:
            asked.add(_question(request.messages[-1].text))
    return sum(len(goings_on[pair]) < _LEAST_EXAMPLES for pair in unasked)


def _newest_answer(request: Request) -> int | None:
    """Return the position of the newest message of the assistant; None without one.

    A greeting in front of the first question answers nothing, so it counts as none.
    """
    messages = request.messages
    for position in range(len(messages) - 1, 0, -1):
        if messages[position].role == "assistant" and messages[position - 1].role not in ("system", "developer"):
            return position
    return None


def _question(text: str) -> str:
    # What stands above the question (retrieved notes, the time) and its label are often left out when it becomes history.
    text = text.rstrip()
    line = text[text.rfind("\n") + 1 :].strip()
    return _LABEL.sub("", line) if ":" in line[:_LABEL_CHARACTERS] else line
