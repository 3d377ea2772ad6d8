"""Where there is one tenant, or one user, what differs between tenants or users is fixed."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import TypeVar

from msgspec.structs import replace

from radixlint.prompt import Confidence, Control, Lifetime, Origin, Parameter, Prompt, Segment

Part = TypeVar("Part", Segment, Control, Parameter)


def with_one_of(prompt: Prompt, alike: AbstractSet[Lifetime]) -> Prompt:
    """Return a classified prompt in which values of the lifetimes ``alike`` are static; those nothing is known about stay."""

    def fixed(part: Part) -> Part:
        if part.lifetime not in alike or (part.origin is Origin.UNKNOWN and part.confidence is Confidence.LOW):
            return part
        return replace(part, lifetime=Lifetime.STATIC, origin=Origin.RELEASE, reason="the settings say that there is only one")

    segments = tuple(replace(fixed(s), controls=tuple(map(fixed, s.controls))) for s in prompt.segments)
    request = prompt.request
    if request is not None:
        request = replace(request, parameters=tuple(map(fixed, request.parameters)))
    return replace(prompt, segments=segments, request=request)
