"""Records of gateways and tracers with any value out of place: read, skipped or noted, never a fault."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from log_records import json_lines, read_bytes

from radixlint.errors import LogError

FIXTURES = Path(__file__).parent / "fixtures" / "logs"
NAMES = ("litellm_spend", "litellm_payload", "langfuse", "otel_genai", "openinference", "claude_code", "codex_rollout")
ODD = (None, True, -1, 1e300, "", "[{", '{"a":', [], [None, 3], {}, {"a": {"a": [[]]}}, "\ud800")


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the places of all values inside ``value``."""
    for step in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield (*path, step)
        yield from paths(value[step], (*path, step))


def with_odd(record: Any, path: tuple[Any, ...], odd: object) -> Any:
    changed = copy.deepcopy(record)
    inner = changed
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = odd
    return changed


@pytest.mark.parametrize("name", NAMES)
def test_any_value_may_be_odd(name: str) -> None:
    """Each value of each record in turn is replaced by values no logger should write; reading goes on."""
    lines = (FIXTURES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    changed = [
        with_odd(record, path, ODD[(number + k) % len(ODD)])
        for record in records
        for number, path in enumerate(paths(record))
        for k in range(3)
    ]

    log = read_bytes(json_lines(*changed))

    assert log.records == len(changed)
    assert log.requests


@pytest.mark.parametrize("name", NAMES)
def test_texts_nested_too_deep_are_told(name: str) -> None:
    """A value nested beyond all measure costs its own record, not the run."""
    first, *rest = (FIXTURES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    deep = "[" * 100_000 + "]" * 100_000
    lines = [first, *rest, first[:-1] + f', "metadata": {deep}, "input": {deep}, "message": {deep}}}']

    log = read_bytes("\n".join(lines).encode())

    assert log.requests
    assert log.records == len(lines)


def test_nothing_of_use_is_one_clear_error() -> None:
    """A file of spans without a model call says so."""
    span = {"traceId": "a", "spanId": "b", "name": "GET", "attributes": {"http.request.method": "GET"}}

    with pytest.raises(LogError) as error:
        read_bytes(json_lines(span, span))
    assert error.value.hint is not None
    assert error.value.hint.startswith("Spans that are no model calls")
