"""Words of providers and gateways to our causes, and whether both can be right."""

from __future__ import annotations

import pytest

from radixlint.explain.vendor_words import cause_of_word, word_agrees
from radixlint.result.cause import Cause

WORDS = {
    "system_changed": Cause.LIVE_STATE,
    "system_prompt_changed": Cause.LIVE_STATE,
    "instructions_changed": Cause.LIVE_STATE,
    "tools_changed": Cause.TOOL_SET,
    "tools_reordered": Cause.TOOL_ORDER,
    "tool_choice_changed": Cause.PARAMETER,
    "messages_changed": Cause.HISTORY_REWRITTEN,
    "input_changed": Cause.HISTORY_REWRITTEN,
    "context_compacted": Cause.HISTORY_REWRITTEN,
    "model_changed": Cause.PARAMETER,
    "reasoning_effort_changed": Cause.PARAMETER,
    "verbosity_changed": Cause.PARAMETER,
    "text_format_changed": Cause.PARAMETER,
    "prompt_cache_key_changed": Cause.PARAMETER,
    "service_tier_changed": Cause.PARAMETER,
    "thinking_changed": Cause.PARAMETER,
    "ttl_expired_5m": Cause.TTL,
    "ttl_expired_1h": Cause.TTL,
    "cache_expired": Cause.TTL,
    "below_minimum": Cause.BELOW_MINIMUM,
    "prompt_too_short": Cause.BELOW_MINIMUM,
    "no_breakpoint": Cause.MARKER,
    "missing_cache_control": Cause.MARKER,
    "evicted": Cause.CAPACITY,
    "routed_to_other_replica": Cause.ROUTING,
    "cache_in_flight": Cause.PARALLEL_START,
    "caching_disabled": Cause.ENGINE,
    "previous_message_not_found": None,
    "unavailable": None,
    "banana": None,
    "systematic": None,
    "": None,
}


@pytest.mark.parametrize(("word", "cause"), WORDS.items())
def test_words_have_our_causes(word: str, cause: Cause | None) -> None:
    """Each word has its cause in any spelling; what is unknown, or says that nothing was compared, has none."""
    spelled = [word, word.upper(), word.replace("_", "-"), word.title().replace("_", ""), f"cache.{word}"]

    assert [cause_of_word(one) for one in spelled] == [cause] * len(spelled)


@pytest.mark.parametrize(
    ("word", "cause", "agrees"),
    [
        ("system_changed", Cause.CLOCK, True),
        ("system_changed", Cause.TTL, False),
        ("system_changed", Cause.UNKNOWN, False),
        ("tools_changed", Cause.TOOL_ORDER, True),
        ("tools_changed", Cause.KEY_ORDER, True),
        ("tools_changed", Cause.HISTORY_REWRITTEN, False),
        ("ttl_expired_5m", Cause.TTL, True),
        ("ttl_expired_5m", Cause.CLOCK, False),
        ("ttl_expired_5m", Cause.UNKNOWN, None),
        ("unavailable", Cause.TTL, None),
    ],
)
def test_a_word_and_a_cause_agree(word: str, cause: Cause, agrees: bool | None) -> None:
    """A word names a part of the request, a cause how it differs: they agree if both can be true, None if one says nothing."""
    assert word_agrees(word, cause) is agrees
