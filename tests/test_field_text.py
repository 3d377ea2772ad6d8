"""Text with fields: what is a field, what is text, and where each stands."""

from __future__ import annotations

import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radixlint.prompt import Expression, Segment, SourceText
from radixlint.sources import read_prompts

FIXTURES = Path(__file__).parent / "fixtures" / "sources"


class Nothing:
    """Opens no file."""

    def open(self, name: str, from_path: str) -> SourceText | None:
        return None


def segments(text: str, path: str = "prompt.md") -> tuple[Segment, ...]:
    found = read_prompts(SourceText(path, text), Nothing())
    assert found is not None
    return found.prompts[0].segments


def test_fields_in_order_with_their_places() -> None:
    """Fields and text come in order; doubled braces are one brace in the text, with a place a character."""
    found = segments((FIXTURES / "fields.md").read_text(encoding="utf-8"))

    assert [s.text for s in found] == [
        "# Plant guide\nDate: ",
        "{date:%H:%M}",
        ", guest: ",
        "{guest.name}",
        "\nSay {hi}.\n",
        "{question}",
        "\n",
    ]
    assert [(s.span.line, s.span.column, s.span.end_column) for s in found if s.expression] == [
        (2, 7, 19),
        (2, 28, 40),
        (4, 1, 11),
    ]
    assert found[4].offsets[5:9] == ((3, 5), (3, 7), (3, 8), (3, 9))
    assert found[0].offsets == ()


@pytest.mark.parametrize(
    ("field", "names", "constants"),
    [
        ("{name}", ("name",), ()),
        ("{name!r}", ("name",), ()),
        ("{day:%Y-%m-%d}", ("day",), ("%Y-%m-%d",)),
        ("{price:>8.2f}", ("price",), (">8.2f",)),
        ("{x:{width}}", ("x", "width"), ("{width}",)),
        ("{a.b}", ("a.b",), ()),
        ("{a[0].c}", ("a.c",), ()),
        ("{a[key]}", ("a.key",), ()),
        ("{größe}", ("größe",), ()),
    ],
)
def test_field_forms(field: str, names: tuple[str, ...], constants: tuple[str, ...]) -> None:
    """Each form of a field gives its dotted names and its format."""
    (found,) = segments(field)

    assert found.expression == Expression(
        field[1:-1] if not field.endswith("}}") else found.expression.text, names, constants=constants
    )


@pytest.mark.parametrize(
    "text", ['{"a": {"b": 1}}', "p {color: red}", "{}", "{0}", "{ name }", "\\frac{a}{b}", "if (x) {y();}", "${", "}{"]
)
def test_other_braces_are_text(text: str) -> None:
    """Braces around JSON, code, style sheets, numbers and formulas are text."""
    assert read_prompts(SourceText("t.txt", text), Nothing()) is None
    assert [s.text for s in segments(f"{text} {{name}}")] == [f"{text} ", "{name}"]


def test_double_braces_alone_are_fields() -> None:
    """Where no single-brace field is, ``{{name}}`` is one."""
    found = segments('Hi {{name}} of {{ org.name }}, {"a": 1} {{#if x}}')

    assert [s.text for s in found] == ["Hi ", "{{name}}", " of ", "{{ org.name }}", ', {"a": 1} {{#if x}}']
    assert [s.expression.names for s in found if s.expression] == [("name",), ("org.name",)]


def test_long_runs_of_braces_are_quick() -> None:
    """Text that looks like the start of a field again and again takes linear time."""
    found = segments("{a:" + "%" * 50_000 + "{" * 50_000 + "\\x{b}" * 10_000 + " {name}")

    assert found[-1].text == "{name}"


@given(st.lists(st.sampled_from(["text", "\n", "{{", "}}", "{name}", "{other!s:>4}", "é ", "name"])).map("".join))
def test_pieces_make_what_format_makes(text: str) -> None:
    """For any format string, the text around the fields is what ``str.format`` would print around the values."""
    parsed = list(string.Formatter().parse(text))
    fields = [name for _, name, _, _ in parsed if name is not None]
    found = segments(text) if fields else ()

    assert [s.expression.names for s in found if s.expression] == [(name,) for name in fields]
    assert "".join("\0" if s.expression else s.text for s in found) == (
        "".join(literal + ("\0" if name is not None else "") for literal, name, _, _ in parsed) if fields else ""
    )


def test_a_field_in_inline_code_beside_other_text_is_doubted() -> None:
    """``GET /v1/{id}`` in Markdown is likelier an example than a field; a field that is all of the code is a field."""
    found = segments("Call `GET /v1/{tenant_id}/x` or `{level} {request_id}`. Hello `{user_name}`, {day}.")

    assert [(s.expression.text, s.confidence.value) for s in found if s.expression] == [
        ("tenant_id", "low"),
        ("level", "low"),
        ("request_id", "low"),
        ("user_name", "high"),
        ("day", "high"),
    ]


def test_fields_among_code_are_doubted() -> None:
    """In a fence a field beside code is a guess; one that fills its line, or stands outside, is as sure as any."""
    text = "You are a reviewer.\n{user_name}\n```python\nprint(f'{now}')\n{code}\n```\nSay {answer}.\n"
    found = {s.expression.text: s.confidence.value for s in segments(text) if s.expression}

    assert found == {"user_name": "high", "now": "low", "code": "high", "answer": "high"}
