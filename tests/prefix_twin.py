"""What a prefix cache without limits would have had: every request is compared with every earlier one, token by token."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from radixlint.api.log_tokens import tokenize
from radixlint.traffic import Request

BLOCK_TOKENS = 16
Sees = Callable[[Request, Request], bool]


class TwinTokens(NamedTuple):
    """Tokens of one request: of its prompt, of its longest prefix that any earlier request had, and in whole blocks."""

    prompt_tokens: int
    shared_tokens: int
    block_tokens: int


class TwinRates(NamedTuple):
    """The rates of a log, 0..1, and the shared tokens they come from."""

    shareable_rate: float
    block_rate: float
    shared_tokens: int


def twin_tokens(requests: Sequence[Request], sees: Sees | None = None) -> list[TwinTokens]:
    """Return the tokens of each request, where it sees those earlier ones for which ``sees(earlier, later)`` holds."""
    prompts = [np.frombuffer(request.tokens, np.uint32) for request in tokenize(requests).requests]
    found = []
    for i, prompt in enumerate(prompts):
        shared = 0
        for j in range(i):
            if sees is None or sees(requests[j], requests[i]):
                shared = max(shared, _common(prompt, prompts[j], shared))
        found.append(TwinTokens(len(prompt), shared, min(shared, len(prompt) - 1) // BLOCK_TOKENS * BLOCK_TOKENS))
    return found


def twin_rates(requests: Sequence[Request]) -> TwinRates:
    """Return the rates of a log whose requests all share one cache."""
    found = twin_tokens(requests)
    prompt_tokens = sum(one.prompt_tokens for one in found)
    shared_tokens = sum(one.shared_tokens for one in found)
    return TwinRates(shared_tokens / prompt_tokens, sum(one.block_tokens for one in found) / prompt_tokens, shared_tokens)


def _common(one: np.ndarray, other: np.ndarray, least: int) -> int:
    """Return the length of the common prefix, 0 if it is no longer than ``least``."""
    length = min(len(one), len(other))
    if length <= least or one[least] != other[least] or one[least // 2] != other[least // 2]:
        return 0
    unequal = (one[:length] != other[:length]).argmax()
    return length if one[unequal] == other[unequal] else int(unequal)
