"""What a request body says besides its texts: provider, marks, parameters."""

from __future__ import annotations

import re
from collections.abc import Iterator

from radixlint.late_pattern import late_pattern
from radixlint.prompt import Expression, Parameter, RequestFacts, Role, Segment
from radixlint.sources._conversation import Conversation
from radixlint.sources._request_shape import SYSTEM_KEYS, Body, Shape
from radixlint.sources._styled_text import read_styled
from radixlint.sources._tree import Leaf, Table, Tree

_TEXTS = frozenset(
    ("messages", "contents", "system", "tools", "functions", "input", "instructions", "cache_control", *SYSTEM_KEYS)
)
_DEPTH_MAX = 3
_BEDROCK_CLAUDE = late_pattern(r"(?:^|[/.:])anthropic\.claude")
_CLAUDE = late_pattern(r"claude", re.IGNORECASE)
_NOVA = late_pattern(r"\bnova\b|amazon\.nova", re.IGNORECASE)


def facts_of(body: Body, talk: Conversation) -> RequestFacts | None:
    """Return the facts of a body that was laid out; None for one without any text."""
    first = _first_text(talk.segments)
    if first is None:
        return None
    parameters = tuple(_parameters(body.tree, "", talk, 0))
    return RequestFacts(
        _provider(body),
        body.model,
        tuple(talk.marks),
        parameters,
        talk.blocks,
        first.span,
        str(body.shape),
    )


def _first_text(segments: list[Segment]) -> Segment | None:
    """Return the first text for the model; tools, which come ahead on the wire, are no text where there is any other."""
    spoken = (segment for segment in segments if segment.role is not Role.TOOLS and segment.text)
    return next(spoken, segments[0] if segments else None)


def _provider(body: Body) -> str | None:
    """Return whose cache the form and the model together tell; None where the model alone decides."""
    model = body.model or ""
    if body.shape is Shape.GEMINI:
        return "gemini"
    if body.shape is Shape.CONVERSE:
        return "bedrock" if not model or _CLAUDE.search(model) or _NOVA.search(model) else None
    if body.shape is Shape.MESSAGES and (not model or _CLAUDE.search(model)):
        is_bedrock = _BEDROCK_CLAUDE.search(model) or (body.tree.text("anthropic_version") or "").startswith("bedrock")
        return "bedrock" if is_bedrock else "anthropic"
    return None


def _parameters(table: Table, prefix: str, talk: Conversation, depth: int) -> Iterator[Parameter]:
    for key, value in table.pairs:
        if depth == 0 and key in _TEXTS:
            continue
        name = f"{prefix}{key}"
        if isinstance(value, Leaf):
            text = value.passage.text
            yield Parameter(name, text, talk.ground.span(value.start, value.end), _filled_by(value, talk))
        elif isinstance(value, Table) and depth < _DEPTH_MAX:
            yield from _parameters(value, f"{name}.", talk, depth + 1)


def _filled_by(value: Tree, talk: Conversation) -> Expression | None:
    """Return what fills a parameter: of several placeholders and conditions all names and calls together; None if it is fixed."""
    if not isinstance(value, Leaf) or not value.is_text:
        return None
    parts = read_styled(value.passage, talk.style, talk.includes, [])
    # What a condition asks decides which of its texts is sent.
    asked = dict.fromkeys(control.expression for part in parts for control in part.controls)
    found = [*(part.expression for part in parts if part.expression is not None), *asked]
    if not found:
        return None
    if len(found) == 1:
        return found[0]
    return Expression(
        value.passage.text,
        tuple(name for one in found for name in one.names),
        tuple(call for one in found for call in one.calls),
        tuple(name for one in found for name in one.filters),
        tuple(text for one in found for text in one.constants),
    )
