"""Conversations to try a chat template on: what a server is sent, request after request, as a conversation grows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from radixlint.late_pattern import late_pattern

Message = Mapping[str, object]

REASONING: Final = tuple(f"Reasoning {n}: weigh what was asked, then choose the shortest way that is right." for n in range(1, 9))
REPLIES: Final = tuple(f"Reply {n}: the desk opens at nine and closes at five, on Sundays it stays shut." for n in range(1, 9))
_QUESTIONS: Final = tuple(f"Question {n}: when can I bring the book back, and to which desk?" for n in range(1, 9))
_SYSTEM: Final = "You answer readers of the city library in two short sentences and never guess."
_SPECIAL: Final = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}
_SWITCHES: Final = ("enable_thinking", "thinking")
_SWITCH: Final = late_pattern(r"(?<![\w.'\"])(?:enable_thinking|thinking)\b(?!['\"])")
_FIELD: Final = late_pattern(r"\breasoning_content\b|(?:\.|\[\s*['\"])(?:reasoning|thinking)\b")


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation as it grows: each of ``requests`` is a request's messages, and extends the one before.

    ``kind`` is what a person calls it. ``replies`` and ``reasoning`` are what the model says, and thinks, after each request;
    the reasoning is None where it does not think. ``is_loop`` says that the model calls tools on the way.
    """

    kind: str
    requests: tuple[tuple[Message, ...], ...]
    replies: tuple[str, ...]
    reasoning: tuple[str | None, ...]
    tools: tuple[Mapping[str, object], ...] = ()
    switches: tuple[tuple[str, bool], ...] = ()

    def variables(self, number: int, tokens: Mapping[str, str], *, as_parts: bool, opens_turn: bool = True) -> dict[str, object]:
        """Return what the template sees at request ``number``; ``tokens`` are the special tokens that its file names."""
        messages = self.requests[number]
        return {
            **_SPECIAL,
            **tokens,
            **dict(self.switches),
            "messages": [_in_parts(message) for message in messages] if as_parts else list(messages),
            "tools": list(self.tools) or None,
            "documents": None,
            "add_generation_prompt": opens_turn,
        }


def _tool(name: str, about: str, key: str) -> dict[str, object]:
    field = {"type": "string", "description": f"The {key} as the reader wrote it, without marks around it."}
    parameters = {"type": "object", "properties": {key: field}, "required": [key]}
    return {"type": "function", "function": {"name": name, "description": about, "parameters": parameters}}


_TOOLS: Final = (
    _tool("find_book", "Look a book up in the catalogue of the library by its title.", "title"),
    _tool("book_room", "Book a reading room for two hours in the name of a reader.", "reader"),
)


def thinks(template: str) -> bool:
    """Whether the template knows of reasoning at all."""
    return bool(_FIELD.search(template) or "think>" in template or _SWITCH.search(template))


def conversations(template: str, *, has_system: bool) -> Iterator[Conversation]:
    """Yield what to try: plain, with tools, in a tool loop; without thinking, with it, and as the template is by default."""
    modes: list[tuple[tuple[tuple[str, bool], ...], bool]] = [((), False)]
    if thinks(template):
        modes.append(((), True))
    if _SWITCH.search(template):
        modes += [(tuple((name, is_on) for name in _SWITCHES), is_on) for is_on in (False, True)]
    as_field = bool(_FIELD.search(template))
    for switches, is_thinking in modes:
        for kind, tools, loops in (("plain", (), False), ("with tools", _TOOLS, False), ("tool loop", _TOOLS, True)):
            yield _grown(kind, tools, switches, loops=loops, is_thinking=is_thinking, as_field=as_field, has_system=has_system)


def _grown(
    kind: str,
    tools: Sequence[Mapping[str, object]],
    switches: tuple[tuple[str, bool], ...],
    *,
    loops: bool,
    is_thinking: bool,
    as_field: bool,
    has_system: bool,
) -> Conversation:
    steps = (False, False, True, False, True) if loops else (True, True, True)
    messages: list[Message] = [{"role": "system", "content": _SYSTEM}] if has_system else []
    messages.append({"role": "user", "content": _QUESTIONS[0]})
    requests = [tuple(messages)]
    replies: list[str] = []
    reasoning: list[str | None] = []
    for number, is_final in enumerate(steps):
        thought = REASONING[number] if is_thinking else None
        call = None if is_final else f"call{number:05d}"
        messages.append(_answer(number, call, thought, as_field=as_field))
        messages.append(
            {"role": "user", "content": _QUESTIONS[number + 1]}
            if call is None
            else {"role": "tool", "name": "find_book", "tool_call_id": call, "content": f'{{"shelf": "B{number}"}}'}
        )
        requests.append(tuple(messages))
        replies.append(REPLIES[number] if is_final else _title(number))
        reasoning.append(thought)
    words = f"{kind}, thinking" if is_thinking else f"{kind}, not thinking" if switches else kind
    return Conversation(words, tuple(requests), tuple(replies), tuple(reasoning), tuple(tools), switches)


def _title(number: int) -> str:
    return f"The tall ships, volume {number}"


def _answer(number: int, call: str | None, thought: str | None, *, as_field: bool) -> Message:
    content = REPLIES[number] if call is None else ""
    if thought is not None and not as_field:
        content = f"<think>\n{thought}\n</think>\n\n{content}"
    found: dict[str, object] = {"role": "assistant", "content": content}
    if thought is not None and as_field:
        found |= {"reasoning_content": thought, "reasoning": thought, "thinking": thought}
    if call is not None:
        function = {"name": "find_book", "arguments": {"title": _title(number)}}
        found["tool_calls"] = [{"id": call, "type": "function", "function": function}]
    return found


def _in_parts(message: Message) -> Message:
    return {**message, "content": [{"type": "text", "text": message["content"]}]}
