"""Tokens by tag are the tokens that Jinja's lexer gives for the whole template."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import Environment, TemplateSyntaxError

from radixlint.sources._jinja_known_tags import known_tokens

LEXER = Environment(keep_trailing_newline=True).lexer
PIECES = st.sampled_from(
    [
        *("{{ a }}", "{{- a.b -}}", "{{a|trim}}", "{% if x %}", "{%- if x -%}", "{% endif -%}", "{%+ if x +%}", "{# no #}"),
        *("{#- no -#}", "{{ 'a}}b' }}", "{{ {1: 2} }}", "{{ (a }}", "{{ a) }}", "{% raw %}", "{% endraw %}", "{{ a % 2 }}", "{{"),
        *(
            "}}",
            "{%",
            "%}",
            "{#",
            "#}",
            " ",
            "\n",
            "  \n ",
            "text",
            "-",
            "{",
            "}",
            "%",
            "'",
            "{{ -a }}",
            "{{ a - -b }}",
            "{{ 1-}}",
        ),
    ]
)


def _by_jinja(text: str) -> list[tuple[str, str]] | None:
    try:
        return [(kind, value) for _, kind, value in LEXER.tokeniter(text, None)]
    except TemplateSyntaxError:
        return None


@given(st.lists(PIECES, max_size=12).map("".join))
def test_known_tokens_are_those_of_jinja(text: str) -> None:
    """Where tags are read one by one, kinds and values are Jinja's, and each stands at its offset; else nothing is said."""
    found = known_tokens(text, lambda part: LEXER.tokeniter(part, None))

    if found is not None:
        assert [(kind, value) for _, kind, value in found] == _by_jinja(text)
        assert all(text.startswith(value, at) for at, _, value in found)


@pytest.mark.parametrize("text", ["Plain {{ a }}\n", "{%- for a in b -%}\n{{ a.b|trim }}{% endfor %}{# c #}", "", "no tag"])
def test_plain_templates_are_read_by_tag(text: str) -> None:
    """Templates of plain tags, comments and text are told."""
    assert known_tokens(text, lambda part: LEXER.tokeniter(part, None)) is not None
