"""Chat templates tried on growing conversations: what breaks is told at the line that prints it, what is sound is left alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings
from radixlint.detectors._head_alignment import shared_length
from radixlint.detectors._prefix_breaks import try_template
from radixlint.errors import ConfigError
from radixlint.prompt import ChatTemplate
from radixlint.result.finding import CheckReport, Finding
from radixlint.sandbox import render_traced

FIXTURES = Path(__file__).parent / "fixtures"
TEMPLATES = FIXTURES / "chat_templates"
LOOP = (
    "{%- for m in messages %}{{ '<' + m.role + '>' + m.content }}{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}"
)

VERDICTS = {
    "append_only.jinja": [],
    "dated_head.jinja": ["RL501 info 13"],
    "empty_thought_in_open_turn.jinja": ["RL506 error 11"],
    "questions_only.jinja": ["RL503 warning 10"],
    "system_by_newest_turn.jinja": ["RL502 error 13"],
    "thoughts_behind_last_question.jinja": ["RL503 warning 24"],
    "thoughts_cut_by_split.jinja": ["RL503 warning 13"],
    "thoughts_kept.jinja": [],
    "tools_by_last_question.jinja": ["RL502 error 16"],
}


def checked(path: Path, *select: str) -> CheckReport:
    """Return what the chat template rules find in one file."""
    options = CheckOptions((path.name,), Settings(), path.parent, select=select or ("RL5",))
    return check_paths(options)


def written(folder: Path, text: str) -> Path:
    """Return a file with this template."""
    path = folder / "t.jinja"
    path.write_text(text, encoding="utf-8")
    return path


def told(findings: tuple[Finding, ...]) -> list[str]:
    """Return rule, severity and line of each finding."""
    return [f"{f.rule} {f.severity} {f.span.line}" for f in findings]


def tried(text: str) -> ChatTemplate:
    """Return a template that stands alone."""
    return ChatTemplate(text, ((1, 1),))


def test_each_fixture_has_a_verdict() -> None:
    """No template lies in the folder without saying what is expected of it."""
    assert sorted(VERDICTS) == sorted(path.name for path in TEMPLATES.iterdir())


@pytest.mark.parametrize("name", VERDICTS)
def test_verdicts_on_templates_shaped_like_real_ones(name: str) -> None:
    """Each template gets exactly the findings that it deserves, each at its line and with what it costs."""
    report = checked(TEMPLATES / name)

    assert told(report.findings) == VERDICTS[name]
    assert all(finding.lost_tokens > 0 for finding in report.findings)
    assert report.notes == ()


def test_ids_are_told_in_the_head_and_not_in_the_history(tmp_path: Path) -> None:
    """The rule on ids holds for chat templates too; ids of calls are history, which every turn repeats."""
    path = written(tmp_path, "{{ bos_token }}{{ request_id }}" + LOOP)

    assert told(checked(path, "ALL").findings) == ["RL202 error 1"]
    assert told(checked(TEMPLATES / "tools_by_last_question.jinja", "ALL").findings) == ["RL502 error 16"]


def test_an_empty_thought_of_the_open_turn_is_found_and_its_repair_is_silent() -> None:
    """The line that prints the thought is reported, with the line that prints the turn as history."""
    case = FIXTURES / "bugs" / "04-template-think-tag"

    (finding,) = checked(case / "template.jinja").findings

    assert (finding.rule, finding.span.line, [r.span.line for r in finding.related]) == ("RL506", 11, [3])
    assert checked(case / "fixed.jinja").findings == ()


def test_only_the_tool_loop_shows_that_reasoning_is_dropped_behind_a_call(tmp_path: Path) -> None:
    """Reasoning kept for all but the calls of earlier questions is lost in a tool loop alone; that is the kind told."""
    text = (
        "{%- set ns = namespace(asked=0) %}"
        "{%- for m in messages %}{% if m.role == 'user' %}{% set ns.asked = loop.index0 %}{% endif %}{% endfor %}\n"
        "{%- for m in messages %}{{ '<' + m.role + '>' }}\n"
        "{%- if m.reasoning_content and (loop.index0 > ns.asked or not m.tool_calls) %}"
        "{{ '<think>' + m.reasoning_content + '</think>' }}{% endif %}\n"
        "{{- m.content }}{% for c in m.tool_calls %}{{ c.function | tojson }}{% endfor %}\n"
        "{%- endfor %}{% if add_generation_prompt %}<assistant>{% endif %}"
    )

    (finding,) = checked(written(tmp_path, text)).findings

    assert (finding.rule, finding.span.line) == ("RL503", 3)
    assert "(tool loop, thinking)" in finding.message


_EACH = "<{{ m.role }}>\n{{ m.content }}{% endfor %}"
WINDOWS = {
    "slice": "{%- for m in messages[-3:] %}" + _EACH,
    "behind-the-system": "{{ messages[0].content }}{%- set rest = messages[1:] %}\n{%- for m in rest[-4:] %}" + _EACH,
    "by-index": "{%- for m in messages %}{% if loop.index0 >= messages|length - 4 %}"
    + _EACH.replace("{% end", "{% endif %}{% end"),
    "newest-only": "{% for m in messages[-1:] %}" + _EACH,
}


@pytest.mark.parametrize("text", WINDOWS.values(), ids=WINDOWS)
def test_a_window_over_the_history_is_one_finding(tmp_path: Path, text: str) -> None:
    """Whatever it drops first, a question or what the model wrote, the cause is one; its place is the loop."""
    report = checked(written(tmp_path, text + "{% if add_generation_prompt %}<assistant>{% endif %}"))

    (finding,) = report.findings
    assert finding.rule == "RL506"
    assert "the oldest messages are left out" in finding.message
    frame = finding.frame[finding.span.line - finding.frame_line]
    assert "for m in" in frame[finding.span.column - 1 : finding.span.end_column - 1]


def test_a_loop_that_only_collects_the_system_text_is_not_the_conversation(tmp_path: Path) -> None:
    """Tools behind a first loop over the messages that prints nothing but line breaks stand ahead of the conversation."""
    collect = "{% set ns = namespace(text='') %}\n{% for m in messages %}\n  {% if m.role == 'system' %}\n    "
    collect += "{% set ns.text = m.content %}\n  {% endif %}\n{%- endfor %}\n{{ ns.text }}{{ tools | tojson }}"

    assert checked(written(tmp_path, collect + LOOP)).findings == ()


def test_a_tool_loop_is_tried_where_the_template_asks_for_the_name_of_the_tool(tmp_path: Path) -> None:
    """A template that refuses a tool's answer without a name gets one, so that what it does to calls is seen."""
    asks = (
        "{%- for m in messages %}{% if m.role == 'tool' and not m.name is defined %}{{ raise_exception('no name') }}{% endif %}"
    )
    drops = "{%- if not (m.role == 'tool' and loop.last) %}{{ '<' + m.role + '>' + m.content }}{% endif %}{% endfor %}"
    (finding,) = checked(written(tmp_path, asks + drops + "{% if add_generation_prompt %}<assistant>{% endif %}")).findings

    assert "tool loop" in finding.message


