"""One fault is told once where a file names a prompt in another: at the prompt, if that file is checked as well."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from radixlint.prompt import Prompt, Span
from radixlint.result.finding import Finding, Related

_RELATED_MAX = 16


def named_elsewhere(prompts: Iterable[Prompt]) -> dict[Span, str]:
    """Return the places that name a file whose prompt is among ``prompts`` too, with its path.

    What is read at such a place is that prompt and nothing else, as a flow names a template.
    """
    every = tuple(prompts)
    named = [prompt for prompt in every if _named(prompt) is not None]
    if not named:
        return {}
    own: dict[str, list[Prompt]] = defaultdict(list)
    for prompt in every:
        own[prompt.path].append(prompt)
    places = {}
    for prompt in named:
        path = _named(prompt)
        if path is not None and any(_is_copy(prompt, other) for other in own.get(path, ())):
            places[prompt.segments[0].span] = path
    return places


def is_named_elsewhere(prompt: Prompt, places: Mapping[Span, str]) -> bool:
    """Whether a prompt is read at one of ``places``."""
    return bool(places and prompt.segments) and prompt.segments[0].span in places and _named(prompt) is not None


def _named(prompt: Prompt) -> str | None:
    """Return the path of the file that a prompt starts with, where its own file holds but the name; else None."""
    first = prompt.segments[0] if prompt.segments and prompt.evidence is None else None
    if first is None or not first.related or first.span.path != prompt.path or first.related[0].path == prompt.path:
        return None
    return first.related[0].path


def _is_copy(prompt: Prompt, other: Prompt) -> bool:
    place = prompt.segments[0].span
    return len(prompt.segments) == len(other.segments) and all(
        one.span == place and two.span in one.related for one, two in zip(prompt.segments, other.segments, strict=True)
    )


def told_at_the_prompt(kept: Sequence[Finding], silenced: Sequence[Finding], places: Mapping[Span, str]) -> list[Finding]:
    """Return ``kept`` without what is told at one of ``places`` and, silenced or not, in the file named there.

    The place is related there.
    """
    if not places:
        return list(kept)
    told = {(finding.rule, finding.span.path) for finding in (*kept, *silenced)}
    names: dict[tuple[str, str], list[Related]] = defaultdict(list)
    left: list[Finding] = []
    for finding in kept:
        key = (finding.rule, places.get(finding.span, ""))
        if key in told:
            names[key].append(Related(finding.span, "the prompt is named here"))
        else:
            left.append(finding)
    return [_with(finding, names.get((finding.rule, finding.span.path), ())) for finding in left]


def _with(finding: Finding, names: Sequence[Related]) -> Finding:
    return replace(finding, related=tuple(dict.fromkeys((*finding.related, *names)))[:_RELATED_MAX]) if names else finding
