"""Which kind each request of two parts is of: model, application, tenant, and how far its conversation has come."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from radixlint.api.compared_part import MeasuredPart, head_keys

LEAST_REQUESTS: Final = 5
OTHER: Final = "other"
_MOST_COMPARED: Final = 16


class Kind(Struct, frozen=True):
    """What one request is, in the order in which kinds are told apart; None where the log does not say."""

    model: str | None
    template: str | None
    tenant: str | None
    depth: str | None


def applications(parts: Sequence[MeasuredPart]) -> list[list[str]]:
    """Return for each request of each part its application: the template it names, else all with tools and instructions alike.

    Two are one if they have half of the shorter one's text in common, so that a version with a changed or added part is
    none of its own. Those with under 5 requests in all are ``other``.
    """
    heads = _Heads()
    raw = [_raw(part, heads) for part in parts]
    counts = Counter(name for names in raw for name in names)
    large = [name for name, count in counts.most_common() if count >= LEAST_REQUESTS]
    shown = {name: name[1] if name[0] else f"application {number}" for number, name in enumerate(large, 1)}
    return [[shown.get(name, OTHER) for name in names] for names in raw]


def kinds(part: MeasuredPart, names: Sequence[str]) -> list[Kind]:
    """Return the kind of each request of ``part``, whose applications are ``names``."""
    passed: Counter[str] = Counter()
    found = []
    for request, application in zip(part.requests, names, strict=True):
        depth = sum(message.role == "assistant" for message in request.messages) if request.messages else None
        if request.session is not None:
            # Counted from the first one on, for a history that is cut makes no session shorter.
            passed[request.session] += 1 if request.session in passed else depth or 0
            depth = passed[request.session]
        found.append(Kind(request.model, application, request.tenant, None if depth is None else _bucket(depth)))
    return found


def _bucket(answers: int) -> str:
    """Return a range of numbers that doubles."""
    if answers < 2:
        return str(answers)
    low = 1 << (answers.bit_length() - 1)
    return f"{low}-{2 * low - 1}"


def _raw(part: MeasuredPart, heads: _Heads) -> list[tuple[str, str]]:
    explanation = part.explained.explanation
    by_leader: dict[int, str] = {}
    measured = iter(range(len(part.tokens.measured)))
    found = []
    for request, match in zip(part.requests, part.matches, strict=True):
        position = None if match is None else next(measured)
        if request.template is not None:
            found.append(("named", request.template))
        elif position is None or explanation is None:
            found.append(("", ""))
        else:
            leader = explanation.clusters[position]
            if leader not in by_leader:
                # What broke should have been like its partner.
                is_broken = explanation.lost_tokens[leader] > 0
                kin = by_leader.get(explanation.clusters[explanation.partners[leader]]) if is_broken else None
                by_leader[leader] = kin or str(heads.number(head_keys(part, leader)))
            found.append(("", by_leader[leader]))
    return found


class _Heads:
    """Numbers what tools and instructions are alike."""

    def __init__(self) -> None:
        self._heads: list[dict[int, int]] = []
        self._holders: dict[int, list[int]] = {}

    def number(self, head: dict[int, int]) -> int:
        """Return the number of the first head that is like ``head``, a new one if there is none."""
        near = Counter(number for key in head for number in self._holders.get(key, ())[:_MOST_COMPARED])
        for number, _ in sorted(near.most_common(_MOST_COMPARED)):
            other = self._heads[number]
            both = sum(tokens for key, tokens in head.items() if key in other)
            if 2 * both >= min(sum(head.values()), sum(other.values())):
                return number
        self._heads.append(head)
        for key in head:
            self._holders.setdefault(key, []).append(len(self._heads) - 1)
        return len(self._heads) - 1
