"""Which API a body is for, its wire order, marks, blocks and parameters."""

from __future__ import annotations

import json

import pytest
from request_bodies import HEALTHY, agent, chat, converse, gemini, invoke, responses, text

from radixlint.prompt import Prompt, RequestFacts, Role, SourceText
from radixlint.sources import read_prompts


class Nothing:
    """Opens no file."""

    def open(self, name: str, from_path: str) -> SourceText | None:
        return None


def prompts(body: object, path: str = "body.json") -> tuple[Prompt, ...]:
    """Return the prompts of a file, none if nothing is found in it."""
    found = read_prompts(SourceText(path, body if isinstance(body, str) else json.dumps(body, indent=1)), Nothing())
    return () if found is None else found.prompts


def facts(body: object) -> RequestFacts:
    """Return the facts of the only body."""
    (prompt,) = prompts(body)
    assert prompt.request is not None
    return prompt.request


def roles(body: object) -> list[Role]:
    """Return who speaks in turn in the only body."""
    (prompt,) = prompts(body)
    found = [segment.role for segment in prompt.segments]
    return [role for at, role in enumerate(found) if at == 0 or role is not found[at - 1]]


@pytest.mark.parametrize(
    ("name", "shape", "provider"),
    [
        ("agent", "anthropic-messages", "anthropic"),
        ("chat", "openai-chat", None),
        ("responses", "openai-responses", None),
        ("gemini", "gemini", "gemini"),
        ("converse", "bedrock-converse", "bedrock"),
        ("invoke", "anthropic-messages", "bedrock"),
        ("batch", "openai-chat", None),
        ("keyed", "gemini", "gemini"),
    ],
)
def test_shape_and_provider(name: str, shape: str, provider: str | None) -> None:
    """The form tells the API, inside of an envelope too; where only the model tells the provider, none is given yet."""
    found = facts(HEALTHY[name]())

    assert (found.shape, found.provider) == (shape, provider)


def test_a_batch_gives_a_prompt_for_each_body() -> None:
    """The bodies of one file have names of their own."""
    assert [prompt.name for prompt in prompts(HEALTHY["requests"]())] == ["body.json:1", "body.json:2"]


def test_wire_order_of_each_api() -> None:
    """Tools come first, but with Gemini, whose system instruction does; what a tool answered is no word of the user."""
    talk = [Role.USER, Role.ASSISTANT, Role.TOOL]

    assert roles(chat()) == [Role.TOOLS, Role.SYSTEM, *talk, Role.USER]
    assert roles(responses()) == [Role.TOOLS, Role.DEVELOPER, *talk, Role.USER]
    assert roles(gemini()) == [Role.SYSTEM, Role.TOOLS, *talk, Role.USER]
    assert roles(converse()) == [Role.TOOLS, Role.SYSTEM, *talk]
    assert roles(agent())[:2] == [Role.TOOLS, Role.SYSTEM]
    assert roles(agent())[-1] is Role.TOOL


@pytest.mark.parametrize(
    "body",
    [
        {"model": "text-embedding-3-small", "input": ["a", "b"]},
        {"model": "text-embedding-3-small", "input": "a"},
        {"model": "m", "contents": "a book"},
        {"contents": ["chapter one"], "title": "a book"},
        {"messages": {"hello": "Hi"}, "model": "m"},
        {"input": [{"type": "text", "name": "field"}], "title": "a form"},
        {"params": {"model": "m"}, "body": {"messages": []}},
    ],
)
def test_other_documents_are_no_bodies(body: object) -> None:
    """Embeddings, forms, books and translations have some of the keys, and are no request for text."""
    assert [prompt.dialect for prompt in prompts(body)] == []


def test_marks_know_their_block_and_place() -> None:
    """A mark stands at its key, ends a segment, and says which block it ends, for how long, and whose it is."""
    body = {
        "model": "claude-any",
        "cache_control": {"type": "ephemeral", "ttl": "5m"},
        "tools": [{"name": "a"}],
        "system": [text("one"), text("two", ttl="1h")],
        "messages": [{"role": "user", "content": "three"}],
    }
    (prompt,) = prompts(body)
    written = json.dumps(body, indent=1).split("\n")
    inner, automatic = facts(body).marks

    assert [prompt.segments[mark.segment].text for mark in (inner, automatic)] == ["two", "three"]
    assert [(mark.block, mark.ttl, mark.is_automatic) for mark in (inner, automatic)] == [(2, "1h", False), (3, "5m", True)]
    assert [written[mark.span.line - 1][mark.span.column - 1 :][:15] for mark in (inner, automatic)] == ['"cache_control"'] * 2
    assert facts(body).blocks == 4


def test_cache_points_end_what_stands_ahead_of_them() -> None:
    """A cache point is a block of its own that is no text and ends the block ahead of it."""
    (prompt,) = prompts(converse())
    found = facts(converse())

    assert [mark.key for mark in found.marks] == ["cachePoint", "cachePoint"]
    assert [prompt.segments[mark.segment].role for mark in found.marks] == [Role.TOOLS, Role.SYSTEM]
    assert [mark.block for mark in found.marks] == [0, 1]


def test_parameters_have_dotted_names_and_places() -> None:
    """What stands beside the texts is a parameter; a placeholder in one makes the body a template."""
    owner = '"metadata": {"user_id": "u-{{ user.id }}"}'
    body = f'{{"model": "m", "max_tokens": 5,\n {owner}, "messages": [{{"role": "user", "content": "a"}}]}}'
    (prompt,) = prompts(body)
    named = {parameter.name: parameter for parameter in facts(body).parameters}

    assert list(named) == ["model", "max_tokens", "metadata.user_id"]
    assert (named["metadata.user_id"].span.line, named["metadata.user_id"].span.column) == (2, 26)
    assert named["metadata.user_id"].expression is not None
    assert named["metadata.user_id"].expression.names == ("user.id",)
    assert named["model"].expression is None
    assert not prompt.is_rendered


def test_a_model_that_is_filled_in_is_not_known() -> None:
    """No minimum is guessed from a placeholder."""
    body = {"model": "{{ model }}", "messages": [{"role": "user", "content": "a"}]}

    assert facts(body).model is None


def test_texts_of_documents_are_read_and_bytes_are_not() -> None:
    """A document given as text is text; a picture or a file leaves an empty part, so that its place is known."""
    content = [
        {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "a plan"}},
        {"type": "document", "source": {"type": "base64", "data": "JVBERi0="}},
        {"type": "redacted_thinking", "data": "ErUB"},
        text("a question"),
    ]
    (prompt,) = prompts({"model": "claude-any", "messages": [{"role": "user", "content": content}]})

    assert [segment.text for segment in prompt.segments] == ["a plan", "", "", "a question"]
    assert facts({"model": "claude-any", "messages": [{"role": "user", "content": content}]}).blocks == 4


@pytest.mark.parametrize("code", ["echo ${HOME}", "```\n${x}\n```"])
def test_variables_of_a_shell_are_no_placeholders(code: str) -> None:
    """Upper-case names and fences are code that was sent."""
    (prompt,) = prompts({"model": "m", "messages": [{"role": "user", "content": code}]})

    assert prompt.is_rendered


def test_invoke_needs_no_model() -> None:
    """The version of the form stands for the model, which is part of the address."""
    assert facts(invoke()).model is None
