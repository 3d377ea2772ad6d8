"""Own calls that send prompts: a table in YAML makes them known, and a mistake in it is told with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import load_settings
from radixlint.errors import ConfigError
from radixlint.flow.own_sinks import load_own_sinks

TABLE = """\
sinks:
  - name: our gateway
    calls: [gateway.ask]
    needs: [system]
    shape: openai-chat
    texts:
      - {at: [system], as: text, role: system}
      - {at: [question], as: text, role: user}
"""
PROGRAM = """\
from datetime import datetime

from ours import gateway

DESK = '''The desk is open from nine to five. Loans last four weeks and can be renewed twice unless someone waits.
Late items cost twenty cents a day, never more than the price of the item.'''


def reply(asked):
    return gateway.ask(system=f"{datetime.now()} {DESK}", question=asked)
"""


def _found(root: Path, table: str) -> list[tuple[str, int, str]]:
    (root / "radixlint.toml").write_text('sinks = ["calls.yaml"]\n', encoding="utf-8")
    (root / "calls.yaml").write_text(table, encoding="utf-8")
    (root / "desk.py").write_text(PROGRAM, encoding="utf-8")
    report = check_paths(CheckOptions(("desk.py",), load_settings(root), root))
    return [(finding.rule, finding.span.line, finding.severity.value) for finding in report.findings]


def test_own_calls_send_prompts(tmp_path: Path) -> None:
    """A call of the user's own gateway is followed as one of the known libraries is."""
    assert ("RL201", 10, "error") in _found(tmp_path, TABLE)


@pytest.mark.parametrize(
    ("change", "line", "word"),
    [
        (("shape: openai-chat", "shapes: openai-chat"), 5, "shapes"),
        (("as: text, role: system", "as: words, role: system"), 7, "words"),
        (("role: user", "role: boss"), 8, "boss"),
        (("sinks:", "calls:"), 1, "sinks"),
        (("needs: [system]", "needs: []"), 4, "needs"),
    ],
)
def test_a_mistake_in_the_table_names_its_line(tmp_path: Path, change: tuple[str, str], line: int, word: str) -> None:
    """Unknown keys, words and empty lists are refused with file, line and the word."""
    with pytest.raises(ConfigError) as caught:
        _found(tmp_path, TABLE.replace(*change))

    told = str(caught.value.where) + caught.value.message
    assert f"calls.yaml:{line}" in told
    assert word in told


def test_all_mistakes_of_all_tables_are_told(tmp_path: Path) -> None:
    """Each has a line, and the name of its call, or its number where that has none; what is near a known key is named."""
    (tmp_path / "one.yaml").write_text(
        "sinks:\n"
        "  - name: gate\n    calls: []\n    need: [system]\n    shape: openai-chat\n"
        "    texts:\n      - {at: [a], as: words}\n      - {at: [b], as: text, role: boss}\n"
        "  - calls: [x.y]\n    needs: [a]\n    shape: 3\n    texts: [{at: [a], as: text}]\n"
    )
    (tmp_path / "two.yaml").write_text("sinks: 3\n")

    with pytest.raises(ConfigError) as caught:
        load_own_sinks([tmp_path / "one.yaml", tmp_path / "two.yaml"], tmp_path)

    told = caught.value.lines()
    assert [line.split(": ")[0] for line in told] == [
        "one.yaml:3",
        "one.yaml:4",
        "one.yaml:7",
        "one.yaml:8",
        "one.yaml:9",
        "one.yaml:11",
        "two.yaml:1",
    ]
    assert "gate: a call contains unknown field `need` (did you mean needs?)" in told[1]
    assert "call 2: " in told[4]
