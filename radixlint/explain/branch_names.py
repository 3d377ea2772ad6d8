"""What a branch of the prefix tree is called: where it starts, and its first words or the kind of its value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from radixlint.explain.laid_out_texts import LaidOutTexts, common_length, value_end, value_start
from radixlint.explain.prefix_groups import PrefixGroup
from radixlint.plural import counted
from radixlint.privacy import Disclosure, is_plain_text
from radixlint.result.measurement import Show
from radixlint.traffic import TokenRequest

_LABEL_CHARACTERS: Final = 60
_VALUE_CHARACTERS: Final = 200
_COMPARED_MEMBERS: Final = 16
_MOST_COUNTED: Final = 1_024


class Branch(Struct, frozen=True):
    """Groups that are drawn as one: they part at the same place, into values of one hidden kind (or it is one group).

    ``kind`` is empty where words may be shown; ``start`` and ``end`` are the place of the words in the text of the
    first group's first member, in code points.
    """

    where: str
    kind: str
    start: int
    end: int
    groups: tuple[PrefixGroup, ...]


class BranchNames(Struct, frozen=True):
    """Names branches as far as privacy allows.

    A path through the tree tells all its texts together, so words are shown only if those who share the whole path
    are enough conversations and users, and only what all of them share.
    """

    requests: Sequence[TokenRequest]
    texts: LaidOutTexts
    disclosure: Disclosure

    def branch_of(self, group: PrefixGroup, parent: PrefixGroup) -> Branch:
        """Return ``group`` as a branch of ``parent``."""
        first = group.members[0]
        text = self.texts.text(first)
        if not group.end_tokens:
            return _bare(f"namespace of record {first}: nothing shared", group)
        if not text:
            return _bare(f"<{group.end_tokens - group.start_tokens} token ids>", group)
        at, parting = self._text_start(group, parent), self._text_end(group)
        where = self.texts.place(first, at).where
        start = self.texts.content_start(first, value_start(text, at))
        if parting <= start:
            return _bare(where, group)
        # Where the members part inside a value, the value is not theirs in common; where that leaves nothing, name its kind.
        end = value_start(text, parting) if parting < len(text) else parting
        is_inside_value = end <= start
        end = value_end(text, start) if is_inside_value else end
        is_hidden = is_inside_value or not self.disclosure.search.is_enough(group.members)
        kind = self._kind(text[start:end]) if is_hidden and self.disclosure.show is Show.SHARED else ""
        return Branch(where, kind, start, end, (group,))

    def label(self, branch: Branch) -> str:
        """Return where ``branch`` starts, and its first words, or the kind and the number of its values."""
        members = [member for group in branch.groups for member in group.members]
        text = self.texts.text(members[0])
        start, end = branch.start, branch.end
        if not branch.kind:
            near = self.disclosure.search.representatives(members)
            words = self.disclosure.window(text, start, min(end, start + _LABEL_CHARACTERS), near=near)
            return f"{branch.where}: {words}" if words.strip() else branch.where
        values = self._count_values(members, start)
        if len(branch.groups) > 1:
            return f"{branch.where}: {branch.kind[:-1]}, {counted(values, 'value')}>"
        return f"{branch.where}: {self.disclosure.shape(text[start:end], values if values > 1 else None)}"

    def _kind(self, text: str) -> str:
        shape = self.disclosure.shape(text)
        return "<text>" if " <" in shape or is_plain_text(shape) else shape

    def _count_values(self, members: Sequence[int], start: int) -> int:
        """Count the different rests of the line; of a very large branch, those of its first members."""
        texts = (self.texts.text(member) for member in members[:_MOST_COUNTED])
        return len({text[start : start + _VALUE_CHARACTERS].split("\n", 1)[0] for text in texts})

    def _text_start(self, group: PrefixGroup, parent: PrefixGroup) -> int:
        if not group.start_tokens:
            return 0
        inside = set(group.members)
        other = next((m for m in parent.members if m not in inside), None)
        return 0 if other is None else common_length(self.texts.text(group.members[0]), self.texts.text(other))

    def _text_end(self, group: PrefixGroup) -> int:
        """Return where the members' texts part (a few members stand for all, enough people among them if there are)."""
        text = self.texts.text(group.members[0])
        known = self.disclosure.search.representatives(group.members)
        others = (*group.members[1:_COMPARED_MEMBERS], group.members[-1], *known)
        return min(common_length(text, self.texts.text(other)) for other in others)


def _bare(where: str, group: PrefixGroup) -> Branch:
    return Branch(where, "", 0, 0, (group,))
