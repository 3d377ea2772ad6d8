"""Sections of the instructions in one order, in whatever order and choice each request has them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from msgspec import structs

from radixlint.rewrites.turn_roles import head_length
from radixlint.traffic import Message, Request

_MOST_EXACT: Final = 8
_NONE: Final = -1


class _Slot(NamedTuple):
    """A place of a section: in which text (a message, or a block of one), and where in it."""

    text: int
    start: int
    end: int
    section: int


def held_sections(requests: Sequence[Request], sections: Sequence[str]) -> Counter[frozenset[int]]:
    """Count the requests by the sections that they hold, each by its position in ``sections``."""
    by_head: dict[tuple[int, ...], frozenset[int]] = {}
    counts: Counter[frozenset[int]] = Counter()
    for request in requests:
        head = request.messages[: head_length(request.messages)]
        key = tuple(map(id, head))
        if key not in by_head:
            by_head[key] = frozenset(slot.section for slot in _slots(_texts(head), sections))
        counts[by_head[key]] += 1
    return counts


def best_order(sections: Sequence[tuple[str, int]], occurrences: Mapping[frozenset[int], int]) -> tuple[str, ...]:
    """Return the texts of ``sections`` in the order in which two requests of the log share the most of them, on average.

    Up to 8 sections that is exact: no order leaves fewer tokens uncached of a request that follows another, both drawn from
    the log. Of more, those stand in front that are long and in nearly all requests.

    Args:
        sections: text and length in tokens of each.
        occurrences: how many requests hold which sections, by position (see ``held_sections``).
    """
    tokens = [count for _, count in sections]
    order = _exact_order(tokens, occurrences) if len(sections) <= _MOST_EXACT else _greedy_order(tokens, occurrences)
    return tuple(sections[i][0] for i in order)


def ordered(requests: Sequence[Request], sections: Sequence[str]) -> tuple[Request, ...]:
    """Return the requests with those of ``sections`` that they hold in this order, in the places that sections have now.

    A section is a run of whole lines in the instructions in front; the line end of its last line does not count. What stands
    between sections stays. Requests in which nothing changes are the same objects.
    """
    heads: dict[tuple[int, ...], tuple[Message, ...]] = {}
    shared: dict[Message, Message] = {}
    found = []
    for request in requests:
        length = head_length(request.messages)
        head = request.messages[:length]
        key = tuple(map(id, head))
        changed = heads.get(key)
        if changed is None:
            changed = heads[key] = _ordered_head(head, sections, shared)
        is_same = all(a is b for a, b in zip(changed, head, strict=True))
        found.append(request if is_same else structs.replace(request, messages=changed + request.messages[length:]))
    return tuple(found)


def _exact_order(tokens: Sequence[int], occurrences: Mapping[frozenset[int], int]) -> tuple[int, ...]:
    """Return the best order, by dynamic programming over which sections stand in front.

    What section ``j`` behind a set of others adds to the shared prefix of two requests does not depend on the order within the
    set: both hold ``j``, and the same ones of the set.
    """
    every = (1 << len(tokens)) - 1
    held = Counter({sum(1 << i for i in some): count for some, count in occurrences.items()})
    # Shared tokens of all ordered pairs of requests, and the order; the first of equals is the one nearest to that given.
    best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for front in range(1, every + 1):
        ways = []
        for last in (i for i in range(len(tokens)) if front >> i & 1):
            before = front & ~(1 << last)
            alike: Counter[int] = Counter()
            for some, count in held.items():
                if some >> last & 1:
                    alike[some & before] += count
            shared, order = best[before]
            ways.append((-shared - tokens[last] * sum(n * n for n in alike.values()), (*order, last)))
        least, order = min(ways)
        best[front] = -least, order
    return best[every][1]


def _greedy_order(tokens: Sequence[int], occurrences: Mapping[frozenset[int], int]) -> tuple[int, ...]:
    """Return the order by tokens times the odds of being there: right for any two sections that come independently."""
    total = sum(occurrences.values())

    def weight(i: int) -> tuple[bool, Fraction]:
        count = sum(n for some, n in occurrences.items() if i in some)
        return count == total, Fraction(tokens[i] * count, max(1, total - count))

    return tuple(sorted(range(len(tokens)), key=weight, reverse=True))


def _ordered_head(head: tuple[Message, ...], sections: Sequence[str], shared: dict[Message, Message]) -> tuple[Message, ...]:
    texts = _texts(head)
    slots = sorted(_slots(texts, sections))
    new = list(texts)
    for slot, section in reversed(list(zip(slots, sorted(slot.section for slot in slots), strict=True))):
        new[slot.text] = new[slot.text][: slot.start] + _lines_of(sections[section]) + new[slot.text][slot.end :]
    return head if new == texts else tuple(_with_texts(head, new, shared))


def _with_texts(head: Sequence[Message], texts: Sequence[str], shared: dict[Message, Message]) -> Iterator[Message]:
    at = 0
    for message in head:
        own = texts[at : at + max(1, len(message.parts))]
        at += len(own)
        if own == list(message.parts or (message.text,)):
            yield message
        else:
            changed = structs.replace(message, kept="\n".join(own), parts=tuple(own) if message.parts else ())
            yield shared.setdefault(changed, changed)


def _texts(head: Sequence[Message]) -> list[str]:
    return [text for message in head for text in message.parts or (message.text,)]


def _slots(texts: Sequence[str], sections: Sequence[str]) -> list[_Slot]:
    """Return the first place of each section, long ones first, none within another."""
    found: list[_Slot] = []
    for section in sorted(range(len(sections)), key=lambda i: (-len(sections[i]), i)):
        own = _lines_of(sections[section])
        place = next(
            (
                slot
                for number, text in enumerate(texts)
                for start in _starts(text, own)
                if not _overlaps(slot := _Slot(number, start, start + len(own), section), found)
            ),
            None,
        )
        found += [place] if place is not None else []
    return found


def _starts(text: str, lines: str) -> Iterator[int]:
    """Give the places in ``text`` where ``lines`` stands as whole lines."""
    framed, wanted = f"\n{text}\n", f"\n{lines}\n"
    at = framed.find(wanted)
    while at != _NONE:
        yield at
        at = framed.find(wanted, at + 1)


def _overlaps(slot: _Slot, others: Sequence[_Slot]) -> bool:
    return any(slot.text == other.text and slot.start <= other.end and other.start <= slot.end for other in others)


def _lines_of(section: str) -> str:
    return section.removesuffix("\n")
