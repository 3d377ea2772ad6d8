"""What providers and gateways call the reason of a miss, in our causes.

Their words say which part of a request differs, ours say how; so a word stands for several of our causes, and the one it is
given here is the plainest. Vendors compare requests, not what the cache did: a word may be right and yet not the reason.

Source: the cache diagnostics pages of the Anthropic API (``cache_miss_reason``) and of the OpenAI API
(``prompt_cache_diagnostics``), read 2026-11-29; gateways use words of the same kind.
"""

from __future__ import annotations

import re
from typing import Final

from radixlint.result.cause import Cause

_SPLIT: Final = re.compile(r"[^a-z0-9]+|(?<=[a-z])(?=[0-9])")
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
# The first row of which all words of one alternative occur decides; more telling rows stand first.
_ROWS: Final[tuple[tuple[Cause, tuple[str, ...]], ...]] = (
    (
        Cause.BELOW_MINIMUM,
        ("below minimum", "below min", "min tokens", "minimum tokens", "too short", "too small", "minimum", "not enough tokens"),
    ),
    (Cause.MARKER, ("breakpoint", "cache control", "marker", "cache point", "no mark", "lookback", "look back")),
    (Cause.TTL, ("ttl", "expired", "expiry", "stale", "idle timeout")),
    (Cause.PARALLEL_START, ("in flight", "parallel", "concurrent", "not ready", "not yet written", "race")),
    (Cause.CAPACITY, ("evicted", "eviction", "capacity", "cache full", "memory pressure")),
    (Cause.ROUTING, ("routing", "route", "rerouted", "replica", "other host", "host changed", "region changed", "upstream")),
    (Cause.ROUTING, ("provider changed", "account changed", "overflow", "failover", "fallback")),
    (Cause.PARAMETER, ("cache key", "tool choice", "parallel tool", "effort", "verbosity", "text format", "response format")),
    (Cause.PARAMETER, ("output format", "output config", "schema", "service tier", "speed", "thinking", "reasoning")),
    (Cause.PARAMETER, ("parameter", "parameters", "params", "settings", "model", "namespace", "salt", "lora", "citations")),
    (Cause.PARAMETER, ("web search", "beta", "betas", "workspace", "organization", "temperature")),
    (Cause.TOOL_ORDER, ("tool order", "tools order", "tools reordered", "tool reordered")),
    (Cause.TOOL_SET, ("tool", "tools", "functions")),
    (Cause.CHAT_TEMPLATE, ("chat template", "template")),
    (Cause.HISTORY_REWRITTEN, ("compacted", "compaction", "truncated", "history", "messages", "message", "context edited")),
    (Cause.LIVE_STATE, ("system", "instructions", "developer")),
    (Cause.HISTORY_REWRITTEN, ("input", "prompt changed", "content changed", "prefix changed", "prefix mismatch")),
    (Cause.ENGINE, ("disabled", "unsupported", "not supported", "cache off", "caching off")),
    (Cause.NEW_CONTENT, ("first request", "cold", "new prefix", "no prior", "no entry")),
)
_SPAN: Final = re.compile(r"\d{1,4}[smhd]?")
_OTHER_WORDS: Final = (
    *("changed", "change", "cache", "miss", "missing", "prompt", "key", "reason", "mismatch", "different", "modified"),
    *("updated", "added", "removed", "due", "to", "by"),
)
_VOCABULARY: Final = frozenset(_OTHER_WORDS).union(*(phrase.split() for _, phrases in _ROWS for phrase in phrases))
# What says that there was nothing to compare with.
_SILENT: Final = ("not found", "unavailable", "inconclusive", "unknown", "no divergence", "error")
_IN_TEXT: Final = frozenset(
    (
        *(Cause.CLOCK, Cause.ID, Cause.LIVE_STATE, Cause.COUNTER, Cause.KEY_ORDER, Cause.TEXT_FORM, Cause.HISTORY_REWRITTEN),
        *(Cause.BLOCK_MOVED, Cause.RETRIEVAL_BEFORE_HISTORY, Cause.TENANT_BEFORE_SHARED, Cause.SECTION_ORDER),
        *(Cause.CHAT_TEMPLATE, Cause.SIDE_CALL),
    )
)
_IN_TOOLS: Final = frozenset(
    (*(Cause.TOOL_ORDER, Cause.TOOL_SET, Cause.KEY_ORDER, Cause.TEXT_FORM), *(Cause.CLOCK, Cause.ID, Cause.LIVE_STATE))
)


def cause_of_word(word: str) -> Cause | None:
    """Return our cause for ``word``, a provider's or gateway's reason in any spelling; None if it is unknown or says nothing.

    >>> cause_of_word("ttl_expired_5m"), cause_of_word("ToolsChanged"), cause_of_word("previous_message_not_found")
    (<Cause.TTL: 'ttl'>, <Cause.TOOL_SET: 'tool-set'>, None)
    """
    plain = f" {' '.join(_SPLIT.split(_HUMP.sub('_', word).lower()))} "
    if any(f" {silent} " in plain for silent in _SILENT):
        return None
    return next((cause for cause, phrases in _ROWS if any(f" {phrase} " in plain for phrase in phrases)), None)


def is_known_word(word: str) -> bool:
    """Whether ``word`` is made of words that reasons are made of, and so may be shown: it names nobody and nothing else.

    >>> is_known_word("ttl_expired_5m"), is_known_word("krause_system_changed")
    (True, False)
    """
    parts = [part for part in _SPLIT.split(_HUMP.sub("_", word).lower()) if part]
    return all(part in _VOCABULARY or _SPAN.fullmatch(part) for part in parts) and bool(parts)


def word_agrees(word: str, cause: Cause) -> bool | None:
    """Whether a provider's ``word`` and our ``cause`` can both be right; None if either says nothing.

    A word that blames the prompt denies that it was intact, so it contradicts ``Cause.UNKNOWN`` as well.
    """
    theirs = cause_of_word(word)
    if theirs is None:
        return None
    family = _IN_TOOLS if theirs in (Cause.TOOL_SET, Cause.TOOL_ORDER) else _IN_TEXT
    if theirs in family:
        return cause in family
    return None if cause is Cause.UNKNOWN else theirs is cause
