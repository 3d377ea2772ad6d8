"""Which format a record is of, asked anew for each record, with those ruled out that its keys alone exclude.

Most formats say no because a key is missing. Whether that was the reason is found out, not declared: a ``find`` that
refused a record without looking at the value of any key will refuse every record with the same keys.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec import Raw

from radixlint.logs._log_format import Format
from radixlint.logs._record_json import Record, RecordError, open_envelopes, remember_envelopes

# Logs have a few shapes; what goes beyond is not remembered, so that odd input cannot fill memory.
_MAX_SHAPES: Final = 4096
_MAX_KEYS: Final = 256

_Shape = tuple[tuple[str, ...], ...]


class Detection:
    """Asks ``formats`` in their order, so a general format never wins over a more specific one."""

    def __init__(self, formats: Sequence[Format]) -> None:
        self._of_json = tuple(format_ for format_ in formats if format_.find is not None)
        self._of_text = tuple(format_ for format_ in formats if format_.claims is not None)
        self.has_json = bool(self._of_json)
        self._left: dict[_Shape, tuple[Format, ...]] = {}

    def of_record(self, record: Record) -> tuple[Format, Any] | None:
        """Return the first format that knows ``record``, and what it found in it; None if none does.

        Raises:
            RecordError: what is wrapped in it is too deep or not UTF-8.
        """
        envelopes = open_envelopes(record)
        shape = tuple(map(tuple, envelopes))
        left = self._left.get(shape)
        if left is None:
            left = self._rule_out(envelopes)
            if len(self._left) < _MAX_SHAPES and sum(map(len, shape)) <= _MAX_KEYS:
                self._left[shape] = left
            remember_envelopes(envelopes)
        for format_ in left:
            if found := format_.find(record):  # type: ignore[misc]  # those with None are not among them
                return format_, found
        return None

    def of_text(self, line: bytes) -> Format | None:
        """Return the first format that claims ``line``, None if none does."""
        return next((format_ for format_ in self._of_text if format_.claims(line)), None)  # type: ignore[misc]

    def _rule_out(self, envelopes: Sequence[Record]) -> tuple[Format, ...]:
        left = []
        for format_ in self._of_json:
            watched = [_Watched(envelope) for envelope in envelopes]
            remember_envelopes(watched)
            try:
                found = format_.find(watched[0])  # type: ignore[misc]
            except RecordError:
                found = True
            if found or any(record.was_looked_at for record in watched):
                left.append(format_)
        return tuple(left)


class _Watched(Record):
    """A record that notes whether the value of any of its keys was looked at."""

    was_looked_at = False

    def __getitem__(self, key: str) -> Raw:
        self.was_looked_at = self.was_looked_at or key in self
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self.was_looked_at = self.was_looked_at or key in self
        return super().get(key, default)

    def values(self) -> Any:
        self.was_looked_at = True
        return super().values()

    def items(self) -> Any:
        self.was_looked_at = True
        return super().items()

    def copy(self) -> Record:
        self.was_looked_at = True
        return super().copy()

    def __or__(self, other: Any) -> Any:
        self.was_looked_at = True
        return super().__or__(other)

    def __iter__(self) -> Iterator[str]:
        # With an iterator of its own, a copy of it reads values one by one, as above.
        return super().__iter__()
