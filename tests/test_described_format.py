"""Formats read by description: roles, wire order, placeholders and places of each."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from template_reading import Shelf, cut, place

from radixlint.prompt import Prompt, Role, SourceText
from radixlint.sources import SourceRead, read_prompts
from radixlint.sources._described_schema import Format, load_book

FIXTURES = Path(__file__).parent / "fixtures" / "sources"


def read(text: str, path: str, files: dict[str, str] | None = None) -> SourceRead:
    found = read_prompts(SourceText(path, text), Shelf(files or {}))
    assert found is not None
    assert found.dialect == "described-format"
    return found


def prompt(text: str, path: str, files: dict[str, str] | None = None) -> Prompt:
    (found,) = read(text, path, files).prompts
    return found


def told(found: Prompt) -> list[tuple[str, Role, int]]:
    return [(s.text, s.role, s.message) for s in found.segments]


def values(text: str, found: Prompt) -> list[str]:
    """The source text at the place of each value."""
    return [cut(text, s) for s in found.segments if s.expression is not None]


def test_description_is_sound() -> None:
    """The packaged description loads; a field that does not exist is refused."""
    assert {form.name for form in load_book().formats} >= {"langchain", "dify", "langfuse", "crewai"}
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"name": "x", "look": [], "wher": {}}, Format)


def test_langchain_template() -> None:
    """A prompt mapping has single-brace fields; doubled braces are text with places."""
    found = prompt((FIXTURES / "prompt.yaml").read_text(encoding="utf-8"), "prompt.yaml")

    assert [s.text for s in found.segments] == ["Today is ", "{today}", '.\nReply as {"json"}.\n', "{question}", "\n"]
    assert [place(s) for s in found.segments if s.expression] == [(4, 12, 4, 19), (6, 3, 6, 13)]
    assert len(found.segments[2].offsets) == len(found.segments[2].text)
    assert not found.is_rendered


@pytest.mark.parametrize(
    ("format_", "expected"),
    [("jinja2", ["{a} ", "{{ b }}"]), ("mustache", ["{a} ", "{{ b }}"]), ("f-string", ["{a}", " {{ b }}"])],
)
def test_template_format_decides(format_: str, expected: list[str]) -> None:
    """The named format decides what is a placeholder."""
    found = prompt(f"template: '{{a}} {{{{ b }}}}'\ntemplate_format: {format_}\ninput_variables: [b]\n", "t.yaml")

    assert [cut("template: '{a} {{ b }}'", s) for s in found.segments] == expected


def test_langchain_few_shot_order() -> None:
    """A few-shot prompt is one text: prefix, the fixed examples, suffix."""
    text = (
        "_type: few_shot\nsuffix: 'Q: {question}'\nexamples:\n  - {question: two, answer: deux}\n"
        "example_prompt: {_type: prompt, input_variables: [question], template: 'Q {question}'}\nprefix: 'Words of {language}.'\n"
    )

    assert told(prompt(text, "few.yaml")) == [
        ("Words of ", Role.TEXT, 0),
        ("{language}", Role.TEXT, 0),
        (".", Role.TEXT, 0),
        ("two", Role.TEXT, 0),
        ("deux", Role.TEXT, 0),
        ("Q: ", Role.TEXT, 0),
        ("{question}", Role.TEXT, 0),
    ]


def _dumped(class_name: str, **kwargs: object) -> dict[str, object]:
    return {"lc": 1, "type": "constructor", "id": ["langchain", "prompts", class_name], "kwargs": kwargs}


def test_langchain_dump() -> None:
    """A dumped chat prompt has roles by class, placeholders by the format, and a history where its slot stands."""
    system = _dumped("PromptTemplate", template="You know {{topic}}.", template_format="mustache", input_variables=["topic"])
    messages = [
        _dumped("SystemMessagePromptTemplate", prompt=system),
        _dumped("MessagesPlaceholder", variable_name="past"),
        _dumped("HumanMessage", content="a {literal} question"),
        _dumped("HumanMessagePromptTemplate", prompt=_dumped("PromptTemplate", template="{question}")),
    ]
    text = json.dumps(_dumped("ChatPromptTemplate", messages=messages), indent=1)
    found = prompt(text, "chat.json")

    assert [(s.role, s.message) for s in found.segments] == [
        (Role.SYSTEM, 0),
        (Role.SYSTEM, 0),
        (Role.SYSTEM, 0),
        (Role.TEXT, 1),
        (Role.USER, 2),
        (Role.USER, 3),
    ]
    assert [s.expression.names for s in found.segments if s.expression] == [("topic",), ("history",), ("question",)]
    assert [values(text, found)[index] for index in (0, 2)] == ["{{topic}}", "{question}"]


def test_llama_index() -> None:
    """Text and chat templates of LlamaIndex; a rich template is Jinja."""
    plain = prompt('{"metadata": {"prompt_type": "qa"}, "template_vars": ["c"], "template": "Know {context_str}"}', "p.json")
    rich = prompt("template_vars: [a]\ntemplate_str: '{% if a %}{{ a }}{% endif %}'\n", "r.yaml")
    chat = prompt(
        '{"template_vars": ["q"], "message_templates": [{"role": "system", "content": "Hi"},'
        ' {"role": "user", "blocks": [{"block_type": "text", "text": "{q}"}]}]}',
        "c.json",
    )

    assert plain.name == "p.json:qa"
    assert [s.text for s in plain.segments] == ["Know ", "{context_str}"]
    assert [(s.text, len(s.controls)) for s in rich.segments] == [("{{ a }}", 1)]
    assert told(chat) == [("Hi", Role.SYSTEM, 0), ("{q}", Role.USER, 1)]


def test_semantic_kernel() -> None:
    """``{{$x}}`` is a variable, ``{{plugin.fn $x}}`` a call on it; message tags give roles."""
    text = (
        "name: answer\ntemplate_format: semantic-kernel\ninput_variables:\n  - name: input\n"
        'template: |\n  <message role="system">Now {{clock.now}}.</message>\n'
        '  <message role="user">{{recall $input}} {{$input}}</message>\n'
    )
    found = prompt(text, "k.yaml")
    told_of = [(s.role, s.message, s.expression.names, s.expression.calls) for s in found.segments if s.expression]

    assert values(text, found) == ["{{clock.now}}", "{{recall $input}}", "{{$input}}"]
    assert [(role, names, calls) for role, _, names, calls in told_of] == [
        (Role.SYSTEM, (), ("clock.now",)),
        (Role.USER, ("input",), ("recall",)),
        (Role.USER, ("input",), ()),
    ]
    assert told_of[0][1] < told_of[1][1]


DIFY = """\
app: {mode: advanced-chat, name: helper}
kind: app
workflow:
  graph:
    nodes:
      - data: {type: start, title: Start}
      - data:
          type: llm
          title: Answer
          memory:
            query_prompt_template: "{{#sys.query#}}"
            window: {enabled: true, size: 10}
          prompt_template:
            - role: system
              text: |
                Rules of {{#1711.shop#}}.
            - role: user
              edition_type: jinja2
              jinja2_text: "{{ note }}"
              text: old
"""


def test_dify_workflow() -> None:
    """A node with a model is a prompt: its messages, then the memory, then the question."""
    found = prompt(DIFY, "dify.yml")

    assert found.name == "dify.yml:Answer"
    assert [(s.role, s.message) for s in found.segments] == [
        (Role.SYSTEM, 0),
        (Role.SYSTEM, 0),
        (Role.SYSTEM, 0),
        (Role.USER, 1),
        (Role.TEXT, 2),
        (Role.USER, 3),
    ]
    assert [s.expression.names for s in found.segments if s.expression] == [("shop",), ("note",), ("history",), ("sys.query",)]
    assert place(found.segments[1]) == (16, 26, 16, 41)


def test_dify_simple_app() -> None:
    """The prompt of an app without a workflow is its system text."""
    found = prompt("kind: app\nmodel_config:\n  pre_prompt: 'You help {{name}}.'\n", "app.yml")

    assert told(found) == [("You help ", Role.SYSTEM, 0), ("{{name}}", Role.SYSTEM, 0), (".", Role.SYSTEM, 0)]


def test_langfuse() -> None:
    """Chat and text prompts; a placeholder item is a history unless its name says otherwise."""
    chat = {
        "name": "tutor",
        "type": "chat",
        "version": 2,
        "prompt": [
            {"role": "system", "content": "S {{x}}"},
            {"type": "placeholder", "name": "few_shot_examples"},
            {"type": "placeholder", "name": "past"},
            {"role": "user", "content": "{{q}}"},
        ],
    }
    found = prompt(json.dumps(chat), "l.json")
    plain = prompt('{"name": "a", "type": "text", "version": 1, "labels": [], "prompt": "Hi {{x}}"}', "t.json")

    assert [s.expression.names for s in found.segments if s.expression] == [("x",), ("few_shot_examples",), ("history",), ("q",)]
    assert [s.message for s in found.segments] == [0, 0, 1, 2, 3]
    assert [s.text for s in plain.segments] == ["Hi ", "{{x}}"]


def test_nemo_guardrails() -> None:
    """Each task is a prompt; messages may be plain templates, and the history is a pipe."""
    text = (
        "prompts:\n  - task: general\n    messages:\n      - type: system\n        content: Hi {{ name }}\n"
        '      - "{{ history | to_chat }}"\n  - task: facts\n    content: |\n      Check {{ evidence }}\n'
    )
    first, second = read(text, "prompts.yml").prompts

    assert (first.name, second.name) == ("prompts.yml:general", "prompts.yml:facts")
    assert told(first)[1:] == [("{{ name }}", Role.SYSTEM, 0), ("{{ history | to_chat }}", Role.TEXT, 1)]
    assert values(text, second) == ["{{ evidence }}"]


def test_promptflow_nodes() -> None:
    """The text of a node's file counts at the name of the file; its own place is related."""
    text = "nodes:\n- name: chat\n  type: llm\n  source: {type: code, path: chat.jinja2}\n- {name: py, type: python}\n"
    found = prompt(text, "flow.dag.yaml", {"chat.jinja2": "Rules\n{{ now() }}"})

    assert [(s.text, place(s)[:2], s.related[0].path) for s in found.segments] == [
        ("Rules\n", (4, 30), "chat.jinja2"),
        ("{{ now() }}", (4, 30), "chat.jinja2"),
    ]
    assert read(text, "flow.dag.yaml").notes == ("line 4: cannot open 'chat.jinja2' (not found), read without it",)


def test_crewai() -> None:
    """An agent is its role, its story, its goal, as the framework sends them; a task is a description and what is expected."""
    agent = prompt("writer:\n  goal: 'Write on {topic}'\n  role: Writer\n  backstory: >\n    You write.\n", "agents.yaml")
    task = prompt("draft:\n  description: 'Draft {topic}'\n  expected_output: Text\n", "tasks.yaml")

    assert [s.text for s in agent.segments] == ["Writer", "You write.\n", "Write on ", "{topic}"]
    assert {s.message for s in agent.segments} == {0}
    assert told(task)[1:] == [("{topic}", Role.USER, 0), ("Text", Role.USER, 0)]


def test_prompt_kept_on_a_server() -> None:
    """A reference to a stored prompt gives no prompt and one note."""
    found = read('{"prompt": {"id": "pmpt_12", "version": "2", "variables": {}}}', "o.json")

    assert found.prompts == ()
    assert [note.startswith("the text of this prompt is kept on the server") for note in found.notes] == [True]
