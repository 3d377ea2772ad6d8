"""Two prompts with one head print the same value in two JSON forms, and share nothing from there on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from radixlint.detectors import FolderHit, Hit
from radixlint.late_pattern import late_pattern
from radixlint.prompt import Lifetime, Prompt, Segment
from radixlint.result.finding import Related
from radixlint.stake import CountTokens
from radixlint.stake.ahead import lives_for
from radixlint.stake.behind import stakes_of
from radixlint.stake.cause_place import place_of
from radixlint.stake.value_words import value_fields

_FORM: Final = late_pattern(r"\b(?:indent|separators|ensure_ascii)\s*=\s*[^,)]+|\(\s*\d+\s*\)")


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets: the ``filters`` (or calls, by last part) that write JSON."""

    filters: frozenset[str]


def find_across(prompts: Sequence[Prompt], params: Params, count: CountTokens) -> Iterator[FolderHit]:
    """Yield the later place of each pair: same names, other arguments of form, the same text ahead in both."""
    # The first value of each form, by what stands ahead and the names.
    known: dict[tuple[object, ...], dict[str, Segment]] = {}
    for number, prompt in enumerate(prompts):
        ahead = _Ahead()
        for index, segment in enumerate(prompt.segments):
            life = lives_for(segment)
            # What is new in each turn is shared by nothing in any form; a user's or session's value parts the requests of one.
            is_shared = life >= Lifetime.DAY or (life > Lifetime.TURN and not ahead.is_empty)
            names = _value(segment, params) if is_shared else ()
            if life < Lifetime.DAY and not names:
                break
            forms = known.setdefault((ahead.digest(), names), {}) if names else {}
            ahead.add(segment.text if segment.is_literal else "{}")
            if not names:
                continue
            form = _form(segment)
            other = next((first for written, first in forms.items() if written != form), None)
            if other is not None:
                stake = stakes_of(prompt, count).behind(index, Lifetime.CALL)
                related = (Related(place_of(other), "the other form stands here"),)
                fields = {**value_fields(segment, stake), "other": f"`{other.expression.text}`" if other.expression else ""}
                yield FolderHit(number, Hit(index, segment, place_of(segment), stake.tokens, fields, related, is_value=False))
                break
            forms.setdefault(form, segment)
            if life < Lifetime.DAY:
                break


class _Ahead:
    """The text ahead of a place, all white space alike, as a digest: a prompt may write thousands of values.

    ``is_empty`` says that there is none.
    """

    def __init__(self) -> None:
        self._hash = hashlib.blake2b(digest_size=16)
        self.is_empty, self._gap = True, b""

    def add(self, text: str) -> None:
        """Add what comes next."""
        words = text.split()
        if words:
            gap = b" " if not self.is_empty and (self._gap or text[0].isspace()) else b""
            self._hash.update(gap + " ".join(words).encode("utf-8", "surrogatepass"))
            self.is_empty, self._gap = False, b" " if text[-1].isspace() else b""
        elif text:
            self._gap = b" "

    def digest(self) -> bytes:
        """Return the digest of all that was added."""
        return self._hash.digest()


def _value(segment: Segment, params: Params) -> tuple[str, ...]:
    """Return the names of a value that is written as JSON, nothing for any other."""
    expression = segment.expression
    if expression is None:
        return ()
    used = set(expression.filters) | {call.rsplit(".", 1)[-1] for call in expression.calls}
    return expression.names if used & params.filters else ()


def _form(segment: Segment) -> str:
    expression = segment.expression
    if expression is None:
        return ""
    written = [*_FORM.findall(expression.text), *(name for name in expression.filters if "=" in name or "," in name)]
    return " ".join("".join(found.split()) for found in written)
