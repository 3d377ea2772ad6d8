"""Two prompts with one head print the same value in two JSON forms, and share nothing from there on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from radixlint.detectors import FolderHit, Hit
from radixlint.prompt import Lifetime, Prompt, Segment
from radixlint.result.finding import Related
from radixlint.stake import CountTokens
from radixlint.stake.ahead import lives_for
from radixlint.stake.behind import stakes_of
from radixlint.stake.cause_place import place_of
from radixlint.stake.value_words import value_fields

_FORM: Final = re.compile(r"\b(?:indent|separators|ensure_ascii)\s*=\s*[^,)]+|\(\s*\d+\s*\)")


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets: the ``filters`` (or calls, by last part) that write JSON."""

    filters: frozenset[str]


def find_across(prompts: Sequence[Prompt], params: Params, count: CountTokens) -> Iterator[FolderHit]:
    """Yield the later place of each pair: same names, other arguments of form, the same text ahead in both."""
    known: dict[tuple[object, ...], list[tuple[str, Segment]]] = {}
    for number, prompt in enumerate(prompts):
        ahead: list[str] = []
        for index, segment in enumerate(prompt.segments):
            if lives_for(segment) < Lifetime.DAY:
                break
            key = (" ".join("".join(ahead).split()), _value(segment, params)) if _value(segment, params) else None
            ahead.append(segment.text if segment.is_literal else "{}")
            if key is None:
                continue
            form = _form(segment)
            other = next((s for f, s in known.get(key, ()) if f != form and s.span.path), None)
            if other is not None:
                stake = stakes_of(prompt, count).behind(index, Lifetime.CALL)
                related = (Related(place_of(other), "the other form stands here"),)
                fields = {**value_fields(segment, stake), "other": f"`{other.expression.text}`" if other.expression else ""}
                yield FolderHit(number, Hit(index, segment, place_of(segment), stake.tokens, fields, related, is_value=False))
                break
            known.setdefault(key, []).append((form, segment))


def _value(segment: Segment, params: Params) -> tuple[str, ...]:
    """Return the names of a value that is written as JSON, nothing for any other."""
    expression = segment.expression
    if expression is None:
        return ()
    used = set(expression.filters) | {call.rsplit(".", 1)[-1] for call in expression.calls}
    return expression.names if used & params.filters else ()


def _form(segment: Segment) -> str:
    text = segment.expression.text if segment.expression else ""
    return " ".join("".join(found.split()) for found in _FORM.findall(text))
