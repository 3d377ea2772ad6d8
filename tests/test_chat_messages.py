"""Chat messages in YAML and JSON: roles, order, placeholders, places."""

from __future__ import annotations

from pathlib import Path

import pytest

from radixlint.errors import SourceError
from radixlint.prompt import Prompt, Role, Segment, SourceText
from radixlint.sources import read_prompts

FIXTURES = Path(__file__).parent / "fixtures" / "sources"


class Folder:
    """Opens one known partial."""

    def open(self, name: str, from_path: str) -> SourceText | None:
        return SourceText(name, "part {{ now() }}") if name == "part.j2" else None


def prompt(text: str, path: str = "chat.yaml") -> Prompt:
    found = read_prompts(SourceText(path, text), Folder())
    assert found is not None
    assert found.dialect == "chat-messages"
    return found.prompts[0]


def fixture(name: str) -> Prompt:
    return prompt((FIXTURES / name).read_text(encoding="utf-8"), name)


def place(segment: Segment) -> tuple[int, int, int, int]:
    span = segment.span
    return span.line, span.column, span.end_line, span.end_column


def test_order_roles_and_places() -> None:
    """Tools come first, then messages as listed; each part has its role, its message and its place in the YAML."""
    found = fixture("order.yaml").segments

    assert [(s.text, s.role, s.message) for s in found] == [
        ("name: lookup\n    description: finds a plant", Role.TOOLS, 0),
        ("Notes: ", Role.USER, 1),
        ("{{ notes }}", Role.USER, 1),
        ("You know plants.\n\nToday is ", Role.SYSTEM, 2),
        ("{{ today }}", Role.SYSTEM, 2),
        (".\n", Role.SYSTEM, 2),
        ("folded ", Role.ASSISTANT, 3),
        ("{{ answer }}", Role.ASSISTANT, 3),
    ]
    assert place(found[2]) == (7, 22, 7, 33)
    assert place(found[4]) == (12, 16, 12, 27)
    assert place(found[7]) == (16, 7, 16, 19)


def test_block_text_has_a_place_a_character() -> None:
    """In a block scalar each character knows its place, the indentation left out."""
    text = fixture("order.yaml").segments[3]

    assert len(text.offsets) == len(text.text)
    assert text.offsets[0] == (10, 7)
    assert text.offsets[text.text.index("Today")] == (12, 7)


@pytest.mark.parametrize(
    ("scalar", "column"),
    [
        ("'It''s {{ q }}'", 19),
        ('"a\\t\\u00e9 \\"{{ q }}"', 25),
        ("plain {{ q }}", 18),
        ("{{ q }}", 12),
        ("!tag 'x {{ q }}'", 20),
        ("|2-\n    😀 {{ q }}", 7),
    ],
)
def test_values_in_every_kind_of_scalar(scalar: str, column: int) -> None:
    """A placeholder stands at its column however the string is written."""
    found = [s for s in prompt(f"- role: x\n  content: {scalar}\n").segments if s.expression is not None]

    assert [(s.text, s.span.column) for s in found] == [("{{ q }}", column)]


def test_lists_of_pairs_and_system_key() -> None:
    """Pairs of role and text are messages; a system key stands before the messages."""
    pairs = prompt('[["system", "S {x}"], ["human", "{q}"]]', "chat.json").segments
    keyed = prompt("messages:\n- {role: user, content: '{q}'}\nsystem: S\n").segments

    assert [(s.text, s.role) for s in pairs] == [("S ", Role.SYSTEM), ("{x}", Role.SYSTEM), ("{q}", Role.USER)]
    assert [(s.text, s.role, s.message) for s in keyed] == [("S", Role.SYSTEM, 0), ("{q}", Role.USER, 1)]


def test_jinja_in_contents_is_followed() -> None:
    """Statements and includes in a content are followed, their places in the YAML file."""
    found = prompt(
        "- role: system\n  content: |\n    {% include 'part.j2' %}\n    {% for d in docs %}{{ d.text }}{% endfor %}\n"
    ).segments

    assert [s.text for s in found] == ["part ", "{{ now() }}", "\n", "{{ d.text }}", "\n"]
    assert [place(s) for s in found[1::2]] == [(3, 5, 3, 28), (4, 24, 4, 36)]
    assert found[3].controls[0].span.column == 5


def test_broken_jinja_in_a_content_is_a_note() -> None:
    """A content that is no Jinja is read with plain fields, and the file has a note with the line."""
    found = read_prompts(SourceText("c.yaml", "- role: user\n  content: 'a {{ b }} {% c'\n"), Folder())

    assert found is not None
    assert [s.text for s in found.prompts[0].segments] == ["a ", "{{ b }}", " {% c"]
    assert [note.startswith("line 2: ") for note in found.notes] == [True]


def test_documents_are_prompts() -> None:
    """Each document of a YAML stream is a prompt; others are left out."""
    found = read_prompts(
        SourceText("c.yaml", "- {role: user, content: a}\n---\nx: role\n---\n- {role: user, content: b}\n"), Folder()
    )

    assert found is not None
    assert [p.segments[0].text for p in found.prompts] == ["a", "b"]


@pytest.mark.parametrize(
    ("path", "text", "line", "column"),
    [
        ("c.yaml", "- role: user\n  role: x\n  content: y\n", 2, 3),
        ("c.yaml", "a: &n {role: user, content: x}\nmessages: [*n, *m]\n", 2, 16),
        ("c.yaml", "role: user\ncontent: &a [*a]\n", 2, 14),
        ("c.yaml", "role: x\ncontent: " + "[" * 100, 2, 69),
        ("c.yaml", "role: x\ncontent: 'open\n", 3, 1),
        ("c.json", '{"role": "x",\n "content": }', 2, 13),
        ("c.json", '[{"role": "x", "content": ' + "[" * 200, 1, 126),
        ("c.json", '[{"role": "x", "content": "\\q"}]', 1, 27),
        ("c.json", '[{"role": "x", "content": ""}] []', 1, 32),
        ("c.json", '[{"role": "x", "content": "' + "a" * 100_000, 1, 27),
    ],
    ids=[
        "repeated key",
        "alias of nothing",
        "alias of itself",
        "deep yaml",
        "open quote",
        "no value",
        "deep json",
        "bad escape",
        "two values",
        "long open string",
    ],
)
def test_faults_have_a_place(path: str, text: str, line: int, column: int) -> None:
    """A file of messages that does not parse raises at the line and column of the fault."""
    with pytest.raises(SourceError) as caught:
        read_prompts(SourceText(path, text), Folder())

    assert (caught.value.line, caught.value.column) == (line, column)


def test_tags_construct_nothing() -> None:
    """A Python tag is ignored and its text read as text."""
    found = prompt("- role: user\n  content: !!python/object/apply:os.getcwd '{x}'\n").segments

    assert [s.text for s in found] == ["{x}"]
