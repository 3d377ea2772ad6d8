"""Jinja templates: order, places, followed names within one file."""

from __future__ import annotations

import pytest
from template_reading import cut, fixture, one, place, read, segments

from radixlint.prompt import ControlKind, Expression, Segment


def test_pieces_in_order_with_their_places() -> None:
    """Text and values come in the order they print, a value's span is its whole tag."""
    found = segments("Now: {{ now() }}\n\nHi {{ user.name }}!")

    assert [s.text for s in found] == ["Now: ", "{{ now() }}", "\n\nHi ", "{{ user.name }}", "!"]
    assert [place(s) for s in found] == [(1, 1, 1, 6), (1, 6, 1, 17), (1, 17, 3, 4), (3, 4, 3, 19), (3, 19, 3, 20)]
    assert found[1].expression == Expression("now()", calls=("now",))
    assert found[3].expression == Expression("user.name", names=("user.name",))


def test_trimmed_text_keeps_its_place() -> None:
    """Text whose white space a minus sign cut starts where the rest of it stands."""
    found = segments("a  \n {%- if x -%} \n b {%- endif %} c\n")

    assert [(s.text, place(s)) for s in found] == [("a", (1, 1, 1, 2)), ("b", (3, 2, 3, 3)), (" c\n", (3, 16, 4, 1))]


def test_comments_and_raw_blocks() -> None:
    """A comment is no segment, a raw block is plain text at its place, the last newline stays."""
    found = segments("{# now() #}x{% raw %}{{ now() }}{% endraw %}\n")

    assert [(s.text, place(s)) for s in found] == [("x", (1, 12, 1, 13)), ("{{ now() }}", (1, 22, 1, 33)), ("\n", (1, 45, 2, 1))]
    assert all(s.is_literal for s in found)


def test_columns_count_code_points() -> None:
    """Wide and combining characters count one column a code point."""
    assert place(segments("日本 e\u0301 \U0001f600{{ x }}")[1]) == (1, 8, 1, 15)


@pytest.mark.parametrize(
    ("template", "names", "calls"),
    [
        ("{% for c in shop.search(query) %}{{ c.text }}{% endfor %}", ("shop", "query"), ("shop.search",)),
        ("{% for name, tool in tools.items() %}{{ name }}{% endfor %}", ("tools",), ("tools.items",)),
        ("{% for name, tool in tools.items() %}{{ tool.text }}{% endfor %}", ("tools.text",), ("tools.items",)),
        ("{% for m in chat %}{{ m['role'] }}{% endfor %}", ("chat.role",), ()),
        ("{% set a = user %}{% set b = a %}{{ b.name }}", ("user.name",), ()),
        ("{% set n = namespace(x='') %}{% for r in rows %}{% set n.x = r.id %}{% endfor %}{{ n.x }}", ("rows.id", "rows"), ()),
        ("{{ datetime.now().date() }}", ("datetime",), ("datetime.now", "date")),
        ("{{ box.get('day') }}", ("box.day",), ("box.get",)),
        ("{{ a[0][b].c }}", ("a.c", "b"), ()),
        ("{{ not a or b > c }}", ("a", "b", "c"), ()),
        ("{{ loop.index }}", ("loop.index",), ()),
        ("{{ [a, {'k': b}] }}", ("a", "b"), ()),
    ],
)
def test_names_are_followed(template: str, names: tuple[str, ...], calls: tuple[str, ...]) -> None:
    """Loop, set and namespace names are followed to the names that the caller of the template gives."""
    found = one(template)

    assert (found.names, found.calls) == (names, calls)


def test_filters_and_constants() -> None:
    """Filters come in their order, and strings passed to calls and filters are constants, also through a set."""
    found = one("{% set f = '%H:%M' %}{{ clock(f) | default('none') | tojson(indent=2) | upper }}")

    assert found.filters == ("default", "tojson", "upper")
    assert found.constants == ("%H:%M", "none")


def test_constants_are_literal_text() -> None:
    """What a constant, a set of one or a join of them prints is literal text, placed at the printing tag."""
    text = "{% set company = 'Birch' %}{{ company }}{{ 'a' ~ x ~ \"b\" }}{{ 'p' + company }}"
    found = segments(text)

    assert [s.text for s in found if s.is_literal] == ["Birch", "a", "b", "p", "Birch"]
    assert {cut(text, s) for s in found} == {"{{ company }}", "{{ 'a' ~ x ~ \"b\" }}", "{{ 'p' + company }}"}
    assert cut(text, Segment("", found[0].related[0])) == "{% set company = 'Birch' %}"
    assert [len(s.offsets) == len(s.text) for s in found if s.is_literal] == [True] * 5
    assert found[1].offsets == ((1, text.index("'a'") + 2),)


