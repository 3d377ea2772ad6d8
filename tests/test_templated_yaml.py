"""YAML that is YAML only when its tags are filled in: prompts in it are found, with what stands around them."""

from __future__ import annotations

from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings
from radixlint.result.finding import CheckReport

RULES = [
    "You are the desk of the city library. Answer in two short sentences and never guess.",
    "Loans last four weeks and can be renewed twice unless someone waits for the book that you hold.",
    "Late items cost twenty cents a day, never more than the price of the item, and no more than ten in all.",
    "Rooms are booked at the desk, two hours a day for each card. Never give out what another reader has borrowed.",
    "If you are not sure, say so and name the desk that knows. Close with the hours of the branch that was named.",
]


def block(depth: int, *lines: str) -> str:
    """Return lines of a block of text."""
    return "".join(f"{' ' * depth}{line}\n" for line in lines)


def check(folder: Path, written: str, name: str = "agent.yaml") -> CheckReport:
    """Check one file."""
    (folder / name).write_text(written, encoding="utf-8")
    return check_paths(CheckOptions(arguments=(name,), settings=Settings(), start=folder))


def places(report: CheckReport) -> list[tuple[str, int]]:
    """Return rules and lines."""
    return [(finding.rule, finding.span.line) for finding in report.findings]


@pytest.mark.parametrize(
    "tail",
    [
        "  {% if debug %}\n  log: true\n  {% endif %}\n",
        "{% if debug %}\n  log: true\n{% else %}\n  log: false\n{% endif %}\n",
        "  user_prompt: {{ question }} (please)\n{# the end #}\n",
        "  {%- for tool in tools %}\n  {{ tool.name }}: {{ tool.path }}\n  {%- endfor %}\n",
        "  note: {{ notes['a: b'] }} and {{ more }}\n",
        "  {% set x = 1 %}{% set y = 2 %}\n  log: {{ x }} of {{ y }}\n",
    ],
)
def test_a_clock_in_a_template_of_yaml_is_found(tmp_path: Path, tail: str) -> None:
    """Tags on lines of their own, placeholders with more text behind, and keys in both branches hide nothing."""
    head = "agent:\n  name: desk\n  system_prompt: |\n" + block(4, "It is {{ now() }}.", *RULES)

    assert places(check(tmp_path, head + tail)) == [("RL201", 4)]


@pytest.mark.parametrize("tail", ["  {% if debug %}\n  log: true\n  {% endif %}\n", "  user: {{ question }}!\n"])
def test_a_fixed_prompt_in_a_template_of_yaml_is_silent(tmp_path: Path, tail: str) -> None:
    """What stands behind is no fault, and that the file is no YAML is none."""
    written = "agent:\n  system_prompt: |\n" + block(4, *RULES, "Reader: {{ reader.name }}") + tail
    report = check(tmp_path, written)

    assert (report.prompts, places(report)) == (1, [])


LOOP = "{% for m in history %}\n  - role: {{ m.role }}\n    content: {{ m.content }}\n{% endfor %}\n"
SYSTEM = "  - role: system\n    content: |\n" + block(6, *RULES)


def test_messages_in_a_loop_are_the_history(tmp_path: Path) -> None:
    """Ahead of the rules the loop is a fault, behind them it is not."""
    first = check(tmp_path, "model: any\nmessages:\n" + LOOP + SYSTEM)
    last = check(tmp_path, "model: any\nmessages:\n" + SYSTEM + LOOP)

    assert places(first) == [("RL103", 3)]
    assert (last.prompts, places(last)) == (1, [])


def test_a_condition_around_a_message_is_known(tmp_path: Path) -> None:
    """The message of some users stands ahead of that of all."""
    own = "{% if user.is_admin %}\n  - role: system\n    content: You may delete what a reader wrote.\n{% endif %}\n"
    report = check(tmp_path, "model: any\nmessages:\n" + own + SYSTEM + "  - role: user\n    content: {{ question }}\n")

    assert {line for _, line in places(report)} == {3}


