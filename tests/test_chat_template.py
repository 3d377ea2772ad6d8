"""A real chat template lays out requests as the server would, and cannot harm or stop the run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from radixlint.errors import ConfigError, LayoutError
from radixlint.layout import OPEN_TURN, TemplateLayout, open_layout
from radixlint.traffic import Message, Request, ToolCall

ROLE_MARKS = Path(__file__).parent / "fixtures" / "layout" / "role_marks.jinja"
ASKED = Request(index=0, messages=(Message("system", "Be kind."), Message("user", "Hi")))
DAY_S = 1_772_409_600.0  # 2026-03-02T00:00:00Z


def opened(folder: Path, text: str) -> TemplateLayout:
    """Return the layout of a template with this text."""
    path = folder / "t.jinja"
    path.write_text(text, encoding="utf-8")
    layout = open_layout(template=str(path))
    assert isinstance(layout, TemplateLayout)
    return layout


def test_a_template_renders_the_prompt_and_its_pieces_name_the_messages() -> None:
    """The text is the template's; each message found in it is a piece behind its mark, the rest is the open turn."""
    layout = open_layout(template=str(ROLE_MARKS))

    pieces = layout.lay_out(ASKED)

    assert "".join(p.text for p in pieces) == "<|system|>\nBe kind.<|user|>\nHi<|assistant|>"
    assert [(p.where, p.text[p.mark_characters :]) for p in pieces] == [
        ("messages[0] system", "Be kind."),
        ("messages[1] user", "Hi"),
        (OPEN_TURN, ""),
    ]
    assert layout.name == "chat template role_marks.jinja"


def test_tools_and_calls_are_objects_and_keep_their_key_order(tmp_path: Path) -> None:
    """Tools, parsed arguments and other fields reach the template as objects; ``tojson`` is that of Hugging Face."""
    layout = opened(
        tmp_path,
        "{% for t in tools %}{{ t | tojson }}|{{ t | tojson(indent=2, separators=(',', ': ')) }}{% endfor %}"
        "{% for m in messages %}{% for c in m.tool_calls %}{{ c.function.arguments.b }}{{ c.function.name }}{{ c.id }}"
        "{% endfor %}{{ m.tool_call_id }}{% generation %}{{ m.reasoning_content }}{% endgeneration %}{% break %}{% endfor %}",
    )
    call = ToolCall("find", '{"b": "é", "a": 1}', id="7")
    extra = '{"tool_call_id":"9","reasoning_content":"why"}'
    request = Request(index=0, tools=('{"b":"é<","a":[1]}',), messages=(Message("assistant", "", (call,), extra=extra),))

    assert layout.lay_out(request)[0].text.startswith('{"b": "é<", "a": [1]}|{\n  "b": "é<",\n  "a": [\n    1\n  ]\n}'[:21])
    assert "".join(p.text for p in layout.lay_out(request)) == (
        '{"b": "é<", "a": [1]}|{\n  "b": "é<",\n  "a": [\n    1\n  ]\n}éfind79why'
    )


def test_content_goes_in_as_parts_only_where_text_would_be_lost(tmp_path: Path) -> None:
    """A template that prints the parts of a content list alone gets lists; one that prints text gets text."""
    each = "{% for p in m.content %}{% if p.type == 'text' %}[{{ p.text }}]{% endif %}{% endfor %}"
    request = Request(index=0, messages=(Message("user", "One\nTwo", parts=("One", "Two")), Message("user", "Three")))

    printed = "".join(p.text for p in opened(tmp_path, f"{{% for m in messages %}}{each}{{% endfor %}}").lay_out(request))
    plain = "".join(p.text for p in opened(tmp_path, "{% for m in messages %}[{{ m.content }}]{% endfor %}").lay_out(request))

    assert (printed, plain) == ("[One][Two][Three]", "[One\nTwo][Three]")


def test_a_tokenizer_config_gives_templates_by_name_and_special_tokens(tmp_path: Path) -> None:
    """The template for tools is used when there are tools; special tokens are texts or objects with content."""
    config = {
        "bos_token": "<s>",
        "eos_token": {"content": "</s>"},
        "model_max_length": 9,
        "chat_template": [
            {"name": "default", "template": "{{ bos_token }}plain{{ eos_token }}"},
            {"name": "tool_use", "template": "{{ bos_token }}tools"},
        ],
    }
    path = tmp_path / "tokenizer_config.json"
    path.write_text(json.dumps(config), encoding="utf-8")

    layout = open_layout(template=str(path))

    assert isinstance(layout, TemplateLayout)
    assert layout.render(ASKED) == "<s>plain</s>"
    assert layout.render(Request(index=0, tools=("{}",), messages=ASKED.messages)) == "<s>tools"


def test_a_template_file_beside_the_config_goes_first_and_uses_its_tokens(tmp_path: Path) -> None:
    """As in the library that writes these files: ``chat_template.jinja`` wins over the field; the folder may be named."""
    (tmp_path / "tokenizer_config.json").write_text('{"bos_token": "<s>", "chat_template": "field"}', encoding="utf-8")
    (tmp_path / "chat_template.jinja").write_text("{{ bos_token }}file", encoding="utf-8")

    layouts = [open_layout(template=str(path)) for path in (tmp_path, tmp_path / "tokenizer_config.json")]

    assert [p.text for layout in layouts for p in layout.lay_out(ASKED)] == ["<s>file", "<s>file"]


