"""What breaks the prefix, from templates, description and log; and the order that would not."""

from __future__ import annotations

from typing import Final

from radixlint.result.breaks import Break
from radixlint.result.finding import CheckReport, Finding, Severity
from radixlint.result.measurement import AnalyzeReport
from radixlint.result.order_audit import LogBreak, OrderAudit, OrderFault
from radixlint.result.workload import Part, RetrievalPattern, Workload

_SHOWN_FAULTS: Final = 3
_SHOWN_BREAKS: Final = 2
_WORTH_SHOWING_RATE: Final = 0.01
_TOOLS_NOTE: Final = "Llama and Qwen templates put tools into the system text."


def audit(workload: Workload, check: CheckReport | None, report: AnalyzeReport | None) -> OrderAudit:
    """Return what breaks the prefix, worst first; either report may be missing."""
    findings = [f for f in check.findings if f.severity is not Severity.INFO] if check else []
    findings.sort(key=lambda f: (-f.lost_tokens, f.severity is not Severity.ERROR, f.span, f.rule))
    return OrderAudit(
        files=check.files if check else None,
        faults=tuple(_fault(f) for f in findings[:_SHOWN_FAULTS]),
        more_faults=max(0, len(findings) - _SHOWN_FAULTS),
        shape_fault=shape_fault(workload),
        breaks=_breaks(report) if report else (),
        recommended=recommended_order(workload),
        recommended_note=_note(workload),
    )


def _fault(finding: Finding) -> OrderFault:
    place = f"{finding.span.path}:{finding.span.line}:{finding.span.column}"
    return OrderFault(place, finding.rule, finding.name, finding.lost_tokens, finding.message)


def _breaks(report: AnalyzeReport) -> tuple[LogBreak, ...]:
    worst = sorted(report.breaks, key=lambda b: (-b.lost_tokens, b.where, b.token_index))
    worst = [b for b in worst if b.lost_tokens > _WORTH_SHOWING_RATE * report.prompt_tokens]
    return tuple(_log_break(b, report.prompt_tokens) for b in worst[:_SHOWN_BREAKS])


def _log_break(found: Break, prompt_tokens: int) -> LogBreak:
    gain_rate = None
    best = found.remedies[0] if found.remedies else None
    if best is not None and best.before.engine_rate is not None and best.after.engine_rate is not None:
        gain_rate = best.after.engine_rate - best.before.engine_rate
    return LogBreak(
        where=found.where,
        label=found.after,
        requests=found.requests,
        repeated_tokens=found.lost_tokens,
        repeated_rate=found.lost_tokens / prompt_tokens,
        cause=found.cause,
        fix=found.fix,
        gain_rate=gain_rate,
    )


def shape_fault(workload: Workload) -> str | None:
    """Return what is wrong with the described order itself, None if nothing is."""
    parts = workload.template_shape

    def stands_before(first: Part, second: Part) -> bool:
        return first in parts and second in parts and parts.index(first) < parts.index(second)

    is_fresh = workload.retrieval_pattern is RetrievalPattern.PER_TURN
    if is_fresh and stands_before(Part.RETRIEVAL, Part.HISTORY):
        return "retrieval changes every turn and stands before history: the whole history is computed again each turn"
    for fixed in (Part.SYSTEM, Part.TOOLS, Part.EXAMPLES, Part.DOCUMENTS):
        for changing in (Part.USER, Part.HISTORY, Part.RETRIEVAL):
            is_fixed_too = changing is Part.RETRIEVAL and workload.retrieval_pattern is RetrievalPattern.FIXED
            if stands_before(changing, fixed) and not is_fixed_too:
                return f"{changing} stands before {fixed}: no two requests share {fixed}"
    if stands_before(Part.USER, Part.HISTORY):
        return "user stands before history: the history is computed again each turn"
    return None


def recommended_order(workload: Workload) -> tuple[str, ...]:
    """Return the parts in the order to send them, by how long each stays the same."""
    present = set(workload.template_shape)
    order = [Part.TOOLS, Part.SYSTEM, Part.EXAMPLES, Part.DOCUMENTS]
    is_fresh = workload.retrieval_pattern is RetrievalPattern.PER_TURN
    order += [Part.HISTORY, Part.RETRIEVAL] if is_fresh else [Part.RETRIEVAL, Part.HISTORY]
    return tuple(part.value for part in (*order, Part.USER) if part in present)


def _note(workload: Workload) -> str:
    notes = []
    if Part.TOOLS in workload.template_shape:
        notes.append(_TOOLS_NOTE)
    if {Part.RETRIEVAL, Part.HISTORY} <= set(workload.template_shape):
        notes.append(
            "History goes before retrieval, which changes every turn."
            if workload.retrieval_pattern is RetrievalPattern.PER_TURN
            else "Retrieval goes before history: it stays the same through a conversation."
        )
    return " ".join(notes)
