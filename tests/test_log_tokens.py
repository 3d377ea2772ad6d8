"""Tokenized requests: ids of every form of a prompt, shared between requests, with blocks, marks and replies on demand."""

from __future__ import annotations

import struct
import tracemalloc
from pathlib import Path
from typing import ClassVar

import pytest

from radixlint.api.log_tokens import LogTokens, TokenOptions, tokenize
from radixlint.errors import ConfigError
from radixlint.layout import open_layout
from radixlint.result.evidence import Evidence
from radixlint.tokenizers import open_tokenizer
from radixlint.traffic import TOKEN_BYTES, CacheMark, Message, Request, TokenMark, ToolCall, Usage

TOKENIZER = "cl100k_base"
ROLE_MARKS = str(Path(__file__).parent / "fixtures" / "layout" / "role_marks.jinja")
ASKED = Request(index=0, tools=("{}",), messages=(Message("system", "Be kind."), Message("user", "Hi")))
IDS = struct.pack("<3I", 7, 8, 9)


def encode(text: str) -> bytes:
    """Return the ids of ``text``."""
    return open_tokenizer(TOKENIZER).encode(text)


def tokens_of(*requests: Request, **options: object) -> LogTokens:
    """Return the tokens of ``requests`` in one vocabulary."""
    return tokenize(requests, TokenOptions(tokenizer=TOKENIZER, **options))  # type: ignore[arg-type]  # names of options


def test_each_form_of_a_prompt_gives_its_ids() -> None:
    """Ids and block ids are taken as given, rendered text is encoded as it is, the rest is laid out."""
    blocks = Request(1, block_ids=IDS, block_tokens=16, prompt_tokens=40)
    ids = Request(2, token_ids=IDS, output_ids=IDS, namespace="n", priority=3, time_s=4.5, host="h")

    laid_out, given_blocks, given_ids, rendered = tokens_of(ASKED, blocks, ids, Request(3, rendered="<s>Hi")).requests

    assert laid_out.tokens == b"".join(encode(p.text) for p in open_layout().lay_out(ASKED))
    assert (given_blocks.tokens, given_blocks.id_tokens, given_blocks.prompt_tokens) == (IDS, 16, 40)
    assert (given_ids.tokens, given_ids.output, given_ids.prompt_tokens) == (IDS, IDS[:-TOKEN_BYTES], 3)
    assert (given_ids.namespace, given_ids.priority, given_ids.time_s, given_ids.host) == ("n", 3, 4.5, "h")
    assert rendered.tokens == encode("<s>Hi")


def test_requests_without_a_prompt_are_left_out_and_the_rest_stays_aligned() -> None:
    """Usage alone has no tokens; ``measured`` and ``positions`` say which request each tokenized one is."""
    bare = Request(0, usage=Usage(prompt_tokens=5))
    requests = (bare, Request(1, token_ids=IDS), bare, Request(3, token_ids=IDS))

    tokens = tokenize(requests)

    assert list(tokens.positions) == [1, 3]
    assert [r.index for r in tokens.measured] == [r.index for r in tokens.requests] == [1, 3]
    assert (tokens.tokenizer, tokens.layout_name, tokens.evidence) == ("ids given", "ids given", Evidence.MEASURED)


def test_the_sequence_can_be_read_in_any_order() -> None:
    """Positions, negative ones and slices give the same requests as going through it."""
    requests = tokens_of(*(Request(i, messages=(Message("user", f"Hi {i}"),)) for i in range(5))).requests

    assert list(requests) == [requests[i] for i in range(5)]
    assert requests[-1] == requests[4]
    assert list(requests[1:4:2]) == [requests[1], requests[3]]
    with pytest.raises(IndexError):
        requests[5]


def test_shared_messages_are_held_once() -> None:
    """A log of growing conversations is held in less than a tenth of its ids."""
    history = [Message("user", f"{i} " + "word " * 200) for i in range(100)]
    grown = [Request(i, messages=tuple(history[: i + 1])) for i in range(100)]
    open_tokenizer(TOKENIZER)

    tracemalloc.start()
    tokens = tokens_of(*grown)
    held_bytes = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()

    assert 10 * held_bytes < sum(len(r.tokens) for r in tokens.requests)