def test_tags_within_a_block_stay_in_its_text(tmp_path: Path) -> None:
    """A condition of a text is no condition of the file."""
    text = block(4, "{% if user.is_admin %}", "You may delete.", "{% endif %}", *RULES)
    report = check(tmp_path, "agent:\n  system_prompt: |\n" + text + "  {% if debug %}\n  log: true\n  {% endif %}\n")

    assert {line for _, line in places(report)} == {3}


def test_what_is_no_yaml_at_all_is_read_as_text(tmp_path: Path) -> None:
    """Nothing is called broken that may be sound when it is filled in; the file is told to be read in another way."""
    written = "messages:\n  - role: system\n  {% if x %} content: a: {% else %}\n   - ] {% endif %}\n" + block(
        1, "{{ now() }}", *RULES
    )
    report = check(tmp_path, written, "messages.yaml")

    assert "RL001" not in {finding.rule for finding in report.findings}
    assert any("read as text" in note for note in report.notes)


@pytest.mark.parametrize(
    "written",
    [
        "messages:\n  - role: system\n    content: 'open\n",
        "messages:\n  - role: system\n    content: {{ a }} b\n   - c: [\n",
    ],
)
def test_a_broken_file_without_tags_stays_broken(tmp_path: Path, written: str) -> None:
    """Without a tag there is no reason why it should not parse."""
    assert "RL001" in {finding.rule for finding in check(tmp_path, written, "messages.yaml").findings}


def test_charts_for_kubernetes_are_no_prompts(tmp_path: Path) -> None:
    """Go's actions are left alone."""
    chart = "kind: ConfigMap\ndata:\n  {{- if .Values.on }}\n  system_prompt: {{ .Values.text }} more\n  {{- end }}\n"

    assert check(tmp_path, chart).prompts == 0


TURN = '{"role": "{{ m.role }}", "content": {{ m.content | tojson }}}'
TURNS = f"{{% for m in history %}}\n{TURN}{{% if not loop.last %}},{{% endif %}}\n{{% endfor %}}"
FIXED = '{"role": "system", "content": "' + " ".join(RULES) + '"}'


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        (TURNS + ",\n" + FIXED, [("RL103", 3)]),
        (FIXED + ",\n" + TURNS, []),
        (FIXED.replace("You are", "At {{ now() }} you are") + ",\n" + TURNS, [("RL201", 3)]),
        ('{% if user.is_admin %}{"role": "system", "content": "You may delete."},{% endif %}\n' + FIXED, [("RL104", 3)]),
    ],
)
def test_a_template_of_json_is_read_as_one_of_yaml_is(tmp_path: Path, messages: str, expected: list[tuple[str, int]]) -> None:
    """Commas that a loop leaves are none too many, and tags around messages are known."""
    written = '{"model": "any",\n"messages": [\n' + messages + "\n]}\n"

    assert places(check(tmp_path, written, "body.json")) == expected


def test_fixed_messages_under_a_condition_are_no_body_as_sent(tmp_path: Path) -> None:
    """A file with tags is a template, even if nothing in it is printed."""
    written = (
        '{"model": "any", "messages": ['
        + FIXED
        + ', {% if x %}{"role": "user", "content": "It is 2026-03-04T05:06:07Z."}{% endif %}]}'
    )

    assert places(check(tmp_path, written, "body.json")) == []


@pytest.mark.parametrize(("effort", "rules"), [("{{ user.effort }}", ["RL608"]), ("low", []), ("{{ settings.effort }}", [])])
def test_a_parameter_of_a_call_makes_yaml_a_body(tmp_path: Path, effort: str, rules: list[str]) -> None:
    """Its parameters are looked at as in JSON."""
    written = f'model: any\nreasoning_effort: "{effort}"\nmessages:\n{SYSTEM}  - role: user\n    content: "{{{{ question }}}}"\n'

    assert [finding.rule for finding in check(tmp_path, written, "body.yaml").findings] == rules
