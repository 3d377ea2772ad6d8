"""The layout of a real chat template: each request rendered as the server would."""

from __future__ import annotations

import functools
from typing import Final

from radixlint.errors import ConfigError, LayoutError
from radixlint.layout._pieces import Piece
from radixlint.layout._rendered_pieces import rendered_pieces
from radixlint.layout._template_file import read_template
from radixlint.layout._template_messages import message_object, parsed
from radixlint.sandbox import TemplateProcess, TemplateRaisedError
from radixlint.traffic import Message, Request

_KEPT_TEXTS: Final = 256
_PROBE: Final = "What is the weather like today?"
_SENT_CHARACTERS: Final = 64 << 20
_EARLIEST_EPOCH_S: Final = 1e8


class TemplateLayout:
    """Requests as the chat template in ``path`` renders them, with the prompt for the answer at the end.

    Content goes in as text, or as a list of parts for a template that prints only these. The date that a template asks for is
    that of the request, or a fixed one where the log has none.

    Raises:
        ConfigError: there is no template in the file, or it does not compile.
    """

    def __init__(self, path: str) -> None:
        self._file = read_template(path)
        self.name = f"chat template {self._file.name}"
        self.prints_date = False
        texts = (self._file.text, self._file.tool_text)
        try:
            self._process = TemplateProcess(path)
            self._process.compile(texts, self._file.variables)
        except TemplateRaisedError as failure:
            raise ConfigError(f"the chat template does not compile: {failure}", where=path) from failure
        self._numbers: dict[str | Message, int] = {}
        self._sent_characters = 0
        self._is_dated = any("strftime_now" in text for text in texts)
        self._as_parts = False
        self._as_parts = self._prints_parts_only()
        self._kept = functools.lru_cache(maxsize=_KEPT_TEXTS)(self._render)

    def lay_out(self, request: Request) -> tuple[Piece, ...]:
        return rendered_pieces(self.render(request), request)

    def render(self, request: Request, *, with_reply: bool = False) -> str:
        """Return the prompt; ``with_reply`` with the logged answer as the last message in the place of the open turn.

        Raises:
            LayoutError: the template refuses this request.
            ConfigError: the template does not come to an end, or needs too much memory.
        """
        is_answered = with_reply and request.reply is not None
        messages = (*request.messages, request.reply) if is_answered and request.reply else request.messages
        # A time counted from some start is no date.
        has_date = self._is_dated and request.time_s is not None and request.time_s >= _EARLIEST_EPOCH_S
        return self._kept(request.tools, messages, not is_answered, request.time_s if has_date else None)

    def _render(self, tools: tuple[str, ...], messages: tuple[Message, ...], opens_turn: bool, time_s: float | None) -> str:
        try:
            text, is_dated = self._process.ask(self._frame(tools, messages, opens_turn, time_s))
        except TemplateRaisedError as failure:
            raise LayoutError(self._reason(failure)) from failure
        except RecursionError as error:
            self._forget()
            raise LayoutError("a tool or message is nested too deeply") from error
        self.prints_date = self.prints_date or is_dated
        return text

    def _frame(
        self, tools: tuple[str, ...], messages: tuple[Message, ...], opens_turn: bool, time_s: float | None
    ) -> dict[str, object]:
        """Return what to send: values that the child does not know yet, and the numbers of all."""
        if self._sent_characters > _SENT_CHARACTERS:
            self._forget()
        forget = not self._numbers
        new: list[object] = []
        return {
            "forget": forget,
            "tools": [self._number(tool, new) for tool in tools],
            "messages": [self._number(message, new) for message in messages],
            "new": new,
            "time_s": time_s,
            "opens_turn": opens_turn,
            "template": int(bool(tools)),
        }

    def _number(self, value: str | Message, new: list[object]) -> int:
        number = self._numbers.get(value)
        if number is None:
            number = self._numbers[value] = len(self._numbers)
            if isinstance(value, str):
                new.append(parsed(value))
                self._sent_characters += len(value)
            else:
                new.append(message_object(value, as_parts=self._as_parts))
                self._sent_characters += len(value.text)
        return number

    def _forget(self) -> None:
        self._numbers.clear()
        self._sent_characters = 0

    def _prints_parts_only(self) -> bool:
        """Whether content given as text is lost and content given as parts is not: a question is rendered both ways."""
        found = []
        for self._as_parts in (False, True):
            try:
                found.append(_PROBE in self._render((), (Message("user", _PROBE),), True, None))
            except LayoutError:
                found.append(False)
            self._forget()
        self.prints_date = False
        return found == [False, True]

    def _reason(self, failure: TemplateRaisedError) -> str:
        # A message may quote the log; what stands in the template itself does not.
        if failure.message and failure.message in self._file.text + self._file.tool_text:
            return f"the chat template says: {failure.message}"
        return f"the chat template fails ({failure.kind})"
