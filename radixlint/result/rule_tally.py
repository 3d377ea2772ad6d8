"""What one rule found in a run, counted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from radixlint.result.finding import Finding


@dataclass(frozen=True, slots=True)
class RuleTally:
    """Findings of one rule: how many, how many of them ``--fix`` repairs (``safe``) or only ``--unsafe-fixes`` (``unsafe``).

    ``lost_tokens`` are those at stake, of each prompt the most that one finding of the rule counts: what stands behind a later
    break stands behind an earlier one too.
    """

    rule: str
    name: str
    findings: int
    safe: int
    unsafe: int
    lost_tokens: int


def tallies(findings: Iterable[Finding]) -> tuple[RuleTally, ...]:
    """Return a tally for each rule that found anything, most findings first, then by code."""
    by_rule: dict[tuple[str, str], list[Finding]] = defaultdict(list)
    for finding in findings:
        by_rule[finding.rule, finding.name].append(finding)
    counted = (_tally(rule, name, found) for (rule, name), found in by_rule.items())
    return tuple(sorted(counted, key=lambda tally: (-tally.findings, tally.rule)))


def _tally(rule: str, name: str, findings: list[Finding]) -> RuleTally:
    most: dict[tuple[str, str], int] = defaultdict(int)
    for finding in findings:
        prompt = finding.span.path, finding.strip.name if finding.strip else ""
        most[prompt] = max(most[prompt], finding.lost_tokens)
    fixable = [finding.fix_safety for finding in findings if finding.edits]
    return RuleTally(rule, name, len(findings), fixable.count("safe"), fixable.count("unsafe"), sum(most.values()))
