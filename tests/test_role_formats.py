"""Formats with role lines, Semantic Kernel, BAML, and Jinja under other names or with other delimiters."""

from __future__ import annotations

import pytest
from template_reading import Shelf, cut, read

from radixlint.errors import SourceError
from radixlint.passage import whole
from radixlint.prompt import Role, SourceText
from radixlint.sources import read_prompts
from radixlint.sources._jinja_delimiters import Delimiters
from radixlint.sources._jinja_read import read_jinja


def _told(text: str, path: str) -> list[tuple[int, Role, str]]:
    (prompt,) = read(text, path=path).prompts
    return [(part.message, part.role, part.text.strip()) for part in prompt.segments if part.text.strip()]


def test_role_lines_start_messages() -> None:
    """A marker alone on its line starts a message and is no text; elsewhere the word is text."""
    text = "# system:\nBe kind. user: no\n# user:\n{{ q }}\nassistant:\nYes\n"

    assert _told(text, "p.jinja2") == [
        (1, Role.SYSTEM, "Be kind. user: no"),
        (2, Role.USER, "{{ q }}"),
        (3, Role.ASSISTANT, "Yes"),
    ]


def test_a_template_without_a_marker_on_top_has_no_roles() -> None:
    """Such lines further down are text of a plain template."""
    found = read("Rules\nuser:\n{{ q }}", path="p.j2")

    assert found.dialect == "jinja-template"
    assert {part.role for part in found.prompts[0].segments} == {Role.TEXT}


def test_a_marker_made_by_a_value_is_none() -> None:
    """``{{ item.role }}:`` in a loop over the history says nothing about the text below it."""
    text = "system:\nRules\n{% for m in history %}\n{{ m.role }}:\n{{ m.content }}\n{% endfor %}\nuser:\n{{ q }}"

    assert [role for _, role, _ in _told(text, "p.prompty")] == [Role.SYSTEM] * 4 + [Role.USER]


@pytest.mark.parametrize(
    "template", ["mustache", "{format: mustache}", "{type: mustache, parser: prompty}", "{format: {kind: mustache}}"]
)
def test_prompty_names_its_template_language(template: str) -> None:
    """All spellings of the front matter lead to the same reader."""
    text = (
        f"---\ntemplate: {template}\nsample: {{now: x}}\n---\nsystem:\n{{{{#tools}}}}{{{{name}}}}{{{{/tools}}}}![image](a.png)\n"
    )
    parts = read(text, path="p.prompty").prompts[0].segments

    assert [part.expression.names for part in parts if part.expression] == [("tools.name",)]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("---\na: [1\n---\nsystem:\nx", 3),
        ("---\na: 1\nsystem:\nx", 1),
        ("---\n- a\n---\nx", 2),
        ("---\na: 1\n---\n{% if x %}", 4),
    ],
)
def test_broken_front_matter_has_its_line(text: str, line: int) -> None:
    """Front matter that does not parse, does not end or is no mapping, and a broken body, name their line."""
    with pytest.raises(SourceError) as caught:
        read_prompts(SourceText("p.prompty", text), Shelf({}))

    assert caught.value.line == line


def test_a_prompt_file_is_read_by_its_signs() -> None:
    """``.prompt`` may be dotprompt, Prompty, Jinja, or text with fields."""
    texts = {
        '---\nmodel: m\n---\n{{role "system"}}x': "dotprompt",
        "---\nmodel: m\n---\nsystem:\nx {{ y }}": "prompty",
        "{% if x %}y{% endif %}": "jinja-text",
        "Hi {name}": "dotprompt",
        "Hi": "dotprompt",
    }

    assert [read(text, path="p.prompt").dialect for text in texts] == list(texts.values())
    assert [part.text for part in read("Hi {name}", path="p.prompt").prompts[0].segments] == ["Hi ", "{name}"]


