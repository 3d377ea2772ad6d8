"""``render`` for programs."""

from __future__ import annotations

from typing import Final

from radixlint.prompt import Control
from radixlint.reports import TextStyle
from radixlint.reports._finding_json import place_fields, valid
from radixlint.result.evidence import Evidence
from radixlint.result.rendered import RenderedPart, RenderedPrompt, RenderReport
from radixlint.safe_text import json_text

SCHEMA_VERSION: Final = 1


def render(report: RenderReport, style: TextStyle) -> str:
    """Return the report as JSON; ``style`` has no effect."""
    return json_text(
        {
            "schema_version": SCHEMA_VERSION,
            "path": valid(report.path),
            "prompts": [_prompt(prompt) for prompt in report.prompts],
            "tokenizer": report.tokenizer,
            "evidence": Evidence.STATIC.value,
            "notes": [valid(note) for note in report.notes],
        }
    )


def _prompt(prompt: RenderedPrompt) -> dict[str, object]:
    return {
        "name": valid(prompt.name),
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
        "text": valid(segment.text),
        "tokens": part.tokens,
        "running_tokens": part.running_tokens,
        "lifetime": segment.lifetime.label,
        "origin": segment.origin.value,
        "confidence": segment.confidence.value,
        "reason": valid(segment.reason) or None,
        **place_fields(segment.span),
        "related": [place_fields(span) for span in segment.related],
        "controls": [_control(control) for control in segment.controls],
        "is_breakpoint": segment.is_breakpoint,
    }


def _control(control: Control) -> dict[str, object]:
    return {
        "kind": control.kind.value,
        "node": control.node,
        "branch": control.branch,
        "expression": valid(control.expression.text),
        "lifetime": control.lifetime.label,
        **place_fields(control.span),
    }
