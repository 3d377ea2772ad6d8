"""Render a rule's message and help for one hit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from radixlint.errors import RuleError
from radixlint.prompt import Confidence, Segment
from radixlint.result.rule import Rule


def message_of(rule: Rule, fields: Mapping[str, str]) -> str:
    """Return the rule's message with ``fields`` filled in, its first letter upper case.

    Raises:
        RuleError: the message asks for a field that the detector does not give.
    """
    try:
        text = rule.message.format_map(fields)
    except KeyError as error:
        known = ", ".join(sorted(fields))
        raise RuleError(
            f"`message`: there is no field {error}", where=rule.place or f"rule {rule.id}", hint=f"there are {known}"
        ) from None
    line = " ".join(text.split())
    return line[0].upper() + line[1:]


_OF_FIX: Final = "The fix "


def help_of(rule: Rule, segment: Segment, *, has_fix: bool) -> str:
    """Return what to do; where the value's lifetime is a guess, also how to settle it.

    What a rule says of the fix that it offers (a paragraph that begins with "The fix") is left out where ``has_fix`` is false.
    """
    parts = [part for part in rule.fix.split("\n\n") if has_fix or not part.lstrip().startswith(_OF_FIX)]
    advice = " ".join(" ".join(parts).split())
    if segment.confidence is not Confidence.LOW or segment.expression is None or segment.taints:
        return advice
    # Only a name can be given a lifetime, and only where nothing else is doubted.
    name = next(iter(segment.expression.names), None)
    if name is None or segment.expression.calls:
        return advice
    return f'{advice} This is a guess; if `{name}` is the same for all, set "{name}" = "static" in [tool.radixlint.variables].'
