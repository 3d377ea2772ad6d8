"""Usage as a map finds it: an object of a known API, or counts that stand one by one."""

from __future__ import annotations

from radixlint.logs._map_conditions import holds
from radixlint.logs._map_paths import Scopes, first_in, scalar_in
from radixlint.logs._map_schema import COUNTS, UsageShape
from radixlint.logs._opened_text import opened
from radixlint.logs._record_json import decode_value
from radixlint.logs._record_usage import count_usage, read_usage
from radixlint.logs._tally import Tally
from radixlint.traffic import Usage


def mapped_usage(shapes: tuple[UsageShape, ...], scopes: Scopes, tally: Tally) -> Usage | None:
    """Return the counts that the first of ``shapes`` gives which gives any; None for none."""
    for shape in shapes:
        if shape.when is not None and not holds(shape.when, scopes):
            continue
        usage = _counted(shape, scopes, tally) if shape.counts else _as_object(shape, scopes, tally)
        if usage is not None:
            return usage
    return None


def _as_object(shape: UsageShape, scopes: Scopes, tally: Tally) -> Usage | None:
    for path in shape.paths:
        field = first_in(scopes, (path,))
        value = None if field is None else decode_value(opened(field))
        usage = read_usage(value, tally, is_inclusive=shape.is_inclusive) if isinstance(value, dict) else None
        if usage is not None:
            return usage
    return None


def _counted(shape: UsageShape, scopes: Scopes, tally: Tally) -> Usage | None:
    prompt, cached, written, output = (scalar_in(scopes, shape.counts.get(name, ())) for name in COUNTS)
    return count_usage(
        tally,
        prompt=prompt,
        cached=cached,
        written=written,
        output=output,
        is_inclusive=True if shape.is_inclusive is None else shape.is_inclusive,
    )
