"""One row a request, with an id that may be shown."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from radixlint.api.measured_figures import Matches, prompt_tokens
from radixlint.privacy import mask_secrets, name_masks
from radixlint.result.measurement import RequestRow
from radixlint.traffic import Request, TokenRequest

UNKNOWN_CAUSE: Final = "unknown"
_HASH_BYTES: Final = 8


def request_rows(requests: Sequence[Request], matches: Matches, cause: Callable[[int], str]) -> tuple[RequestRow, ...]:
    """Return one row a request, in file order; ``cause`` names the loss of the n-th request whose prompt is known."""
    rows: list[RequestRow] = []
    known = 0
    for request, match in zip(requests, matches, strict=True):
        rows.append(
            RequestRow(
                index=request.index,
                id=shown_name(request.id),
                prompt_tokens=prompt_tokens(request, match),
                shareable_tokens=None if match is None else match.shareable_tokens,
                engine_tokens=None if match is None else match.engine_tokens,
                reported_tokens=request.usage.cached_tokens if request.usage else None,
                cause=UNKNOWN_CAUSE if match is None else cause(known),
            )
        )
        known += match is not None
    return tuple(sorted(rows, key=lambda row: row.index))


def shown_name(name: str | None) -> str | None:
    """Return an id or a name of the log as a report may hold it: what looks like a secret is masked."""
    return None if name is None else name_masks(mask_secrets(name))


class NameHash:
    """Hashes in the place of names: equal names stay equal, and say nothing else.

    The key is a hash of all ``requests`` of the log, so that who guesses names without having it finds none.
    """

    def __init__(self, requests: Iterable[TokenRequest]) -> None:
        whole = hashlib.blake2b()
        for request in requests:
            whole.update(request.tokens)
        self._key = whole.digest()

    def __call__(self, name: str | None) -> str | None:
        """Return the hash of ``name``, None for None."""
        if name is None:
            return None
        return hashlib.blake2b(name.encode("utf-8", "surrogatepass"), key=self._key, digest_size=_HASH_BYTES).hexdigest()

    def rows(self, rows: Sequence[RequestRow]) -> tuple[RequestRow, ...]:
        """Return ``rows`` with hashed ids."""
        return tuple(replace(row, id=self(row.id)) for row in rows)
