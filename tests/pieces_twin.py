"""Partners and losses by the plain rule, every request compared with every earlier one; and what a log is measured as."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from radixlint.layout import Layout, open_layout
from radixlint.pieces import TOOL_ROLE, Item, Loss, PieceBook, losses, partners_of
from radixlint.privacy import chains_of
from radixlint.traffic import Request

CHARACTERS_A_TOKEN = 4
HEAD_ROLES = ("system", "developer", TOOL_ROLE)


@dataclass(frozen=True)
class Measured:
    """A log with its book, and what a replay would know: the conversations, the nearest requests, the uncached tokens."""

    requests: Sequence[Request]
    book: PieceBook
    chains: Sequence[int]
    nearest: Sequence[int | None]
    uncached: Sequence[int]

    @property
    def partners(self) -> Sequence[int]:
        """The partners as we choose them."""
        return partners_of(self.book, self.requests, self.chains, self.nearest)

    @property
    def losses(self) -> list[Loss]:
        """The losses as we tell them."""
        return list(losses(self.book, self.partners, self.chains, self.uncached))


def measured(requests: Sequence[Request], layout: Layout | None = None) -> Measured:
    """Compare all prompts with all earlier ones of their namespaces; four characters are a token."""
    layout = layout or open_layout()
    texts = ["".join(piece.text for piece in layout.lay_out(request)) for request in requests]
    nearest: list[int | None] = []
    uncached = []
    for i, text in enumerate(texts):
        seen = [(_common(text, texts[j]), j) for j in range(i) if requests[j].namespace == requests[i].namespace]
        shared, best = max(seen, default=(0, None))
        nearest.append(best if shared else None)
        uncached.append(len(text) // CHARACTERS_A_TOKEN - shared // CHARACTERS_A_TOKEN)
    book = PieceBook(requests, layout, [len(text) // CHARACTERS_A_TOKEN for text in texts])
    return Measured(requests, book, chains_of(requests), nearest, uncached)


def _common(one: str, other: str) -> int:
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return low


def twin_overlap(one: Sequence[Item], other: Sequence[Item]) -> int:
    """Return the tokens of the pieces of ``one`` that ``other`` has too, each as often as both have it in one role."""
    mine, theirs = _weights(one), _weights(other)
    return sum(min(tokens, theirs.get(key, 0)) for key, tokens in mine.items())


def _weights(items: Sequence[Item]) -> Counter[tuple[str, int]]:
    found: Counter[tuple[str, int]] = Counter()
    for item in items:
        for piece in item.pieces:
            found[item.role, piece.key] += piece.tokens
    return found


def twin_clusters(log: Measured, partners: Sequence[int]) -> list[int]:
    """Return the first member of each request's cluster, by spreading the smallest number until nothing changes."""
    heads = []
    for position in range(len(partners)):
        items = log.book.items(position)
        heads.append([item for item in items if item.role in HEAD_ROLES] or items[:1])
    alike = [(i, j) for i, j in enumerate(partners) if j >= 0 and _are_alike(heads[i], heads[j])]
    found = list(range(len(partners)))
    for _ in partners:
        for i, j in alike:
            found[i] = found[j] = min(found[i], found[j])
    return found


def _are_alike(one: Sequence[Item], other: Sequence[Item]) -> bool:
    return 2 * twin_overlap(one, other) >= max(sum(i.tokens for i in one), sum(i.tokens for i in other))


def twin_lost(log: Measured, partners: Sequence[int]) -> dict[int, int]:
    """Return the lost tokens of the requests that lose, by position, for logs of fewer than 64 requests."""
    groups = twin_clusters(log, partners)
    found = {}
    for i, j in enumerate(partners):
        lost = _lost(log, groups, i, j) if j >= 0 else 0
        if lost >= 8:
            found[i] = lost
    return found


def _lost(log: Measured, groups: Sequence[int], i: int, j: int) -> int:
    mine, theirs = log.book.items(i), log.book.items(j)
    newest = _newest(mine)
    flat = [(k, item.number, p.key, p.tokens) for k, item in enumerate(mine) for p in item.pieces]
    other = [(item.role, p.key) for item in theirs for p in item.pieces]
    start = 0
    while start < min(len(flat), len(other)) and (mine[flat[start][0]].role, flat[start][2]) == other[start]:
        start += 1
    members = [k for k, group in enumerate(groups) if group == groups[i]]
    turns = _in_turns([log.book.items(m)[_newest(log.book.items(m)) :] for m in members])
    behind = Counter(key for _, key in other[start:])
    total = sum(item.tokens for item in mine)
    left = log.uncached[i] * total / log.book.prompt_tokens(i)
    counted = []
    first = flat[start][0] if start < len(flat) else len(mine)
    later = [item.number for item in theirs[first:]]
    for k, number, key, tokens in flat[start:]:
        is_held = behind[key] > 0
        behind[key] -= 1
        is_whole = number in [item.number for item in theirs]
        is_history = log.chains[i] == log.chains[j] and (k < newest or is_whole)
        is_common = _is_in_half(log, members, key) if k < newest else key in turns
        is_answer = mine[k].role in ("assistant", "tool", "function") and k > first and mine[k - 1].number not in later
        is_common = is_common and groups[i] == groups[j] and not is_answer
        counted.append((tokens, is_held and (is_history or is_common)))
    sizes = [(is_held, [size for size, _ in run]) for is_held, run in groupby(counted, key=lambda one: one[1])]
    counted = [(size, is_held and sum(run) >= 8) for is_held, run in sizes for size in run]
    lost = 0.0
    for tokens, counts in reversed(counted):
        lost += max(0.0, min(tokens, left)) if counts else 0.0
        left -= tokens
    return min(int(lost * log.book.prompt_tokens(i) / total), log.uncached[i])


def _is_in_half(log: Measured, members: Sequence[int], key: int) -> bool:
    """Whether half of the members hold a piece in their head, or in the same message, or nearly all in any."""
    holders = 0
    places: Counter[int] = Counter()
    for member in members:
        items = log.book.items(member)
        messages = [sum(one.role not in HEAD_ROLES for one in items[: k + 1]) for k in range(len(items))]
        at = [0 if item.role in HEAD_ROLES else number for item, number in zip(items, messages, strict=True)]
        held = {number for item, number in zip(items, at, strict=True) if any(p.key == key for p in item.pieces)}
        places.update(held)
        holders += bool(held)
    half = max(places.values(), default=0)
    return (half >= 2 and 2 * half >= len(members)) or holders >= max(2, len(members) - len(members) // 20)


def _in_turns(turns: Sequence[Sequence[Item]]) -> set[int]:
    if len(turns) < 3:
        return set()
    found = {}
    for turn in turns:
        for item in turn:
            for i, piece in enumerate(item.pieces):
                front = sum(any(len(x.pieces) > i and x.pieces[i].key == piece.key for x in other) for other in turns)
                last = len(item.pieces) - i
                back = sum(any(len(x.pieces) >= last and x.pieces[-last].key == piece.key for x in other) for other in turns)
                if max(front, back) >= len(turns) - len(turns) // 20:
                    found[piece.key] = piece.tokens
    total = sum(item.tokens for turn in turns for item in turn)
    return set(found) if len(turns) >= 8 or 2 * len(turns) * sum(found.values()) >= total else set()


def _newest(items: Sequence[Item]) -> int:
    last = max((i for i, item in enumerate(items) if item.role == "user"), default=len(items) - 1)
    return min(k for k in range(last + 1) if k == last or all(item.role == "user" for item in items[k : last + 1]))
