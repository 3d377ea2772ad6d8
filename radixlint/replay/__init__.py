"""Requests through a prefix cache, one after the other: how much of each prompt was there already."""

from radixlint.replay.cache_choice import is_plain, open_cache
from radixlint.replay.hit_size import block_ids, hit_size, reach_ids
from radixlint.replay.prefix_cache import MISS, Hit, PrefixCache
from radixlint.replay.serial_replay import Replayed, replay

__all__ = ["MISS", "Hit", "PrefixCache", "Replayed", "block_ids", "hit_size", "is_plain", "open_cache", "reach_ids", "replay"]
