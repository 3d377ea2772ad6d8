"""Rows of whole numbers held in columns of four bytes each, or eight, made into objects only where one is looked at."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, TypeVar, overload

from msgspec import structs

from radixlint.traffic import Match

T = TypeVar("T")


class NumberColumns(Sequence[T], Generic[T]):
    """What ``make`` makes of the numbers of each row, in order; an item is made anew on each access.

    Args:
        make: takes one number from each column.
        columns: of one length, all numbers >= 0.
    """

    __slots__ = ("_columns", "_make")

    def __init__(self, make: Callable[..., T], columns: tuple[array[int], ...]) -> None:
        self._make = make
        self._columns = columns

    @classmethod
    def empty(cls, make: Callable[..., T], width: int) -> NumberColumns[T]:
        """Return no rows, of ``width`` columns."""
        return cls(make, tuple(array("I") for _ in range(width)))

    def append(self, *numbers: int) -> None:
        """Add a row, one number a column."""
        rows = len(self)
        try:
            for column, number in zip(self._columns, numbers, strict=True):
                column.append(number)
        except OverflowError:
            # A number of more than four bytes is rare; from it on all columns are wide.
            self._columns = tuple(array("q", column[:rows]) for column in self._columns)
            for column, number in zip(self._columns, numbers, strict=True):
                column.append(number)

    def spread(self, positions: Sequence[int], length: int) -> Sequence[T | None]:
        """Return ``length`` items: those of these rows, in order, at the rising ``positions``, None elsewhere."""
        if len(positions) == length:
            return self
        # One column more says which rows are there.
        columns = tuple(array("q", bytes(8 * length)) for _ in range(len(self._columns) + 1))
        for row, position in enumerate(positions):
            columns[0][position] = 1
            for column, own in zip(columns[1:], self._columns, strict=True):
                column[position] = own[row]
        make = self._make
        return NumberColumns(lambda is_there, *numbers: make(*numbers) if is_there else None, columns)

    def __len__(self) -> int:
        return len(self._columns[0])

    @overload
    def __getitem__(self, position: int) -> T: ...

    @overload
    def __getitem__(self, position: slice) -> NumberColumns[T]: ...

    def __getitem__(self, position: int | slice) -> T | NumberColumns[T]:
        if isinstance(position, slice):
            return NumberColumns(self._make, tuple(column[position] for column in self._columns))
        return self._make(*(column[position] for column in self._columns))

    def __iter__(self) -> Iterator[T]:
        return map(self._make, *self._columns)

    def __eq__(self, other: object) -> bool:
        return self._columns == other._columns if isinstance(other, NumberColumns) else NotImplemented


def match_columns(matches: Iterable[Match] = ()) -> NumberColumns[Match]:
    """Return ``matches`` in columns."""
    columns = NumberColumns.empty(Match, 5)
    for match in matches:
        columns.append(*structs.astuple(match))
    return columns


def number_or_none(more: int) -> int | None:
    """Return what is held as ``more``, one more than itself; 0 holds None."""
    return more - 1 if more else None


def held(number: int | None) -> int:
    """Return how ``number_or_none`` is to find ``number``."""
    return 0 if number is None else number + 1
