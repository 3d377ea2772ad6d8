"""Jinja templates over several files and macros: what is printed, where it stands, what cannot be followed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from jinja2 import DictLoader, Environment
from template_reading import FIXTURES, cut, fixture, one, read, segments

from radixlint.prompt import SourceText
from radixlint.sources import read_prompts


def test_include_points_at_its_tag() -> None:
    """Parts of an included file stand at the include tag; their true place is related."""
    text = "{% include ['gone.j2', 'head.j2'] %}\nrest"
    found = segments(text, {"head.j2": "at\n{{ now() }}"})

    assert [s.text for s in found] == ["at\n", "{{ now() }}", "\nrest"]
    assert {cut(text, s) for s in found[:2]} == {"{% include ['gone.j2', 'head.j2'] %}"}
    assert (found[1].related[0].path, found[1].related[0].line) == ("head.j2", 2)


def test_include_by_condition() -> None:
    """An include that picks by a condition prints both files, each in its branch."""
    found = segments("{% include 'a.j2' if x else 'b.j2' %}", {"a.j2": "A", "b.j2": "B"})

    assert [(s.text, s.controls[0].branch, s.controls[0].expression.names) for s in found] == [("A", 0, ("x",)), ("B", 1, ("x",))]


def test_include_sees_the_names_around_it() -> None:
    """An included file sees names set before the tag, unless it is included without context."""
    files = {"in.j2": "{{ who }}"}

    assert one("{% set who = user %}{% include 'in.j2' %}", files).names == ("user",)
    assert one("{% set who = user %}{% include 'in.j2' without context %}", files).names == ("who",)


def test_what_cannot_be_followed_is_noted() -> None:
    """Missing, broken and circular files and names that are no constants are notes; the rest is read."""
    files = {"loop.j2": "L{% include 'loop.j2' %}", "bad.j2": "{% if %}"}
    text = "{% include 'gone.j2' %}{% include 'bad.j2' %}{% include 'loop.j2' %}{% include pick %}"
    text += "{% include 'x' ignore missing %}end"
    found = read(text, files)

    assert [s.text for s in found.prompts[0].segments] == ["L", "{% include pick %}", "end"]
    assert ["gone.j2" in found.notes[0], "bad.j2:1:" in found.notes[1], "loop.j2 -> loop.j2" in found.notes[2]] == [True] * 3
    assert len(found.notes) == 4


def test_inheritance() -> None:
    """A child's block keeps its own place, the parent's text stands at the extends tag, ``super()`` is followed."""
    found = fixture("child.j2").segments

    assert "".join(s.text for s in found) == "Header {{ now() }}\nown default {{ user }} kind\nFooter\n"
    assert [(s.span.line, [r.path for r in s.related]) for s in found if s.text in ("Header ", "own ", "default ", "kind")] == [
        (1, ["layout.j2"]),
        (3, []),
        (3, ["layout.j2"]),
        (3, ["child.j2"]),
    ]


def test_inheritance_over_two_levels() -> None:
    """The lowest block wins, wherever it is printed, and texts of both parents stand at the lowest extends tag."""
    files = {
        "base.j2": "B{% block a %}base{% endblock %}{% block b %}b{% endblock %}",
        "middle.j2": "{% extends 'base.j2' %}{% block a %}mid {{ super() }}{% endblock %}"
        "{% block b %}m{{ self.a() }}{% endblock %}",
    }
    text = "{% extends 'middle.j2' %}{% block a %}<{{ super() }}>{% endblock %}"
    found = segments(text, files)

    assert "".join(s.text for s in found) == "B<mid base>m<mid base>"
    assert [cut(text, s) for s in found[:3]] == ["{% extends 'middle.j2' %}", "<", "{{ super() }}"]
    assert [s.related[-1].path for s in found if s.related][:3] == ["base.j2", "middle.j2", "base.j2"]


def test_macros() -> None:
    """A macro call prints the macro's parts at the call, with arguments followed; ``caller`` where its body stands."""
    files = {"pieces.j2": (FIXTURES / "pieces.j2").read_text(encoding="utf-8")}
    text = (
        "{% import 'pieces.j2' as p %}{% from 'pieces.j2' import boxed as b %}"
        "{{ p.greet(customer) }}{{ p.brand }}{% call b() %}in {{ q }}{% endcall %}"
    )
    found = segments(text, files)

    assert [s.text for s in found] == ["Hello ", "{{ name }}", ", be ", "kind", ".", "Birch", "<box>", "in ", "{{ q }}", "</box>"]
    assert found[1].expression is not None
    assert found[1].expression.names == ("customer",)
    places = {"{{ p.greet(customer) }}", "{{ p.brand }}", "{% call b() %}", "in ", "{{ q }}"}
    assert {cut(text, s) for s in found} == places
    assert (found[0].related[0].path, found[0].related[0].line) == ("pieces.j2", 2)


def test_a_file_of_macros_gives_a_prompt_a_macro() -> None:
    """Macros of a file that prints nothing itself are prompts of their own, their parameters free names."""
    found = read((FIXTURES / "pieces.j2").read_text(encoding="utf-8"), path="lib/pieces.j2")

    assert [p.name for p in found.prompts] == ["pieces.j2:greet", "pieces.j2:boxed"]
    assert [s.expression.names for s in found.prompts[0].segments if s.expression] == [("name",), ("tone",)]


STEPS = st.sampled_from(
    [
        "a ",
        "\n",
        " b\n ",
        "{{- gone -}}",
        "{{ 'c' ~ gone ~ \"d\" }}",
        "{%- set v = 'val' ~ v -%}",
        "{{ v }}",
        "{% set w %} {{ v }} block {%- endset %}{{ w | trim }}",
        "{% macro m(x, y='Y') -%} <{{ x }}{{ y }}> {%- endmacro %}{{ m('p') }}{{ m(v, y='q') }}",
        "{%- call(z) k() %} in {{ z }}{% endcall %}",
        "{% filter upper %}up {{ v }}{% endfilter %}",
        "{% with v = 'W' %}{{ v }}{% endwith %}",
        "{# c -#}  ",
        "{% raw -%} {{ r }} {%- endraw %}",
        "{% include 'in' %}",
    ]
)
LIBRARY = {"in": "[{{ v }}]\n"}


class Library:
    """Opens the library."""

    def open(self, name: str, from_path: str) -> SourceText | None:
        return SourceText(name, LIBRARY[name])


@given(
    st.lists(STEPS, max_size=12).map(
        lambda steps: "T{% set v = 'v' %}{% macro k() %}({{ caller('Z') }}){% endmacro %}" + "".join(steps)
    )
)
def test_literals_are_what_jinja_prints(text: str) -> None:
    """For any template without branches and loops, the literal text is what Jinja renders when the free names are empty."""
    found = read_prompts(SourceText("t.j2", text), Library())
    environment = Environment(keep_trailing_newline=True, loader=DictLoader(LIBRARY))

    assert found is not None
    literals = "".join(s.text for s in found.prompts[0].segments if s.is_literal)
    assert literals == environment.from_string(text).render()
