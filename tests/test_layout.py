"""The request text is exactly the framing that the bug cases' figures rest on, cut at certain places."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radixlint.errors import ConfigError
from radixlint.layout import OPEN_TURN, WireLayout, layout_names, open_layout
from radixlint.tokenizers import PieceEncoder, is_certain_cut, open_tokenizer
from radixlint.traffic import Message, Request, ToolCall

TEXT = st.text(alphabet=st.sampled_from("aZ1 \n\r\t/<|>'\u0301\u3000\U0001f642"), max_size=20)
CALLS = st.lists(st.builds(ToolCall, name=TEXT, arguments=TEXT), max_size=2).map(tuple)
PLAIN = st.builds(Message, role=TEXT, kept=TEXT, tool_calls=CALLS)
PARTED = st.builds(
    lambda message, parts: Message(message.role, "\n".join(parts), message.tool_calls, tuple(parts)),
    PLAIN,
    st.lists(TEXT, min_size=2, max_size=3),
)
MESSAGES = st.lists(PLAIN | PARTED, max_size=4).map(tuple)
REQUESTS = st.builds(Request, index=st.just(0), tools=st.lists(TEXT, max_size=2).map(tuple), messages=MESSAGES)


def test_tools_stand_first_then_messages_then_the_open_turn() -> None:
    """Tools, messages with their calls, and the open turn are framed as documented, each named by its place."""
    call = ToolCall("find_order", '{"order": 7}')
    request = Request(
        index=0,
        tools=('{"name":"find_order"}', '{"name":"refund"}'),
        messages=(Message("system", "Be kind.\nBe short."), Message("assistant", "", (call, call)), Message("tool", "found")),
    )

    pieces = open_layout().lay_out(request)

    assert [p.where for p in pieces] == [
        "tools[0]",
        "tools[1]",
        "messages[0] system",
        "messages[1] assistant",
        "messages[2] tool",
        OPEN_TURN,
    ]
    assert "".join(p.text for p in pieces) == (
        '<|tool|>{"name":"find_order"}\n<|tool|>{"name":"refund"}\n'
        "<|system|>\nBe kind.\nBe short.\n<|end|>\n"
        '<|assistant|>\n\n<|call|>find_order {"order": 7}\n<|call|>find_order {"order": 7}\n<|end|>\n'
        "<|tool|>\nfound\n<|end|>\n"
        "<|assistant|>\n"
    )
    assert open_layout().name == "tools-first"


BLOCKS = Message("user", "One\nTwo", parts=("One", "Two"))
ASKED = Request(
    index=0, tools=("{}",), messages=(Message("system", "Be kind."), Message("user", "Hi"), Message("assistant", "Yes"), BLOCKS)
)


@pytest.mark.parametrize(
    ("name", "order"),
    [
        ("tools-first", "tools[0] messages[0] messages[1] messages[2] messages[3]"),
        ("openai", "tools[0] messages[0] messages[1] messages[2] messages[3] messages[3]"),
        ("anthropic", "tools[0] messages[0] messages[1] messages[2] messages[3] messages[3]"),
        ("bedrock", "tools[0] messages[0] messages[1] messages[2] messages[3] messages[3]"),
        ("gemini", "messages[0] tools[0] messages[1] messages[2] messages[3] messages[3]"),
        ("system-first", "messages[0] tools[0] messages[1] messages[2] messages[3]"),
        ("tools-before-last-user", "messages[0] messages[1] messages[2] tools[0] messages[3]"),
        ("messages-only", "messages[0] messages[1] messages[2] messages[3]"),
    ],
)
def test_each_layout_has_its_wire_order(name: str, order: str) -> None:
    """Tools stand where the profile says, and content blocks are pieces of their own where it cuts them."""
    pieces = open_layout(name).lay_out(ASKED)

    assert [p.where.split(" ")[0] for p in pieces[:-1]] == order.split(" ")
    assert pieces[-1].where == OPEN_TURN
    assert sorted("".join(p.text for p in pieces)) == sorted(
        "".join(p.text for p in open_layout("tools-first").lay_out(ASKED))
        if name != "messages-only"
        else "".join(p.text for p in open_layout("tools-first").lay_out(ASKED)[1:])
    )


def test_raw_is_the_texts_alone() -> None:
    """A prompt without roles has no marks: its messages' texts, joined, and nothing else."""
    assert [p.text for p in open_layout("raw").lay_out(ASKED)] == ["Be kind.\nHi\nYes\nOne\nTwo"]


def test_an_unknown_layout_is_told_with_the_known_ones() -> None:
    """The message names the flag and all layouts, so that the next try is right."""
    with pytest.raises(ConfigError, match="unknown layout 'qwen'") as error:
        open_layout("qwen")

    assert all(name in str(error.value.hint) for name in layout_names())


@pytest.mark.parametrize("name", [n for n in layout_names() if n != "raw"])
@given(data=st.data())
def test_items_of_the_wire_are_the_pieces(name: str, data: st.DataObject) -> None:
    """The memoised way (items, framed one by one) gives the texts of the pieces, in every layout and for every request."""
    layout = open_layout(name)
    request = data.draw(REQUESTS)
    assert isinstance(layout, WireLayout)

    texts = [text for item in layout.wire(request) for text in layout.texts(item)]

    assert texts == [p.text for p in layout.lay_out(request)]


@given(request=REQUESTS)
def test_cutting_blocks_changes_no_text(request: Request) -> None:
    """A layout that keeps content blocks apart prints what the one that does not prints; marks are as long as they say."""
    cut, whole = (open_layout(name).lay_out(request) for name in ("anthropic", "tools-first"))

    assert "".join(p.text for p in cut) == "".join(p.text for p in whole)
    assert all(p.text[: p.mark_characters].startswith("<|") for p in cut if p.mark_characters)


def test_a_place_is_not_named_by_a_role_of_the_logs_own() -> None:
    """Roles are free text in a log, a name may stand there: only those that the APIs know are part of a place's name."""
    roles = ("system", "developer", "user", "assistant", "tool", "function", "Mallory Smith", "")

    pieces = open_layout().lay_out(Request(index=0, messages=tuple(Message(role, "x") for role in roles)))

    assert [p.where.split(" ", 1)[-1] for p in pieces[:6]] == list(roles[:6])
    assert [p.where for p in pieces[6:8]] == ["messages[6] other role", "messages[7] other role"]


@given(request=REQUESTS)
def test_every_border_is_a_certain_cut(request: Request) -> None:
    """Each piece starts with ``<`` after a newline, so the pieces' ids, joined, are the ids of the prompt."""
    texts = [p.text for p in open_layout().lay_out(request)]
    tokenizer = open_tokenizer("o200k_base")
    encoder = PieceEncoder(tokenizer)

    assert all(text.startswith("<") and text.endswith("\n") for text in texts)
    assert all(is_certain_cut(a, b) for a, b in pairwise(texts))
    assert b"".join(encoder.encode_piece(t) for t in texts) == tokenizer.encode("".join(texts))


@given(request=REQUESTS)
def test_history_is_a_prefix_of_the_next_turn(request: Request) -> None:
    """A request that goes on after an answer starts with the request before, open turn included."""
    answered = Request(
        index=1, tools=request.tools, messages=(*request.messages, Message("assistant", "Done."), Message("user", "More"))
    )

    before = "".join(p.text for p in open_layout().lay_out(request))

    assert "".join(p.text for p in open_layout().lay_out(answered)).startswith(before)
