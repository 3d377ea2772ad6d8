"""The formats that a file describes: those that come with radixlint, and the user's own, which are tried before all others."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from radixlint.errors import ConfigError
from radixlint.logs._log_format import Format
from radixlint.logs._map_conditions import detects
from radixlint.logs._map_reading import MapReading
from radixlint.logs._map_schema import Map, read_map
from radixlint.logs._record_json import Record, open_envelopes

_FOLDER: Final = Path(__file__).parent / "maps"
# Below every format that comes with radixlint.
_USERS_FIRST: Final = -100


def formats(maps: Sequence[str]) -> tuple[Format, ...]:
    """Return a format for each packaged map, and for each of the user's files ``maps``; one of the same name is replaced.

    Raises:
        ConfigError: one of ``maps`` cannot be read, is malformed, or has the name of another.
    """
    given: dict[str, Format] = {}
    for file in maps:
        map_ = read_map(Path(file))
        if map_.name in given:
            raise ConfigError(f"two maps are called {map_.name!r}", where=file, hint="give one of them another name")
        given[map_.name] = _format(map_, map_.rank + _USERS_FIRST)
    return (*given.values(), *(_format(map_, map_.rank) for map_ in _packaged() if map_.name not in given))


@functools.cache
def _packaged() -> tuple[Map, ...]:
    return tuple(read_map(path) for path in sorted(_FOLDER.glob("*.yaml")))


def _format(map_: Map, rank: int) -> Format:
    return Format(
        name=map_.name,
        accepts=map_.accepts,
        missing=f"not as the map {map_.name} says",
        open=functools.partial(MapReading, map_),
        find=functools.partial(_find, map_),
        rank=rank,
        gives=map_.gives,
    )


def _find(map_: Map, record: Record) -> tuple[Record, ...]:
    """Return the envelopes down to the one that the map describes, or nothing."""
    envelopes = open_envelopes(record) if map_.is_wrapped else (record,)
    for depth, envelope in enumerate(envelopes, start=1):
        if any(detects(detect, envelope) for detect in map_.detect):
            return tuple(envelopes[:depth])
    return ()
