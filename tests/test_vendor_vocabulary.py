"""Reasons of providers are shown only if they are made of words that reasons are made of."""

from __future__ import annotations

import pytest

from radixlint.explain.vendor_words import is_known_word


@pytest.mark.parametrize(
    "word",
    ["system_prompt_changed", "tools_changed", "ttl_expired_5m", "model_changed", "ToolsChanged", "effort_changed"],
)
def test_words_of_the_providers_are_known(word: str) -> None:
    """The words that both vendors document may be shown."""
    assert is_known_word(word)


@pytest.mark.parametrize("word", ["krause_divorce_system_changed", "alice", "", "_", "system_prompt_changed_for_bob"])
def test_words_that_may_name_somebody_are_not(word: str) -> None:
    """One strange part is enough."""
    assert not is_known_word(word)
