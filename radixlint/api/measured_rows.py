"""One row a request, with an id that may be shown."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Final, overload

from radixlint.api.measured_figures import Matches, prompt_tokens
from radixlint.privacy import mask_secrets, name_masks
from radixlint.replay import NumberColumns, held, number_or_none
from radixlint.result.measurement import RequestRow
from radixlint.traffic import Request, TokenRequest

UNKNOWN_CAUSE: Final = "unknown"
_HASH_BYTES: Final = 8

Shown = Callable[[str | None], str | None]
_RowOf = Callable[[str | None], RequestRow]


class RequestRows(Sequence[RequestRow]):
    """Rows that are made on access: most reports show none of them. Equal to any sequence of equal rows.

    Args:
        ids: what may be shown, one a row.
        numbers: makes a row of an id and of its own numbers; as long.
        shown: changes each id on access.
    """

    __slots__ = ("_ids", "_numbers", "_shown")

    def __init__(self, ids: Sequence[str | None], numbers: NumberColumns[_RowOf], shown: Shown = lambda name: name) -> None:
        self._ids = ids
        self._numbers = numbers
        self._shown = shown

    def with_ids(self, shown: Shown) -> RequestRows:
        """Return the same rows, their ids changed by ``shown``."""
        return RequestRows(self._ids, self._numbers, shown)

    def __len__(self) -> int:
        return len(self._ids)

    @overload
    def __getitem__(self, position: int) -> RequestRow: ...

    @overload
    def __getitem__(self, position: slice) -> RequestRows: ...

    def __getitem__(self, position: int | slice) -> RequestRow | RequestRows:
        if isinstance(position, slice):
            return RequestRows(self._ids[position], self._numbers[position], self._shown)
        return self._numbers[position](self._shown(self._ids[position]))

    def __iter__(self) -> Iterator[RequestRow]:
        return (row_of(self._shown(name)) for name, row_of in zip(self._ids, self._numbers, strict=True))

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, Sequence) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))


def request_rows(requests: Sequence[Request], matches: Matches, cause: Callable[[int], str]) -> RequestRows:
    """Return one row a request, in file order; ``cause`` names the loss of the n-th request whose prompt is known."""
    causes = [UNKNOWN_CAUSE]
    numbers = NumberColumns.empty(partial(_row_of, causes), 6)
    known = 0
    for request, match in zip(requests, matches, strict=True):
        why = UNKNOWN_CAUSE if match is None else cause(known)
        if why not in causes:
            causes.append(why)
        numbers.append(
            request.index,
            held(prompt_tokens(request, match)),
            held(None if match is None else match.shareable_tokens),
            held(None if match is None else match.engine_tokens),
            held(request.usage.cached_tokens if request.usage else None),
            causes.index(why),
        )
        known += match is not None
    order: Sequence[int] = range(len(requests))
    if any(one.index > other.index for one, other in pairwise(requests)):
        order = sorted(order, key=lambda position: requests[position].index)
        numbers = numbers.picked(order)
    return RequestRows([shown_name(requests[position].id) for position in order], numbers)


def _row_of(causes: Sequence[str], index: int, prompt: int, shareable: int, engine: int, reported: int, cause: int) -> _RowOf:
    """Return what makes the row of these numbers, held as in columns, when it gets the id."""
    return lambda name: RequestRow(
        index=index,
        id=name,
        prompt_tokens=number_or_none(prompt),
        shareable_tokens=number_or_none(shareable),
        engine_tokens=number_or_none(engine),
        reported_tokens=number_or_none(reported),
        cause=causes[cause],
    )


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
