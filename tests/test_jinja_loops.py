"""Loops of Jinja templates that stand in programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings

RULES = (
    "You are the desk of a small boat yard and you answer letters of guests in plain words. Quote prices only from the list "
    "below and never invent a discount for anyone who asks. Keep each reply below six sentences and name the pier at which the "
    "guest is to wait. Children below twelve share a boat with an adult, and dogs stay ashore on windy days."
)
PAIRS = "{% for name, value in prices.items() %}- {{ name }}: {{ value }}\n{% endfor %}"


def found(folder: Path, source: str, call: str, ahead: str = "") -> list[tuple[str, str]]:
    """Return rules and severities of a template that a function fills and sends."""
    code = f'''\
from jinja2 import Template
from openai import OpenAI

client = OpenAI()
{ahead}
SOURCE = """{source}
{RULES}"""


def ask(prices, shop, text):
    system = Template(SOURCE).render({call})
    messages = [{{"role": "system", "content": system}}, {{"role": "user", "content": text}}]
    return client.chat.completions.create(model="gpt-5-mini", messages=messages)
'''
    (folder / "app.py").write_text(code, encoding="utf-8")
    return [(f.rule, f.severity.value) for f in check_paths(CheckOptions(("app.py",), Settings(jobs=1), folder)).findings]


@pytest.mark.parametrize("call", ["prices=prices", '{"prices": prices}'])
def test_a_loop_over_a_mapping_follows_its_order(tmp_path: Path, call: str) -> None:
    """The order is told as of a mapping in the program, and the names of the loop say nothing about what it goes over."""
    assert found(tmp_path, PAIRS, call) == [("RL303", "info"), ("RL101", "info")]


@pytest.mark.parametrize(
    ("source", "call", "ahead"),
    [
        (PAIRS.replace(".items()", " | dictsort"), "prices=prices", ""),
        (PAIRS, "prices=PRICES", 'PRICES = {"boat": 12, "pier": 3}'),
        (PAIRS, "prices=dict(sorted(prices.items()))", ""),
    ],
)
def test_an_order_that_is_settled_is_silent(tmp_path: Path, source: str, call: str, ahead: str) -> None:
    """A mapping that is sorted, or written out in the program, keeps one order."""
    assert "RL303" not in dict(found(tmp_path, source, call, ahead))


@pytest.mark.parametrize("loop", ["value in [1, 2]", "value in range(3)", "value in names"])
def test_what_a_loop_binds_is_what_it_goes_over(tmp_path: Path, loop: str) -> None:
    """Numbers and constants are no input, whatever the name of the loop is."""
    source = f"{{% for {loop} %}}{{{{ loop.index }}}}. {{{{ value }}}}\n{{% endfor %}}"
    assert found(tmp_path, source, "names=NAMES", 'NAMES = ["boat", "pier"]') == []


def test_items_of_what_was_retrieved_are_retrieved(tmp_path: Path) -> None:
    """A loop over what a search gave prints what the search gave."""
    source = "{% for one in pages %}{{ one.text }}\n{% endfor %}"
    assert found(tmp_path, source, "pages=shop.retriever.search(text)") == [("RL901", "error")]
