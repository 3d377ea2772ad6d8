"""Bodies that make an object of Gemini's explicit cache, or go behind one: nothing is said of its implicit cache."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from request_bodies import PROSE

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings
from radixlint.result.finding import Finding

SHORT = "\n".join(PROSE.split("\n")[:8])
CLOCK = "It is {{ now }}."


def _body(system: str, **more: Any) -> dict[str, Any]:
    contents = [{"role": "user", "parts": [{"text": "{{ question }}"}]}]
    return {"model": "models/gemini-2.5-flash", **more, "systemInstruction": {"parts": [{"text": system}]}, "contents": contents}


def _found(folder: Path, body: object) -> list[Finding]:
    (folder / "body.json").write_text(json.dumps(body, indent=1), encoding="utf-8")
    return list(check_paths(CheckOptions(arguments=("body.json",), settings=Settings(), start=folder)).findings)


@pytest.mark.parametrize("sign", [{"ttl": "300s"}, {"displayName": "rules"}, {"expireTime": "2030-01-01T00:00:00Z"}])
def test_an_object_that_is_too_short_is_told_of_the_explicit_cache(tmp_path: Path, sign: dict[str, str]) -> None:
    """The minimum is that of objects, and the object does not grow with a conversation."""
    body = {**_body(SHORT, **sign), "contents": [{"role": "user", "parts": [{"text": "A short document."}]}]}
    found = [f for f in _found(tmp_path, body) if f.rule == "RL602"]

    assert [(f.severity, f.span.line) for f in found] == [("info", 3)]
    assert "the object to be cached" in found[0].message.lower()
    assert "the Gemini API (explicit) caches no prefix shorter than 2,048" in found[0].message


def test_an_object_of_unknown_or_enough_length_is_left_alone(tmp_path: Path) -> None:
    """A document that is filled in may be of any length; a long text is long enough."""
    filled = _body(SHORT, ttl="300s")
    filled["contents"][0]["parts"][0]["text"] = "{{ document }}"

    assert [f.rule for f in _found(tmp_path, filled)] == []
    assert [f.rule for f in _found(tmp_path, {**_body(PROSE, ttl="300s"), "contents": []})] == []


def test_a_clock_in_an_object_is_told_once(tmp_path: Path) -> None:
    """It makes another object each time; there is no conversation behind it."""
    body = {**_body(f"{PROSE} {CLOCK}", ttl="300s"), "contents": [{"role": "user", "parts": [{"text": "Read this."}]}]}

    assert [f.rule for f in _found(tmp_path, body)] == ["RL205"]


@pytest.mark.parametrize("key", ["cachedContent", "cached_content"])
@pytest.mark.parametrize("name", ["cachedContents/abc", "{{ cache_name }}"])
def test_what_goes_behind_an_object_is_not_cached(tmp_path: Path, key: str, name: str) -> None:
    """A clock there costs nothing; without the object it does, as it does where the name is null."""
    for system in (f"{SHORT} {CLOCK}", f"{CLOCK} {PROSE}"):
        assert _found(tmp_path, _body(system, **{key: name})) == []
        assert _found(tmp_path, _body(system, config={key: name})) == []
        assert _found(tmp_path, _body(system)) != []
        assert _found(tmp_path, _body(system, **{key: None})) != []
