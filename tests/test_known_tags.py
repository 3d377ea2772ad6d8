"""A template read tag by tag is what Jinja's parser makes of the whole."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jinja2 import nodes

from radixlint.errors import SourceError
from radixlint.passage import whole
from radixlint.prompt import SourceText
from radixlint.sources import _jinja_parse
from radixlint.sources._jinja_known_tags import Tag
from radixlint.sources._jinja_tag_tree import tag_tree

TEXT = (" ", "\n", "  \n ", "text", "-", "{", "}", "%", "'", "{{", "}}", "{%", "%}", "{#", "#}")
VALUES = (
    *("{{ a }}", "{{- a.b -}}", "{{a|trim}}", "{{ 'a}}b' }}", '{{ "x" ~ y }}', "{{ {1: 2} }}", "{{ (a }}", "{{ a % 2 }}"),
    *(
        "{{ -a }}",
        "{{ a - -b }}",
        "{{ 1-}}",
        "{{ a if b else 'c' }}",
        "{{ f(a, *b, c=d)[1:2] }}",
        "{{ a, b }}",
        "{{ a is in b }}",
    ),
    *("{{ }}", "{{ 'a\\n' }}", "{# no #}", "{#- no -#}", "{#-#}", "{% raw %}", "{% endraw %}"),
)
TAGS = (
    *("{% if x %}", "{%- if x == 'y' -%}", "{%+ if x +%}", "{% elif y %}", "{% else %}", "{% endif %}", "{%- endif -%}"),
    *("{% for a in b %}", "{% for k, v in m.items() if k recursive %}", "{% endfor %}", "{% set a = b %}", "{% set a %}"),
    *("{% set ns.a, b = 1, 2 %}", "{% endset %}", "{% set a | upper %}", "{% macro m(a, b='c') %}", "{% endmacro %}"),
    *("{% block t %}", "{% block t required %}", "{% endblock %}", "{% endblock t %}", "{% endblock u %}", "{% extends 'a' %}"),
    *("{% include 'a' ignore missing %}", "{% import 'a' as b %}", "{% from 'a' import b as c with context %}", "{% do a.b() %}"),
    *("{% filter upper %}", "{% endfilter %}", "{% with a = 1 %}", "{% endwith %}", "{% call(x) m(a) %}", "{% endcall %}"),
    *("{% autoescape true %}", "{% endautoescape %}", "{% generation %}", "{% wombat a %}", "{% endwombat %}", "{% print a %}"),
    *("{% endif x %}", "{% if x: %}", "{% if %}", "{% end %}", "{% %}"),
)
PAIRS = (("{% if x %}", "{% endif %}"), ("{% for a in b -%}", "{% endfor %}"), ("{% block t %}", "{% endblock t %}"))


def _pair(inside: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(st.sampled_from(PAIRS), st.lists(inside, max_size=4).map("".join)).map(lambda p: p[0][0] + p[1] + p[0][1])


PIECES = st.recursive(st.sampled_from((*TEXT, *VALUES, *TAGS)), _pair, max_leaves=8)
TAME = st.recursive(st.sampled_from(("text\n", *VALUES[:5], "{% else %}", "{% set a = b %}", "{# c #}")), _pair, max_leaves=8)


def _shown(value: object) -> object:
    """Return nodes with their offsets, all the way down."""
    if isinstance(value, nodes.Node):
        return (type(value).__name__, value.lineno, [(name, _shown(part)) for name, part in value.iter_fields()])
    return [_shown(part) for part in value] if isinstance(value, list | tuple) else value


def _told(body: list[nodes.Node], tags: tuple[Tag, ...], notes: tuple[str, ...]) -> object:
    return _shown(body), list(tags), notes


def _read(text: str, monkeypatch: pytest.MonkeyPatch) -> tuple[object, object]:
    """Return what is read tag by tag where that can be, and what Jinja's parser makes of the whole."""
    found: list[object] = []
    for is_whole in (False, True):
        with monkeypatch.context() as patch:
            if is_whole:
                patch.setattr(_jinja_parse, "tag_tree", lambda _: None)
            try:
                parsed = _jinja_parse.parse(whole(SourceText("a.j2", text)))
                found.append(_told(parsed.body, parsed.tags, parsed.notes))
            except SourceError as error:
                found.append((error.message, error.line, error.column))
    return found[0], found[1]


@settings(max_examples=400)
@given(st.lists(st.one_of(PIECES, TAME), max_size=10).map("".join))
def test_tags_read_one_by_one_are_the_template(text: str) -> None:
    """Nodes with their offsets, tags, notes and errors are those of Jinja's parser, whatever the template."""
    by_tag, by_jinja = _read(text, pytest.MonkeyPatch())

    assert by_tag == by_jinja


@pytest.mark.parametrize(
    "text",
    [
        *("Plain {{ a }}\n", "{%- for a in b -%}\n{{ a.b|trim }}{% else %}{% endfor %}{# c #}", "", "no tag"),
        *("{% if a == 'b' %}x{% elif c %}y{% else %}z{% endif %}", "{% set a %}x{% endset %}{% macro m(a='b') %}{% endmacro %}"),
    ],
)
def test_plain_templates_are_read_by_tag(text: str) -> None:
    """Templates of plain tags, comments and text need no parser for the whole."""
    assert tag_tree(text) is not None
