"""Parts of a chat template that stand by the newest turn, and so leave their place when the next turn comes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from radixlint.late_pattern import late_pattern
from radixlint.prompt import Control, ControlKind, Lifetime, Origin, Prompt, Segment, Span
from radixlint.stake import CountTokens
from radixlint.stake.cause_place import place_of

_ASKS_FOR_LAST: Final = late_pattern(
    r"\bloop\.(?:last|revindex0?|nextitem)\b|\[\s*-\s*\d+\s*:?\s*\]|\|\s*last\b|(?:length|count)\s*\)?\s*-\s*1"
    r"|\b\w*(?:last|latest|newest|final)\w*\b"
)
_FOR_ALL_OTHERS: Final = late_pattern(r"\bnot\s+loop\.last\b")
_MOVING: Final = frozenset({Origin.TOOLS, Origin.CLOCK})
_INSTRUCTION_TOKENS: Final = 16


@dataclass(frozen=True, slots=True)
class MovingBlock:
    """A part that moves: the segment, its index, its place, and the test that asks for the newest turn, None without one."""

    index: int
    segment: Segment
    span: Span
    test: Control | None

    def holds(self, prompt: Prompt, index: int) -> bool:
        """Whether segment ``index`` is sent together with this one: under the same test, or as its neighbour."""
        if abs(self.index - index) <= 1 or not prompt.segments:
            return True
        own = [c for c in self.segment.controls if c.kind is ControlKind.CONDITION]
        node = self.test.node if self.test else own[-1].node if own else None
        return any(control.node == node for control in prompt.segments[index].controls)


def moving_blocks(prompt: Prompt, count: CountTokens) -> Iterator[MovingBlock]:
    """Yield tools, dates and instructions that are printed under a test for the newest turn, and tools behind the history.

    Of one test only the first part is yielded: tools before dates, dates before instructions.
    """
    tested: dict[int, list[MovingBlock]] = {}
    history_ends = False
    for index, segment in enumerate(prompt.segments):
        loop = next((c for c in segment.controls if _is_over_history(c)), None)
        if loop is None:
            if segment.origin is Origin.TOOLS and history_ends:
                yield MovingBlock(index, segment, place_of(segment), None)
                history_ends = False
            continue
        # A first loop over the messages may only collect the system text: what prints nothing is not the conversation.
        history_ends = history_ends or not segment.is_literal or bool(segment.text.strip())
        test = _test_inside(segment, loop)
        if test is not None and (segment.origin in _MOVING or _is_instruction(segment, count)):
            tested.setdefault(test.node, []).append(MovingBlock(index, segment, _span(segment), test))
    for blocks in tested.values():
        yield min(blocks, key=lambda block: (_rank(block.segment), block.index))


def _is_over_history(control: Control) -> bool:
    return control.kind is ControlKind.LOOP and control.origin is Origin.HISTORY


def _test_inside(segment: Segment, loop: Control) -> Control | None:
    """Return the test for the newest turn around ``segment``, directly in ``loop``: in an inner loop the last is another's."""
    inside = segment.controls[segment.controls.index(loop) + 1 :]
    return next((c for c in takewhile(lambda c: c.kind is ControlKind.CONDITION, inside) if _asks(c)), None)


def _asks(control: Control) -> bool:
    return control.branch == 0 and bool(_ASKS_FOR_LAST.search(_FOR_ALL_OTHERS.sub("", control.expression.text)))


def _is_instruction(segment: Segment, count: CountTokens) -> bool:
    if segment.is_literal:
        return count(segment.text) >= _INSTRUCTION_TOKENS
    return segment.is_long and segment.lifetime >= Lifetime.TENANT and segment.origin is not Origin.HISTORY


def _rank(segment: Segment) -> int:
    return (Origin.TOOLS, Origin.CLOCK).index(segment.origin) if segment.origin in _MOVING else len(_MOVING)


def _span(segment: Segment) -> Span:
    """Return the tag that prints the part; for items of a list, such as the tools, that of the inner loop."""
    own = [c for c in segment.controls if c.kind is ControlKind.LOOP and c.origin is segment.origin]
    return own[0].span if own and segment.origin in _MOVING else segment.span
