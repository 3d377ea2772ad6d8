"""What a changing text inside a message is, told from all the texts that stand at its place."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from radixlint.explain.place_values import Place, PlaceLines, PlaceValues, values_of
from radixlint.explain.replaced_versions import are_replaced
from radixlint.explain.value_kinds import ValueKind, value_kind
from radixlint.explain.verdict import UNTOLD, Verdict
from radixlint.explain.version_edits import EditKind, MessageEdit
from radixlint.pieces import PieceBook
from radixlint.plural import counted
from radixlint.result.cause import Cause, Confidence
from radixlint.traffic import Request

_FEW_VALUES: Final = 8
_ENOUGH_SEEN: Final = 3
_ENOUGH_REPEATS: Final = 10
_NEW_SHARE: Final = 0.9
_OWN_RATE: Final = 0.8


# What these say of a few requests holds though most have something else at the place.
_OF_SOME: Final = frozenset({Cause.CLOCK, Cause.ID, Cause.COUNTER, Cause.TENANT_BEFORE_SHARED})
_SHORT_CHARACTERS: Final = 64
_MOST_WORDS: Final = 2
_PASSAGE_CHARACTERS: Final = 120


class PlaceCase:
    """All breaks at one place.

    Args:
        place: where they are.
        where: its name for people.
        edits: how each differs from its partner.
        found: what stands there in the requests of the cluster.
        loses_history: whether any of them lost messages of its own conversation.
    """

    def __init__(self, place: Place, where: str, edits: Sequence[MessageEdit], found: PlaceLines, *, loses_history: bool) -> None:
        self._place, self._where, self._edits = place, where, edits
        self._loses_history = loses_history
        self.values = values_of(found, is_line=place.is_line)

    def verdict(self, requests: Sequence[Request], chains: Sequence[int], book: PieceBook) -> Verdict:
        """Return the cause of all of them; ``chains`` are conversation numbers by position.

        ``values`` are then those that the cause is about.
        """
        if self._place.is_line:
            self._narrow(requests, chains)
        usual = self.values.found.usual()
        has_rest = bool(usual) and len(set(self.values.found.lines)) > len(usual)
        rest = values_of(self.values.found.without(usual), is_line=self._place.is_line) if has_rest else self.values
        if self._place.is_line and not (self._loses_history and _are_passages(rest.texts)):
            kind = _kind(rest, requests, chains)
            if has_rest and kind.cause in _OF_SOME:
                self.values = rest
                return self._made(kind.cause, kind.what, kind.confidence, kind.detail)
            if _are_new(rest.texts) and (has_rest or (kind.cause is Cause.UNKNOWN and not self._loses_history)):
                self.values = rest
                return self._new(rest.texts)
            kind = _kind(self.values, requests, chains) if has_rest else kind
            if kind.cause is not Cause.UNKNOWN:
                return self._made(kind.cause, kind.what, kind.confidence, kind.detail)
        if are_replaced(self.values.texts, [chains[position] for position in self.values.positions]):
            return self._made(Cause.NEW_CONTENT, "a new version of the text, which then stays", Confidence.MEDIUM, "new-version")
        return self._block([requests[position] for position in self.values.positions], chains, book)

    def _narrow(self, requests: Sequence[Request], chains: Sequence[int]) -> None:
        """Look at the first of several lines alone where it says something else than all of them: it is where the break is."""
        heads = self.values.found.first_lines()
        if heads is None:
            return
        one = values_of(heads, is_line=True)
        cause = _kind(one, requests, chains).cause
        if cause not in (Cause.UNKNOWN, _kind(self.values, requests, chains).cause):
            self.values = one

    def _new(self, texts: Sequence[str]) -> Verdict:
        """Return the verdict on text that is another in every request."""
        if all(len(text.split()) <= _MOST_WORDS and len(text) <= _SHORT_CHARACTERS for text in texts):
            return self._made(Cause.ID, "short text that is new in every request", Confidence.MEDIUM, "words")
        what = "text of one request or conversation stands before text that all have"
        return self._made(Cause.TENANT_BEFORE_SHARED, what, Confidence.MEDIUM, "conversation")

    def _block(self, found: Sequence[Request], chains: Sequence[int], book: PieceBook) -> Verdict:
        """Return the cause of lines that stand there in some requests and not, or others, in the rest."""
        values, texts = self.values, self.values.texts
        seen = Confidence.MEDIUM if len(texts) >= _ENOUGH_SEEN else Confidence.LOW
        by_chain: dict[int, set[str]] = {}
        for position, text in zip(values.positions, texts, strict=True):
            by_chain.setdefault(chains[position], set()).add(text)
        changes_within = sum(len(some) > 1 for some in by_chain.values())
        if self._loses_history and changes_within:
            what = "text that changes within a conversation stands before its history"
            return self._made(Cause.RETRIEVAL_BEFORE_HISTORY, what, Confidence.HIGH if changes_within > 1 else seen)
        kinds = {edit.kind for edit in self._edits}
        if kinds <= {EditKind.INSERTION, EditKind.REMOVAL}:
            if self._stands_elsewhere(book):
                return self._made(Cause.BLOCK_MOVED, "a block of text stands at another place than before", seen)
            if _runs(texts) > values.distinct:
                return self._made(
                    Cause.LIVE_STATE, "lines that are there in some requests and not in others", Confidence.LOW, "on-off"
                )
        owned = self._owned(found)
        if owned is not None:
            return owned
        distinct = values.distinct
        if _runs(texts) == distinct <= len(texts) // _ENOUGH_SEEN:
            return self._made(Cause.NEW_CONTENT, "a new version of the text, which then stays", seen, "new-version")
        if distinct <= min(_FEW_VALUES, len(texts) // 2):
            return self._made(Cause.LIVE_STATE, f"one of {counted(distinct, 'text')} that come and go", seen)
        if distinct > len(texts) // 2 and len(texts) >= _ENOUGH_SEEN:
            what = "text of one request or conversation stands before text that all have"
            return self._made(Cause.TENANT_BEFORE_SHARED, what, seen, "conversation")
        return self._made(Cause.UNKNOWN, UNTOLD, Confidence.LOW)

    def _owned(self, found: Sequence[Request]) -> Verdict | None:
        """Return the verdict on text that is one for each tenant or user, None if it is not."""
        for name, owners in (("tenant", [r.tenant for r in found]), ("user", [r.user for r in found])):
            if _depends(owners, self.values.texts):
                what = f"text that differs from {name} to {name} stands before text that all have"
                is_own = self.values.distinct >= _OWN_RATE * len(set(owners))
                many = is_own and len(set(owners)) >= _ENOUGH_SEEN and len(owners) - len(set(owners)) >= _ENOUGH_REPEATS
                return self._made(Cause.TENANT_BEFORE_SHARED, what, Confidence.HIGH if many else Confidence.MEDIUM, name)
        return None

    def _stands_elsewhere(self, book: PieceBook) -> bool:
        """Whether an inserted block stands at another place of a request that lacks it here."""
        keys: set[int] = set()
        for position in self.values.positions[:_FEW_VALUES]:
            item = book.items(position)[self._place.item]
            keys |= {piece.key for piece in item.pieces[self._place.pieces : self._place.pieces + 1]}
        counts = 0
        for position in self.values.positions[:_FEW_VALUES]:
            own = [p.key for n, item in enumerate(book.items(position)) if n != self._place.item for p in item.pieces]
            counts += not keys.isdisjoint(own)
        return counts > 0

    def _made(self, cause: Cause, what: str, confidence: Confidence, detail: str = "") -> Verdict:
        return Verdict(
            cause, self._where, what, confidence, detail, self._place.item, self._place.pieces, values=self.values.distinct
        )


def _kind(values: PlaceValues, requests: Sequence[Request], chains: Sequence[int]) -> ValueKind:
    found = [requests[position] for position in values.positions]
    groups = [(r.tenant, r.user, _session(r, chains, p)) for r, p in zip(found, values.positions, strict=True)]
    return value_kind(values.texts, [request.time_s for request in found], groups)


def _runs(texts: Sequence[str]) -> int:
    """Return how many stretches of equal texts there are."""
    return sum(1 for _ in groupby(texts))


def _are_passages(texts: Sequence[str]) -> bool:
    """Whether most of ``texts`` are longer than a value is: what was looked up, not a state."""
    return 2 * sum(len(text) > _PASSAGE_CHARACTERS for text in texts) > len(texts)


def _are_new(texts: Sequence[str]) -> bool:
    """Whether nearly every one of several texts is another."""
    return len(texts) >= _ENOUGH_SEEN and len(set(texts)) > _NEW_SHARE * len(texts)


def _session(request: Request, chains: Sequence[int], position: int) -> str:
    return f"chain {chains[position]}" if request.session is None else request.session


def _depends(owners: Sequence[str | None], texts: Sequence[str]) -> bool:
    """Whether the text is one for each owner, of whom there are several with several texts."""
    by_owner: dict[str, set[str]] = {}
    for owner, text in zip(owners, texts, strict=True):
        if owner is None:
            return False
        by_owner.setdefault(owner, set()).add(text)
    return len(by_owner) > 1 and all(len(some) == 1 for some in by_owner.values()) and len(set(texts)) > 1
