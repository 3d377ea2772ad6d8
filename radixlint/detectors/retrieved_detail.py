"""Retrieved texts are put in an order, or printed with a detail, that differs though the texts are the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from radixlint.detectors import Hit
from radixlint.late_pattern import late_pattern
from radixlint.prompt import Expression, Origin, Prompt
from radixlint.stake import CountTokens
from radixlint.stake.behind import stakes_of
from radixlint.stake.cause_place import owning_loop, place_of
from radixlint.stake.traits import Traits
from radixlint.stake.value_words import shortened, value_fields

_SORTS: Final = frozenset({"sort", "sorted", "sort_by", "orderby"})
# What is read last of a value that a call gives: ``search(question)[0].score``.
_READ: Final = late_pattern(r"\)[^()]*(?:\.|\[['\"])(\w+)(?:['\"]\])?\Z")
_WORDS: Final = late_pattern(r"[A-Z]?[a-z]+|[A-Z]+")


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets: ``fields`` of a retrieved text whose printing is reported, and ``keys`` by which texts are sorted.

    Both are words of names, in lower case.
    """

    fields: frozenset[str] = frozenset()
    keys: frozenset[str] = frozenset()


def concerns(params: Params, traits: Traits) -> bool:
    """Whether the prompt holds retrieved text."""
    return Origin.RETRIEVAL in traits.origins


def find(prompt: Prompt, params: Params, count: CountTokens) -> Iterator[Hit]:
    """Yield the first such order or detail."""
    for index, segment in enumerate(prompt.segments):
        if segment.expression is None or segment.origin is not Origin.RETRIEVAL:
            continue
        loop = owning_loop(segment)
        is_sorted = _is_sorted(loop.expression if loop else segment.expression, params.keys)
        if is_sorted or (loop is not None and _shows(segment.expression, params.fields)):
            stake, cause = stakes_of(prompt, count).behind(index), place_of(segment)
            span = cause if is_sorted else segment.span
            fields = {**value_fields(segment, stake), "detail": f"`{shortened(segment.expression.text)}`"}
            yield Hit(index, segment, span, stake.tokens, fields, is_value=False, cause=cause)
            return


def _is_sorted(expression: Expression, keys: frozenset[str]) -> bool:
    calls = {call.rsplit(".", 1)[-1] for call in expression.calls}
    return bool(_SORTS & (calls | set(expression.filters))) and any(_has_word(text, keys) for text in expression.constants)


def _shows(expression: Expression, fields: frozenset[str]) -> bool:
    read = _READ.search(expression.text)
    names = (*(name.rsplit(".", 1)[-1] for name in expression.names if "." in name), *([read[1]] if read else []))
    return any(_has_word(name, fields) for name in names)


def _has_word(name: str, words: frozenset[str]) -> bool:
    return any(part.lower() in words for part in _WORDS.findall(name))
