"""What explains a log works for every layout and every form of a prompt, and shows no text that it should not."""

from __future__ import annotations

from array import array
from pathlib import Path

import pytest

from radixlint.api.log_tokens import LogTokens, TokenCounter, TokenOptions, tokenize
from radixlint.explain import LaidOutTexts, branch_points, longest_shared_tokens, prefix_tree
from radixlint.layout import layout_names
from radixlint.privacy import Crowd, Disclosure, crowd_note, crowd_of
from radixlint.providers import load_policy
from radixlint.replay import replay
from radixlint.result.measurement import Break, Show, TreeLimits
from radixlint.traffic import Message, Request

ROLE_MARKS = str(Path(__file__).parent / "fixtures" / "layout" / "role_marks.jinja")
RULES = "\n".join(f"{n}. Rule number {n} of the house is not to be bent by anyone." for n in range(1, 30))
LAYOUTS = [{"layout": name} for name in layout_names()] + [{"chat_template": ROLE_MARKS}]


def asked(index: int) -> Request:
    """Return a question behind a clock and common rules, in a conversation of its own."""
    clock = Message("system", f"Now: 10:{index:02d}\n{RULES}")
    return Request(index, session=f"s{index}", tools=('{"name":"find"}',), messages=(clock, Message("user", "Where is it?")))


def explained(tokens: LogTokens, show: Show = Show.SHARED) -> tuple[tuple[Break, ...], str]:
    """Return the breaks, and the drawn tree as text."""
    replayed = replay(tokens.requests, load_policy("vllm"))
    crowd = crowd_of(tokens.measured)
    texts = LaidOutTexts(tokens.measured, tokens.layout)
    disclosure = Disclosure(show, crowd, texts.text, TokenCounter(tokens.tokenizer, tokens.measured))
    points = branch_points(tokens.requests, replayed, crowd.chains, texts, disclosure, 5)
    return points.breaks, repr(prefix_tree(tokens.requests, texts, disclosure, TreeLimits()))


@pytest.mark.parametrize("options", LAYOUTS, ids=str)
def test_a_clock_is_found_at_its_place_in_every_layout(options: dict[str, str]) -> None:
    """The place names the message and the line, whatever frames it; without roles it names the prompt."""
    tokens = tokenize([asked(i) for i in range(8)], TokenOptions(tokenizer="o200k_base", **options))

    breaks, tree = explained(tokens)

    place = "prompt" if options == {"layout": "raw"} else "messages[0] system"
    assert breaks[0].where == f"{place} line 1"
    assert breaks[0].requests == 7
    assert breaks[0].values == 8
    assert breaks[0].before.startswith("<time, minute>\n1. Rule number 1 of the house")
    assert place in tree


@pytest.mark.parametrize("options", LAYOUTS, ids=str)
def test_texts_and_places_cover_the_whole_prompt(options: dict[str, str]) -> None:
    """Every offset of a text has a place, and content never starts in front of the offset asked for."""
    tokens = tokenize([asked(0)], TokenOptions(tokenizer="o200k_base", **options))
    texts = LaidOutTexts(tokens.measured, tokens.layout)
    text = texts.text(0)

    for offset in range(len(text) + 1):
        assert texts.place(0, offset).where
        assert offset >= texts.place(0, offset).line_start
        assert offset <= texts.content_start(0, offset) <= len(text)


def test_block_ids_are_explained_in_tokens() -> None:
    """A trace of block ids gives positions in tokens, not in ids, and a last block that is not full counts for what it is."""
    rows = ([1, 2, 3], [1, 2, 4], [1, 2, 5, 6], [1, 2])
    lengths = (40, 48, 60, 32)
    requests = [
        Request(i, block_ids=array("I", row).tobytes(), block_tokens=16, prompt_tokens=length)
        for i, (row, length) in enumerate(zip(rows, lengths, strict=True))
    ]
    tokens = tokenize(requests)

    breaks, tree = explained(tokens)

    assert longest_shared_tokens(replay(tokens.requests, load_policy("vllm"))) == 32
    assert [b.token_index for b in breaks] == [32]
    assert "tokens=32" in tree


def test_rendered_prompts_alone_show_no_text() -> None:
    """Nothing tells whose history a rendered prompt repeats: all are one conversation, and the report says so."""
    rendered = [Request(i, rendered=f"<|user|>\nMy name is Mallory\n<|user|>\nQuestion {i}") for i in range(8)]
    tokens = tokenize(rendered, TokenOptions(tokenizer="o200k_base"))

    breaks, tree = explained(tokens)

    crowd = crowd_of(rendered)
    assert len(set(crowd.conversations)) == 1
    assert "Mallory" not in repr(breaks) + tree
    assert "could be told apart" in (crowd_note(rendered, crowd) or "")


def test_rendered_prompts_of_named_sessions_are_their_own_conversations() -> None:
    """Where the log names sessions, enough of them let a common text be shown."""
    rendered = [Request(i, session=f"s{i}", rendered=f"{RULES}\nQuestion {i}") for i in range(8)]
    tokens = tokenize(rendered, TokenOptions(tokenizer="o200k_base"))

    _, tree = explained(tokens)

    assert crowd_of(rendered) == Crowd(tuple(range(8)), (None,) * 8, False, tuple(range(8)))
    assert "Rule number 1" in tree
