"""Texts of messages kept as ids: they read as before, in every layout and vocabulary, and are not held twice."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from radixlint.api.kept_texts import FramedText, PieceTexts
from radixlint.api.log_tokens import TokenOptions, tokenize
from radixlint.layout import open_layout
from radixlint.traffic import KeptText, Message, Request, ToolCall

LONG = "Caf\xe9 \U0001f600, a text with many words. " * 9
TEXTS = (LONG, LONG + "x", "\n" + LONG + " \n\n", "short", "", "<|end|>\n" * 30, "\u4e2d\u6587" * 60, "\ud83d lone " + LONG)
ROLE_MARKS = str(Path(__file__).parent / "fixtures" / "layout" / "role_marks.jinja")


def messages() -> list[Message]:
    """Return messages of all kinds: long and short, of several blocks, with calls, of an odd role."""
    plain = [Message(role, text) for text in TEXTS for role in ("system", "user", "odd<role>")]
    blocks = Message("user", "\n".join(TEXTS[:2]), parts=TEXTS[:2])
    calls = [Message("assistant", text, (ToolCall("find", '{"a": 1}'),)) for text in ("", LONG)]
    return [*plain, blocks, *calls, Message("tool", LONG, extra='{"tool_call_id":"1"}')]


def kept(held: Sequence[Message]) -> int:
    """Count the messages whose text is held as ids."""
    return sum(isinstance(message.kept, FramedText) for message in held)


@pytest.mark.parametrize("tokenizer", ["cl100k_base", "o200k_base", "bytes"])
@pytest.mark.parametrize("layout", ["tools-first", "anthropic", "raw"])
def test_messages_read_as_before(layout: str, tokenizer: str) -> None:
    """Text, equality, hash and laid-out pieces stay what they were."""
    held, fresh = messages(), messages()
    request = Request(0, messages=tuple(held))
    before = open_layout(layout).lay_out(Request(0, messages=tuple(fresh)))

    tokens = tokenize([request], TokenOptions(tokenizer=tokenizer, layout=layout))

    assert [message.text for message in held] == [message.text for message in fresh]
    assert held == fresh
    assert list(map(hash, held)) == list(map(hash, fresh))
    assert tokens.layout.lay_out(request) == before


def test_long_texts_are_held_as_ids_where_these_read_back_exactly() -> None:
    """Short ones, those with lone surrogates, in several pieces or with calls stay; so do all that a chat template renders."""
    held = messages()
    tokenize([Request(0, messages=tuple(held))], TokenOptions(tokenizer="cl100k_base"))
    rendered = messages()[:3]
    tokenize([Request(0, messages=tuple(rendered))], TokenOptions(tokenizer="cl100k_base", chat_template=ROLE_MARKS))

    assert [isinstance(message.kept, FramedText) for message in held[::3][:8]] == [
        len(t) > 95 and t[0] != "\ud83d" for t in TEXTS
    ]
    assert kept(held) == 3 * 6 - 3 + 2
    assert kept(rendered) == 0


def test_a_message_of_two_vocabularies_has_the_ids_of_each() -> None:
    """A text that is kept as ids of one vocabulary is encoded anew for another, time and again the same."""
    message, models = Message("user", LONG), ("gpt-4", "gpt-4o", "gpt-4", "gpt-4o")
    mixed = tokenize([Request(i, model=model, messages=(message,)) for i, model in enumerate(models)])
    alone = [tokenize([Request(i, model=model, messages=(Message("user", LONG),))]) for i, model in enumerate(models)]

    assert [r.tokens for r in mixed.requests] == [a.requests[0].tokens for a in alone]
    assert mixed.requests[0].tokens != mixed.requests[1].tokens
    assert message.text == LONG


def test_what_was_read_lately_is_not_decoded_again_and_the_memory_is_bounded() -> None:
    """A text is decoded once while few are read, and again when more characters were read since than are remembered."""
    decoded: list[bytes] = []

    def decode(ids: bytes) -> str:
        decoded.append(ids)
        return "x" * (1 << 10)

    texts = PieceTexts(decode)
    pieces = [piece.to_bytes(4, "little") for piece in range(4_096)]
    for piece in (pieces[0], pieces[0], *pieces, pieces[0]):
        assert len(texts.text(piece)) == 1 << 10
    assert decoded == [*pieces, pieces[0]]


def test_a_text_is_kept_in_any_form_that_gives_it() -> None:
    """A message asks whatever keeps its text, and is equal to one that holds the text itself."""

    class Twice:
        def text(self) -> str:
            return "ab" * 2

    form: KeptText = Twice()
    message = Message("user", "abab")
    message.keep(form)

    assert (message.text, message == Message("user", "abab"), message == Message("user", "ab")) == ("abab", True, False)
