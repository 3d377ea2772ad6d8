"""Messages changed where they were sent first, and in every later request that repeats them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import structs

from radixlint.rewrites.message_edits import Edit, marks_after
from radixlint.rewrites.message_keys import MessageKeys
from radixlint.rewrites.turn_roles import is_spoken
from radixlint.traffic import Request


def with_edits(requests: Sequence[Request], edits: Mapping[int, tuple[int, Edit]]) -> tuple[Request, ...]:
    """Return the requests with the edits made, by position: the place of a message and what it becomes.

    A turn that was changed stays changed in later requests that repeat it. Requests in which nothing changes are the same
    objects.
    """
    keys = MessageKeys()
    changed: dict[int, Edit] = {}
    found: list[Request] = []
    for position, request in enumerate(requests):
        own = edits.get(position)
        places: dict[int, Edit] = {}
        if changed:
            for at, message in enumerate(request.messages):
                if is_spoken(message) and (edit := changed.get(keys.of(message))) is not None:
                    places[at] = edit
        if own is not None and own[1].message is not request.messages[own[0]]:
            at, places[own[0]] = own
            if is_spoken(request.messages[at]):
                changed[keys.of(request.messages[at])] = own[1]
        found.append(_edited(request, places) if places else request)
    return tuple(found)


def _edited(request: Request, places: Mapping[int, Edit]) -> Request:
    messages, marks = list(request.messages), request.marks
    for at, edit in places.items():
        messages[at], marks = edit.message, marks_after(marks, at, edit)
    return structs.replace(request, messages=tuple(messages), marks=marks)
