"""One row a request, with an id that may be shown."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, overload

from radixlint.api.measured_figures import Matches, prompt_tokens
from radixlint.privacy import mask_secrets, name_masks
from radixlint.result.measurement import RequestRow
from radixlint.traffic import Request, TokenRequest

UNKNOWN_CAUSE: Final = "unknown"
_HASH_BYTES: Final = 8

Shown = Callable[[str | None], str | None]


class RequestRows(Sequence[RequestRow]):
    """Rows that are made on access: most reports show none of them. Equal to any sequence of equal rows.

    Args:
        requests: the requests of the log, which the rows hold on to.
        matches: how each was answered, None for one whose prompt is not known.
        causes: by position the cause of what each request lost, as a number into ``names``.
        names: the causes.
        shown: makes of an id what may be shown.
        order: the positions of the rows in their order.
    """

    __slots__ = ("_causes", "_matches", "_names", "_order", "_requests", "_shown")

    def __init__(
        self,
        requests: Sequence[Request],
        matches: Matches,
        causes: Sequence[int],
        names: Sequence[str],
        shown: Shown,
        order: Sequence[int],
    ) -> None:
        self._requests, self._matches = requests, matches
        self._causes, self._names = causes, names
        self._shown = shown
        self._order = order

    def __len__(self) -> int:
        return len(self._order)

    @overload
    def __getitem__(self, position: int) -> RequestRow: ...

    @overload
    def __getitem__(self, position: slice) -> RequestRows: ...

    def __getitem__(self, position: int | slice) -> RequestRow | RequestRows:
        found = self._order[position]
        if isinstance(found, int):
            return self._row(found)
        return RequestRows(self._requests, self._matches, self._causes, self._names, self._shown, found)

    def __iter__(self) -> Iterator[RequestRow]:
        return map(self._row, self._order)

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, Sequence) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def _row(self, position: int) -> RequestRow:
        request, match = self._requests[position], self._matches[position]
        return RequestRow(
            index=request.index,
            id=self._shown(request.id),
            prompt_tokens=prompt_tokens(request, match),
            shareable_tokens=None if match is None else match.shareable_tokens,
            engine_tokens=None if match is None else match.engine_tokens,
            reported_tokens=request.usage.cached_tokens if request.usage else None,
            cause=self._names[self._causes[position]],
        )


def request_rows(
    requests: Sequence[Request], matches: Matches, cause: Callable[[int], str], shown: Shown | None = None
) -> RequestRows:
    """Return one row a request, in file order; ``cause`` names the loss of the n-th request whose prompt is known.

    Ids are masked, or what ``shown`` makes of the masked ones.
    """
    names = {UNKNOWN_CAUSE: 0}
    causes, known = bytearray(), 0
    for match in matches:
        causes.append(0 if match is None else names.setdefault(cause(known), len(names)))
        known += match is not None
    order: Sequence[int] = range(len(requests))
    if any(one.index > other.index for one, other in pairwise(requests)):
        order = array("I", sorted(order, key=lambda position: requests[position].index))
    show = shown_name if shown is None else lambda name: shown(shown_name(name))
    return RequestRows(requests, matches, causes, tuple(names), show, order)


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
