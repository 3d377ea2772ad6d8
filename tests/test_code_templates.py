"""Templates and texts that a program reads from the tree are read with it: what is filled in counts against what they hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings

TEMPLATE = """\
Time: {{ stamp }}
You answer questions of readers of the city library in short and friendly words.
Loans last four weeks and can be renewed twice unless someone waits for the item.
{{ question }}
"""
HEAD = """\
from datetime import datetime
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, Template
from openai import OpenAI

client = OpenAI()
env = Environment(loader=FileSystemLoader("texts"))
HERE = Path(__file__).parent


def ask(question):
    now = datetime.now().isoformat()
"""
SENT = '    return client.responses.create(model="gpt-5-mini", input=s)\n'
WAYS = {
    "loader": '    s = env.get_template("desk.j2").render(stamp=now, question=question)\n',
    "path": '    s = Template((HERE / "texts" / "desk.j2").read_text()).render(stamp=now, question=question)\n',
    "open": '    s = Template(open("texts/desk.j2").read()).render(stamp=now, question=question)\n',
    "text ahead": '    s = now + Path(__file__).with_name("rules.txt").read_text()\n',
}


def _places(root: Path, code: str) -> list[tuple[str, int]]:
    (root / "texts").mkdir()
    (root / "texts" / "desk.j2").write_text(TEMPLATE, encoding="utf-8")
    (root / "rules.txt").write_text(TEMPLATE.split("\n", 1)[1].replace("{{ question }}", ""), encoding="utf-8")
    (root / "desk.py").write_text(HEAD + code + SENT, encoding="utf-8")
    report = check_paths(CheckOptions(("desk.py",), Settings(), root))
    return [(f.rule, f.span.line) for f in report.findings if f.lost_tokens > 20]


@pytest.mark.parametrize("code", WAYS.values(), ids=WAYS)
def test_a_clock_put_into_a_file_of_the_tree_is_found(tmp_path: Path, code: str) -> None:
    """The finding stands at the clock, and the tokens behind it are those of the file."""
    assert _places(tmp_path, code) == [("RL201", 13)]


def test_what_is_filled_in_behind_the_text_is_clean(tmp_path: Path) -> None:
    """A question that the template prints last has nothing behind it."""
    code = '    s = env.get_template("desk.j2").render(stamp="today", question=question)\n'

    assert _places(tmp_path, code) == []
