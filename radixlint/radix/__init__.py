"""The radix tree over token ids: what a prefix cache holds; it knows integers only.

Token ids are little-endian uint32 buffers (4 bytes a token); they never become Python ints.
"""

from radixlint.radix.eviction_order import EVICTIONS, eviction_order
from radixlint.radix.parts_tree import Parts, PartsTree
from radixlint.radix.tree import RadixTree
from radixlint.radix.tree_values import Inserted, Lease, NodeView

__all__ = ["EVICTIONS", "Inserted", "Lease", "NodeView", "Parts", "PartsTree", "RadixTree", "eviction_order"]
