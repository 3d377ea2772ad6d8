"""Handlebars, dotprompt, Go and Liquid in detail: what names stand for, loops, conditions, includes, history."""

from __future__ import annotations

import pytest
from template_reading import read

from radixlint.errors import SourceError
from radixlint.prompt import ControlKind, Role, Segment


def _parts(text: str, path: str, files: dict[str, str] | None = None) -> tuple[Segment, ...]:
    (prompt,) = read(text, files, path).prompts
    return prompt.segments


def _names(text: str, path: str, files: dict[str, str] | None = None) -> list[tuple[str, ...]]:
    return [(*e.names, *e.calls) for part in _parts(text, path, files) if (e := part.expression) is not None]


def _literals(text: str, path: str, files: dict[str, str] | None = None) -> str:
    return "".join(part.text for part in _parts(text, path, files) if part.is_literal)


def test_handlebars_names_follow_their_context() -> None:
    """Inside each and with, names are fields of the item; ``..``, ``@root`` and block parameters lead elsewhere."""
    text = "{{#each docs as |d n|}}{{text}}{{this.id}}{{../user}}{{@root.org}}{{d.title}}{{@index}}{{/each}}"
    text += "{{#with user}}{{name}}{{/with}}"

    assert _names(text, "p.hbs") == [
        ("docs.text",),
        ("docs.id",),
        ("user",),
        ("org",),
        ("docs.title",),
        ("loop.index",),
        ("user.name",),
    ]


def test_handlebars_controls() -> None:
    """A section that repeats is a loop; conditions number their branches, and the last depends on all tests."""
    parts = _parts("{{#tools}}a{{/tools}}{{#if x}}b{{else if y}}c{{else}}d{{/if}}{{^z}}e{{/z}}", "p.mustache")
    controls = [control for part in parts for control in part.controls]

    assert [(c.kind, c.branch, c.expression.names) for c in controls] == [
        (ControlKind.LOOP, 0, ("tools",)),
        (ControlKind.CONDITION, 0, ("x",)),
        (ControlKind.CONDITION, 1, ("y",)),
        (ControlKind.CONDITION, 2, ("x", "y")),
        (ControlKind.CONDITION, 0, ("z",)),
    ]
    assert len({c.node for c in controls}) == 3


def test_handlebars_helpers_and_delimiters() -> None:
    """A helper's arguments, named ones and helpers in parentheses are what the value depends on; delimiters may change."""
    text = "{{json docs indent=2}}{{fmt (now) tz=zone}}{{=<% %>=}}<% user %>{{x}}"

    assert _names(text, "p.hbs") == [("docs", "json"), ("zone", "fmt", "now"), ("user",)]
    assert _literals(text, "p.hbs") == "{{x}}"


def test_handlebars_whitespace_and_lines() -> None:
    """A tilde swallows white space, and the line of a block tag that stands alone is dropped."""
    assert _literals("a  {{~x~}}  b\n  {{#if y}}  \nc\n{{/if}}\nd", "p.hbs") == "abc\nd".replace("ab", "ab\n")


def test_handlebars_partials_are_followed() -> None:
    """What a partial prints stands at the tag that names it, with the context and the values it is given."""
    files = {"head.hbs": "At {{now}} {{k}} {{name}}", "layout.hbs": "<{{> @partial-block}}>"}
    parts = _parts("x\n{{> head user k=session_id}}{{#> layout}}y{{/layout}}", "p.hbs", files)

    assert _names("{{> head user k=session_id}}", "p.hbs", files) == [("user.now",), ("session_id",), ("user.name",)]
    assert {(part.span.line, part.span.column) for part in parts[1:6]} == {(2, 1)}
    assert {place.path for part in parts[1:6] for place in part.related} >= {"head.hbs"}
    assert "".join(part.text for part in parts if part.is_literal).endswith("<y>")


def test_partials_that_cannot_be_followed_are_noted() -> None:
    """A missing partial, one named by a value, and a cycle are each one note; the rest is read."""
    found = read("{{> gone}}{{> (pick x)}}{{> self}}{{y}}", {"self.hbs": "{{> self}}"}, "p.hbs")

    assert [note.split(":")[-1].strip() for note in found.notes] == [
        "cannot open 'gone' (not found), read without it",
        "'(pick x)' does not name a partial by a constant, not followed",
        "self.hbs -> self.hbs is a cycle, not followed again",
    ]
    assert [part.text for part in found.prompts[0].segments] == ["{{y}}"]


