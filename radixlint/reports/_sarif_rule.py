"""A rule as SARIF describes it: what code scanning shows beside a result."""

from __future__ import annotations

from typing import Final

from radixlint.reports._rule_markdown import fix_words, rule_sections
from radixlint.result.finding import Severity
from radixlint.result.rule import Rule
from radixlint.safe_text import safe

LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_PROBLEMS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "recommendation"}
_MAX_TAGS: Final = 20


def sarif_rule(rule: Rule) -> dict[str, object]:
    """Return the reporting descriptor of ``rule``."""
    paragraphs = [rule.summary, rule.why, f"Fix: {rule.fix.strip()} {fix_words(rule)}"]
    paragraphs += [f"When not to: {rule.when_not}"] if rule.when_not else []
    return {
        "id": rule.id,
        "name": rule.name,
        "shortDescription": {"text": _line(rule.summary)},
        "fullDescription": {"text": _line(rule.why)},
        "help": {
            "text": "\n\n".join(_line(paragraph) for paragraph in paragraphs),
            "markdown": "\n\n".join(rule_sections(rule)),
        },
        **_help_uri(rule),
        "defaultConfiguration": {"level": LEVELS[rule.severity]},
        "properties": {
            "precision": rule.confidence.value,
            "problem.severity": _PROBLEMS[rule.severity],
            "tags": ["prompt-caching", *rule.applies_to][:_MAX_TAGS],
        },
    }


def _help_uri(rule: Rule) -> dict[str, object]:
    """Return where more is to be read of the matter: the first source that the rule names, if it is on the web."""
    web = [reference for reference in rule.references if reference.startswith("https://") and " " not in reference]
    return {"helpUri": safe(web[0])} if web else {}


def _line(text: str) -> str:
    return safe(" ".join(text.split()))
