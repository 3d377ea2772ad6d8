"""``check --statistics`` for programs."""

from __future__ import annotations

from radixlint.reports import TextStyle
from radixlint.result.evidence import Evidence
from radixlint.result.finding import CheckReport
from radixlint.result.rule_tally import tallies
from radixlint.safe_text import json_text


def render(report: CheckReport, style: TextStyle) -> str:
    """Return the counts as JSON; ``style`` has no effect."""
    rows = [
        {
            "rule": tally.rule,
            "name": tally.name,
            "findings": tally.findings,
            "fixable": {"safe": tally.safe, "unsafe": tally.unsafe},
            "lost_tokens": tally.lost_tokens,
        }
        for tally in tallies(report.findings)
    ]
    document = {"schema_version": 1, "statistics": rows, "files": report.files, "prompts": report.prompts}
    return json_text({**document, "tokenizer": report.tokenizer, "evidence": Evidence.STATIC.value})
