"""Turns in a prompt that is known as the text that a chat template made of them, and the text of changed turns."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import structs

from radixlint.traffic import Message, Request

_NAMES: Final = "system|developer|user|human|assistant|model|tool|function|ipython|chatbot|observation|environment"
_ROLES: Final = {"human": "user", "inst": "user", "model": "assistant", "chatbot": "assistant", "/inst": "assistant"} | {
    "function": "tool",
    "ipython": "tool",
    "observation": "tool",
    "environment": "tool",
    "tool_results": "tool",
    "system_prompt": "system",
    "available_tools": "system",
}
# Some templates write the wide bar.
_BAR: Final = r"[|\uff5c]"
_CLOSES: Final = r"<\|[a-z_]*(?:message|header|middle|sep)[a-z_]*\|>\n{0,2}"
# One for each kind of chat template; of a prompt that has several, the one whose mark stands first is its own.
_MARKS: Final = tuple(
    re.compile(mark, re.IGNORECASE | re.MULTILINE)
    for mark in (
        rf"<\|[a-z_]{{2,24}}\|>({_NAMES})\b(?:[^<\n]{{0,60}}(?:<\|(?:channel|constrain)\|>[^<\n]{{0,60}})*(?:{_CLOSES})|\n|\Z)",
        rf"(?:<\|START_OF_TURN_TOKEN\|>)?<{_BAR}({_NAMES})(?:_TOKEN)?{_BAR}>\n?",
        rf"<(?:start_of_turn|\|turn)>({_NAMES})\n",
        r"\[(/?INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_RESULTS)\] ?",
    )
)
_LINES: Final = re.compile(r"^(system|user|human|assistant):[ \n]", re.IGNORECASE | re.MULTILINE)
_END: Final = re.compile(
    rf"(?:<{_BAR}[^<>\s]{{1,40}}{_BAR}>|</s>|<end_of_turn>|<turn\|>|<eos>|\[/[A-Z]{{1,20}}_[A-Z]{{1,20}}\])\Z"
)
_END_CHARACTERS: Final = 44
_STARTS: Final = re.compile(rf"\s*(?:<{_BAR}?(?:begin|startof|s\b|bos|BOS)[^<>\s]{{0,30}}>\s*)*")


def with_turns(requests: Sequence[Request]) -> Sequence[Request]:
    """Return the requests with the turns that stand in rendered prompts as their messages; the same if there are none.

    The rendered text stays, and is what the server read. What a template writes around a turn is kept with its message.
    Prompts in which no user's turn is marked are left alone.
    """
    shared: dict[Message, Message] = {}
    found = []
    for request in requests:
        text = request.rendered
        messages = () if text is None or request.messages else tuple(shared.setdefault(m, m) for m in turns_in(text))
        found.append(structs.replace(request, messages=messages) if messages else request)
    return found if any(a is not b for a, b in zip(found, requests, strict=True)) else requests


def rendered_again(changed: Request, logged: Request) -> Request:
    """Return ``changed`` with its rendered text, where ``logged`` is what it was, with its turns (see ``with_turns``).

    What stands in front of the first turn and the open turn stay.
    """
    text = logged.rendered
    if text is None or changed is logged or changed.messages == logged.messages:
        return changed
    front, tail = around(text, logged.messages)
    return structs.replace(changed, rendered=f"{front}{''.join(map(written, changed.messages))}{tail}", token_ids=None)


def around(text: str, turns: Sequence[Message]) -> tuple[str, str]:
    """Return what stands in front of ``turns``, which are those in ``text``, and behind them: the open turn."""
    whole = "".join(map(written, turns))
    front = text.index(whole)
    return text[:front], text[front + len(whole) :]


def with_head(turn: Message, head: str) -> Message:
    """Return ``turn`` with another mark in front."""
    return structs.replace(turn, extra=_frame(head, turn_frame(turn)["foot"]))


def turn_frame(turn: Message) -> dict[str, str]:
    """Return what the template writes around a turn, as ``head`` and ``foot``."""
    found: dict[str, str] = json.loads(turn.extra)
    return found


def _frame(head: str, foot: str) -> str:
    return json.dumps({"head": head, "foot": foot}, ensure_ascii=False, separators=(",", ":"))


def turns_in(text: str) -> tuple[Message, ...]:
    r"""Return the turns of a rendered prompt without the one that is open for the answer; none if no user's is marked.

    >>> [(m.role, m.text) for m in turns_in("<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\n")]
    [('user', 'Hello')]
    """
    marks = _marks_of(text)
    if not any(_role(mark) == "user" for mark in marks):
        return ()
    return tuple(_turns(text, marks))


def _marks_of(text: str) -> Sequence[re.Match[str]]:
    kinds = [first.start() for mark in _MARKS if (first := mark.search(text)) is not None]
    if kinds:
        own = next(mark for mark in _MARKS if (first := mark.search(text)) is not None and first.start() == min(kinds))
        return list(own.finditer(text))
    marks = list(_LINES.finditer(text))
    # Such words stand in examples too: only a prompt that ends with the open turn is made of them.
    return marks if marks and _role(marks[-1]) == "assistant" and not text[marks[-1].end() :].strip() else []


def _turns(text: str, marks: Sequence[re.Match[str]]) -> Iterator[Message]:
    start = _STARTS.match(text)
    front = start.end() if start is not None else 0
    if text[front : marks[0].start()].strip():
        yield _message("system", "", text[front : marks[0].start()])
    for number, mark in enumerate(marks):
        is_last = number + 1 == len(marks)
        body = text[mark.end() : len(text) if is_last else marks[number + 1].start()]
        if is_last and _role(mark) == "assistant":
            return
        yield _message(_role(mark), mark.group(), body)


def _message(role: str, head: str, body: str) -> Message:
    length = _length_without_end(body)
    return Message(role, body[:length], extra=_frame(head, body[length:]))


def _length_without_end(body: str) -> int:
    """Return how much of ``body`` stands in front of the marks of a turn's end; of none, in front of white space at the end."""
    length, at = len(body.rstrip()), len(body.rstrip())
    while (end := _END.search(body, max(0, at - _END_CHARACTERS), at)) is not None:
        length = end.start()
        at = len(body[:length].rstrip())
    return length


def written(turn: Message) -> str:
    """Return a turn as the template writes it; one that was put in comes bare."""
    frame = turn_frame(turn) if turn.extra else {}
    return f"{frame.get('head', '')}{turn.text}{frame.get('foot', '')}"


def _role(mark: re.Match[str]) -> str:
    name = mark.group(1).lower()
    return _ROLES.get(name, name)
