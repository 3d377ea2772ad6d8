"""The top of the prefix tree as people read it: who shares what, a few levels deep, the long tail summed up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from radixlint.explain.branch_names import Branch, BranchNames
from radixlint.explain.laid_out_texts import LaidOutTexts
from radixlint.explain.prefix_groups import PrefixGroup, child_groups, top_groups
from radixlint.privacy import Disclosure
from radixlint.result.measurement import TreeLimits, TreeNode
from radixlint.traffic import TokenRequest

_SHORT_LOG: Final = 20
_MOST_CANDIDATES: Final = 64


class _Drawing(Struct, frozen=True):
    requests: Sequence[TokenRequest]
    names: BranchNames
    limits: TreeLimits

    @property
    def least_requests(self) -> int:
        """How many requests a branch needs to be drawn: one in a short log, else 1 % of them and at least two."""
        return 1 if len(self.requests) <= _SHORT_LOG else max(2, len(self.requests) // 100)


def prefix_tree(requests: Sequence[TokenRequest], texts: LaidOutTexts, disclosure: Disclosure, limits: TreeLimits) -> TreeNode:
    """Return the drawn tree: nodes that most requests pass come first, what is over the limits is counted as hidden."""
    drawing = _Drawing(requests, BranchNames(requests, texts, disclosure), limits)
    groups = top_groups(requests)
    if len(groups) == 1:
        root = groups[0]
        children = (root,) if root.end_tokens else child_groups(requests, root)
    else:
        children = groups
    return _node(drawing, "all requests", PrefixGroup("", tuple(range(len(requests))), 0, 0, 0, 0), children, limits.depth)


def _node(drawing: _Drawing, label: str, group: PrefixGroup, children: Sequence[PrefixGroup], depth: int) -> TreeNode:
    ranked = sorted(children, key=_size)
    wanted = [c for c in ranked if len(c.members) >= drawing.least_requests][:_MOST_CANDIDATES] if depth > 0 else []
    branches = _merged([drawing.names.branch_of(child, group) for child in wanted])[: drawing.limits.width]
    drawn = {child.members[0] for branch in branches for child in branch.groups}
    hidden = [child for child in ranked if child.members[0] not in drawn]
    return TreeNode(
        label=label,
        depth_tokens=group.start_tokens,
        tokens=group.end_tokens - group.start_tokens,
        requests=len(group.members),
        children=tuple(_child(drawing, branch, depth - 1) for branch in branches),
        hidden_children=len(hidden),
        hidden_requests=sum(len(child.members) for child in hidden),
    )


def _merged(branches: Sequence[Branch]) -> list[Branch]:
    """Return ``branches`` with those made one that differ in a hidden value only, most requests first."""
    kinds: dict[tuple[str, str], list[Branch]] = {}
    for number, branch in enumerate(branches):
        kinds.setdefault((branch.where, branch.kind) if branch.kind else (branch.where, str(number)), []).append(branch)
    merged = [replace(b[0], groups=tuple(g for branch in b for g in branch.groups)) for b in kinds.values()]
    return sorted(merged, key=lambda branch: (-sum(len(g.members) for g in branch.groups), _size(branch.groups[0])))


def _child(drawing: _Drawing, branch: Branch, depth: int) -> TreeNode:
    label = drawing.names.label(branch)
    first = branch.groups[0]
    if len(branch.groups) == 1:
        return _node(drawing, label, first, child_groups(drawing.requests, first), depth)
    below = [child for group in branch.groups for child in child_groups(drawing.requests, group)]
    return TreeNode(
        label=label,
        depth_tokens=first.start_tokens,
        tokens=min(group.end_tokens - group.start_tokens for group in branch.groups),
        requests=sum(len(group.members) for group in branch.groups),
        children=(),
        hidden_children=len(below),
        hidden_requests=sum(len(child.members) for child in below),
    )


def _size(group: PrefixGroup) -> tuple[int, int, int]:
    return -len(group.members), group.start_tokens - group.end_tokens, group.members[0]
