"""Prompts logged as a chat template rendered them: their turns, and the text of changed turns."""

from __future__ import annotations

import doctest

import pytest
from msgspec import structs

from radixlint.rewrites import rendered_turns
from radixlint.rewrites.rendered_turns import rendered_again, turns_in, with_turns
from radixlint.traffic import Message, Request

SPOKEN = [("system", "Be kind.\nBe brief."), ("user", "Hello"), ("assistant", "Hi!"), ("user", "How are\n\nyou?")]


def written(frames: dict[str, tuple[str, str]], front: str, tail: str) -> str:
    """Return the conversation as a chat template of these frames writes it."""
    return front + "".join(f"{frames[role][0]}{text}{frames[role][1]}" for role, text in SPOKEN) + tail


def uniform(head: str, foot: str, **names: str) -> dict[str, tuple[str, str]]:
    return {role: (head.format(names.get(role, role)), foot) for role in ("system", "user", "assistant")}


RENDERED = {
    "chatml": written(uniform("<|im_start|>{}\n", "<|im_end|>\n"), "", "<|im_start|>assistant\n"),
    "thinking": written(uniform("<|im_start|>{}\n", "<|im_end|>\n"), "", "<|im_start|>assistant\n<think>\n\n</think>\n\n"),
    "headers": written(
        uniform("<|start_header_id|>{}<|end_header_id|>\n\n", "<|eot_id|>"),
        "<|begin_of_text|>",
        "<|start_header_id|>assistant<|end_header_id|>\n\n",
    ),
    "channels": written(
        uniform("<|start|>{}<|message|>", "<|end|>", assistant="assistant<|channel|>final"), "", "<|start|>assistant"
    ),
    "role marks": written(uniform("<|{}|>\n", "<|end|>\n"), "", "<|assistant|>\n"),
    "wide bars": written(
        {
            "system": ("", ""),
            "user": ("<\uff5cUser\uff5c>", ""),
            "assistant": ("<\uff5cAssistant\uff5c>", "<\uff5cend\u2581of\u2581sentence\uff5c>"),
        },
        "<\uff5cbegin\u2581of\u2581sentence\uff5c>",
        "<\uff5cAssistant\uff5c>",
    ),
    "turns": written(uniform("<start_of_turn>{}\n", "<end_of_turn>\n", assistant="model"), "<bos>", "<start_of_turn>model\n"),
    "brackets": written(
        {"system": ("[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]"), "user": ("[INST]", ""), "assistant": ("[/INST]", "</s>")},
        "<s>",
        "[/INST]",
    ),
    "words": written(
        {"system": ("System: ", "\n\n"), "user": ("Human: ", "\n\n"), "assistant": ("Assistant: ", "\n\n")}, "", "Assistant:\n"
    ),
}


@pytest.mark.parametrize("kind", RENDERED)
def test_turns_are_told_apart(kind: str) -> None:
    """Each kind of chat template gives the same roles and texts, without marks and without the open turn."""
    found = [(message.role, message.text) for message in turns_in(RENDERED[kind])]

    assert found == SPOKEN


@pytest.mark.parametrize("kind", RENDERED)
def test_changed_turns_are_written_as_the_template_does(kind: str) -> None:
    """A word put into a turn stands in the rendered text where the turn stands, and nothing else changes."""
    (logged,) = with_turns([Request(0, rendered=RENDERED[kind])])
    messages = [structs.replace(m, kept=m.text.replace("Hello", "Good day")) for m in logged.messages]

    changed = rendered_again(structs.replace(logged, messages=tuple(messages)), logged)

    assert changed.rendered == RENDERED[kind].replace("Hello", "Good day")


@pytest.mark.parametrize(
    "text", ["", "Once upon a time", "A story.\nUser: hello\nThe end.", "<|im_start|>assistant\nAlone<|im_end|>\n", "[/INST]"]
)
def test_a_text_without_a_users_turn_is_left_alone(text: str) -> None:
    """No turns are made up: such prompts are the same objects as before."""
    requests = [Request(0, rendered=text)]

    assert with_turns(requests) is requests


def test_marks_in_a_turn_of_another_template_are_text() -> None:
    """A user who quotes the marks of another template is not cut apart."""
    text = "<|im_start|>user\nWhat does [INST] mean?\nUser: me<|im_end|>\n<|im_start|>assistant\n"

    assert [message.text for message in turns_in(text)] == ["What does [INST] mean?\nUser: me"]


def test_equal_turns_are_one_object() -> None:
    """A history that is repeated is held once."""
    first, second = with_turns([Request(i, rendered=RENDERED["chatml"]) for i in range(2)])

    assert all(one is other for one, other in zip(first.messages, second.messages, strict=True))


def test_a_request_that_did_not_change_stays_itself() -> None:
    """Nothing is written anew without need, for ids that were given would be lost."""
    (logged,) = with_turns([Request(0, rendered=RENDERED["chatml"], token_ids=b"\1\0\0\0")])
    same = structs.replace(logged, messages=tuple(Message(m.role, m.text, extra=m.extra) for m in logged.messages))

    assert rendered_again(same, logged) is same


def test_the_example_in_the_text_holds() -> None:
    """What the docstring shows is what comes out."""
    assert doctest.testmod(rendered_turns).failed == 0
