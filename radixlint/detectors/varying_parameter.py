"""A parameter of a request that should stay the same is filled with something that does not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec.structs import replace

from radixlint.detectors import Hit
from radixlint.prompt import Origin, Parameter, Prompt
from radixlint.stake import CountTokens
from radixlint.stake.value_words import mark_words, shortened

_NOTED: Final = frozenset(("metadata", "experimental_telemetry"))
"""What is kept beside a request reaches neither the prompt nor the cache."""


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets.

    ``names`` of the parameters, or of what they are part of; ``lifetimes`` and ``origins`` of the values looked for. In a
    body as sent, an id among ``owned`` parameters is taken for the owner's and passed over.
    """

    names: frozenset[str]
    lifetimes: frozenset[str]
    origins: frozenset[Origin]
    owned: frozenset[str] = frozenset()


def find(prompt: Prompt, params: Params, count: CountTokens) -> Iterator[Hit]:
    """Yield each such parameter at its value."""
    if prompt.request is None or not prompt.segments:
        return
    allowing = tuple(f"{choice}." for choice in _choices_among(prompt.request.parameters))
    for parameter in prompt.request.parameters:
        words = set(parameter.name.split("."))
        if parameter.name.startswith(allowing) or words & _NOTED:
            continue
        if not (words & params.names) or not _is_wanted(parameter, params):
            continue
        segment = replace(
            prompt.segments[0],
            text=parameter.text,
            expression=parameter.expression,
            controls=(),
            lifetime=parameter.lifetime,
            origin=parameter.origin,
            confidence=parameter.confidence,
            reason=parameter.reason,
        )
        fields = {"parameter": parameter.name, "value": f"`{shortened(parameter.text)}`", "differs": mark_words(segment)}
        yield Hit(0, segment, parameter.span, 0, fields, has_break=False)


def _choices_among(parameters: tuple[Parameter, ...]) -> Iterator[str]:
    """Yield the choices of tools that only say which of the tools sent may be called: the prompt stays as it is."""
    for parameter in parameters:
        choice, _, last = parameter.name.rpartition(".")
        if last == "type" and choice.endswith("tool_choice") and parameter.text == "allowed_tools":
            yield choice


def _is_wanted(parameter: Parameter, params: Params) -> bool:
    if parameter.lifetime.label not in params.lifetimes or parameter.origin not in params.origins:
        return False
    is_owners = parameter.expression is None and parameter.origin is Origin.ID
    return not (is_owners and set(parameter.name.split(".")) & params.owned)