def test_the_date_is_that_of_the_request_in_utc_else_a_fixed_one(tmp_path: Path) -> None:
    """The same log gives the same text on every day and in every zone; times counted from a start are no dates."""
    layout = opened(tmp_path, "{{ strftime_now('%Y-%m-%d %H:%M') }}")

    def printed(time_s: float | None) -> str:
        return layout.render(Request(index=0, messages=ASKED.messages, time_s=time_s))

    assert not layout.prints_date
    assert printed(DAY_S) == "2026-03-02 00:00"
    assert printed(DAY_S + 3_600) == "2026-03-02 01:00"
    assert printed(None) == printed(12.5) == printed(1e300)
    assert layout.prints_date


@pytest.mark.parametrize(
    "text",
    [
        "{{ 9**(9**9) }}",
        "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}",
        "{% for m in messages %}{% for i in range(99999) %}{% for j in range(99999) %}x{% endfor %}{% endfor %}{% endfor %}",
    ],
)
def test_a_template_that_does_not_end_is_killed_and_told(tmp_path: Path, text: str) -> None:
    """Neither constant folding nor loops hang the run: one line says what happened and where."""
    with pytest.raises(ConfigError, match="did not come to an end in 2 s") as error:
        opened(tmp_path, text).lay_out(ASKED)

    assert error.value.where == str(tmp_path / "t.jinja")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{{ 'a' * 4000000000 }}", "the chat template fails (MemoryError)"),
        ("{% for i in range(99999) %}{{ messages[0].content * 9999 }}{% endfor %}", "the chat template fails (TemplateError)"),
        ("{{ messages.append(1) }}", "the chat template fails (SecurityError)"),
        ("{{ ''.__class__.__mro__ }}", "the chat template fails (SecurityError)"),
        ("{{ cycler.__init__.__globals__.os.system('true') }}", "the chat template fails (SecurityError)"),
        ("{% include 'other.jinja' %}", "the chat template fails (TypeError)"),
        ("{{ raise_exception('Roles must alternate') }}", "the chat template says: Roles must alternate"),
        ("{{ raise_exception('Bad text: ' + messages[0].content) }}", "the chat template fails (TemplateError)"),
    ],
)
def test_a_template_that_fails_says_why_without_the_logs_text(tmp_path: Path, text: str, reason: str) -> None:
    """Nothing outside the sandbox is reached; a reason repeats the template's words, never those of the log."""
    with pytest.raises(LayoutError) as error:
        opened(tmp_path, text).lay_out(ASKED)

    assert str(error.value) == reason


def test_a_failure_leaves_the_next_requests_as_they_are(tmp_path: Path) -> None:
    """After a request that the template refuses, others are rendered with their own messages."""
    layout = opened(
        tmp_path,
        "{% for m in messages %}{% if m.role == 'tool' %}{{ raise_exception('no') }}{% endif %}{{ m.content }}{% endfor %}",
    )

    with pytest.raises(LayoutError):
        layout.lay_out(Request(index=0, messages=(Message("user", "A"), Message("tool", "B"))))

    assert layout.render(Request(index=1, messages=(Message("user", "C"), Message("user", "A")))) == "CA"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("t.jinja", "{% bad %}", "does not compile"),
        ("t.json", "[1]", "no JSON object"),
        ("t.json", "{", "no JSON"),
        ("t.json", '{"bos_token": "<s>"}', "no chat_template"),
    ],
)
def test_a_file_without_a_template_is_told(tmp_path: Path, name: str, text: str, message: str) -> None:
    """A wrong file is one clear error before any log is laid out."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")

    with pytest.raises(ConfigError, match=message):
        open_layout(template=str(path))


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    """A path that is not there is named."""
    with pytest.raises(ConfigError, match="cannot be read") as error:
        open_layout(template=str(tmp_path / "gone.jinja"))

    assert "gone.jinja" in str(error.value.where)


def test_a_random_choice_is_alike_for_equal_prompts(tmp_path: Path) -> None:
    """What a template draws does not depend on what was rendered before, so equal prompts stay equal."""
    layout = opened(tmp_path, "{{ range(90000) | random }} {{ messages[0].content }}")
    requests = [Request(index=i, messages=(Message("user", text),)) for i, text in enumerate(("a", "b", "a"))]
    first, _, again = ("".join(piece.text for piece in layout.lay_out(request)) for request in requests)

    assert first == again
    assert opened(tmp_path, "{{ range(90000) | random }}").lay_out(requests[0])[0].text == first.split()[0]


def test_a_device_is_read_no_further_than_a_template_may_be_long() -> None:
    """A file without an end is refused, not read for ever."""
    with pytest.raises(ConfigError, match="larger than"):
        open_layout(template="/dev/zero")


def test_a_named_file_that_is_not_there_is_told_though_a_config_is(tmp_path: Path) -> None:
    """A wrong name is an error, not a silent use of the config beside it."""
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"chat_template": "{{ messages[0].content }}"}))

    with pytest.raises(ConfigError, match="cannot be read"):
        open_layout(template=str(tmp_path / "nofile.jinja"))
    assert open_layout(template=str(tmp_path)).name
