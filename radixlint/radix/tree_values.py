"""What the tree hands out: what an insert found, a locked path, a node as seen from outside."""

from __future__ import annotations

from msgspec import Struct

from radixlint.radix.node import Node


class Inserted(Struct, frozen=True):
    """What an insert found: whole pages already stored, in tokens, and whose sequence it parted from.

    ``partner`` is the owner of an earlier sequence that starts with the matched tokens and goes on otherwise or ends
    there; None if nothing matched.
    """

    matched_tokens: int
    partner: int | None


class Lease(Struct, frozen=True):
    """A locked path from the root to ``node``, ``matched_tokens`` long; hand it to ``RadixTree.release`` once."""

    node: Node
    matched_tokens: int


class NodeView(Struct, frozen=True):
    """A node as seen from outside.

    ``id`` is unique in the tree; ``parent_id`` is None below the root. The edge holds ``tokens`` tokens and starts
    ``depth_tokens`` from the start of the prompt; it is the stretch ``[depth_tokens, depth_tokens + tokens)`` of the
    sequence ``owner`` inserted. ``uses`` counts the inserts that passed through the whole edge.
    """

    id: int
    parent_id: int | None
    namespace: str
    depth_tokens: int
    tokens: int
    uses: int
    owner: int
    children: int
