"""Bodies of JSON and YAML that a template engine completes: placeholders where a value stands, with their exact places."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from request_bodies import MARK, PROSE

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings
from radixlint.errors import SourceError
from radixlint.passage import Ground
from radixlint.prompt import Prompt, Role, SourceText
from radixlint.sources import SourceRead, read_prompts
from radixlint.sources._carried_marks import without_mark
from radixlint.sources._json_tree import parse_json
from radixlint.sources._tree import Leaf, Listing, Table, Tree
from radixlint.sources._yaml_tree import parse_yaml


class Nothing:
    """Opens no file."""

    def open(self, name: str, from_path: str) -> SourceText | None:
        return None


def read(text: str, path: str = "body.json") -> SourceRead | None:
    return read_prompts(SourceText(path, text), Nothing())


def prompt(text: str, path: str = "body.json") -> Prompt:
    found = read(text, path)
    assert found is not None
    assert found.dialect == "request-body"
    return found.prompts[0]


JSON = """{
  "model": "gpt-4o", "max_tokens": {{ limits[kind] }}, "stop": [{{ a }}, "x"],
  "messages": [
    {"role": "system", "content": "You help {{ team }}."},
    {"role": "user", "content": {{ question | tojson }}}
  ]
}"""
YAML = """model: gpt-4o
max_tokens: {{ limit }}
tool_choice: {{ turn.tool_choice }}
messages:
  - {role: system, content: "You help {{ team }}."}
  - role: user
    content: {{ question | tojson }}
