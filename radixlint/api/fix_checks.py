"""Whether a fix did what it says: the finding is gone, nothing as bad has come, and a move kept every line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from radixlint.api.file_findings import FileFindings
from radixlint.lint import PARSE_RULE
from radixlint.prompt import Evidence, Prompt
from radixlint.result.finding import Edit, Finding, Severity

_RANK = {Severity.INFO: 0, Severity.WARNING: 1, Severity.ERROR: 2}


def fault_of(before: FileFindings, after: FileFindings, fixed: Sequence[Finding]) -> str | None:
    """Return why the edits of ``fixed`` are not kept, as a sentence's end, or None.

    Args:
        before: what the file held; findings before suppression, those of folder rules included.
        after: what it holds with the edits.
        fixed: the findings that were to be repaired, all of ``before``.
    """
    if any(finding.rule == PARSE_RULE for finding in after.findings):
        return "the file would not parse any more"
    if len(_sent(after.prompts)) != len(_sent(before.prompts)):
        return "the file would hold other prompts"
    if _said(before.prompts) != _said(after.prompts):
        return "words of the prompt would change"
    for finding in fixed:
        if any(other.rule == finding.rule and _is_same(finding, other) for other in after.findings):
            return f"{finding.rule} would still be found"
    worse = _more(before.findings, after.findings, min(_RANK[finding.severity] for finding in fixed))
    if worse is not None:
        return f"{worse} would be found instead"
    if any(map(is_move, fixed)) and _lines(before.prompts) != _lines(after.prompts):
        return "lines of the prompt would change"
    if len(_line_list(_sent(after.prompts))) < len(_line_list(_sent(before.prompts))):
        return "lines of the prompt would be lost"
    return None


def _sent(prompts: Iterable[Prompt]) -> list[Prompt]:
    """Return the prompts without those that a program holds for what it does, which is gone when it is repaired."""
    return [prompt for prompt in prompts if prompt.evidence in (None, Evidence.SINK)]


def _said(prompts: Iterable[Prompt]) -> Counter[str]:
    """Return the fixed texts of the prompts that programs send, which no edit of code may touch."""
    sent = (prompt for prompt in prompts if prompt.evidence is Evidence.SINK)
    return Counter(segment.text for prompt in sent for segment in prompt.segments if segment.is_literal and segment.text.strip())


def _is_same(finding: Finding, other: Finding) -> bool:
    """Whether ``other`` stands where the edits of ``finding`` left its value, and says no better of it."""
    if other.lifetime is not None and finding.lifetime is not None and other.lifetime > finding.lifetime:
        return False
    if _RANK[other.severity] < _RANK[finding.severity]:
        return False
    return any(first <= other.span.line <= last for first, last in _written_lines(finding.edits))


def _written_lines(edits: Iterable[Edit]) -> list[tuple[int, int]]:
    """Return the lines, in the file as it becomes, of what each edit writes, or of its place where it only removes."""
    shift = 0
    ranges = []
    for edit in sorted(edits, key=lambda edit: edit.span):
        first = edit.span.line + shift
        added = edit.text.count("\n")
        if edit.text:
            ranges.append((first, first + added))
        shift += added - (edit.span.end_line - edit.span.line)
    return ranges


def _more(before: Iterable[Finding], after: Iterable[Finding], rank: int) -> str | None:
    """Return a rule that finds more than it did, at ``rank`` or above."""
    counts = [Counter(f.rule for f in findings if _RANK[f.severity] >= rank) for findings in (before, after)]
    return min(counts[1] - counts[0], default=None)


def is_move(finding: Finding) -> bool:
    """Whether the edits take text out at one place and write it at another."""
    has_cut = any(not edit.text.strip() and edit.span.line != edit.span.end_line for edit in finding.edits)
    has_cut = has_cut or any(not edit.text for edit in finding.edits)
    return has_cut and any(edit.text.strip() and _is_insertion(edit) for edit in finding.edits)


def _is_insertion(edit: Edit) -> bool:
    return (edit.span.line, edit.span.column) == (edit.span.end_line, edit.span.end_column)


def moved_words(before: Sequence[Prompt], after: Sequence[Prompt]) -> str:
    """Return the words-unchanged check of a move as a sentence's end: how many lines are the same, how many moved."""
    old, new = _line_list(before), _line_list(after)
    total = len(old)
    kept = sum(1 for _ in _common(old, new))
    return f"same {total:,} line{'' if total == 1 else 's'}, {total - kept:,} moved"


def _common(old: Sequence[str], new: Sequence[str]) -> Iterable[str]:
    """Yield the lines that keep their order, by the longest run ahead of the first change, between, and behind the last."""
    from difflib import SequenceMatcher

    for block in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks():
        yield from old[block.a : block.a + block.size]


def _lines(prompts: Iterable[Prompt]) -> Counter[str]:
    return Counter(_line_list(prompts))


def _line_list(prompts: Iterable[Prompt]) -> list[str]:
    """Return the lines the model reads, values as they are written, without blank ones and outer blanks."""
    text = "\n".join(map(_text, prompts))
    return [stripped for line in text.split("\n") if (stripped := line.strip())]


def _text(prompt: Prompt) -> str:
    """Return the text of a prompt; each string of a body, which may stand in another place after a move, on lines of its own."""
    parts: list[str] = []
    end: tuple[int, int] | None = None
    for segment in prompt.segments:
        span = segment.span
        is_apart = prompt.request is not None and end != (span.line, span.column)
        parts.append(f"\n{segment.text}" if is_apart else segment.text)
        end = span.end_line, span.end_column
    return "".join(parts)
