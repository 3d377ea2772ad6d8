"""Whether reported counts are those of a hosted API, or of no cache, where nobody named the server."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from radixlint.api.measured_figures import Matches
from radixlint.plural import counted
from radixlint.traffic import CachePolicy, Request

_MIN_TOKENS: Final = 1_024
_STEP_TOKENS: Final = 128
_LEAST_REQUESTS: Final = 3
_AGREEING_RATE: Final = 0.9


def note_on_hosted_counts(requests: Sequence[Request], matches: Matches, policy: CachePolicy) -> Iterator[str]:
    """Yield a sentence if the server was assumed and nearly all counts are what an automatic cache of an API keeps.

    Such caches keep prefixes of at least 1,024 tokens, in steps of 128. Counts that are all 0 tell no such cache from none.
    """
    if not policy.is_assumed:
        return
    agreeing = short = told = cached = 0
    could_hit = False
    for request, match in zip(requests, matches, strict=True):
        reported = None if request.usage is None else request.usage.cached_tokens
        if reported is None or match is None:
            continue
        told += 1
        cached += reported
        could_hit |= match.engine_tokens > 0
        is_short = match.shareable_tokens < _MIN_TOKENS
        short += is_short
        kept = 0 if is_short else match.shareable_tokens
        agreeing += reported == kept == 0 or 0 <= kept - reported < _STEP_TOKENS
    if told < _LEAST_REQUESTS or agreeing < _AGREEING_RATE * told:
        return
    if cached:
        yield (
            f"The reported counts agree with an API that caches prefixes from {_MIN_TOKENS:,} tokens on in steps of "
            f"{_STEP_TOKENS} ({agreeing:,} of {counted(told, 'request')}; {short:,} share less than that minimum): "
            "--engine openai-legacy replays such rules."
        )
    elif could_hit:
        yield (
            f"All of {counted(told, 'request')} report 0 cached tokens, and {short:,} share less than {_MIN_TOKENS:,} with an "
            "earlier one. So the log does not tell whether prefix caching is off (vLLM: --no-enable-prefix-caching, SGLang: "
            "--disable-radix-cache), or whether the server keeps no prefix that short, as hosted APIs do. Mend the breaks first, "
            "and look again."
        )
