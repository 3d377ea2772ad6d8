"""Healthy prompts of many kinds have no finding at all; one fault planted near the top is found on its line, once."""

from __future__ import annotations

from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings
from radixlint.result.finding import CheckReport

FOLDER = Path(__file__).resolve().parent / "fixtures" / "ordered_prompts"
FILES = sorted(path.name for path in FOLDER.iterdir())
JINJA = {
    "{{ now() }}": "RL201",
    "{{ request_id }}": "RL202",
    "{{ turn_number }}": "RL206",
    "{{ hostname }}": "RL207",
    "{{ examples | random }}": "RL301",
    "{{ set(topics) | join(' ') }}": "RL302",
    "{{ limits.items() | join(' ') }}": "RL303",
    "{{ listdir('rules') | join(' ') }}": "RL305",
    "{{ hash(rules) }}": "RL306",
    "{{ selected_examples }}": "RL307",
    "{{ json.dumps(limits) }}": "RL401",
    "{{ docs }}": "RL901",
    "{{ tenant.name }}": "RL951",
    "{{ user_locale }}": "RL952",
    "{{ user_name }}": "RL101",
    "{% if user.vip %}Be kind.{% endif %}": "RL104",
}
FIELDS = {
    "{current_time}": "RL201",
    "{session_id}": "RL202",
    "{tokens_left}": "RL206",
    "{pid}": "RL207",
    "{user_name}": "RL101",
    "{context}": "RL901",
    "{company}": "RL951",
    "{language}": "RL952",
}
SEATS = (
    ("coding_agent.j2", "# Manner\n", JINJA),
    ("many_tenants.j2", "General rules:\n", JINJA),
    ("french.j2", "avec des phrases courtes.\n", JINJA),
    ("sentiment_fewshot.md", "# Mood of a review\n", FIELDS),
    ("persona.txt", "letters to a friend ashore.\n", FIELDS),
    ("extraction.hbs", "nothing around it.\n", {"{" + field + "}": rule for field, rule in FIELDS.items()}),
    ("rag_answers.prompty", "in front of it.\n", {"{" + field + "}": rule for field, rule in FIELDS.items()}),
)
CASES = [(name, seat, line, rule) for name, seat, faults in SEATS for line, rule in faults.items()]


def check(start: Path, *names: str) -> CheckReport:
    """Return what all rules say about files of ``start``."""
    return check_paths(CheckOptions(arguments=names, settings=Settings(), start=start))


@pytest.mark.parametrize("name", FILES)
def test_healthy_prompt_is_silent(name: str) -> None:
    """A prompt in good order is read as one, and has neither a finding nor a note."""
    report = check(FOLDER, name)

    assert report.prompts >= 1
    assert (report.findings, report.skipped, report.notes) == ((), (), ())


def test_healthy_folder_is_silent() -> None:
    """Beside each other the healthy prompts have no finding either."""
    assert check(FOLDER, ".").findings == ()


@pytest.mark.parametrize(
    ("name", "seat", "line", "rule"), CASES, ids=lambda value: value.strip()[:30] if isinstance(value, str) else ""
)
def test_planted_fault_is_found_once(name: str, seat: str, line: str, rule: str, tmp_path: Path) -> None:
    """A line with one fault, put near the top, gives one finding, of the rule of its kind, on that line."""
    text = (FOLDER / name).read_text(encoding="utf-8")
    head, found, rest = text.partition(seat)
    assert found
    (tmp_path / name).write_text(f"{head}{seat}Planted: {line}\n{rest}", encoding="utf-8")
    findings = check(tmp_path, name).findings

    assert [(f.span.line, f.rule) for f in findings] == [((head + seat).count("\n") + 1, rule)]
