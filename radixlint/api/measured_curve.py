"""The hit rate for every size of the cache, and how far the engine differs from the plain cache that was followed."""

from __future__ import annotations

from typing import Final

from radixlint.api.log_tokens import LogTokens
from radixlint.capacity import CurveOptions, capacity_curve
from radixlint.hardware import load_model
from radixlint.result.curve import Curve
from radixlint.traffic import CachePolicy

_DIFFERENCES: Final = {
    "tree": "It gives up whole leaves of its tree, so under pressure its rates lie below; replay one size with --kv-tokens.",
    "block-pool": "It keeps a second copy of a last block that is computed again; replay one size with --kv-tokens.",
}


def curve_of(
    tokens: LogTokens, policy: CachePolicy, *, model: str | None, has_optimum: bool, store_outputs: bool
) -> Curve | None:
    """Return the curve of the requests at the policy's block size; ``model`` turns sizes into GiB.

    Raises:
        LogError: the log mixes traces of block ids with different block sizes.
    """
    difference = _DIFFERENCES.get(policy.store)
    options = CurveOptions(
        kv_tokens=() if policy.kv_tokens is None else (policy.kv_tokens,),
        kv_bytes_per_token=None if model is None else load_model(model).kv_bytes_per_token(),
        model=model,
        has_optimum=has_optimum,
        store_outputs=store_outputs,
        approximation=None if difference is None else f"A plain LRU cache of blocks stands for {policy.name}. {difference}",
    )
    return capacity_curve(tokens.requests, policy.block_tokens, options)
