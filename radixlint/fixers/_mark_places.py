"""The content blocks of a request body that may carry a cache mark, in wire order, and how a mark is written there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from radixlint.fixers._body_tree import POINT, BodyTree, Change
from radixlint.fixers._item_changes import with_item
from radixlint.fixers._pair_changes import with_pair
from radixlint.fixers._text_blocks import as_block
from radixlint.fixers._written_values import Manner, Value, manner_at
from radixlint.prompt import CacheLimits, Prompt, RequestFacts

if TYPE_CHECKING:
    from radixlint.sources._tree import Listing, Table, Tree

# The API takes no mark on these.
_THOUGHTS: Final = frozenset(("thinking", "redacted_thinking"))
_SPOKEN: Final = frozenset(("system", "developer", "user", "assistant"))
_CONVERSE: Final = "bedrock-converse"
_RESPONSES: Final = "openai-responses"
_CHAT: Final = "openai-chat"
_MARKS: Final[Mapping[str, Value]] = {
    "cache_control": {"type": "ephemeral"},
    "prompt_cache_breakpoint": {"mode": "explicit"},
    POINT: {"type": "default"},
}


@dataclass(frozen=True, slots=True)
class Place:
    """A block that may end at a mark: item ``at`` of ``listing``, or the string ``block`` under ``key`` of ``holder``.

    ``last`` is the index of the last segment of the block.
    """

    block: Tree
    last: int
    listing: Listing | None = None
    at: int = 0
    holder: Table | None = None
    key: str = ""


def mark_key(facts: RequestFacts, limits: CacheLimits) -> str | None:
    """Return the key by which the provider reads marks in a body of this form, None if it reads none."""
    if facts.shape == _CONVERSE:
        return POINT if POINT in limits.mark_keys else None
    return next((key for key in limits.mark_keys if key != POINT), None)


def last_place(prompt: Prompt, body: BodyTree, markable: tuple[int, int]) -> Place | None:
    """Return the last block that ends within the segments ``markable`` and may carry a mark."""
    facts = prompt.request
    if facts is None:
        return None
    held = next((table for table in _body_tables(body) if _holds(body, table, facts)), None)
    found: list[Place] = []
    for place in _places(held, facts.shape) if held is not None else ():
        last = _last_segment(prompt, body, place.block)
        if last is not None and markable[0] <= last <= markable[1]:
            found.append(Place(place.block, last, place.listing, place.at, place.holder, place.key))
    return max(found, key=lambda place: place.last, default=None)


def marked(body: BodyTree, place: Place, key: str, value: Value | None = None, like: Table | None = None) -> list[Change] | None:
    """Return what puts a mark at ``place``: ``value``, or what the key usually says; written as the mapping ``like`` is."""
    from radixlint.sources._tree import Table

    mark = _MARKS[key] if value is None else value
    if place.holder is not None:
        return as_block(body, place.holder, place.key, {key: mark})
    if not isinstance(place.block, Table) or not place.block.pairs or place.listing is None:
        return None
    manner = _manner(body, place.block, like)
    if key == POINT:
        change = with_item(body, place.listing, place.at, {key: mark}, manner)
    else:
        change = with_pair(body, place.block, key, mark, manner)
    return None if change is None else [change]


def _manner(body: BodyTree, block: Table, like: Table | None) -> Manner:
    from dataclasses import replace

    from radixlint.fixers._written_values import is_spread

    manner = manner_at(body.text, block, body.path.lower().endswith(".json"))
    if like is None or not like.pairs:
        return manner
    is_braced = body.text[like.start] == "{"
    return replace(manner, is_block=manner.is_block and not is_braced, is_long=is_spread(body.text, like))


def _body_tables(body: BodyTree) -> Iterator[Table]:
    from radixlint.sources._request_shape import find_bodies

    for tree in body.trees:
        yield from (found.tree for found in find_bodies(tree))


def _holds(body: BodyTree, table: Table, facts: RequestFacts) -> bool:
    return table.start <= body.offset(facts.span.line, facts.span.column) < table.end


def _last_segment(prompt: Prompt, body: BodyTree, block: Tree) -> int | None:
    """Return the index of the last segment that stands in a block, None if none does or if it holds no text at all."""
    found = [
        index
        for index, segment in enumerate(prompt.segments)
        if block.start <= body.offset(segment.span.line, segment.span.column) < block.end and segment.span.path == body.path
    ]
    return found[-1] if found else None


def _places(tree: Table, shape: str) -> Iterator[Place]:
    """Yield the blocks of a body; what cannot carry a mark in its form is left out."""
    if shape == _CONVERSE:
        config = tree.get("toolConfig")
        yield from _items(_get(config, "tools"), shape)
        yield from _items(tree.get("system"), shape)
    elif shape == _RESPONSES:
        yield from _messages(tree.get("input"), shape)
        return
    elif shape != _CHAT:
        yield from _items(tree.get("tools"), shape)
        yield from _content(tree, "system", shape)
    yield from _messages(tree.get("messages"), shape)


def _messages(messages: Tree | None, shape: str) -> Iterator[Place]:
    from radixlint.sources._tree import Listing, Table

    for message in messages.items if isinstance(messages, Listing) else ():
        if isinstance(message, Table) and message.text("role") in _SPOKEN:
            yield from _content(message, "content", shape)


def _content(holder: Table, key: str, shape: str) -> Iterator[Place]:
    from radixlint.sources._tree import Leaf

    held = holder.get(key)
    if isinstance(held, Leaf):
        if held.is_text and not held.is_slot and held.passage.text.strip() and shape not in (_CONVERSE, _RESPONSES):
            yield Place(held, 0, holder=holder, key=key)
    else:
        yield from _items(held, shape)


def _items(listing: Tree | None, shape: str) -> Iterator[Place]:
    from radixlint.sources._tree import Listing, Table

    for at, item in enumerate(listing.items if isinstance(listing, Listing) else ()):
        if isinstance(item, Table) and isinstance(listing, Listing) and _may_carry(item, shape):
            yield Place(item, 0, listing, at)


def _may_carry(block: Table, shape: str) -> bool:
    kind, text = block.text("type"), block.text("text")
    if text is not None and not text.strip():
        return False
    if shape == _CONVERSE:
        return block.get(POINT) is None and block.get("reasoningContent") is None
    if shape == _RESPONSES:
        return kind is not None and kind.startswith("input_")
    return kind not in _THOUGHTS if shape != _CHAT else kind == "text"


def _get(tree: Tree | None, key: str) -> Tree | None:
    from radixlint.sources._tree import Table

    return tree.get(key) if isinstance(tree, Table) else None
