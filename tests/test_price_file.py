"""Price files: litellm's list, our own, the extra package, and what is filled in from where."""

from __future__ import annotations

import json
import sys
import types
from decimal import Decimal
from pathlib import Path

import pytest

from radixlint.errors import DataError
from radixlint.estimate.money_estimate import estimate_money
from radixlint.providers import find_prices
from radixlint.traffic import Usage

ROWS = {
    "sample_spec": {"input_cost_per_token": 0.0, "mode": "one of: chat, embedding"},
    "claude-opus-4-5": {
        "input_cost_per_token": 5e-06,
        "output_cost_per_token": 2.5e-05,
        "cache_read_input_token_cost": 5e-07,
        "cache_creation_input_token_cost": 6.25e-06,
        "cache_creation_input_token_cost_above_1hr": 1e-05,
        "prompt_cache_min_tokens": 4096.0,
    },
    "gpt-5.6-sol": {
        "input_cost_per_token": 4e-06,
        "input_cost_per_token_above_272k_tokens": 8e-06,
        "cache_read_input_token_cost": 4e-07,
        "cache_creation_input_token_cost": 5e-06,
        "cache_creation_input_token_cost_above_12hr": 1e-05,
    },
    "gpt-5.4": {"input_cost_per_token": 2.5e-06, "cache_read_input_token_cost": 2.5e-07},
    "xai/grok-4.6": {"input_cost_per_token": 2e-06, "cache_read_input_token_cost": 5e-07},
    "broken": {"input_cost_per_token": "cheap", "cache_read_input_token_cost": True},
}


@pytest.fixture(autouse=True)
def without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep these tests the same whether or not the extra is installed."""
    monkeypatch.setitem(sys.modules, "genai_prices", None)


@pytest.fixture
def listed(tmp_path: Path) -> Path:
    """Return a short price list in litellm's form."""
    path = tmp_path / "model_prices.json"
    path.write_text(json.dumps(ROWS))
    return path


def test_prices_a_token_become_factors_and_usd_a_million(listed: Path) -> None:
    """USD per token are read as USD per million, cache prices as factors on the input price, with the least prefix."""
    found = find_prices("anthropic", "anthropic/claude-opus-4-5", prices_file=listed)

    assert found is not None
    assert (found.input_usd, found.output_usd) == (pytest.approx(5), pytest.approx(25))
    assert (found.read_factor, found.write_factor, found.long_write_factor) == (
        pytest.approx(0.1),
        pytest.approx(1.25),
        pytest.approx(2),
    )
    assert found.min_tokens == 4_096
    assert found.source == "model_prices.json"


def test_the_longer_time_to_live_is_twelve_hours_at_openai(listed: Path) -> None:
    """The 12 h price is the long write; that long prompts cost more is said, for it is left out."""
    found = find_prices("openai-breakpoint", "gpt-5.6-sol", prices_file=listed)

    assert found is not None
    assert found.long_write_factor == pytest.approx(2.5)
    assert "long prompts" in found.limit


@pytest.mark.parametrize(
    ("name", "model", "input_usd"),
    [
        ("openai-legacy", "gpt-5.4-2026-03-05", 2.5),
        ("openai-legacy", "openai/gpt-5.4", 2.5),
        ("xai", "grok-4.6", 2.0),
        ("anthropic", "claude-opus-4-5@20251101", 5.0),
    ],
)
def test_a_model_is_found_without_folders_and_date(listed: Path, name: str, model: str, input_usd: float) -> None:
    """A list files models bare, under their provider, or without the date of the snapshot."""
    found = find_prices(name, model, prices_file=listed)

    assert found is not None
    assert found.input_usd == pytest.approx(input_usd)


def test_what_the_list_does_not_say_comes_from_the_provider(listed: Path) -> None:
    """The list has no price for free writes; the provider's file says 1, and the source says what was filled in."""
    found = find_prices("openai-legacy", "gpt-5.4", prices_file=listed)

    assert found is not None
    assert found.write_factor == 1.0
    assert found.source == "model_prices.json; write_factor as packaged"


def test_reads_priced_and_writes_not_means_plain_input(tmp_path: Path) -> None:
    """At a provider that says nothing of writes they cost input, so reported reads alone make a bill; the source says so."""
    path = tmp_path / "p.json"
    path.write_text('{"support-desk": {"input_cost_per_token": 1e-06, "cache_read_input_token_cost": 1e-07}}')
    found = find_prices("vllm", "support-desk", prices_file=path)
    assert found is not None
    money = estimate_money([], found, provider="vllm", usages=[Usage(prompt_tokens=1_000, cached_tokens=400)])

    assert (found.read_factor, found.write_factor) == (0.1, 1.0)
    assert found.source == "p.json; it has no price for writes: plain input"
    assert money.now_factor == pytest.approx(0.6 + 0.4 * 0.1)
    assert money.now_usd == pytest.approx(1_000 * 0.64 / 1e6)
    assert money.break_even_rate == 0


