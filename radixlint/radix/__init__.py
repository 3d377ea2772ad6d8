"""The radix tree over token ids: what a prefix cache holds; it knows integers only.

Token ids are little-endian uint32 buffers (4 bytes a token); they never become Python ints.
"""

from radixlint.radix.tree import Inserted, Lease, NodeView, RadixTree

__all__ = ["Inserted", "Lease", "NodeView", "RadixTree"]
