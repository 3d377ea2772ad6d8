"""What a request says besides its texts: cache marks, parameters, and what its provider asks."""

from __future__ import annotations

import msgspec

from radixlint.prompt.prompt_terms import Confidence, Expression, Lifetime, Origin, Span


class CacheMark(msgspec.Struct, frozen=True, gc=False):
    """An explicit cache mark: where it stands, and what it ends.

    ``segment`` is the index of the last segment of the block it ends, ``block`` the number of that content block in wire
    order, counted over tools, system and messages from 0. ``ttl`` is what the mark asks for (``5m``, ``1h``), None if it
    does not say. ``is_automatic`` marks the one at the top level of a body, which the provider puts on the last block.
    ``key`` is the key it is written with, which says whose mark it is.
    """

    span: Span
    segment: int
    block: int
    ttl: str | None = None
    is_automatic: bool = False
    key: str = "cache_control"


class Parameter(msgspec.Struct, frozen=True, gc=False):
    """A parameter of a request besides its texts: its dotted name, its source text, its place.

    ``expression`` is what fills it where it is a placeholder, None where it is fixed. The other fields are as in ``Segment``;
    ``lifetime`` fills them in, for fixed text by the times and ids in it.
    """

    name: str
    text: str
    span: Span
    expression: Expression | None = None
    lifetime: Lifetime = Lifetime.STATIC
    origin: Origin = Origin.LITERAL
    confidence: Confidence = Confidence.HIGH
    reason: str = ""


class CacheLimits(msgspec.Struct, frozen=True, gc=False):
    """What a provider's cache asks of a request; ``*_source`` says where a number is from and when it was checked.

    ``min_tokens`` is the shortest prefix that is cached, ``max_marks`` the most marks a request may have, ``look_back_blocks``
    how many content blocks ahead of a mark are searched; None if there is no such limit. ``mark_keys`` are the keys of the
    marks it reads. ``is_explicit_only`` says that nothing is cached without a mark, ``is_longest_first`` that a mark with a
    longer time to live must stand ahead of those with a shorter one. ``object_min_tokens`` is the shortest object that can be
    made to be cached by its name.
    """

    title: str
    min_tokens: int | None
    min_tokens_source: str
    max_marks: int | None
    max_marks_source: str
    look_back_blocks: int | None
    look_back_source: str
    mark_keys: tuple[str, ...]
    is_explicit_only: bool
    is_longest_first: bool
    object_min_tokens: int | None = None
    object_min_tokens_source: str = ""


class RequestFacts(msgspec.Struct, frozen=True, gc=False):
    """What a request body says besides its texts.

    ``provider`` is a name of ``providers/`` (``anthropic``, ``bedrock``, ``openai-legacy``, ...), None if the body does not
    tell. ``model`` as written. ``blocks`` is the number of content blocks over tools, system and messages. ``span`` is the
    place of the body's first text, for faults of the body as a whole. ``shape`` is the API whose form the body has, ``limits``
    what the provider's cache asks; both ``provider``, where the model alone tells it, and ``limits`` are filled in by ``lint``.
    """

    provider: str | None
    model: str | None
    marks: tuple[CacheMark, ...]
    parameters: tuple[Parameter, ...]
    blocks: int
    span: Span
    shape: str = ""
    limits: CacheLimits | None = None