def test_a_row_without_a_price_for_writes_takes_the_providers(tmp_path: Path) -> None:
    """Where the provider's file knows that writes cost more, a list that is silent does not make them cheaper."""
    path = tmp_path / "p.json"
    path.write_text(
        '{"claude-x": {"input_cost_per_token": 5e-06, "cache_read_input_token_cost": 5e-07}, "y": {"input_cost_per_token": 1}}'
    )
    claude, no_reads = find_prices("anthropic", "claude-x", prices_file=path), find_prices("vllm", "y", prices_file=path)

    assert claude is not None
    assert claude.write_factor == 1.25
    assert no_reads is not None
    assert (no_reads.read_factor, no_reads.write_factor) == (None, None)


@pytest.mark.parametrize("model", ["claude-opus-9", "broken", "sample_spec", None])
def test_a_model_without_a_price_keeps_the_factors_and_says_so(listed: Path, model: str | None) -> None:
    """No USD is taken from another row, text or zero; the packaged factors stay and the gap is named."""
    found = find_prices("anthropic", model, prices_file=listed)

    assert found is not None
    assert (found.input_usd, found.write_factor) == (None, 1.25)
    assert "has no price for" in found.limit


def test_own_engine_has_a_price_only_if_the_file_has_the_model(listed: Path) -> None:
    """For one's own server nothing is billed, unless the user names a price for the model."""
    assert find_prices("vllm", "Qwen/Qwen3-8B", prices_file=listed) is None
    assert find_prices("vllm", "gpt-5.4", prices_file=listed) is not None


def test_a_provider_file_is_a_price_file_too(tmp_path: Path) -> None:
    """Our own form: USD per million tokens and factors, by model; what it leaves out stays as packaged."""
    path = tmp_path / "prices.yaml"
    path.write_text(
        "anthropic:\n  prices:\n    input_usd:\n"
        "      - {models: claude-opus-*, value: 4.5, source: our contract, checked: 2026-12-01}\n"
    )
    opus, other = (find_prices("anthropic", model, prices_file=path) for model in ("claude-opus-5", "claude-sonnet-5"))
    absent = find_prices("openai-legacy", "gpt-5.4", prices_file=path)

    assert opus is not None
    assert other is not None
    assert absent is not None
    assert (opus.input_usd, opus.write_factor, other.input_usd) == (4.5, 1.25, None)
    assert "prices.yaml has no price for gpt-5.4" in absent.limit


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"{", "not JSON"),
        (b'{"a": "\xff"}', "not JSON"),
        (b"{}", "no price list"),
        (b'{"a": {"price": 1}}', "no price list"),
        (b"[1]", "mapping of names"),
        (b"", "mapping of names"),
        (b"{" + b'"a":{' * 5_000, "not JSON"),
    ],
)
def test_a_file_that_is_no_price_list_is_one_clear_line(tmp_path: Path, data: bytes, said: str) -> None:
    """Whatever is wrong with the file is said with its name."""
    path = tmp_path / "bad.json"
    path.write_bytes(data)

    with pytest.raises(DataError, match=r"^bad\.json") as caught:
        find_prices("anthropic", "claude-opus-5", prices_file=path)

    assert said in str(caught.value)


class Tiered:
    """A price that rises with the length of the prompt, as the package has it."""

    base = Decimal(4)
    tiers = ()


def test_the_extra_package_is_asked_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """USD prices become a price list; of prices by length the first counts, and the report says so."""
    price = types.SimpleNamespace(input_mtok=Tiered(), output_mtok=Decimal(20), cache_read_mtok=Decimal("0.4"))
    package = types.ModuleType("genai_prices")
    package.__dict__.update(
        __version__="0",
        Usage=lambda input_tokens: input_tokens,
        calc_price=lambda *_, **__: types.SimpleNamespace(model_price=price),
    )
    monkeypatch.setitem(sys.modules, "genai_prices", package)
    found = find_prices("openai-breakpoint", "gpt-5.6-sol")

    assert found is not None
    assert (found.input_usd, found.output_usd, found.read_factor, found.write_factor) == (4.0, 20.0, 0.1, 1.25)
    assert "long prompts" in found.limit
    assert find_prices("vllm", "gpt-5.6-sol") is None