def test_the_place_in_json_is_exact(tmp_path: Path) -> None:
    """In a tokenizer's settings the column counts what is written: quotes and line ends are two characters there."""
    text = '{{ "<s>" }}\n{{ messages | length }}\n' + LOOP
    path = tmp_path / "tokenizer_config.json"
    path.write_text(json.dumps({"bos_token": "<s>", "chat_template": text}), encoding="utf-8")

    (finding,) = checked(path).findings

    line = path.read_text(encoding="utf-8").split("\n")[finding.span.line - 1]
    assert finding.rule == "RL506"
    assert line[finding.span.column - 1 : finding.span.end_column - 1] == "{{ messages | length }}"


def test_windows_line_ends_do_not_move_the_place() -> None:
    """Runs of the rendering are places in the template as it is given, whatever its line ends."""
    plain = try_template(tried("a\n{{ messages | length }}\n" + LOOP), "t")
    windows = try_template(tried("a\r\n{{ messages | length }}\r\n" + LOOP), "t")

    assert plain.breaks
    assert plain == windows


def test_a_template_that_refuses_some_conversations_is_judged_by_the_others(tmp_path: Path) -> None:
    """No system message, no tools, roles that alternate: what raises is passed over."""
    text = (
        "{{ bos_token }}{% if tools %}{{ raise_exception('no tools') }}{% endif %}"
        "{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('no system') }}{% endif %}"
        "{% if loop.last %}*{% endif %}{{ m.role + m.content }}{% endfor %}"
    )

    report = checked(written(tmp_path, text))

    assert told(report.findings) == ["RL506 error 1"]
    assert report.notes == ()


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("{{ raise_exception('not today') }}", "cannot be tried: TemplateError: not today"),
        ("{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}", "did not come to an end in 2 s"),
        ("{{ 9**(9**9) }}", "did not come to an end in 2 s"),
        ("{{ 'a' * 4000000000 }}", "does not compile: MemoryError"),
        ("{{ cycler.__init__.__globals__ }}{{ x.y.z }}", "cannot be tried"),
    ],
)
def test_a_template_that_cannot_be_tried_is_a_note_and_never_hangs(tmp_path: Path, body: str, reason: str) -> None:
    """Limits hold, the file is named, no finding is made up; the next template is tried as ever."""
    report = checked(written(tmp_path, "{{ bos_token }}" + body + LOOP.replace("<assistant>", "")))

    assert report.findings == ()
    (note,) = report.notes
    assert note.startswith("t.jinja: the chat template ")
    assert reason in note
    assert checked(TEMPLATES / "questions_only.jinja").findings


def test_the_same_template_gives_the_same_bytes() -> None:
    """Two runs agree to the last character, in a new child too."""
    name = "thoughts_behind_last_question.jinja"
    first = checked(TEMPLATES / name)
    try_template.cache_clear()
    with pytest.raises(ConfigError):
        render_traced("{{ 9**(9**9) }}", [{}], "t")

    assert checked(TEMPLATES / name) == first


def test_each_character_knows_what_printed_it() -> None:
    """Text, an expression over two lines, a block and a captured text lead back to their tags; a tag's cut space to none."""
    text = "a {{- ' b' ~\n  'c' }}\n{%- set d %}x{{ y }}{% endset %}\n{{ d }}{% block e %}f{% endblock %}"

    (found,) = render_traced(text, [{"y": 1}], "t")

    assert found.text == "a bcx1f"
    starts = [text.index(part) for part in ("a {{", "' b'", "d }}{% block", "f{%")]
    assert [found.place_at(found.text.index(c)) for c in ("a", "b", "x", "f")] == starts


def test_shared_length_counts_from_the_start() -> None:
    """Equal, empty and parted texts."""
    assert [shared_length(*pair) for pair in (("", "a"), ("ab", "ab"), ("abc", "abd"), ("x", "y"))] == [0, 2, 2, 0]