def test_set_block_keeps_its_parts() -> None:
    """A block that is set and printed prints its parts, and names both the set tag and their own place."""
    text = "{% set p %} long {{ a }} text {% endset %}{{ p | trim }}"
    found = segments(text)

    assert [s.text for s in found] == ["long ", "{{ a }}", " text"]
    assert {cut(text, s) for s in found} == {"{{ p | trim }}"}
    assert [cut(text, Segment("", r)) for r in found[1].related] == ["{% set p %}", "{{ a }}"]


def test_loop_and_condition_enclose_their_parts() -> None:
    """Each part names its loop and its branch, with the whole opening tag and the iterable or test."""
    text = "{% for d in docs if d.ok %}{% if d.top %}A{% elif z %}B{% else %}C{% endif %}{% else %}none{% endfor %}"
    found = segments(text)

    assert [s.text for s in found] == ["A", "B", "C", "none"]
    assert [[(c.kind, c.branch) for c in s.controls] for s in found] == [
        [(ControlKind.LOOP, 0), (ControlKind.CONDITION, 0)],
        [(ControlKind.LOOP, 0), (ControlKind.CONDITION, 1)],
        [(ControlKind.LOOP, 0), (ControlKind.CONDITION, 2)],
        [(ControlKind.LOOP, 1)],
    ]
    loop, condition = found[0].controls
    assert (loop.expression.text, loop.expression.names) == ("docs", ("docs", "docs.ok"))
    assert (condition.expression.text, condition.expression.names) == ("d.top", ("docs.top",))
    assert cut(text, Segment("", loop.span)) == "{% for d in docs if d.ok %}"
    assert len({c.node for s in found for c in s.controls}) == 2


def test_inline_choice_has_both_branches() -> None:
    """``a if b else c`` gives both texts, each in its branch of one condition."""
    found = segments("{{ 'A' if plan == 'pro' else fallback }}")

    assert [(s.text, s.controls[0].branch, s.controls[0].expression.names) for s in found] == [
        ("A", 0, ("plan",)),
        ("{{ 'A' if plan == 'pro' else fallback }}", 1, ("plan",)),
    ]


def test_set_in_branches_is_any_of_them() -> None:
    """A name set in the branches of a condition prints what each branch set, and its old value where one did not."""
    found = segments("{% if day is not defined %}{% set day = clock('%d') %}{% endif %}{{ day }}")

    assert [(s.expression.calls, s.expression.names) for s in found if s.expression] == [(("clock",), ()), ((), ("day",))]
    assert [s.controls[0].branch for s in found] == [0, 1]


def test_filter_block_and_with() -> None:
    """A filter block passes its filter to the values in it, a with block binds its names inside only."""
    found = segments("{% filter upper %}abc {{ q }}{% endfilter %}{% with k = clock() %}{{ k }}{% endwith %}{{ k }}")

    assert [s.text for s in found] == ["ABC ", "{{ q }}", "{{ k }}", "{{ k }}"]
    assert found[0].offsets == ((1, 19), (1, 20), (1, 21), (1, 22))
    assert [(s.expression.filters, s.expression.calls) for s in found if s.expression] == [
        (("upper",), ()),
        ((), ("clock",)),
        ((), ()),
    ]


def test_rag_fixture() -> None:
    """Retrieved text is known by the call and the question, its loop tag by the control."""
    found = [s for s in fixture("rag_order.j2").segments if s.expression is not None]

    assert [(s.expression.names, s.expression.calls) for s in found if s.expression] == [
        (("rules",), ()),
        (("index", "question"), ("index.search",)),
        (("history.role",), ()),
        (("history.content",), ()),
    ]
    assert (found[1].controls[0].span.line, found[1].controls[0].expression.text) == (4, "index.search(question, k=3)")


def test_unknown_tags_are_read_over() -> None:
    """The body of an unknown tag is read; an unknown name is noted, those of chat templates are not."""
    found = read("{% generation %}a{{ x }}{% endgeneration %}{% cache 5, key %}b{% endcache %}{% break %}")

    assert [s.text for s in found.prompts[0].segments] == ["a", "{{ x }}", "b"]
    assert found.notes == ("unknown tag 'cache', its content is read as if the tag were not there",)


def test_handlebars_is_text() -> None:
    """Handlebars tags in a Jinja file are text, with a note."""
    found = read("{{#each x}}{{ y }}{{{raw}}}")

    assert [s.text for s in found.prompts[0].segments] == ["{{#each x}}", "{{ y }}", "{{{raw}}}"]
    assert len(found.notes) == 1
