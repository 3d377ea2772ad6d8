"""Fixed text that comes through loops, comprehensions, decorators and set operators counts behind what stands ahead of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings

HEAD = '''\
import json
import time

from openai import OpenAI

client = OpenAI()
RULES = """You answer questions of readers of the city library in short and friendly words.
Loans last four weeks and can be renewed twice unless someone waits for the item.
Late items cost twenty cents a day, never more than the price of the item."""
A = {"loans", "rooms", "fines"}


def ask(question, extra):
'''
TAIL = """
    return client.chat.completions.create(
        model="gpt-5-mini", messages=[{"role": "system", "content": s}, {"role": "user", "content": question}]
    )
"""
CLOCKS = {
    "join of a comprehension": 's = "\\n".join(p for p in [time.ctime(), extra, RULES] if p)',
    "call on each": 's = "".join([p.strip() for p in (time.ctime(), RULES)])',
    "pairs of a mapping": 's = "".join(f"{k}{v}" for k, v in {"Now": time.ctime(), "Rules": RULES}.items())',
    "loop that appends": (
        "out = []\n    for p in [time.ctime(), RULES]:\n        if p:\n            out.append(p)\n    s = ''.join(out)"
    ),
    "loop that adds": "s = ''\n    for p in (time.ctime(), RULES):\n        s += p",
    "functions in a list": "def head():\n        return time.ctime()\n    s = ''.join(f() for f in (head, lambda: RULES))",
    "decorator": (
        "def stamped(f):\n        def inner():\n            return time.ctime() + f()\n        return inner\n"
        "    @stamped\n    def text():\n        return RULES\n    s = text()"
    ),
}
ORDERS = {
    "difference": "s = ' '.join(A - {'rooms'}) + RULES",
    "intersection": "s = ' '.join(A & set(extra)) + RULES",
    "spread": "s = ' '.join([*A]) + RULES",
    "mapping over a set": "d = {k: len(k) for k in A}\n    s = ' '.join(f'{k}={v}' for k, v in d.items()) + RULES",
    "mapping as JSON": "s = json.dumps({k: 1 for k in A}, sort_keys=False) + RULES",
}


def _rules_found(root: Path, code: str) -> set[str]:
    (root / "desk.py").write_text(HEAD + f"    {code}" + TAIL, encoding="utf-8")
    report = check_paths(CheckOptions(("desk.py",), Settings(), root))
    return {finding.rule for finding in report.findings if finding.severity.value != "info"}


@pytest.mark.parametrize("code", CLOCKS.values(), ids=CLOCKS)
def test_a_clock_ahead_of_fixed_text_is_found(tmp_path: Path, code: str) -> None:
    """However the clock and the fixed text are put together, the text behind the clock counts."""
    assert _rules_found(tmp_path, code) == {"RL201"}


@pytest.mark.parametrize("code", ORDERS.values(), ids=ORDERS)
def test_the_order_of_a_set_survives(tmp_path: Path, code: str) -> None:
    """What is made of a set by operators, spreads and comprehensions has its order."""
    assert "RL302" in _rules_found(tmp_path, code)


def test_fixed_text_in_a_loop_is_no_fault(tmp_path: Path) -> None:
    """Sections that are all fixed, with the question behind them, are clean."""
    assert _rules_found(tmp_path, 's = "\\n".join(p.strip() for p in [RULES, "Answer in one sentence."] if p)') == set()
