"""How kinds of requests are named: nobody asked for the names of tenants, so they get numbers unless all text is shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from radixlint.api.compared_part import MeasuredPart, Name
from radixlint.privacy import ENOUGH
from radixlint.result.comparison import MixGroup
from radixlint.result.measurement import Show
from radixlint.traffic import UNREADABLE_USER

_NUMBERED: Final = "Tenants, templates and rare models of the log have numbers here; --show-text names them."


class GroupNames:
    """Names models, applications and tenants under the privacy rule.

    Args:
        show: what may be shown. Names stand as they are with all texts, and as hashes where nothing is shown. Else models
            that enough conversations use have their names, and all else gets a number by its first request.
        parts: the two parts.
        name: masks or hashes a name.
    """

    def __init__(self, show: Show, parts: Sequence[MeasuredPart], name: Name) -> None:
        self._is_named, self._parts, self._name = show is not Show.SHARED, parts, name
        requests = [request for part in parts for request in part.requests]
        self._models = _numbers(request.model for request in requests)
        self._templates = _numbers(request.template for request in requests)
        self._tenants = _numbers(request.tenant for request in requests)

    def shown(self, group: MixGroup) -> MixGroup:
        """Return ``group`` with names that may be shown."""
        template = group.template
        if self._is_named:
            # What radixlint itself has named is no name of the log.
            known = self._name(template) if template in self._templates else template
            return replace(group, model=self._name(group.model), template=known, tenant=self._name(group.tenant))
        return replace(
            group,
            model=self._model(group.model),
            template=f"template {self._templates[template]}" if template in self._templates else template,
            tenant=None if group.tenant is None else f"tenant {self._tenants[group.tenant]}",
        )

    def note(self, groups: Sequence[MixGroup]) -> str | None:
        """Say how to have names where ``groups`` have numbers; None where they have none."""
        told = {value for group in groups for value in (group.model, group.template, group.tenant)}
        numbers = {
            f"{field} {number}"
            for field, known in (("model", self._models), ("template", self._templates), ("tenant", self._tenants))
            for number in known.values()
        }
        return None if self._is_named or told.isdisjoint(numbers) else _NUMBERED

    def _model(self, model: str | None) -> str | None:
        if model is None or any(_is_common(part, model) for part in self._parts):
            return self._name(model)
        return f"model {self._models[model]}"


def _numbers(values: Iterable[str | None]) -> dict[str | None, int]:
    return {value: number for number, value in enumerate(dict.fromkeys(one for one in values if one is not None), 1)}


def _is_common(part: MeasuredPart, model: str) -> bool:
    """Whether enough conversations of one part, of enough users where there are any, use ``model``.

    Requests without a prompt share no message, so without a session each of them is a conversation.
    """
    requests, crowd = part.requests, part.crowd
    if part.tokens.measured:
        requests = part.tokens.measured
        conversations: Sequence[object] = crowd.conversations
    else:
        conversations = [position if one.session is None else one.session for position, one in enumerate(requests)]
    at = [position for position, request in enumerate(requests) if request.model == model]
    users = {requests[position].user for position in at} - {None, UNREADABLE_USER}
    has_users = any(request.user is not None for request in requests)
    return len({conversations[position] for position in at}) >= ENOUGH and (not has_users or len(users) >= ENOUGH)
