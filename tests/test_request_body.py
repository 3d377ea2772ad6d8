"""Request bodies: wire order per provider, cache marks, rendered or template."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from radixlint.prompt import Prompt, Role, SourceText
from radixlint.sources import read_prompts

FIXTURES = Path(__file__).parent / "fixtures" / "sources"


class Nothing:
    """Opens no file."""

    def open(self, name: str, from_path: str) -> SourceText | None:
        return None


def prompt(body: object) -> Prompt:
    text = body if isinstance(body, str) else json.dumps(body)
    found = read_prompts(SourceText("body.json", text), Nothing())
    assert found is not None
    assert found.dialect == "request-body"
    return found.prompts[0]


def test_anthropic_body() -> None:
    """Tools come first, then system, then messages; a cache mark ends the block that carries it; nothing is a value."""
    found = prompt((FIXTURES / "marked.json").read_text(encoding="utf-8"))

    assert [(s.text, s.role, s.is_breakpoint) for s in found.segments] == [
        ('{"name": "a"}', Role.TOOLS, False),
        ('{"name": "b"}', Role.TOOLS, True),
        ("first\nsecond", Role.SYSTEM, True),
        ("now 10:11", Role.SYSTEM, False),
        ("late", Role.USER, False),
        ("", Role.USER, False),
    ]
    assert [s.message for s in found.segments] == [0, 1, 2, 3, 4, 4]
    assert (found.is_rendered, found.has_breakpoints) == (True, True)


def test_places_behind_escapes() -> None:
    """A string with escapes has a place a character, one without stands as it is."""
    first, second = prompt((FIXTURES / "marked.json").read_text(encoding="utf-8")).segments[2:4]

    assert (first.span.line, first.span.column, first.span.end_column) == (6, 31, 44)
    assert first.offsets[5:7] == ((6, 36), (6, 38))
    assert (second.span.line, second.span.column, second.offsets) == (7, 31, ())


def test_openai_body() -> None:
    """Messages stay as listed, parts and calls are read, and without marks there are no breakpoints."""
    found = prompt(
        {
            "model": "gpt-any",
            "messages": [
                {"role": "developer", "content": "D"},
                {
                    "role": "user",
                    "content": [{"type": "text", "text": "U"}, {"type": "image_url", "image_url": {"url": "data:x"}}],
                },
                {"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]},
                {"role": "tool", "content": "T"},
            ],
            "tools": [{"type": "function"}],
        }
    )

    assert [(s.text, s.role, s.message) for s in found.segments] == [
        ('{"type": "function"}', Role.TOOLS, 0),
        ("D", Role.DEVELOPER, 1),
        ("U", Role.USER, 2),
        ("", Role.USER, 2),
        ('{"id": "1"}', Role.ASSISTANT, 3),
        ("T", Role.TOOL, 4),
    ]
    assert (found.is_rendered, found.has_breakpoints) == (True, False)


def test_tool_blocks() -> None:
    """A tool call is its source text, a tool result is text of the tool role."""
    blocks = [{"type": "tool_use", "id": "1", "input": {}}, {"type": "tool_result", "content": [{"type": "text", "text": "R"}]}]
    found = prompt({"model": "claude", "messages": [{"role": "user", "content": blocks}]})

    assert [(s.text, s.role) for s in found.segments] == [
        ('{"type": "tool_use", "id": "1", "input": {}}', Role.USER),
        ("R", Role.TOOL),
    ]


@pytest.mark.parametrize("mark", [{"type": "ephemeral"}, {"type": "ephemeral", "ttl": "1h"}])
def test_marks_without_text(mark: dict[str, str]) -> None:
    """A mark on an image is kept on an empty part, one on the body on the last part."""
    image = {"type": "image", "source": {}, "cache_control": mark}
    on_image = prompt({"model": "claude", "messages": [{"role": "user", "content": [image]}]})
    on_body = prompt({"model": "claude", "cache_control": mark, "messages": [{"role": "user", "content": "a"}]})

    assert [(s.text, s.role, s.is_breakpoint) for s in on_image.segments] == [("", Role.USER, True)]
    assert [(s.text, s.is_breakpoint) for s in on_body.segments] == [("a", True)]


def test_placeholders_make_a_template() -> None:
    """A body with placeholders keeps its wire order, and is not rendered."""
    found = prompt(
        {
            "model": "m",
            "messages": [{"role": "user", "content": "{{ question }}"}],
            "system": "At {{ now() }}",
            "tools": [{"name": "{{ tool_name }}"}],
        }
    )

    assert [s.text for s in found.segments] == ['{"name": "', "{{ tool_name }}", '"}', "At ", "{{ now() }}", "{{ question }}"]
    assert not found.is_rendered


def test_repeated_keys() -> None:
    """Of two equal keys the last counts, with a note that names the line."""
    found = read_prompts(
        SourceText("b.json", '{"model": "m", "messages": [],\n"messages": [{"role": "user", "content": "x"}]}'), Nothing()
    )

    assert found is not None
    assert [s.text for s in found.prompts[0].segments] == ["x"]
    assert found.notes == ("key 'messages' is repeated at line 2, the last one counts",)


def test_surrogates() -> None:
    """A pair of surrogate escapes is one character at its place, half a pair is the replacement character."""
    text = '{"model": "m", "messages": [{"role": "user", "content": "\\ud83d\\ude00a\\ud83d"}]}'
    (found,) = prompt(text).segments

    assert found.text == "\U0001f600a\ufffd"
    assert found.offsets[1] == (1, text.index("a\\ud83d") + 1)


def test_code_in_a_rendered_body_is_text() -> None:
    """Single braces among other braces or in a code fence are code that was sent, not placeholders."""
    for content in ('run {x} in {"a": 1}', "```\nf'{x}'\n```"):
        found = prompt({"model": "m", "messages": [{"role": "user", "content": content}]})

        assert [s.text for s in found.segments] == [content]
        assert found.is_rendered
