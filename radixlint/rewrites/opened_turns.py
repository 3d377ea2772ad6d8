"""Turns of the assistant in the history as they were opened, where the chat template renders them anew."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from radixlint.rewrites.rendered_turns import around, turn_frame, turns_in, with_head, written
from radixlint.traffic import Message, Request

_ANSWERER = "assistant"
_Key = tuple[int, int]


def as_opened(requests: Sequence[Request], texts: Sequence[str], chains: Sequence[int]) -> tuple[Request, ...]:
    """Return the requests with each old answer behind the same marks as when it was open for the answer.

    Requests whose turns cannot be told apart, and those in which nothing changes, are the same objects; so are replies, but
    for the mark that ends their turn.

    Args:
        requests: the log, in the order of sending.
        texts: the prompts as rendered.
        chains: the conversation number of each request, by position.
    """
    opened: dict[_Key, str] = {}
    end = _end_of_answers(texts)
    found = []
    for request, text, chain in zip(requests, texts, chains, strict=True):
        turns = turns_in(text)
        if not turns:
            found.append(request)
            continue
        front, tail = around(text, turns)
        said, key = [], (chain, 0)
        for turn in turns:
            head = opened.get(key) if turn.role == _ANSWERER else None
            said.append(turn if head is None else with_head(turn, head))
            key = chain, hash((key, turn.role, turn.text))
        opened[key] = tail
        rendered = f"{front}{''.join(map(written, said))}{tail}"
        reply = request.reply
        if reply is not None and reply.text and not reply.text.endswith(end):
            reply = structs.replace(reply, kept=reply.text + end)
        is_same = rendered == text and reply is request.reply
        found.append(request if is_same else structs.replace(request, rendered=rendered, token_ids=None, reply=reply))
    return tuple(found)


def _end_of_answers(texts: Sequence[str]) -> str:
    """Return what stands behind the first answer that is history."""
    answers: list[Message] = []
    for text in texts:
        answers = [turn for turn in turns_in(text) if turn.role == _ANSWERER]
        if answers:
            return turn_frame(answers[0])["foot"]
    return ""
