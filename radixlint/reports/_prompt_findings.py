"""Findings put together by the prompt they are in, and the one strip that stands for all of a prompt."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from radixlint.result.finding import Finding, PromptStrip, Severity


def by_prompt(findings: Iterable[Finding]) -> list[list[Finding]]:
    """Return the findings of each prompt together, in the order of the first; those outside of prompts by file."""
    groups: dict[tuple[str, str | None], list[Finding]] = {}
    for finding in findings:
        name = finding.strip.name if finding.strip else None
        groups.setdefault((finding.span.path, name), []).append(finding)
    return list(groups.values())


def strip_of(findings: Iterable[Finding]) -> PromptStrip | None:
    """Return the strip with the earliest break, of several there the costliest; without a break that of the costliest finding."""
    loud = [(f, f.strip) for f in findings if f.strip is not None and f.severity is not Severity.INFO]
    if not loud:
        return None
    broken = [strip for _, strip in loud if strip.break_index is not None]
    if broken:
        return min(broken, key=lambda strip: (strip.break_index or 0, -strip.lost_tokens))
    finding, strip = max(loud, key=lambda item: item[0].lost_tokens)
    return replace(strip, lost_tokens=finding.lost_tokens)
