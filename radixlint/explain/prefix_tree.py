"""The top of the prefix tree as people read it: who shares what, a few levels deep, the long tail summed up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from radixlint.explain.laid_out_texts import LaidOutTexts, common_length, value_end, value_start
from radixlint.explain.prefix_groups import PrefixGroup, child_groups, top_groups
from radixlint.privacy import Disclosure
from radixlint.result.measurement import TreeNode
from radixlint.traffic import TokenRequest

_LABEL_CHARACTERS: Final = 60
_NEAR: Final = 32
_SHORT_LOG: Final = 20
_COMPARED_MEMBERS: Final = 16


class TreeLimits(Struct, frozen=True):
    """How much of the tree is drawn: ``depth`` levels below the root, at most ``width`` children of each node."""

    depth: int = 3
    width: int = 5


class _Drawing(Struct, frozen=True):
    requests: Sequence[TokenRequest]
    texts: LaidOutTexts
    disclosure: Disclosure
    limits: TreeLimits

    @property
    def least_requests(self) -> int:
        """How many requests a branch needs to be drawn: one in a short log, else 1 % of them and at least two."""
        return 1 if len(self.requests) <= _SHORT_LOG else max(2, len(self.requests) // 100)


def prefix_tree(requests: Sequence[TokenRequest], texts: LaidOutTexts, disclosure: Disclosure, limits: TreeLimits) -> TreeNode:
    """Return the drawn tree: nodes that most requests pass come first, what is over the limits is counted as hidden."""
    drawing = _Drawing(requests, texts, disclosure, limits)
    groups = top_groups(requests)
    if len(groups) == 1:
        root = groups[0]
        children = (root,) if root.end_tokens else child_groups(requests, root)
    else:
        children = groups
    return _node(drawing, "all requests", PrefixGroup("", tuple(range(len(requests))), 0, 0), children, limits.depth)


def _node(drawing: _Drawing, label: str, group: PrefixGroup, children: Sequence[PrefixGroup], depth: int) -> TreeNode:
    ranked = sorted(children, key=lambda c: (-len(c.members), -(c.end_tokens - c.start_tokens), c.members[0]))
    drawn = [c for c in ranked if len(c.members) >= drawing.least_requests][: drawing.limits.width] if depth > 0 else []
    hidden = ranked[len(drawn) :]
    return TreeNode(
        label=label,
        depth_tokens=group.start_tokens,
        tokens=group.end_tokens - group.start_tokens,
        requests=len(group.members),
        children=tuple(
            _node(drawing, _label(drawing, child, group), child, child_groups(drawing.requests, child), depth - 1)
            for child in drawn
        ),
        hidden_children=len(hidden),
        hidden_requests=sum(len(child.members) for child in hidden),
    )


def _label(drawing: _Drawing, group: PrefixGroup, parent: PrefixGroup) -> str:
    """Return where the group's stretch starts, and its first words as far as they may be shown."""
    first = group.members[0]
    text = drawing.texts.text(first)
    if not group.end_tokens:
        return f"namespace of record {drawing.requests[first].index}: nothing shared"
    if not text:
        return f"<{group.end_tokens - group.start_tokens} token ids>"
    branch, parting = _text_start(drawing, group, parent), _text_end(drawing, group)
    where = drawing.texts.place(first, branch).where
    start = drawing.texts.content_start(first, value_start(text, branch))
    if parting <= start:
        return where
    # Where the members part inside a value, the value is not theirs in common; where that leaves nothing, name its kind.
    end = value_start(text, parting) if parting < len(text) else parting
    if end <= start:
        end = value_end(text, start)
    words = drawing.disclosure.window(text, start, min(end, start + _LABEL_CHARACTERS), near=group.members[:_NEAR])
    return f"{where}: {words}" if words.strip() else where


def _text_start(drawing: _Drawing, group: PrefixGroup, parent: PrefixGroup) -> int:
    if not group.start_tokens:
        return 0
    inside = set(group.members)
    other = next((m for m in parent.members if m not in inside), None)
    return 0 if other is None else common_length(drawing.texts.text(group.members[0]), drawing.texts.text(other))


def _text_end(drawing: _Drawing, group: PrefixGroup) -> int:
    """Return where the members' texts part (a few members stand for all)."""
    text = drawing.texts.text(group.members[0])
    others = (*group.members[1:_COMPARED_MEMBERS], group.members[-1])
    return min(common_length(text, drawing.texts.text(other)) for other in others)
