"""The real package genai-prices, where it is installed (extra ``prices``); skipped aloud where it is not."""

from __future__ import annotations

import pytest

from radixlint.providers import find_prices, prices_of

pytest.importorskip("genai_prices", reason="the extra [prices] is not installed: prices of the real package are not checked")


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("anthropic", "claude-opus-4-5"),
        ("openai-breakpoint", "gpt-5.6-sol"),
        ("openai-legacy", "gpt-4o"),
        ("bedrock", "us.anthropic.claude-opus-4-5-20251101-v1:0"),
        ("gemini", "gemini-2.5-pro"),
        ("gemini", "models/gemini-2.5-pro"),
        ("anthropic", "anthropic/claude-opus-4-5"),
        ("xai", "grok-4.6"),
        ("groq", "openai/gpt-oss-120b"),
    ],
)
def test_its_factors_agree_with_ours(name: str, model: str) -> None:
    """For models whose prices are settled, the package's factors are those of the packaged provider files."""
    found, packaged = find_prices(name, model), prices_of(name, model)

    assert found is not None
    assert packaged is not None
    assert found.source.startswith("genai-prices")
    assert found.input_usd
    assert found.read_factor == pytest.approx(packaged.read_factor)
    assert found.write_factor == pytest.approx(packaged.write_factor)


def test_a_model_it_does_not_know_falls_back() -> None:
    """An unknown model has the packaged factors and no price in USD."""
    found = find_prices("anthropic", "claude-of-our-own")

    assert found is not None
    assert found.input_usd is None
