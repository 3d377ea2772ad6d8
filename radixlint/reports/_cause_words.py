"""What each cause means, in a few words for people."""

from __future__ import annotations

from typing import Final

from radixlint.result.cause import Cause
from radixlint.result.measurement import WaterfallEntry

MEANINGS: Final[dict[str, tuple[str, str]]] = {
    Cause.HIT: ("hit", "served from cache"),
    Cause.NEW_CONTENT: ("new content", "not sent before in this place"),
    Cause.ONE_TIME: ("one-time", "sent before, behind a change that came once"),
    Cause.UNKNOWN: ("not shared", "as the beginning of any earlier request"),
    Cause.CLOCK: ("clock", "a time in front of what stays"),
    Cause.ID: ("id", "an id or nonce in front of what stays"),
    Cause.LIVE_STATE: ("live-state", "a state that changes in front of what stays"),
    Cause.COUNTER: ("counter", "a number that goes up or down in front of what stays"),
    Cause.TOOL_ORDER: ("tool-order", "the same tools in another order"),
    Cause.TOOL_SET: ("tool-set", "tools added, removed or changed"),
    Cause.KEY_ORDER: ("key-order", "equal JSON, different bytes"),
    Cause.TEXT_FORM: ("text-form", "the same words in another form"),
    Cause.HISTORY_REWRITTEN: ("history-rewritten", "old messages changed"),
    Cause.BLOCK_MOVED: ("block-moved", "a block injected, removed or moved"),
    Cause.RETRIEVAL_BEFORE_HISTORY: ("retrieval first", "retrieved text in front of the history"),
    Cause.TENANT_BEFORE_SHARED: ("tenant first", "text of a tenant or user in front of shared text"),
    Cause.SECTION_ORDER: ("section-order", "the same sections in another order"),
    Cause.CHAT_TEMPLATE: ("chat-template", "the template renders history anew"),
    Cause.PARAMETER: ("parameter", "a parameter that the prompt or the cache depends on changed"),
    Cause.SIDE_CALL: ("side-call", "a call with another prefix in front of the same text"),
    Cause.MARKER: ("marker", "no cache mark, or no entry that ends where one stands"),
    Cause.BELOW_MINIMUM: ("below-minimum", "shorter than what is cached at all"),
    Cause.BLOCK_FLOOR: ("block-floor", "cut by a block border or the tail"),
    Cause.PARALLEL_START: ("parallel", "the earlier request was still in flight"),
    Cause.TTL: ("ttl", "not used for longer than the time to live"),
    Cause.ROUTING: ("routing", "another replica had it"),
    Cause.CAPACITY: ("capacity", "given up for lack of room"),
}
"""A label and a meaning by cause; ``unknown`` would read as missing data."""

RULE_FIXES: Final[dict[str, str]] = {
    Cause.BLOCK_FLOOR: "none in the prompt: the last block of a match is computed again",
    Cause.BELOW_MINIMUM: "share longer beginnings: shorter ones are not kept",
    Cause.MARKER: "set cache marks behind what stays: the tools, the instructions, the newest message",
    Cause.PARALLEL_START: "let the first request be answered before those start that share its beginning",
    Cause.TTL: "ask again sooner, or have entries kept longer; --curve shows the rate for each time to live",
    Cause.ROUTING: "send requests that begin alike to the same replica (--routing hash-prefix replays that)",
    Cause.CAPACITY: "more room, or fewer conversations at a time; --curve shows the rate for each size",
}
"""What helps where a rule of the cache loses most."""

SERVER_FIXES: Final[dict[str, str]] = {
    **RULE_FIXES,
    Cause.PARAMETER: "keep the parameter that the cache depends on the same",
    Cause.ENGINE: "see whether prefix caching is on, and whether the server reports what it reads",
    Cause.METERING: "have the counts checked: they contradict themselves",
}
"""What helps where the server reports less than the prompts allow."""

OUTSIDE: Final[dict[str, str]] = {
    **dict.fromkeys(
        (Cause.BELOW_MINIMUM, Cause.MARKER, Cause.TTL, Cause.CAPACITY, Cause.BLOCK_FLOOR), "the cache's rules, not the prompt"
    ),
    Cause.PARAMETER: "the caller's parameters, not the prompt",
    Cause.PARALLEL_START: "the timing of requests, not the prompt",
    Cause.ROUTING: "the routing, not the prompt",
    Cause.ENGINE: "the server's, not the prompt's",
    Cause.METERING: "the server's counts, not the prompt",
}
"""Whose it is where the prompt was intact."""


def words_of(entry: WaterfallEntry, *, is_explained: bool) -> tuple[str, str]:
    """Return label and meaning: an unknown cause is one that was looked for, or, unless ``is_explained``, nothing is known."""
    if entry.cause == Cause.UNKNOWN and is_explained:
        return "unknown", "sent before, behind a change of no known kind"
    return MEANINGS.get(entry.cause, (entry.cause, ""))
