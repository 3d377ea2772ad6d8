"""Each loss to its cause: the first difference between a request and the one it should have shared its prefix with."""

from __future__ import annotations

import functools
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import structs

from radixlint.explain.deep_cuts import is_deep_cut
from radixlint.explain.history_edits import HistoryEdit, history_edit
from radixlint.explain.place_causes import PlaceCase
from radixlint.explain.place_values import Place, PlaceValues, length_of, lines_at, place_of
from radixlint.explain.replaced_versions import are_replaced
from radixlint.explain.side_calls import is_side_call
from radixlint.explain.tool_edits import tool_edit
from radixlint.explain.verdict import UNTOLD, Verdict
from radixlint.explain.version_edits import EditKind, MessageEdit, message_edit
from radixlint.explain.written_changes import WrittenChange, written_change
from radixlint.pieces import TOOL_ROLE, Item, Loss, PieceBook
from radixlint.privacy import INSTRUCTIONS
from radixlint.result.cause import Cause, Confidence
from radixlint.traffic import Request

_MOST_LOOKS: Final = 500_000
"""So many requests are looked at for all places together; later places know the requests they lost alone."""


class Attribution:
    """The verdict on each loss of a log.

    What tools, histories and the form of text tell is known from two requests; what a changing text is, only from all
    requests that have its place.

    Args:
        book: the pieces of the requests.
        requests: what is explained, by position.
        chains: a conversation number for each.
        clusters: a cluster number for each: requests made by one template.
    """

    def __init__(self, book: PieceBook, requests: Sequence[Request], chains: Sequence[int], clusters: Sequence[int]) -> None:
        self._book, self._requests, self._chains, self._clusters = book, requests, chains, clusters
        self.places: dict[Place, PlaceValues] = {}
        self._looks_left = _MOST_LOOKS
        self._by_chain: dict[int, list[int]] = {}
        self._tool_verdicts: dict[tuple[tuple[int, ...], tuple[int, ...]], Verdict] = {}
        self._replaced_tools: dict[int, bool] = {}
        self._edits: dict[tuple[int, int], MessageEdit | None] = {}
        self._written: dict[tuple[int, int], WrittenChange | None] = {}

    def verdicts(self, losses: Iterable[Loss]) -> list[tuple[Loss, Verdict, Place | None]]:
        """Return each of ``losses`` with its verdict, and the place in a message where it is known by all that stands there."""
        told: list[tuple[Loss, Verdict | Place]] = []
        edits: dict[Place, list[MessageEdit]] = {}
        with_history: set[Place] = set()
        at: dict[Place, list[Loss]] = {}
        for loss in losses:
            found = self._told(loss)
            if isinstance(found, MessageEdit):
                place = place_of(self._clusters[loss.position], loss.item, self._book.items(loss.position)[loss.item], found)
                edits.setdefault(place, []).append(found)
                at.setdefault(place, []).append(loss)
                if self._is_history_lost(loss):
                    with_history.add(place)
                told.append((loss, place))
            else:
                told.append((loss, found))
        # The places of most losses first: they may look at all requests of their cluster.
        ranked = sorted(edits, key=lambda place: -len(edits[place]))
        cases = {place: self._case(place, edits[place], at[place], place in with_history) for place in ranked}
        return [(loss, cases[v], v) if isinstance(v, Place) else (loss, v, None) for loss, v in told]

    def _case(self, place: Place, edits: Sequence[MessageEdit], losses: Sequence[Loss], has_history: bool) -> Verdict:
        lengths = Counter(max(1, length_of(edit)) for edit in edits)
        members = self._members[place.cluster]
        if len(members) > self._looks_left:
            members = array("I", sorted({position for loss in losses for position in (loss.position, loss.partner)}))
        self._looks_left -= len(members)
        found = lines_at(place, lengths, members, self._book)
        where = self._book.place(losses[0].position, place.item, place.pieces)
        case = PlaceCase(place, where, edits, found, loses_history=has_history)
        verdict = case.verdict(self._requests, self._chains, self._book)
        self.places[place] = case.values
        return verdict

    @functools.cached_property
    def _members(self) -> dict[int, array[int]]:
        """The positions of each cluster."""
        found: dict[int, array[int]] = {}
        for position, number in enumerate(self._clusters):
            found.setdefault(number, array("I")).append(position)
        return found

    def _is_history_lost(self, loss: Loss) -> bool:
        """Whether messages of the same conversation stand behind the instructions that changed."""
        if self._chains[loss.position] != self._chains[loss.partner]:
            return False
        behind = self._book.items(loss.position)[loss.item + 1 :]
        return sum(item.role not in INSTRUCTIONS for item in behind) > 1

    def _told(self, loss: Loss) -> Verdict | MessageEdit:
        """Return the verdict that two requests alone allow, or the edit of a message that all of its place must explain."""
        mine, theirs = self._book.items(loss.position), self._book.items(loss.partner)
        own = mine[loss.item] if loss.item < len(mine) else None
        other = theirs[loss.item] if loss.item < len(theirs) else None
        is_one_chain = self._chains[loss.position] == self._chains[loss.partner]
        if is_one_chain and is_side_call(mine, theirs):
            what = "a call of the same conversation with another prefix in front of the same text"
            return self._made(Cause.SIDE_CALL, loss, what, Confidence.HIGH)
        if TOOL_ROLE in (own and own.role, other and other.role):
            return self._tools(loss, mine, theirs)
        if is_one_chain and loss.item >= _head_items(mine):
            edit = history_edit(mine, theirs, loss.item)
            if edit is not None:
                return self._history(loss, edit, mine)
        if own is None or other is None or own.role != other.role:
            return self._made(Cause.UNKNOWN, loss, UNTOLD, Confidence.LOW)
        return self._message(loss, own, other)

    def _history(self, loss: Loss, edit: HistoryEdit, mine: Sequence[Item]) -> Verdict:
        where = self._book.place(loss.position, min(edit.item, len(mine) - 1), edit.piece)
        if edit.cause is Cause.HISTORY_REWRITTEN and is_deep_cut(loss, edit, self._chain_of(loss), self._book):
            what = "the history was cut deep, and grows again"
            return Verdict(Cause.NEW_CONTENT, where, what, edit.confidence, "deep-cut", edit.item, edit.piece)
        put_in = mine[edit.item : edit.item + max(1, edit.added)]
        if edit.detail == "insertion" and all(item.number in self._sent_before(loss) for item in put_in):
            # What the earlier request lacked was no block: it is back.
            what = "messages that the request before left out are back"
            return Verdict(Cause.HISTORY_REWRITTEN, where, what, edit.confidence, "deletion", edit.item, edit.piece)
        return Verdict(edit.cause, where, edit.what, edit.confidence, edit.detail, edit.item, edit.piece)

    def _sent_before(self, loss: Loss) -> set[int]:
        """Return the numbers of the items that the conversation sent before the partner of ``loss``."""
        return {number for p in self._chain_of(loss) if p < loss.partner for number in self._book.numbers(p)}

    def _chain_of(self, loss: Loss) -> list[int]:
        """Return the positions of the conversation that lost something, in order."""
        if not self._by_chain:
            for position, chain in enumerate(self._chains):
                self._by_chain.setdefault(chain, []).append(position)
        return self._by_chain[self._chains[loss.position]]

    def _tools(self, loss: Loss, mine: Sequence[Item], theirs: Sequence[Item]) -> Verdict:
        own, other = ([item for item in items if item.role == TOOL_ROLE] for items in (mine, theirs))
        key = tuple(i.number for i in own), tuple(i.number for i in other)
        known = self._tool_verdicts.get(key)
        if known is None:
            edit = tool_edit(other, own)
            if edit is None:
                return self._made(Cause.UNKNOWN, loss, UNTOLD, Confidence.LOW)
            where = edit.place
            known = Verdict(edit.cause, where, edit.what, edit.confidence, edit.detail, edit.item, edit.piece)
            self._tool_verdicts[key] = known
        if self._are_tools_replaced(self._clusters[loss.position]):
            return structs.replace(known, cause=Cause.NEW_CONTENT, confidence=Confidence.MEDIUM, detail=known.cause.value)
        return known

    def _are_tools_replaced(self, cluster: int) -> bool:
        """Whether the requests of a cluster have one list of tools after another, each for good."""
        if cluster not in self._replaced_tools:
            members = self._members[cluster]
            lists = [tuple(n for n in self._book.numbers(p) if self._book.role(n) == TOOL_ROLE) for p in members]
            self._replaced_tools[cluster] = are_replaced(lists, [self._chains[position] for position in members])
        return self._replaced_tools[cluster]

    def _message(self, loss: Loss, own: Item, other: Item) -> Verdict | MessageEdit:
        """Return what one message tells whose earlier version is ``other``."""
        key = own.number, other.number
        if key not in self._edits:
            self._edits[key] = message_edit(own, other)
            self._written[key] = written_change(own, other, loss.piece, self._edits[key])
        edit, written = self._edits[key], self._written[key]
        if written is not None:
            made = self._made(written.cause, loss, written.what, written.confidence, written.detail)
            return structs.replace(made, end_piece=written.end_piece)
        if edit is None:
            return self._made(Cause.UNKNOWN, loss, UNTOLD, Confidence.LOW)
        if edit.kind is EditKind.ORDER:
            what = "the same sections stand in another order"
            return self._made(Cause.SECTION_ORDER, loss, what, Confidence.HIGH)
        return edit

    def _made(self, cause: Cause, loss: Loss, what: str, confidence: Confidence, detail: str = "") -> Verdict:
        where = self._book.place(loss.position, loss.item, loss.piece)
        return Verdict(cause, where, what, confidence, detail, loss.item, loss.piece)


def _head_items(items: Sequence[Item]) -> int:
    """Return how many items in front are tools and instructions."""
    count = 0
    while count < len(items) and (items[count].role == TOOL_ROLE or items[count].role in INSTRUCTIONS):
        count += 1
    return count
