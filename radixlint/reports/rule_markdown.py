"""One rule as a page of the documentation."""

from __future__ import annotations

from radixlint.reports import TextStyle
from radixlint.reports._rule_markdown import rule_sections
from radixlint.result.rule import Rule


def render(report: Rule, style: TextStyle) -> str:
    """Return the page in Markdown; ``style`` has no effect."""
    applies = ", ".join(report.applies_to)
    facts = f"Severity: {report.severity.value}. Confidence: at most {report.confidence.value}. Looks at: {applies}."
    quiet = f"To silence it on one line, end the line with a comment: `radixlint: ignore[{report.id}]`."
    return "\n\n".join((f"# {report.id} {report.name}", facts, *rule_sections(report), quiet)) + "\n"