"""


def test_json_and_yaml_are_read_alike() -> None:
    """A placeholder without quotes is a value of the prompt or of a parameter, at its own place."""
    in_json, in_yaml = prompt(JSON), prompt(YAML, "body.yaml")

    for found, path in ((in_json, "body.json"), (in_yaml, "body.yaml")):
        system, name, rest, question = found.segments
        assert (system.text, rest.text, name.text) == ("You help ", ".", "{{ team }}")
        assert question.expression is not None
        assert question.expression.names == ("question",)
        assert (question.role, question.span.path, found.is_rendered) == (Role.USER, path, False)
    assert (in_json.segments[3].span.line, in_json.segments[3].span.column) == (5, 33)
    assert (in_yaml.segments[3].span.line, in_yaml.segments[3].span.column, in_yaml.segments[3].span.end_column) == (7, 14, 37)
    assert in_yaml.request is not None
    assert [(p.name, p.expression.names) for p in in_yaml.request.parameters if p.expression] == [
        ("max_tokens", ("limit",)),
        ("tool_choice", ("turn.tool_choice",)),
    ]


@pytest.mark.parametrize("path", ["body.json", "body.yaml"])
def test_all_messages_may_be_one_placeholder(path: str) -> None:
    """The messages are then one value."""
    found = prompt('{"model": "gpt-4o", "max_tokens": 9, "tool_choice": "none", "messages": {{ messages | tojson }}}', path)

    assert [segment.text for segment in found.segments] == ["{{ messages | tojson }}"]


@pytest.mark.parametrize("value", ["{{json question}}", "{{{json question}}}", "{{ .Question | toJson }}", "{{ q }}{{ r }}"])
def test_values_of_other_engines_are_values_too(value: str) -> None:
    """Whatever the engine, what stands in braces is no fixed text."""
    found = prompt('{"model": "gpt-4o", "messages": [{"role": "user", "content": VALUE}]}'.replace("VALUE", value))

    assert all(segment.expression is not None for segment in found.segments)
    assert "".join(segment.text for segment in found.segments) == value


def test_braces_of_a_format_string_are_text_beside_a_placeholder() -> None:
    """An engine that fills `{{ x }}` leaves `{x}` as it is."""
    found = prompt('{"model": "gpt-4o", "messages": [{"role": "user", "content": "Say {word}."}], "n": {{ n }}}')

    assert [segment.text for segment in found.segments] == ["Say {word}."]
    assert found.segments[0].expression is None


def test_a_placeholder_may_stand_for_a_cache_mark() -> None:
    """It ends a block like a mark whose time to live is not known, and is no text of a tool."""
    tool = '{"name": "find", "cache_control": {{ mark }}, "input_schema": {}}'
    body = '{"model": "claude-sonnet-4-5", "max_tokens": 9, "tools": [TOOL], "messages": [{"role": "user", "content": "a"}]}'
    found = prompt(body.replace("TOOL", tool))

    assert found.request is not None
    assert [(mark.segment, mark.ttl) for mark in found.request.marks] == [(0, "{{ mark }}")]
    assert found.segments[0].text == '{"name": "find", "input_schema": {}}'


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ('{"model": "m", "messages": [{"role": "user", "content": "a"}], "n": {n}}', 1, "quotes"),
        ('{"model": "m", "messages": [{"role": "user", "content": "a"}], "n": ${n}}', 1, "quotes"),
        ('{"messages": [\n{% for m in ms %}\n{"role": "user" "content": "a"}{% endfor %}]}', 2, ".json.j2"),
        ('{{"messages": [{{"role": "user", "content": "a"}}]}}', 1, "quotes"),
        ('{"messages": [{"role": "user", "content": {{ a }}, {{ b }}}]}', 1, "quotes"),
    ],
)
def test_what_is_not_read_says_what_to_do(text: str, line: int, word: str) -> None:
    """A file with roles and contents that does not parse is a fault, with the way out where a template is the cause."""
    with pytest.raises(SourceError) as caught:
        read(text)

    assert caught.value.line == line
    assert word in (caught.value.hint or "")


@pytest.mark.parametrize("text", ['{"role": "user", "content": "a" "b"}', '[{"role": "user" "content": 1}]'])
def test_a_fault_that_is_no_template_has_no_such_advice(text: str) -> None:
    """A missing comma is just that."""
    with pytest.raises(SourceError) as caught:
        read(text)

    assert caught.value.hint is None


def _values(tree: Tree) -> list[str]:
    if isinstance(tree, Leaf):
        return [tree.passage.text] if tree.is_slot else []
    return [
        text for child in (tree.items if isinstance(tree, Listing) else [v for _, v in tree.pairs]) for text in _values(child)
    ]


@pytest.mark.parametrize("value", ["{{ a }}", "{{a|b('}}', {'c': 1})}}", '{{ a["b"] }}', "{{\n  a\n}}"])
def test_places_are_those_of_the_file(value: str) -> None:
    """A placeholder is found whole, in a list and under a key, and stands where the file has it."""
    text = '{"k": VALUE, "l": [VALUE , 1]}'.replace("VALUE", value)
    tree, _ = parse_json(Ground(SourceText("a.json", text)))

    assert isinstance(tree, Table)
    assert _values(tree) == [value, value]
    first, listing = tree.get("k"), tree.get("l")
    assert isinstance(first, Leaf)
    assert isinstance(listing, Listing)
    assert text[first.start : first.end] == text[listing.items[0].start : listing.items[0].end] == value


@pytest.mark.parametrize("text", ["a: {b: c}", "a: {{b: c}: d}", "a: {{b: c}: {d: e}}", "{{ a }}"])
def test_mappings_of_yaml_stay_mappings(text: str) -> None:
    """A mapping may have a mapping for a key; a document that is all one placeholder says nothing."""
    (tree,) = parse_yaml(Ground(SourceText("a.yaml", text)))

    assert isinstance(tree, Table)
    assert _values(tree) == []


@pytest.mark.parametrize(
    "holder",
    [
        '{"cache_control": {"type": "ephemeral"}}',
        '{"cache_control": {"type": "ephemeral"}, "name": "a"}',
        '{"name": "a", "cache_control": {"type": "ephemeral"}}',
        '{\n "name": "a",\n "cache_control": {\n  "type": "ephemeral"\n },\n "input_schema": {"cache_control": {}}\n}',
    ],
)
def test_what_is_left_without_a_mark_is_the_tool_as_it_was(holder: str) -> None:
    """Cutting the mark out leaves JSON that equals the holder without that key."""
    ground = Ground(SourceText("a.json", holder))
    tree, _ = parse_json(ground)
    cut = without_mark(ground, tree)

    text = holder[: cut[0]] + holder[cut[1] :]
    assert json.loads(text) == {key: value for key, value in json.loads(holder).items() if key != "cache_control"}


def test_a_mark_in_lines_of_yaml_is_cut_out_with_its_lines() -> None:
    """Ahead of, between and behind other keys."""
    keys = ["name: a", "cache_control: {type: ephemeral}", "strict: true"]
    for order in ((0, 1, 2), (1, 0, 2), (0, 2, 1)):
        text = "- " + "\n  ".join(keys[at] for at in order) + "\n- name: b\n"
        ground = Ground(SourceText("a.yaml", text))
        (tree,) = parse_yaml(ground)
        assert isinstance(tree, Listing)
        cut = without_mark(ground, tree.items[0])
        assert text[: cut[0]] + text[cut[1] :] == "- name: a\n  strict: true\n- name: b\n"


def _told(folder: Path, text: str) -> list[tuple[str, str]]:
    (folder / "body.json").write_text(text, encoding="utf-8")
    report = check_paths(CheckOptions(arguments=("body.json",), settings=Settings(), start=folder))
    return [(finding.rule, str(finding.severity)) for finding in report.findings]


def test_messages_that_are_filled_in_may_bring_the_mark_that_is_missing(tmp_path: Path) -> None:
    """A body with all its messages that marks nothing is a warning; where they are filled in it is a word."""
    body = '{"model": "claude-sonnet-4-5", "max_tokens": 9, "system": SYSTEM, "messages": [{"role": "user", "content": {{ q }}}]}'
    body = body.replace("SYSTEM", json.dumps(PROSE))

    assert _told(tmp_path, body) == [("RL604", "warning")]
    assert _told(tmp_path, body.replace('[{"role": "user", "content": {{ q }}}]', "{{ messages | tojson }}")) == [
        ("RL604", "info")
    ]


def test_a_clock_behind_the_last_mark_costs_no_conversation(tmp_path: Path) -> None:
    """What is not marked is not cached; a mark in the conversation, or a provider that caches by itself, makes it matter."""
    system = [{"type": "text", "text": PROSE, "cache_control": MARK}, {"type": "text", "text": "It is {{ now }}."}]
    body = {"model": "claude-sonnet-4-5", "max_tokens": 9, "system": system, "messages": [{"role": "user", "content": "{{ q }}"}]}
    assert _told(tmp_path, json.dumps(body)) == []

    plain = {"model": "gpt-4o", "messages": [{"role": "system", "content": f"{PROSE} It is {{{{ now }}}}."}, *body["messages"]]}
    assert _told(tmp_path, json.dumps(plain)) == [("RL204", "info")]


def test_values_within_tools_are_found(tmp_path: Path) -> None:
    """A tool may be filled in whole or in part, with filters as elsewhere."""
    held = '{"name": "f", "description": "As of {{ now() | string }}.", "parameters": {{ s | tojson }}}'
    tool = '{"type": "function", "function": HELD}'.replace("HELD", held)
    text = '{"model": "gpt-4o", "tools": [{{ first | tojson }}, TOOL], "messages": [{"role": "user", "content": "a"}]}'
    segments = prompt(text.replace("TOOL", tool)).segments

    assert [s.expression.names for s in segments if s.expression is not None] == [("first",), (), ("s",)]
    assert ("RL803", "error") in _told(tmp_path, text.replace("TOOL", tool.replace("As of", PROSE.replace("\n", " ") + " As of")))
