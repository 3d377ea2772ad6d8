"""Why prompt tokens were computed that might have been read from a cache: one cause for each token."""

from __future__ import annotations

from enum import StrEnum


class Cause(StrEnum):
    """A cause, by the name it has in every report."""

    HIT = "hit"
    NEW_CONTENT = "new-content"
    ONE_TIME = "one-time"
    CLOCK = "clock"
    ID = "id"
    LIVE_STATE = "live-state"
    COUNTER = "counter"
    TOOL_ORDER = "tool-order"
    TOOL_SET = "tool-set"
    KEY_ORDER = "key-order"
    TEXT_FORM = "text-form"
    HISTORY_REWRITTEN = "history-rewritten"
    BLOCK_MOVED = "block-moved"
    RETRIEVAL_BEFORE_HISTORY = "retrieval-before-history"
    TENANT_BEFORE_SHARED = "tenant-before-shared"
    SECTION_ORDER = "section-order"
    CHAT_TEMPLATE = "chat-template"
    PARAMETER = "parameter"
    SIDE_CALL = "side-call"
    MARKER = "marker"
    BELOW_MINIMUM = "below-minimum"
    BLOCK_FLOOR = "block-floor"
    PARALLEL_START = "parallel-start"
    TTL = "ttl"
    CAPACITY = "capacity"
    ROUTING = "routing"
    ENGINE = "engine"
    METERING = "metering"
    UNKNOWN = "unknown"


class Confidence(StrEnum):
    """How sure a cause is.

    ``high``: what changed is itself the evidence (equal JSON in other bytes, a time that follows the log's clock). ``medium``:
    the pattern fits and no other does. ``low``: seen too seldom, or another cause fits as well.
    """

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
