"""A value of certain origins stands ahead of text that lives longer than it does."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from radixlint.detectors import Hit, with_one_guess
from radixlint.prompt import Chance, Lifetime, Origin, Prompt, Segment
from radixlint.stake import CountTokens
from radixlint.stake.behind import Stake, as_sure_as, stakes_of
from radixlint.stake.cause_place import CauseKey, cause_of, expression_of, is_choice_of_tools, place_of, told_by_others
from radixlint.stake.traits import Traits
from radixlint.stake.value_words import came_through, value_fields


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets.

    ``origins`` of the values looked for; ``min_tokens`` literal tokens of longer life must stand behind, or a long value
    of longer life, or, if ``before_history``, the conversation history; a finding with fewer than ``warned_tokens`` and with
    nothing of the release behind it is a remark. ``words`` (if any) must, ``other_words`` must not
    occur in the value's name. ``shows_lifetime`` is false where the value's lifetime is not the point.
    """

    origins: frozenset[Origin]
    min_tokens: int
    warned_tokens: int = 0
    before_history: bool = True
    words: frozenset[str] = frozenset()
    other_words: frozenset[str] = frozenset()
    shows_lifetime: bool = True


def concerns(params: Params, traits: Traits) -> bool:
    """Whether the prompt holds a value that is looked for."""
    return not params.origins.isdisjoint(traits.origins)


def find(prompt: Prompt, params: Params, count: CountTokens) -> Iterator[Hit]:
    """Yield each distinct cause at its first place; of values that nothing is known about only the first."""
    yield from with_one_guess(_hits(prompt, params, count))


def _hits(prompt: Prompt, params: Params, count: CountTokens) -> Iterator[Hit]:
    seen: set[CauseKey] = set()
    stakes = stakes_of(prompt, count)
    for index, segment in enumerate(prompt.segments):
        if segment.origin not in params.origins or segment.lifetime >= Lifetime.RELEASE:
            continue
        # Times and ids in the text of a request body as sent are told by the rule on literals.
        is_told = segment.is_literal and not segment.controls and segment.origin is not Origin.COUNTER
        if is_told or is_choice_of_tools(prompt, segment):
            continue
        if any(taint.chance is Chance.HASH for taint in segment.taints):
            continue  # Even for one user the number is another one in each process, which a rule of its own tells.
        cause = cause_of(segment)
        if cause in seen or not _is_named_so(segment, params):
            continue
        seen.add(cause)
        stake = stakes.behind(index)
        is_ahead_of_history = params.before_history and stake.has_history and segment.lifetime <= Lifetime.TURN
        if stake.weighs(params.min_tokens) or is_ahead_of_history:
            is_counted = stake.holds(params.min_tokens) or is_ahead_of_history
            judged = segment if is_counted else as_sure_as(segment, stake)
            fields, related = value_fields(segment, stake), came_through(segment)
            told = told_by_others(prompt, segment)
            is_minor = not is_ahead_of_history and _is_little(stake, max(params.warned_tokens, params.min_tokens))
            place, shows = place_of(segment), params.shows_lifetime
            yield Hit(index, judged, place, stake.tokens, fields, related, shows, told, is_minor=is_minor)


def _is_little(stake: Stake, tokens: int) -> bool:
    """Whether behind a value stand few fixed tokens, and else only values that differ themselves: the order costs little."""
    return not stake.holds(tokens) and all(value.lifetime < Lifetime.RELEASE for value in stake.texts)


def _is_named_so(segment: Segment, params: Params) -> bool:
    expression = expression_of(segment)
    names = " ".join((*expression.names, *expression.calls)).lower() if expression else ""
    is_other = any(word in names for word in params.other_words)
    return not is_other and (not params.words or any(word in names for word in params.words))
