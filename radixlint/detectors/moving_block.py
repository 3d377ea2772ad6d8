"""Tools, instructions or a date stand by the newest turn of a chat template, and move when the next turn comes."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from radixlint.detectors import Hit
from radixlint.detectors._last_turn import MovingBlock, moving_blocks
from radixlint.detectors._prefix_breaks import lf_only, try_template
from radixlint.detectors._template_places import segment_at, span_at
from radixlint.prompt import Confidence, Lifetime, Origin, Prompt
from radixlint.result.finding import Related
from radixlint.stake import CountTokens
from radixlint.stake.cause_place import expression_of
from radixlint.stake.value_words import shortened


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets: nothing; a block that moves is computed anew in any case."""


def find(prompt: Prompt, params: Params, count: CountTokens) -> Iterator[Hit]:
    """Yield each block once, at the tag that prints it."""
    seen = set()
    for block in sorted(moving_blocks(prompt, count), key=lambda block: block.index):
        if block.span in seen:
            continue
        seen.add(block.span)
        moving = replace(block.segment, lifetime=Lifetime.TURN, confidence=Confidence.HIGH)
        related = () if block.test is None else (Related(block.test.span, "this test holds for the newest turn only"),)
        lost = _lost_tokens(prompt, block, count)
        fields = {**_fields(block), "lost": f"{lost:,}"}
        yield Hit(block.index, moving, block.span, lost, fields, related, is_value=False)


def _lost_tokens(prompt: Prompt, block: MovingBlock, count: CountTokens) -> int:
    """Return what the block costs a probe conversation that grows by a turn, 0 where the template cannot be tried."""
    template = prompt.chat_template
    if template is None:
        return 0
    _, offsets = lf_only(template.text)
    breaks = try_template(template, prompt.path).breaks
    spans = {one.place: span_at(prompt, template, offsets[one.place]) for one in breaks}
    own = [one for one in breaks if block.holds(prompt, segment_at(prompt, spans[one.place]))]
    return max((count(one.before) for one in own), default=0)


def _fields(block: MovingBlock) -> dict[str, str]:
    names = {Origin.TOOLS: "the tool list", Origin.CLOCK: "the date"}
    expression = expression_of(block.segment)
    return {
        "block": names.get(block.segment.origin, "an instruction"),
        "value": f"`{shortened(expression.text if expression else block.segment.text)}`",
        "where": "behind the conversation" if block.test is None else f"under `{shortened(block.test.expression.text)}`",
    }
