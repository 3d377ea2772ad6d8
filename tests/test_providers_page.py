"""``docs/providers.md``: its table is that of the provider files, and its examples run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

import radixlint.providers
from radixlint.cli.analyze_command import analyze
from radixlint.cli.command_group import cli
from radixlint.cli.simulate_command import simulate
from radixlint.estimate.money_estimate import break_even_rate
from radixlint.providers import provider_names
from radixlint.providers._provider_schema import COUNTS, PRICES, TIMES, WORDS
from radixlint.replay.routing import HASHED_TOKENS

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "providers.md").read_text(encoding="utf-8")
LOG = str(ROOT / "radixlint" / "samples" / "support_desk.jsonl")
FOLDER = Path(radixlint.providers.__file__).parent


def figures(raw: dict[str, Any], key: str) -> list[Any]:
    """Return the values of a figure, rising; none where the file does not have it."""
    entries = raw.get(key, [])
    return sorted({entry["value"] for entry in (entries if isinstance(entries, list) else [entries])})


def spread(words: list[str]) -> str:
    """Return one word, or the first and the last."""
    return "none" if not words else words[0] if len(words) == 1 else f"{words[0]} to {words[-1]} by model"


def span(seconds: int) -> str:
    return f"{seconds // 3600} h" if seconds >= 3600 else f"{seconds // 60} min"


def row(name: str) -> str:
    """Return the line of the table that the provider's file makes."""
    raw = yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))
    (unit,), (match,) = figures(raw, "block_tokens"), figures(raw, "match")
    ttl = spread([span(value) for value in figures(raw, "ttl_s")])
    if match == "breakpoint":  # only a mark can ask for the longer one
        ttl += f", or {span(*figures(raw, 'long_ttl_s'))} by mark"
    minimum = spread([f"{value:,}" for value in figures(raw, "min_tokens")])
    return f"| `{name}` | {raw['title']} | {unit} token{'' if unit == 1 else 's'} | {match} | {minimum} | {ttl} |"


def blocks(language: str) -> Iterator[str]:
    yield from re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def report(*arguments: str) -> dict[str, Any]:
    done = CliRunner().invoke(cli, ["analyze", LOG, *arguments, "--format", "json"])
    assert done.exit_code == 0, done.output
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def test_the_table_is_that_of_the_files() -> None:
    """Every name that ``--engine`` takes has its line, with the figures of its file, and there is no other line."""
    lines = [line for line in PAGE.split("\n## ")[0].splitlines() if line.startswith("| `") and "--engine" not in line]

    assert lines == [row(name) for name in provider_names()]


def test_the_page_names_every_key_of_a_provider() -> None:
    """Whoever writes a file finds each key on the page, and each word of those that are chosen by hand."""
    keys = {*WORDS, *COUNTS, *TIMES, *PRICES, "title", "models", "prices", *WORDS["match"], *WORDS["store"], *WORDS["eviction"]}

    assert sorted(key for key in keys if f"`{key}`" not in PAGE and f"{key}:" not in PAGE) == []
    assert f"first {HASHED_TOKENS} tokens" in PAGE


def test_the_provider_file_runs(tmp_path: Path) -> None:
    """The example overrides vLLM's block and adds a provider with a time to live and a bill."""
    path = tmp_path / "our-providers.yaml"
    path.write_text(next(blocks("yaml")), encoding="utf-8")
    ours = report("--providers", str(path), "--engine", "our-gateway")
    vllm = report("--providers", str(path), "--engine", "vllm")

    assert (ours["engine"]["name"], ours["engine"]["block_tokens"], ours["engine"]["ttl_s"]) == ("our-gateway", 64, 900)
    assert [money["provider"] for money in ours["money"]] == ["our-gateway"]
    assert vllm["engine"]["block_tokens"] == 32


def test_both_forms_of_a_price_file_make_one_bill(tmp_path: Path) -> None:
    """The examples say the same in litellm's form and in ours; the page's figure of the cost is the one they give."""
    listed, own = tmp_path / "prices.json", tmp_path / "prices.yaml"
    listed.write_text(next(blocks("json")), encoding="utf-8")
    own.write_text(list(blocks("yaml"))[1], encoding="utf-8")
    (first,), (second,) = (report("--prices", str(path))["money"] for path in (listed, own))
    figures_of_both = [{key: value for key, value in money.items() if isinstance(value, float)} for money in (first, second)]

    assert figures_of_both[0] == pytest.approx(figures_of_both[1])
    assert len(figures_of_both[0]) > 3
    assert f"{first['now_factor']:.3f}x is {first['now_factor']:.0%}".replace("%", " %") in PAGE


def test_options_of_the_page_exist() -> None:
    """Every option named on the page is one of ``analyze``, and the last paragraph names those that ``simulate`` shares."""
    both = {command: {name for option in command.params for name in option.opts} for command in (analyze, simulate)}
    last = PAGE[PAGE.index("`simulate` takes the same sizes") :]

    assert set(re.findall(r"--[a-z][a-z-]+", PAGE)) <= both[analyze]
    assert {"--kv-tokens", "--kv-gib", *re.findall(r"--[a-z][a-z-]+", last)} <= both[simulate]


def test_the_break_even_of_the_page_is_worked_out() -> None:
    """The example's share is that of its two prices."""
    write, read = map(float, re.findall(r"w = ([\d.]+) and r = ([\d.]+\d)", PAGE)[0])

    assert f"{break_even_rate(write, read):.1%}".replace("%", " %") in PAGE
