"""What was asked and how a cache answered: requests, policies, matches.

Token ids are little-endian uint32 buffers (4 bytes a token), never Python ints. What a log has many of is out of the cyclic
collector's sight (``gc=False``): none of it can refer to itself.
"""

from __future__ import annotations

from radixlint.traffic.cache_policy import CacheLimits, CachePolicy, TokenMark
from radixlint.traffic.log_read import BAD_RECORDS_LIMIT, EngineStats, LogRead, has_too_many_bad_records
from radixlint.traffic.message import KeptText, Message, ToolCall
from radixlint.traffic.request import UNREADABLE_USER, CacheAsk, CacheMark, Request, Settings, Usage
from radixlint.traffic.tokenized import TOKEN_BYTES, Match, TokenRequest

__all__ = [
    "BAD_RECORDS_LIMIT",
    "TOKEN_BYTES",
    "UNREADABLE_USER",
    "CacheAsk",
    "CacheLimits",
    "CacheMark",
    "CachePolicy",
    "EngineStats",
    "KeptText",
    "LogRead",
    "Match",
    "Message",
    "Request",
    "Settings",
    "TokenMark",
    "TokenRequest",
    "ToolCall",
    "Usage",
    "has_too_many_bad_records",
]
