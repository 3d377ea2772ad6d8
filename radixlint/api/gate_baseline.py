"""Earlier reports that a log is compared with: read strictly, refused where they do not compare."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from radixlint.errors import DataError
from radixlint.explain.break_report import ROLLED_UP
from radixlint.result.cause import Cause
from radixlint.result.gate import GatedLog, RateKind, Scope

_MOST_BYTES: Final = 64 << 20
_HINT: Final = "give what `analyze --format json` or `check-log --write-baseline` wrote"
_MESSAGE_NUMBER: Final = re.compile(r"messages\[\d+\]")

Rate = Annotated[float, Meta(ge=0, le=1)]
Count = Annotated[int, Meta(ge=0)]
Place = tuple[str, str]


class _Rates(Struct, frozen=True):
    shareable: Rate | None
    engine: Rate | None
    reported: Rate | None


class _Break(Struct, frozen=True):
    cause: str
    where: str
    lost_tokens: Count


class _Entry(Struct, frozen=True):
    cause: str


class _Scope(Struct, frozen=True):
    skip_first: Count
    is_warm: bool
    is_first_of_turn: bool


class _Engine(Struct, frozen=True):
    """What must be the same for hits to be the same; sizes in tokens."""

    name: str
    match: str
    store: str
    eviction: str
    block_tokens: int
    kv_tokens: int | None
    min_tokens: int
    ttl_s: float | None
    chunk_tokens: int | None
    replicas: int
    routing: str | None
    in_flight: int


class Baseline(Struct, frozen=True):
    """The fields of an earlier report that a comparison needs; all others are passed over.

    ``breaks`` are None where the report says that they could not be told. ``scope`` is that of the rates, None for all
    requests. ``unlisted_breaks`` were found and are smaller than those listed.
    """

    schema_version: int
    requests: Count
    prompt_tokens: Count
    hit_rate: _Rates
    engine: _Engine
    layout: str
    tokenizer: str
    breaks: list[_Break] | None
    unlisted_breaks: Count
    waterfall: list[_Entry] = []
    scope: _Scope | None = None

    @property
    def counted(self) -> Scope:
        """Which requests its rates are over."""
        return Scope() if self.scope is None else Scope(self.scope.skip_first, self.scope.is_warm, self.scope.is_first_of_turn)

    @property
    def is_explained(self) -> bool:
        """Whether causes were told: then all that has none is told as new content."""
        return self.breaks is not None and any(entry.cause == Cause.NEW_CONTENT for entry in self.waterfall)

    def rate(self, kind: RateKind) -> float | None:
        """Return the rate of ``kind``, 0..1, None where it was not known."""
        return {
            RateKind.SHAREABLE: self.hit_rate.shareable,
            RateKind.ENGINE: self.hit_rate.engine,
            RateKind.REPORTED: self.hit_rate.reported,
        }[kind]

    def lost_rates(self) -> dict[Place, float]:
        """Return the share of all prompt tokens lost at each place."""
        lost: dict[Place, float] = {}
        for one in self.breaks or ():
            place = place_of(one.cause, one.where)
            lost[place] = lost.get(place, 0.0) + one.lost_tokens / max(1, self.prompt_tokens)
        return lost

    @property
    def unlisted_rate(self) -> float:
        """The greatest share that a break which is not listed may have lost."""
        listed = [one.lost_tokens for one in self.breaks or ()]
        return min(listed, default=self.prompt_tokens) / max(1, self.prompt_tokens) if self.unlisted_breaks else 0.0


def place_of(cause: str, where: str) -> Place:
    """Return what a break at ``where`` is told apart by in two logs: numbers that depend on the length of a talk are left out.

    >>> place_of("clock", "messages[12] user"), place_of("tool-order", "tools[3]"), place_of("clock", "tools[3].description")
    (('clock', 'messages[] user'), ('tool-order', 'tools'), ('clock', 'tools[3].description'))
    """
    if cause in ROLLED_UP:
        return cause, where.partition("[")[0]
    return cause, _MESSAGE_NUMBER.sub("messages[]", where)


def read_baseline(name: str) -> Baseline:
    """Read one report.

    Raises:
        DataError: it cannot be read, or is no such report.
    """
    try:
        with Path(name).open("rb") as stream:
            data = stream.read(_MOST_BYTES + 1)
    except OSError as error:
        raise DataError(f"cannot be read: {(error.strerror or 'error').lower()}", where=name) from error
    if len(data) > _MOST_BYTES:
        raise DataError(f"a baseline has at most {_MOST_BYTES >> 20} MiB", where=name, hint=_HINT)
    try:
        baseline = msgspec.json.decode(data, type=Baseline)
    except msgspec.ValidationError as error:
        raise DataError(f"is no report to compare with: {error}", where=name, hint=_HINT) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DataError("is not JSON", where=name, hint=_HINT) from error
    if baseline.schema_version != 1:
        raise DataError(f"has schema version {baseline.schema_version}; 1 is known", where=name, hint=_HINT)
    return baseline


def differences(baseline: Baseline, log: GatedLog) -> Iterator[str]:
    """Yield why the figures of ``log`` must not be compared with those of ``baseline``, a clause each; none if they may."""
    if baseline.requests < 2:
        yield "is of fewer than two requests"
    if baseline.tokenizer != log.tokenizer:
        yield f"counts tokens of {baseline.tokenizer}, this log those of {log.tokenizer}"
    if baseline.layout != log.layout:
        yield f"has the layout {baseline.layout}, this log {log.layout}"
    own = baseline.engine
    changed = [name for name in own.__struct_fields__ if getattr(own, name) != getattr(log.engine, name)]
    if changed:
        words = ", ".join(f"{name} {getattr(own, name)} against {getattr(log.engine, name)}" for name in changed)
        yield f"has another engine: {words}"
