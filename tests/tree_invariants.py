"""What must hold in a radix tree at any time, checked from outside its methods."""

from __future__ import annotations

from collections.abc import Iterable

from radixlint.radix import Lease, RadixTree
from radixlint.radix.node import Node


def violations(tree: RadixTree, leases: Iterable[Lease] = ()) -> list[str]:
    """Return what is wrong with ``tree`` while exactly ``leases`` are out; empty if nothing is."""
    locks = _expected_locks(leases)
    page_bytes = tree.page_tokens * 4
    found: list[str] = []
    nodes = [tree.root]
    for node in nodes:
        for key, child in (node.children or {}).items():
            namespace_end = -page_bytes if node is tree.root else 0
            page = key[namespace_end:]
            checks = {
                "child points elsewhere": child.parent is node,
                "child filed under another page": page == child.edge[:page_bytes] and key == child.key,
                "edge empty or not whole pages": len(child.edge) > 0 and len(child.edge) % page_bytes == 0,
                "child with more locks than its parent": child.locks <= node.locks,
                "child used more often than its parent": node is tree.root or child.uses <= node.uses,
                "locks differ from the leases": child.locks == locks.get(id(child), 0),
            }
            found += [name for name, holds in checks.items() if not holds]
            nodes.append(child)
    stored = sum(len(node.edge) for node in nodes) // 4
    if stored != tree.stored_tokens:
        found.append(f"stores {stored} tokens, says {tree.stored_tokens}")
    if len(nodes) - 1 != tree.node_count:
        found.append(f"has {len(nodes) - 1} nodes, says {tree.node_count}")
    if tree.capacity_tokens is not None and stored > tree.capacity_tokens:
        found.append(f"stores {stored} tokens in room for {tree.capacity_tokens}")
    reachable = {id(node) for node in nodes}
    found += ["a locked node is gone" for lease in leases if id(lease.node) not in reachable]
    return found


def _expected_locks(leases: Iterable[Lease]) -> dict[int, int]:
    locks: dict[int, int] = {}
    for lease in leases:
        node: Node | None = lease.node
        while node is not None:
            locks[id(node)] = locks.get(id(node), 0) + 1
            node = node.parent
    return locks
