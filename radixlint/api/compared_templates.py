"""Two revisions of a template: static text that changed, the stable head before and after, findings new and gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Final

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.api.compare_options import CompareOptions
from radixlint.errors import ConfigError
from radixlint.files.file_reading import folder_includes, read_file
from radixlint.files.source_files import shown_path
from radixlint.lifetime import classify
from radixlint.plural import counted
from radixlint.prompt import Lifetime, Prompt, Segment
from radixlint.result.finding import CheckReport, Finding, Severity, Skipped
from radixlint.result.pair_comparison import PromptChange, TemplateComparison, TextChange
from radixlint.sources import SourceRead, read_prompts
from radixlint.stake.behind import stakes_of
from radixlint.tokenizers import open_tokenizer

_STABLE: Final = (Lifetime.STATIC, Lifetime.RELEASE)
_MOST_CHARACTERS: Final = 400
# The comparison of lines takes quadratic time.
_MOST_LINES: Final = 5_000

Line = tuple[str, str, int]
Count = Callable[[str], int]


def read_template(path: str, start: Path) -> SourceRead | None:
    """Return the prompts of a template, None if the file is none that ``check`` knows.

    Raises:
        SourceError: it does not parse.
        OSError: it cannot be read.
    """
    found = read_file(Path(path), shown_path(Path(path), start))
    if isinstance(found, Skipped):
        return None
    return read_prompts(found.source, folder_includes([Path(path)], start))


def compare_templates(
    paths: tuple[str, str], reads: tuple[SourceRead, SourceRead], options: CompareOptions
) -> TemplateComparison:
    """Compare two revisions, the earlier first.

    Raises:
        ConfigError: the settings are wrong.
    """
    tokenizer = options.tokenizer or options.settings.tokenizer
    count = cache(open_tokenizer(tokenizer).count)
    sides = [[classify(prompt, options.settings.variables) for prompt in read.prompts] for read in reads]
    prompts = tuple(_prompt_change(one, other, count) for one, other in zip_longest(*sides))
    before, after = (_checked(path, options) for path in paths)
    new, gone = _left(after.findings, before.findings), _left(before.findings, after.findings)
    fell = any(one.head_after_tokens < one.head_before_tokens for one in prompts if one.static_after_tokens)
    return TemplateComparison(
        prompts=prompts,
        new=new,
        gone=gone,
        kept=len(after.findings) - len(new),
        is_worse=fell or any(finding.severity is not Severity.INFO for finding in new),
        tokenizer=tokenizer,
        notes=tuple(dict.fromkeys((*before.notes, *after.notes))),
    )


def _checked(path: str, options: CompareOptions) -> CheckReport:
    return check_paths(CheckOptions(arguments=(path,), settings=options.settings, start=options.start))


def _left(some: Sequence[Finding], others: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return those of ``some`` that ``others`` does not have, wherever in the file they stand."""
    known = Counter((finding.rule, finding.mark) for finding in others)
    left = []
    for finding in some:
        key = finding.rule, finding.mark
        if known[key]:
            known[key] -= 1
        else:
            left.append(finding)
    return tuple(left)


def _prompt_change(before: Prompt | None, after: Prompt | None, count: Count) -> PromptChange:
    latest = after or before
    assert latest is not None
    heads = [0 if prompt is None else sum(count(s.text) for s in _head(prompt)) for prompt in (before, after)]
    totals = [0 if prompt is None else stakes_of(prompt, count).total_tokens for prompt in (before, after)]
    return PromptChange(
        name=latest.name,
        head_before_tokens=heads[0],
        head_after_tokens=heads[1],
        static_before_tokens=totals[0],
        static_after_tokens=totals[1],
        changes=tuple(_text_changes(_lines(before), _lines(after), count)),
    )


def _head(prompt: Prompt) -> list[Segment]:
    """Return the literals in front of the first value, or test of a value, that changes sooner than with a release."""
    found = []
    for segment in prompt.segments:
        lives = min([segment.lifetime, *(control.lifetime for control in segment.controls)])
        if lives not in _STABLE:
            break
        if segment.is_literal:
            found.append(segment)
    return found


def _lines(prompt: Prompt | None) -> list[Line]:
    """Return the static text by lines, each with its role and the line of the file where it starts."""
    found: list[Line] = []
    for segment in prompt.segments if prompt else ():
        if segment.is_literal:
            for number, text in enumerate(segment.text.split("\n")):
                if text.strip():
                    line = segment.offsets[0][0] if segment.offsets else segment.span.line
                    found.append((segment.role.value, text, line + number))
    if len(found) > _MOST_LINES:
        raise ConfigError(f"over {counted(_MOST_LINES, 'line')} of static text are too many to compare")
    return found


def _text_changes(before: Sequence[Line], after: Sequence[Line], count: Count) -> list[TextChange]:
    matcher = SequenceMatcher(None, [line[:2] for line in before], [line[:2] for line in after], autojunk=False)
    found = []
    for tag, first, end, their_first, their_end in matcher.get_opcodes():
        if tag == "equal":
            continue
        old, new = before[first:end], after[their_first:their_end]
        texts = ["\n".join(line[1] for line in some) for some in (old, new)]
        found.append(
            TextChange(
                role=(new or old)[0][0],
                line_before=old[0][2] if old else None,
                line_after=new[0][2] if new else None,
                before=_cut(texts[0]),
                after=_cut(texts[1]),
                tokens_before=count(texts[0]),
                tokens_after=count(texts[1]),
            )
        )
    return found


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_CHARACTERS else text[: _MOST_CHARACTERS - 1] + "…"
