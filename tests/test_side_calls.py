"""A call that looks at a conversation from under another prefix is told from the conversation itself."""

from __future__ import annotations

import json

import pytest

from radixlint.explain.side_calls import is_side_call
from radixlint.pieces import Item
from tests.edited_requests import Talk

SEEDS = range(20)


def _main(talk: Talk) -> list[Item]:
    tools = [talk.maker.tool(json.dumps({"name": f"tool_{at}", "description": talk.words(20)})) for at in range(3)]
    return [*tools, talk.system, *talk.turns(5), talk.question()]


@pytest.mark.parametrize("seed", SEEDS)
def test_summary_title_and_sub_agent_calls_are_side_calls(seed: int) -> None:
    """A transcript in one message, the same messages, or the first question alone, under other instructions or none."""
    talk = Talk(seed)
    theirs = _main(talk)
    body = theirs[4:]
    other = talk.maker.message("system", f"Sum up what was said. {talk.words(15)}")
    transcript = "\n".join(f"{item.role}: {item.text}" for item in body)
    ask = talk.maker.message("user", "Write a summary of all of this now.")

    assert is_side_call([other, talk.maker.message("user", f"Here it is:\n{transcript}")], theirs)
    assert is_side_call([other, *body, ask], theirs)
    assert is_side_call([other, body[0]], theirs)
    assert is_side_call([*body, ask], theirs)
    assert is_side_call([other, talk.maker.message("user", json.dumps({"log": transcript}))], theirs)


@pytest.mark.parametrize("seed", SEEDS)
def test_conversation_under_its_own_head_is_no_side_call(seed: int) -> None:
    """Growth, a clock in the instructions, shuffled or fewer tools, and another conversation are none."""
    talk = Talk(seed)
    theirs = _main(talk)
    tools, body = theirs[:3], theirs[4:]
    lines = talk.system.text.split("\n")
    timed = talk.maker.message("system", "\n".join([f"now {seed}", *lines[1:]]))

    assert not is_side_call(talk.grown(theirs), theirs)
    assert not is_side_call([*tools, timed, *body, talk.answer(), talk.question()], theirs)
    assert not is_side_call([*reversed(tools), *theirs[3:]], theirs)
    assert not is_side_call(theirs[3:], theirs)
    assert not is_side_call([talk.maker.message("system", talk.words(80)), *talk.turns(3)], theirs)


def test_nothing_to_compare_is_no_side_call() -> None:
    """Without instructions in either, or without a word, nothing is told."""
    talk = Talk(1)
    body = talk.turns(2)

    assert not is_side_call(body, body)
    assert not is_side_call([talk.system], body)
    assert not is_side_call([], [])


def test_scripts_without_blanks_are_read_by_the_character() -> None:
    """A transcript in a script without blanks between words is found, too."""
    talk = Talk(2)
    said = "\u6c34\u66dc\u65e5\u306b\u8377\u7269\u304c\u5c4a\u304d\u307e\u305b\u3093\u3067\u3057\u305f"
    theirs = [talk.system, talk.maker.message("user", said), *talk.turns(1)]
    other = talk.maker.message("system", "Write a title.")

    assert is_side_call([other, talk.maker.message("user", f"user:{said}")], theirs)
