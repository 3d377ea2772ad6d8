"""What a prompt holds, as sets worked out once: a rule that looks for none of it need not be run."""

from __future__ import annotations

import msgspec

from radixlint.prompt import Chance, Control, ControlKind, Expression, Habit, Origin, Prompt


class Traits(msgspec.Struct, frozen=True):
    """The ``origins`` of a classified prompt's segments, loops and conditions, and the ``words`` that its expressions use.

    Words are calls, the last parts of calls, and filters. ``chances`` and ``habits`` are those of a program.
    """

    origins: frozenset[Origin]
    words: frozenset[str]
    has_conditions: bool
    has_messages: bool
    is_program: bool = False
    chances: frozenset[Chance] = frozenset()
    habits: frozenset[Habit] = frozenset()


def traits_of(prompt: Prompt) -> Traits:
    """Return the traits of a classified prompt; ``has_messages`` says that there is more than one."""
    segments = prompt.segments
    controls: set[Control] = set().union(*{segment.controls for segment in segments})
    expressions: list[Expression | None] = [*(s.expression for s in segments), *(c.expression for c in controls)]
    words: set[str] = set()
    for expression in expressions:
        if expression is not None and (expression.calls or expression.filters):
            words.update(expression.filters, expression.calls, (call.rsplit(".", 1)[-1] for call in expression.calls))
    return Traits(
        frozenset({*(s.origin for s in segments), *(c.origin for c in controls)}),
        frozenset(words),
        any(control.kind is ControlKind.CONDITION for control in controls),
        len({segment.message for segment in segments}) > 1,
        prompt.evidence is not None,
        frozenset(taint.chance for segment in segments for taint in segment.taints),
        frozenset(event.habit for event in prompt.events),
    )