def test_partials_that_multiply_are_bounded() -> None:
    """Forty partials that each include the next twice are refused, not walked a million million times."""
    files = {f"p{n}.hbs": f"x{{{{> p{n + 1}}}}}{{{{> p{n + 1}}}}}" for n in range(39)} | {"p39.hbs": "y" * 999}
    with pytest.raises(SourceError, match=r"repeat too much text|nest too deeply"):
        read("{{> p0}}", files, "p.hbs")


def test_dotprompt_history_goes_ahead_of_the_last_user_message() -> None:
    """Without the helper the history stands there; with it, where the helper stands; one message alone has none."""
    implicit = _parts('{{role "system"}}Rules{{role "user"}}{{question}}', "p.prompt")
    explicit = _parts('Rules{{history}}{{role "user"}}{{question}}', "p.prompt")
    single = _parts("Rules {{question}}", "p.prompt")

    assert [(p.role, p.expression.names if p.expression else p.text) for p in implicit] == [
        (Role.SYSTEM, "Rules"),
        (Role.ASSISTANT, ("history",)),
        (Role.USER, ("question",)),
    ]
    assert [p.expression.names if p.expression else p.text for p in explicit] == ["Rules", ("history",), ("question",)]
    assert [p.role for p in single] == [Role.USER, Role.USER]


def test_dotprompt_front_matter_is_no_text() -> None:
    """Neither front matter nor the licence ahead of it is prompt text; the output section is fixed for a release."""
    text = '# Licence\n---\ninput: {default: {now: "{{now}}"}}\ntools: [clock]\n---\nHi {{section "output"}}{{media url=photo}}'

    assert _literals(text, "p.prompt") == "Hi "
    assert _names(text, "p.prompt") == [("output_format",), ("photo", "media")]


def test_go_names_and_variables() -> None:
    """The dot is what range and with set, ``$`` is the root, variables are what they were given."""
    text = '{{ $co := "Acme" }}{{ $co }}{{ range $i, $m := .Msgs }}{{ .Text }}{{ $m.Role }}{{ $.Org }}{{ end }}'
    text += "{{ with .User }}{{ .Name }}{{ end }}"

    assert _names(text, "p.tmpl") == [("Msgs.Text",), ("Msgs.Role",), ("Org",), ("User.Name",)]
    assert _literals(text, "p.tmpl") == "Acme"


def test_go_definitions() -> None:
    """A defined template stands where it is named, with its context; a file of definitions is one prompt each."""
    text = '{{ define "h" }}H {{ .Name }}{{ end }}'

    assert _names(text + '{{ template "h" .Account }}{{ block "f" . }}{{ .Z }}{{ end }}', "p.tmpl") == [("Account.Name",), ("Z",)]
    assert [prompt.name for prompt in read(text, path="p.tmpl").prompts] == ["p.tmpl:h"]


def test_go_templates_of_other_files() -> None:
    """A manifest, a page or a script in Go's language is no prompt."""
    for path, text in {"a.yaml.tmpl": "x: {{ .Y }}", "p.tmpl": "<!DOCTYPE html>{{ .X }}", "_h.tpl": "{{ .Values.x }}"}.items():
        with pytest.raises(AssertionError):
            read(text, path=path)


def test_liquid_names_and_captures() -> None:
    """Assigned and captured names are what they were given; a loop's item is a field of what it runs over."""
    text = "{% assign co = 'Acme' %}{{ co }}{% capture c %}Dear {{ user.name }}{% endcapture %}"
    text += "{% for d in docs limit:2 %}{{ d.text }}{% endfor %}{{ c }}"

    assert _names(text, "p.liquid") == [("docs.text",), ("user.name",)]
    assert _literals(text, "p.liquid") == "AcmeDear "


def test_liquid_cases_and_unknown_tags() -> None:
    """Each branch of a case depends on what is compared; an unknown tag is one note and the rest is read."""
    found = read("{% case plan %}{% when 'a' %}A{% else %}B{% endcase %}{% odd %}{% odd %}{{ x }}", path="p.liquid")
    parts = found.prompts[0].segments

    assert [c.expression.names for part in parts for c in part.controls] == [("plan",), ("plan",)]
    assert len(found.notes) == 1
    assert parts[-1].text == "{{ x }}"


def test_liquid_snippets() -> None:
    """A rendered file sees only what it is given, an included one all names."""
    files = {"a.liquid": "{{ k }}{{ co }}"}

    assert _names("{% assign co = user %}{% render 'a', k: docs %}", "p.liquid", files) == [("docs",), ("co",)]
    assert _names("{% assign co = user %}{% include 'a' %}", "p.liquid", files) == [("k",), ("user",)]