def test_semantic_kernel_values() -> None:
    """Variables, functions with arguments and constants; white space between messages is no message."""
    text = '<message role="system">{{time.Date}} {{Time.Now}} {{recall $ask}} {{"fix"}}</message>\n'
    text += '<message role="user">{{$ask}}</message>\n'
    parts = read(text, path="skprompt.txt").prompts[0].segments

    assert [(*e.names, *e.calls) for part in parts if (e := part.expression)] == [
        ("time.today",),
        ("Time.now",),
        ("ask", "recall"),
        ("ask",),
    ]
    assert "fix" in [part.text for part in parts if part.is_literal]
    assert [part.role for part in parts][-1] is Role.USER


_BAML = """// function Old() -> X { prompt #"{{ a }}"# }
template_string Person(p: P) #"
  Name: {{ p.name }}
"#
function Help(guest: P, q: string) -> Answer {
  client "openai/gpt"
  prompt ##"
    Rules "# of
      the house {{ ctx.output_format }}
    {{ Person(guest) }}
    {{ _.role("user") }}
    {{ q }}
  "##
}
class Answer { text string @description(#"{{ b }}"#) }
test T { args { q #"{{ now() }}"# } }
"""


def test_baml_prompts() -> None:
    """Only prompts of functions are read, less their indentation; template strings are followed; roles start messages."""
    (prompt,) = read(_BAML, path="p.baml").prompts
    values = [part for part in prompt.segments if part.expression is not None]

    assert prompt.name == "Help"
    assert "".join(part.text for part in prompt.segments[:1]) == 'Rules "# of\n  the house '
    assert [part.expression.names for part in values if part.expression] == [("ctx.output_format",), ("guest.name",), ("q",)]
    assert [(part.span.line, part.span.column) for part in values] == [(9, 17), (10, 5), (12, 5)]
    assert [part.role for part in values] == [Role.SYSTEM, Role.SYSTEM, Role.USER]
    assert cut(_BAML, values[2]) == "{{ q }}"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("README.md", "{% if x %}y{% endif %}"),
        ("guide.md", "Write:\n```\n{% if x %}now{% endif %}\n```\nto print.\n"),
        ("notes.txt", "Nothing here."),
        ("types.baml", "class A { name string }\n"),
        ("code.md", "A set {{1, 2}} of {{ two words }}."),
    ],
)
def test_other_texts_are_no_jinja(path: str, text: str) -> None:
    """Documents, examples in code, and braces that mean nothing are left alone."""
    assert read_prompts(SourceText(path, text), Shelf({})) is None


def test_text_with_fields_keeps_its_reader() -> None:
    """Bare names in double braces beside ``{name}`` are escapes of ``str.format``, not Jinja."""
    assert read('Answer {question} as {{ "a": {{ b }} }}', path="p.txt").dialect == "field-text"


def test_jinja_with_delimiters_of_its_own() -> None:
    """The first line may name them, and a caller may give the usual ones; other braces are text then."""
    headed = "#jinja2: variable_start_string: '<<', variable_end_string: '>>'\n{{ a }} << b >>"
    given = read_jinja(whole(SourceText("p.j2", "{{ a }} [[ b ]]")), Shelf({}), Delimiters("[[", "]]"))
    parts = read(headed).prompts[0].segments

    assert [(part.text, part.span.line, part.span.column) for part in parts] == [("{{ a }} ", 2, 1), ("<< b >>", 2, 9)]
    assert [part.text for part in given.segments] == ["{{ a }} ", "[[ b ]]"]


@pytest.mark.parametrize("delimiters", [{"variable_start": ""}, {"variable_start": "{%"}])
def test_delimiters_that_cannot_be_told_apart(delimiters: dict[str, str]) -> None:
    """Empty and equal ones are refused before Jinja sees them."""
    with pytest.raises(SourceError):
        Delimiters(**delimiters)


def test_unknown_tags_are_one_note_each() -> None:
    """The text around and inside of tags that Jinja does not know is read, and each is named once."""
    found = read("{% cache 'x' %}a {{ b }}{% endcache %}{% cache 'y' %}{% endcache %}{% odd %}")

    assert len(found.notes) == 2
    assert [part.text for part in found.prompts[0].segments] == ["a ", "{{ b }}"]
