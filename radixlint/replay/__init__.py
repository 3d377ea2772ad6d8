"""Requests through a prefix cache, one after the other: how much of each prompt was there already."""

from radixlint.replay.cache_choice import is_plain, open_cache
from radixlint.replay.number_columns import NumberColumns, match_columns
from radixlint.replay.parted_request import PartedRequest
from radixlint.replay.request_rules import rules_for
from radixlint.replay.serial_replay import Replayed, replay

__all__ = [
    "NumberColumns",
    "PartedRequest",
    "Replayed",
    "is_plain",
    "match_columns",
    "open_cache",
    "replay",
    "rules_for",
]
