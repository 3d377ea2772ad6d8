"""Requests through a prefix cache, one after the other: how much of each prompt was there already."""

from radixlint.replay.prefix_cache import MISS, Hit, PrefixCache
from radixlint.replay.serial_replay import Replayed, replay

__all__ = ["MISS", "Hit", "PrefixCache", "Replayed", "replay"]
