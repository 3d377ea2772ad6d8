"""Rules on order and values say one cause once, and each value is of one kind."""

from __future__ import annotations

import pytest

from radixlint.catalog import load_rules
from radixlint.lifetime import classify
from radixlint.lint import classified, lint_prompt
from radixlint.prompt import Lifetime, Origin, SourceText
from radixlint.sources import read_prompts

FIXED = "Answer in plain words and keep it short.\n" * 12


class NoIncludes:
    """The templates of these tests stand alone."""

    def open(self, name: str, from_path: str) -> SourceText | None:
        """Return None: there is no other file."""
        return None


def words(text: str) -> int:
    """Count words: the tests' tokenizer."""
    return len(text.split())


def found(text: str, kind: str = "j2", variables: dict[str, Lifetime] | None = None) -> list[str]:
    """Return line, rule and severity of each finding in the one prompt of ``text``."""
    read = read_prompts(SourceText(f"p.{kind}", text), NoIncludes())
    assert read is not None
    (prompt,) = read.prompts
    findings = lint_prompt(classified(prompt, variables or {}), load_rules(), words)
    return [f"{f.span.line} {f.rule} {f.severity.value}" for f in findings]


def origin(value: str) -> Origin:
    """Return what the last value of a Jinja template stands for."""
    read = read_prompts(SourceText("p.j2", value), NoIncludes())
    assert read is not None
    return [s for s in classify(read.prompts[0], {}).segments if not s.is_literal][-1].origin


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("{{ messages.length }}", Origin.COUNTER),
        ("{{ history | count }}", Origin.COUNTER),
        ("{{ tools | length }}", Origin.TOOLS),
        ("{% for m in messages %}{{ loop.revindex }}{% endfor %}", Origin.COUNTER),
        ("{% for m in messages %}{{ loop.index }}{% endfor %}", Origin.LITERAL),
        ("{% for t in tools %}{{ loop.revindex }}{% endfor %}", Origin.LITERAL),
        ("{{ selected_examples }}", Origin.RETRIEVAL),
        ("{{ few_shot_examples }}", Origin.RELEASE),
        ("{{ customer_tier }}", Origin.FLAG),
        ("{{ user.locale }}", Origin.FLAG),
        ("{{ hostname }}", Origin.HOST),
        ("{{ os.getpid() }}", Origin.HOST),
        ("{{ os.getcwd() }}", Origin.HOST),
        ("{{ today.strftime('%H:%M') }}", Origin.CLOCK),
    ],
)
def test_kind_of_value(value: str, expected: Origin) -> None:
    """Counters, selected examples, flags and machines are told apart from history, examples, users and releases."""
    assert origin(value) is expected


def test_a_date_printed_with_hours_is_a_clock() -> None:
    """A name that says day, printed with a format of hours, changes on every call."""
    assert found(f"{{{{ today.strftime('%H:%M') }}}}\n{FIXED}{{{{ question }}}}\n") == ["1 RL201 error"]
    assert found(f"{{{{ today.strftime('%d %B') }}}}\n{FIXED}{{{{ question }}}}\n") == ["1 RL201 info"]


def test_message_order_is_told_where_the_value_is() -> None:
    """Enough fixed text behind a message that differs is told at its value, less at the fixed message; never twice."""

    def messages(fixed: str) -> str:
        reader = '- role: user\n  content: "Card {{ customer.card }}"\n'
        return f'{reader}- role: system\n  content: "{fixed}"\n- role: user\n  content: "{{{{ question }}}}"\n'

    assert found(messages(" ".join(["word"] * 80)), "yaml") == ["2 RL101 warning"]
    assert found(messages(" ".join(["word"] * 30)), "yaml") == ["4 RL105 error"]
    assert found(messages("Be kind."), "yaml") == []


def test_a_clock_in_the_system_text_is_told_once() -> None:
    """With the history in the file the loss is told; without it a note says what the next turn loses."""
    system = (
        f"messages:\n  - role: system\n    content: |\n{''.join(f'      {line}' for line in FIXED.splitlines(keepends=True))}"
    )
    clock = "      It is {{ now() }}.\n"
    history = "  - role: user\n    content: |\n      {% for m in history %}{{ m.content }}{% endfor %}\n"
    question = '  - role: user\n    content: "{{ question }}"\n'

    assert found(system + clock + question, "yaml") == ["16 RL204 info"]
    assert found(system + clock + history + question, "yaml") == ["16 RL201 error"]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("{{ set(limits.keys()) | join }}", ["1 RL302 error"]),
        ("{{ json.dumps(limits.items()) }}", ["1 RL303 warning"]),
        ("{{ json.dumps(limits) }}", ["1 RL401 info"]),
        ("{{ json.dumps(docs) }}", ["1 RL901 error"]),
        ("{% for e in selected_examples %}{{ e.score }}{% endfor %}", ["1 RL307 warning"]),
        ("{% for d in docs | sort(attribute='score') %}{{ d.score }}{% endfor %}", ["1 RL901 error"]),
    ],
)
def test_one_place_has_one_finding(value: str, expected: list[str]) -> None:
    """Where several rules see one cause, the nearest one tells it."""
    assert found(f"{value}\n{FIXED}{{{{ question }}}}\n") == expected


def test_levels_of_one_tenant_are_static_by_the_settings() -> None:
    """A tenant or user that the settings call static is no cause, under any rule."""
    text = f"{{{{ tenant.name }}}} {{{{ user.locale }}}}\n{FIXED}{{{{ question }}}}\n"

    assert found(text, variables={"tenant": Lifetime.STATIC, "user": Lifetime.STATIC}) == []


def test_many_values_and_conditions_take_no_time() -> None:
    """A prompt of hundreds of values, lists and conditions has few findings, and is done within the time of a test."""
    part = "word {{{{ user.f{0} }}}} {{% if user.g{0} %}}\n{{% endif %}}{{% for x in user.list{0} %}}{{{{ x }}}}{{% endfor %}}\n"
    rules = {line.split()[1] for line in found(FIXED + "".join(part.format(i) for i in range(300)))}

    assert rules <= {"RL101", "RL404"}
