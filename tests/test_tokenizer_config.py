"""Chat templates in JSON and in Jinja files: told from other templates, with the place of every line and value."""

from __future__ import annotations

import json

import pytest
from template_reading import Shelf, cut, read

from radixlint.errors import SourceError
from radixlint.prompt import SourceText
from radixlint.sources import SourceRead, read_prompts

TEMPLATE = (
    "{{- bos_token }}\n{%- for message in messages %}\n<|im_start|>{{ message['role'] }}\n{{ message.content }}\n{%- endfor %}\n"
)


def config(value: object, path: str = "m/tokenizer_config.json", **more: object) -> tuple[str, SourceRead | None]:
    text = json.dumps({"added": [1], **more, "chat_template": value}, indent=1)
    return text, read_prompts(SourceText(path, text), Shelf({}))


def test_one_template_with_its_tokens() -> None:
    """The template is a prompt with the tokens that the file names; its values stand inside the JSON string."""
    text, found = config(TEMPLATE, bos_token="<s>", eos_token={"content": "</s>", "lstrip": False}, add_bos_token=True)
    assert found is not None
    (prompt,) = found.prompts

    assert prompt.kind == "chat-template"
    assert prompt.chat_template is not None
    assert prompt.chat_template.text == TEMPLATE
    assert prompt.chat_template.variables == (("bos_token", "<s>"), ("eos_token", "</s>"))
    assert [cut(text, s) for s in prompt.segments if s.expression] == [
        "{{- bos_token }}",
        "{{ message['role'] }}",
        "{{ message.content }}",
    ]


def test_lines_have_places() -> None:
    """Each line of the template knows line and column of its first character in the file."""
    text, found = config(TEMPLATE)
    assert found is not None
    template = found.prompts[0].chat_template
    assert template is not None
    lines = text.split("\n")

    assert len(template.line_places) == len(TEMPLATE.split("\n"))
    for (line, column), start in zip(template.line_places, TEMPLATE.split("\n"), strict=True):
        assert lines[line - 1][column - 1 :].startswith(json.dumps(start)[1:-1])


def test_named_templates() -> None:
    """A list of named templates gives a prompt each."""
    _, found = config([{"name": "default", "template": TEMPLATE}, {"name": "tool_use", "template": "{{ tools }}"}])
    assert found is not None

    assert [p.name for p in found.prompts] == ["tokenizer_config.json:default", "tokenizer_config.json:tool_use"]


def test_broken_template_and_broken_json() -> None:
    """A template that does not parse, or a file that is no JSON, raises at the place in the file."""
    with pytest.raises(SourceError) as caught:
        config("{% for m in messages %}\n{{ m }}")
    assert (caught.value.line, caught.value.column) == (5, 20)

    with pytest.raises(SourceError):
        read_prompts(SourceText("tokenizer_config.json", '{"chat_template": '), Shelf({}))


def test_request_with_a_template_is_no_configuration() -> None:
    """A request body may carry a template; it is read as a body."""
    _, found = config(TEMPLATE, path="body.json", model="any", messages=[{"role": "user", "content": "Hi"}])

    assert found is not None
    assert found.dialect != "tokenizer-config"


@pytest.mark.parametrize(
    ("text", "is_chat"),
    [
        (TEMPLATE, True),
        ("{% set past = messages %}{% for m in past %}[{{ m['role'] }}]{% endfor %}{{ eos_token }}", True),
        ("<|system|>Rules {{ now() }}{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}", False),
        ("{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}Answer.", False),
        ("{% for m in messages %}{{ m.content }}{% endfor %}{{ eos_token }}", False),
        ("{% for d in docs %}{{ d.role }}{% endfor %}{{ eos_token }}", False),
        ("Rules.\n{{ question }}", False),
    ],
)
def test_told_by_content(text: str, is_chat: bool) -> None:
    """A chat template loops over messages, looks at roles, and uses what a tokenizer gives; other prompts do not."""
    (prompt,) = read(text, path="x.jinja").prompts

    assert (prompt.kind == "chat-template") is is_chat
