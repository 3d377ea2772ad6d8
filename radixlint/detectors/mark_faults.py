"""The cache marks of a body break a rule of the provider: too many, too far apart, in the wrong order, or not read at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import accumulate, pairwise
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from radixlint.detectors import Hit
from radixlint.detectors._body_marks import (
    DEFAULT_TTL,
    as_of,
    has_history,
    is_read,
    limited,
    plain,
    read_marks,
    talk_start,
    ttl_s,
)
from radixlint.detectors._look_back import new_blocks
from radixlint.detectors._unread_marks import unread_mark
from radixlint.plural import counted
from radixlint.prompt import CacheLimits, CacheMark, Confidence, Prompt, RequestFacts
from radixlint.result.finding import Related
from radixlint.stake import CountTokens
from radixlint.stake.provider_words import provider_words

_KEPT_IN_HISTORY: Final = 2
_WORTH_A_WORD_TOKENS: Final = 64
Fault = Literal["too-many", "look-back", "ttl-order", "ignored"]


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets: which ``fault`` it looks for."""

    fault: Fault


def find(prompt: Prompt, params: Params, count: CountTokens) -> Iterator[Hit]:
    """Yield at most one hit, at the mark that is one too many, too late, or not read."""
    known = limited(prompt)
    if known is not None and known[0].marks:
        yield from _CHECKS[params.fault](prompt, *known, count)
    elif params.fault == "ignored" and prompt.request is not None and prompt.segments:
        yield from unread_mark(prompt, prompt.request)


def _too_many(prompt: Prompt, facts: RequestFacts, limits: CacheLimits, count: CountTokens) -> Iterator[Hit]:
    marks = read_marks(facts, limits)
    if limits.max_marks is not None and len(marks) > limits.max_marks:
        excess = len(marks) - limits.max_marks
        spare = _covered(prompt, marks)[:excess]
        related = tuple(Related(mark.span, "this mark can go: a later one covers what it marks") for mark in spare)
        fields = {
            "marks": f"{len(marks):,}",
            "most": f"{limits.max_marks:,}",
            "source": as_of(limits.max_marks_source),
            "loss": _loss(prompt, marks[-1], excess, limits, count),
        }
        yield _hit(prompt, marks[limits.max_marks], limits, fields, related if len(spare) == excess else ())


def _loss(prompt: Prompt, last: CacheMark, excess: int, limits: CacheLimits, count: CountTokens) -> str:
    """Return what the marks beyond the limit cost: the request, or nothing but themselves."""
    if limits.is_explicit_only:
        tokens = counted(_fixed_tokens(prompt, last, count), "token")
        return f"the request is refused, so that none of the {tokens} of fixed text ahead of the last mark is written or read"
    return f"no tokens are lost, but {counted(excess, 'mark')} {'is' if excess == 1 else 'are'} wasted"


def _fixed_tokens(prompt: Prompt, mark: CacheMark, count: CountTokens) -> int:
    return sum(count(segment.text) for segment in prompt.segments[: mark.segment + 1] if segment.is_literal)


def _covered(prompt: Prompt, marks: list[CacheMark]) -> list[CacheMark]:
    """Return the marks that a later one covers, for all that requests share ahead of them, the least useful first.

    Those of one part that lives equally long are as one; of those in the history the next request reads the newest.
    """
    start = talk_start(prompt)
    lives = list(accumulate((segment.lifetime for segment in prompt.segments), min))
    fixed = [
        mark
        for mark, later in pairwise(marks)
        if lives[mark.segment] == lives[later.segment] and _part(prompt, mark, start) == _part(prompt, later, start)
    ]
    talk = [mark for mark in marks if mark.segment >= start and mark not in fixed]
    return [*fixed, *talk[:-_KEPT_IN_HISTORY]] if has_history(prompt) else fixed


def _part(prompt: Prompt, mark: CacheMark, start: int) -> int:
    """Return the message of a mark in the conversation; one number for all ahead of it."""
    return prompt.segments[mark.segment].message if mark.segment >= start else -1


def _look_back(prompt: Prompt, facts: RequestFacts, limits: CacheLimits, count: CountTokens) -> Iterator[Hit]:
    """What is new since the request before has more blocks than are searched, so that its entry is not found."""
    marks, most = read_marks(facts, limits), limits.look_back_blocks
    if not marks or most is None or not prompt.is_rendered:
        return
    new = new_blocks(prompt, marks)
    if new is None or new.blocks <= most:
        return
    ahead = next((mark.segment + 1 for mark in reversed(marks) if mark.segment < new.end), 0)
    lost = sum(count(s.text) for s in prompt.segments[ahead : new.end + 1])
    is_sure = new.fewest > most
    if not lost or (not is_sure and lost < _WORTH_A_WORD_TOKENS):
        return
    fields = {
        "blocks": f"{new.blocks:,}",
        "most": f"{most:,}",
        "tokens": f"{lost:,}",
        "source": as_of(limits.look_back_source),
    }
    hit = _hit(prompt, new.mark, limits, fields, lost_tokens=lost)
    doubted = plain(hit.segment, Confidence.LOW, "by newer pages a run of calls, or of their results, counts as one block")
    yield hit if is_sure else replace(hit, segment=doubted)


def _ttl_order(prompt: Prompt, facts: RequestFacts, limits: CacheLimits, count: CountTokens) -> Iterator[Hit]:
    timed = [(mark, ttl) for mark in read_marks(facts, limits) if (ttl := ttl_s(mark)) is not None]
    for at, (mark, ttl) in enumerate(timed if limits.is_longest_first else ()):
        shorter = next((one for one, other in timed[:at] if other < ttl), None)
        if shorter is not None:
            tokens = _fixed_tokens(prompt, mark, count)
            fields = {"longer": mark.ttl or DEFAULT_TTL, "shorter": shorter.ttl or DEFAULT_TTL, "tokens": f"{tokens:,}"}
            related = (Related(shorter.span, "the mark with the shorter time to live"),)
            yield _hit(prompt, mark, limits, fields, related)
            return


def _ignored(prompt: Prompt, facts: RequestFacts, limits: CacheLimits, count: CountTokens) -> Iterator[Hit]:
    # Gateways translate the marks of a chat body for Gemini into its cached contents.
    if facts.provider == "gemini" and facts.shape == "openai-chat":
        return
    ignored = [mark for mark in facts.marks if not is_read(mark, facts, limits)]
    if ignored:
        keys = ("cachePoint",) if facts.shape == "bedrock-converse" else limits.mark_keys
        read = next((key for key in keys if key != ignored[0].key), None)
        fields = {"key": ignored[0].key, "read": f"it reads `{read}`" if read else "it caches by itself"}
        others = f", nor {len(ignored) - 1:,} more like it" if len(ignored) > 1 else ""
        yield _hit(prompt, ignored[0], limits, {**fields, "others": others})


def _hit(
    prompt: Prompt,
    mark: CacheMark,
    limits: CacheLimits,
    fields: dict[str, str],
    related: tuple[Related, ...] = (),
    lost_tokens: int = 0,
) -> Hit:
    at = plain(prompt.segments[mark.segment], Confidence.HIGH)
    return Hit(
        mark.segment,
        at,
        mark.span,
        lost_tokens,
        {"provider": provider_words(limits), **fields},
        related,
        is_value=False,
        has_break=lost_tokens > 0,
    )


_CHECKS: Final[dict[Fault, Callable[[Prompt, RequestFacts, CacheLimits, CountTokens], Iterator[Hit]]]] = {
    "too-many": _too_many,
    "look-back": _look_back,
    "ttl-order": _ttl_order,
    "ignored": _ignored,
}