def test_shared_beginnings_of_rendered_prompts_are_held_once() -> None:
    """Prompts known as text alone share what they begin with as well."""
    start = "".join(f"{i} words. " for i in range(5_000))
    requests = [Request(i, rendered=f"{start}question {i}") for i in range(100)]
    open_tokenizer(TOKENIZER)

    tracemalloc.start()
    tokens = tokens_of(*requests)
    held_bytes = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()

    assert [r.tokens for r in tokens.requests] == [encode(f"{start}question {i}") for i in range(100)]
    assert 10 * held_bytes < sum(len(r.tokens) for r in tokens.requests)


def test_blocks_and_marks_stand_where_their_pieces_end() -> None:
    """Ends count tokens in wire order; a mark is behind its tool or content block, the open turn ends no block."""
    parts = Message("user", "One\nTwo", (ToolCall("f", "{}"),), parts=("One", "Two"))
    marks = (CacheMark(tool=0, ttl_s=60.0), CacheMark(message=1, part=1), CacheMark(message=1, part=2))
    request = Request(0, tools=("{}",), messages=(Message("system", "Be kind."), parts), marks=marks)
    layout = open_layout("anthropic")

    found = tokens_of(request, layout="anthropic", with_blocks=True).requests[0]

    lengths = [len(encode(p.text)) // TOKEN_BYTES for p in layout.lay_out(request)]
    ends = [sum(lengths[: i + 1]) for i in range(len(lengths))]
    assert found.block_ends == tuple(ends[:-1])
    assert found.marks == (TokenMark(ends[0], 60.0), TokenMark(ends[3]), TokenMark(ends[4]))
    assert tokens_of(request, layout="anthropic").requests[0].block_ends == ()


def test_marks_follow_the_wire_order_of_the_layout() -> None:
    """Where tools stand behind the system text, so do their marks; a mark inside a whole message is at its end."""
    parts = Message("user", "One\nTwo", parts=("One", "Two"))
    marks = (CacheMark(tool=0), CacheMark(message=0), CacheMark(message=1, part=0))
    request = Request(0, tools=("{}",), messages=(Message("system", "Be kind."), parts), marks=marks)

    found = tokens_of(request, layout="system-first", with_blocks=True).requests[0]

    assert [m.end_tokens for m in found.marks] == list(found.block_ends)
    assert len(found.block_ends) == 3


def test_blocks_of_a_rendered_prompt_end_where_their_texts_do() -> None:
    """With a chat template the ends are those of the texts as found in the prompt."""
    found = tokens_of(Request(0, messages=ASKED.messages), chat_template=ROLE_MARKS, with_blocks=True).requests[0]

    texts = ("<|system|>\nBe kind.", "<|system|>\nBe kind.<|user|>\nHi")
    assert found.block_ends == tuple(len(encode(text)) // TOKEN_BYTES for text in texts)


def test_replies_enter_the_cache_only_when_asked() -> None:
    """A stored reply goes on from the prompt as the history shows it, but for the last token; logged ids go first."""
    answered = Request(0, messages=ASKED.messages, reply=Message("assistant", "Hello there."))
    history = Request(1, messages=(*ASKED.messages, Message("assistant", "Hello there."), Message("user", "Bye")))

    plain = tokens_of(answered).requests[0]
    stored, later = tokens_of(answered, history, store_outputs=True).requests

    assert plain.output == b""
    assert later.tokens.startswith(stored.tokens + stored.output)
    assert stored.output == encode("<|assistant|>\nHello there.\n<|end|>\n")[len(encode("<|assistant|>\n")) : -TOKEN_BYTES]


def test_a_reply_that_does_not_go_on_from_the_prompt_is_stored_as_its_own_text() -> None:
    """Where the history's tokens differ from the prompt's at the open turn, generated text stands right behind the prompt."""
    answered = Request(0, messages=ASKED.messages, reply=Message("assistant", "Hello there."))

    stored = tokens_of(answered, chat_template=ROLE_MARKS, store_outputs=True).requests[0]

    assert stored.output == encode("Hello there.")[:-TOKEN_BYTES]


def test_requests_that_a_template_refuses_are_counted_and_left_out(tmp_path: Path) -> None:
    """One refusal is a note with its reason; when all are refused there is nothing to measure."""
    template = tmp_path / "t.jinja"
    template.write_text("{% if not messages[1] %}{{ raise_exception('two messages needed') }}{% endif %}ok", encoding="utf-8")
    short = Request(1, messages=ASKED.messages[:1])

    tokens = tokens_of(ASKED, short, chat_template=str(template))

    assert [r.index for r in tokens.measured] == [0]
    assert tokens.notes == ("Left out 1 request that cannot be laid out: the chat template says: two messages needed.",)
    with pytest.raises(ConfigError, match="no request can be laid out: the chat template says: two messages needed"):
        tokens_of(short, chat_template=str(template))


def test_a_template_with_a_date_is_told(tmp_path: Path) -> None:
    """Who reads the report learns that the head of the prompt changes each day."""
    template = tmp_path / "t.jinja"
    template.write_text("{{ strftime_now('%d %b %Y') }}", encoding="utf-8")

    assert any("prints the date" in note for note in tokens_of(ASKED, chat_template=str(template)).notes)


def test_the_vocabulary_of_each_model_is_used_and_named() -> None:
    """Without a tokenizer the model decides; an unknown model is read in the default vocabulary and marked."""
    requests = [Request(0, model="gpt-4", messages=ASKED.messages), Request(1, model="own", messages=ASKED.messages)]

    tokens = tokenize(requests)

    assert tokens.requests[0].tokens == encode("".join(p.text for p in open_layout().lay_out(requests[0])))
    assert (tokens.tokenizer, tokens.evidence) == ("cl100k_base, o200k_base", Evidence.ASSUMED)
    assert tokenize(requests[:1]).evidence is Evidence.STATIC


class Joining:
    """A tokenizer without certain cuts: pairs of bytes are one token, so where a text is cut decides all ids behind it."""

    name, cuts, assumption, is_lossless = "joining", None, "", False
    specials: ClassVar[dict[str, int]] = {}

    def encode(self, text: str) -> bytes:
        data = text.encode()
        return b"".join(int.from_bytes(data[at : at + 2], "little").to_bytes(4, "little") for at in range(0, len(data), 2))

    def decode(self, ids: bytes) -> str:
        return b"".join(ids[at : at + 2] for at in range(0, len(ids), 4)).decode()

    def reading_specials(self) -> Joining:
        return self


@pytest.fixture
def joining(monkeypatch: pytest.MonkeyPatch) -> Joining:
    """Put ``Joining`` in the place of every tokenizer."""
    tokenizer = Joining()
    monkeypatch.setattr("radixlint.api.log_tokens.open_tokenizer", lambda name: tokenizer)
    return tokenizer


def test_a_vocabulary_without_certain_cuts_is_given_the_whole_prompt(joining: Joining) -> None:
    """No border is certain there: the ids are those of the joined text, and blocks end at about their text's end."""
    request = Request(0, tools=("{}",), messages=ASKED.messages, marks=(CacheMark(message=0),))
    pieces = open_layout().lay_out(request)

    found = tokens_of(request, with_blocks=True).requests[0]

    assert any(len(piece.text) % 2 for piece in pieces)
    assert found.tokens == joining.encode("".join(piece.text for piece in pieces))
    ends = [-(-sum(len(p.text) for p in pieces[: i + 1]) // 2) for i in range(len(pieces) - 1)]
    assert (found.block_ends, found.marks) == (tuple(ends), (TokenMark(ends[1]),))


def test_a_layout_of_blocks_encodes_them_apart_in_any_vocabulary(joining: Joining) -> None:
    """Where an API keeps content blocks apart, a breakpoint is a border whatever follows it."""
    found = tokens_of(ASKED, layout="anthropic").requests[0]

    assert found.tokens == b"".join(joining.encode(piece.text) for piece in open_layout("anthropic").lay_out(ASKED))


def test_a_stored_reply_goes_on_from_the_prompt_without_certain_cuts_too(joining: Joining) -> None:
    """If the joined history begins with the prompt's own ids, the rest is the output; else it is the reply's text alone."""
    replies = [Message("assistant", "Hello."), Message("assistant", "Hello there.")]
    prompt = "".join(piece.text for piece in open_layout().lay_out(ASKED))

    for reply in replies:
        (stored,) = tokens_of(Request(0, tools=ASKED.tools, messages=ASKED.messages, reply=reply), store_outputs=True).requests
        history = joining.encode(f"{prompt}{reply.text}\n<|end|>\n")
        goes_on = history.startswith(joining.encode(prompt))
        expected = history[len(joining.encode(prompt)) :] if goes_on else joining.encode(reply.text)
        assert stored.output == expected[:-TOKEN_BYTES]


def test_forgetting_messages_changes_no_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    """With room for two messages the ids are those with room for all."""
    requests = [Request(i, messages=(*ASKED.messages, Message("user", f"Hi {i % 3}"))) for i in range(9)]
    roomy = list(tokens_of(*requests).requests)

    monkeypatch.setattr("radixlint.api.prompt_encoder._MOST_ITEMS", 2)

    assert list(tokens_of(*requests).requests) == roomy
