"""``render`` for programs."""

from __future__ import annotations

from typing import Final

from radixlint.prompt import Control, Span
from radixlint.reports import TextStyle
from radixlint.result.evidence import Evidence
from radixlint.result.rendered import RenderedPart, RenderedPrompt, RenderReport
from radixlint.safe_text import json_text

SCHEMA_VERSION: Final = 1


def render(report: RenderReport, style: TextStyle) -> str:
    """Return the report as JSON; ``style`` has no effect."""
    return json_text(
        {
            "schema_version": SCHEMA_VERSION,
            "path": _valid(report.path),
            "prompts": [_prompt(prompt) for prompt in report.prompts],
            "tokenizer": report.tokenizer,
            "evidence": Evidence.STATIC.value,
            "notes": [_valid(note) for note in report.notes],
        }
    )


def _prompt(prompt: RenderedPrompt) -> dict[str, object]:
    return {
        "name": _valid(prompt.name),
        "dialect": prompt.dialect,
        "kind": prompt.kind,
        "tokens": prompt.total_tokens,
        "prefix_ends": [{"lifetime": end.lifetime.label, "part": end.part, "tokens": end.tokens} for end in prompt.ends],
        "parts": [_part(part) for part in prompt.parts],
    }


def _part(part: RenderedPart) -> dict[str, object]:
    segment = part.segment
    return {
        "role": segment.role.value,
        "message": segment.message,
        "kind": "text" if segment.is_literal else "value",
        "text": _valid(segment.text),
        "tokens": part.tokens,
        "running_tokens": part.running_tokens,
        "lifetime": segment.lifetime.label,
        "origin": segment.origin.value,
        "confidence": segment.confidence.value,
        "reason": _valid(segment.reason) or None,
        **_place(segment.span),
        "related": [_place(span) for span in segment.related],
        "controls": [_control(control) for control in segment.controls],
        "is_breakpoint": segment.is_breakpoint,
    }


def _control(control: Control) -> dict[str, object]:
    return {
        "kind": control.kind.value,
        "node": control.node,
        "branch": control.branch,
        "expression": _valid(control.expression.text),
        "lifetime": control.lifetime.label,
        **_place(control.span),
    }


def _place(span: Span) -> dict[str, object]:
    return {
        "path": _valid(span.path),
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def _valid(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
