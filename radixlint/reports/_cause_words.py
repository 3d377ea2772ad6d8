"""What each cause means, in a few words for people."""

from __future__ import annotations

from typing import Final

from radixlint.result.cause import Cause

MEANINGS: Final[dict[str, tuple[str, str]]] = {
    Cause.HIT: ("hit", "served from cache"),
    Cause.NEW_CONTENT: ("new content", "not sent before"),
    Cause.UNKNOWN: ("not shared", "with any earlier request"),
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
