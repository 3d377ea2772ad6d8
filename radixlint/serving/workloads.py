"""Invented request streams with a known shape; the seed alone decides what they hold."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

from radixlint.errors import ConfigError
from radixlint.traffic import TOKEN_BYTES, TokenRequest

WORKLOADS: Final = ("rag", "rag-scrambled")


@dataclass(frozen=True, slots=True)
class RagShape:
    """Retrieval over a few documents: system, tools, one document, a question of its own; sizes in tokens."""

    requests: int = 80
    system_tokens: int = 2000
    tools_tokens: int = 300
    documents: int = 4
    document_tokens: int = 500
    question_tokens: int = 60

    @property
    def parts(self) -> tuple[tuple[str, int], ...]:
        """The parts of a prompt and their tokens, in the order of ``rag``."""
        return (
            ("system", self.system_tokens),
            ("tools", self.tools_tokens),
            ("document", self.document_tokens),
            ("question", self.question_tokens),
        )

    @property
    def prompt_tokens(self) -> int:
        """Length of every prompt."""
        return sum(tokens for _, tokens in self.parts)


def make_workload(name: str, seed: int = 1, shape: RagShape | None = None) -> tuple[TokenRequest, ...]:
    """Return the requests of workload ``name``: ``rag`` or, with the first three parts shuffled, ``rag-scrambled``.

    Both draw the same documents for one seed; no two parts share a token id.

    Raises:
        ConfigError: there is no such workload.
    """
    if name not in WORKLOADS:
        raise ConfigError(f"unknown workload {name!r}", hint=f"choose from {', '.join(WORKLOADS)}")
    shape = shape or RagShape()
    ids = _FreshIds()
    system, tools = ids.take(shape.system_tokens), ids.take(shape.tools_tokens)
    documents = [ids.take(shape.document_tokens) for _ in range(shape.documents)]
    draw, shuffle = random.Random(seed), random.Random(seed + 1)  # noqa: S311 - a repeatable stream, not a secret
    requests = []
    for index in range(shape.requests):
        parts = [system, tools, draw.choice(documents)]
        if name == "rag-scrambled":
            shuffle.shuffle(parts)
        requests.append(TokenRequest(index, b"".join((*parts, ids.take(shape.question_tokens)))))
    return tuple(requests)


class _FreshIds:
    """Hands out runs of token ids never handed out before."""

    def __init__(self) -> None:
        self._next = 0

    def take(self, tokens: int) -> bytes:
        first = self._next
        self._next += tokens
        return b"".join(number.to_bytes(TOKEN_BYTES, "little") for number in range(first, self._next))
