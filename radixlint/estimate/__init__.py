"""Work out what matched tokens are worth: memory, time to first token, throughput."""

from __future__ import annotations

from radixlint.estimate.prefix_memory import prefix_memory
from radixlint.estimate.speedup import Matched, Server, estimate, prefill_s, with_assumed_output

__all__ = ["Matched", "Server", "estimate", "prefill_s", "prefix_memory", "with_assumed_output"]
