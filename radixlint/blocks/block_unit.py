"""What one block is: so many token ids, or one id of a trace that stands for a whole block."""

from __future__ import annotations

from msgspec import Struct

from radixlint.errors import LogError
from radixlint.plural import counted
from radixlint.traffic import TOKEN_BYTES, TokenRequest


class BlockUnit(Struct, frozen=True):
    """A block is ``ids`` ids and ``tokens`` tokens long; both >= 1.

    ``id_tokens`` is what one id stands for; ids of another kind cannot share a cache with these.
    """

    ids: int
    tokens: int
    id_tokens: int

    @classmethod
    def of(cls, request: TokenRequest, block_tokens: int) -> BlockUnit:
        """Return the unit for requests like this one: ids of blocks are taken as they are, token ids by ``block_tokens``."""
        if request.id_tokens == 1:
            return cls(block_tokens, block_tokens, 1)
        return cls(1, request.id_tokens, request.id_tokens)

    def check(self, request: TokenRequest) -> None:
        """Make sure that the ids of ``request`` are of this kind.

        Raises:
            LogError: they are not.
        """
        if request.id_tokens != self.id_tokens:
            raise LogError(
                f"ids of {self.id_tokens} and of {counted(request.id_tokens, 'token')} are mixed, "
                "and one cache holds blocks of one size",
                where=f"request {request.index}",
                hint="analyze logs of one block size at a time",
            )

    def slots(self, request: TokenRequest) -> int:
        """Return how many blocks the prompt takes; a partly filled last one counts where it has an id."""
        return len(request.tokens) // (TOKEN_BYTES * self.ids)

    def countable(self, request: TokenRequest) -> int:
        """Return how many leading blocks can count as a hit: full ones, and one token at least is computed."""
        return max(0, request.prompt_tokens - 1) // self.tokens
