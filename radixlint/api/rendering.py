"""Join the steps of ``render``: read the prompts of a file, say how long each part lives, count tokens; nothing is executed."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_files
from radixlint.errors import RadixlintError
from radixlint.lint import PARSE_RULE
from radixlint.lint.lifetime_strip import LifetimeStrip
from radixlint.prompt import Lifetime, Prompt, Segment
from radixlint.result.finding import PromptStrip
from radixlint.result.rendered import PrefixEnd, RenderedPart, RenderedPrompt, RenderReport
from radixlint.stake.behind import stakes_of
from radixlint.stake.outline import weights_behind


def render_file(options: CheckOptions) -> RenderReport:
    """Return the prompts of the one file among the arguments of ``options``, laid flat.

    Raises:
        RadixlintError: it cannot be read, does not parse, or holds no prompt.
        ConfigError: as ``check_paths``.
    """
    (name,) = options.arguments
    if (options.start / name).is_dir():
        raise RadixlintError("is a folder", where=name, hint="name one file")
    checked = check_files(replace(options, select=(PARSE_RULE,), extend_select=(), ignore=()))
    for skipped in checked.skipped:
        raise RadixlintError(f"cannot be rendered: {skipped.reason}", where=skipped.path)
    if not checked.files:
        raise RadixlintError("holds no prompt", where=name)
    (file,) = checked.files
    for finding in file.findings:
        raise RadixlintError(finding.message, where=f"{file.path}:{finding.span.line}:{finding.span.column}", hint=finding.help)
    count = checked.checker.count
    prompts = tuple(_rendered(prompt, count) for prompt in file.prompts)
    return RenderReport(file.path, prompts, options.settings.tokenizer, file.notes)


def _rendered(prompt: Prompt, count: Callable[[str], int]) -> RenderedPrompt:
    segments = prompt.segments
    tokens = [count(s.text) if s.is_literal else 0 for s in segments]
    # What is ahead of a segment in the prompt is behind it in the prompt read backwards.
    total, backwards = weights_behind(segments[::-1], tokens[::-1])
    ahead = backwards[::-1]
    parts = tuple(
        RenderedPart(segment, own if segment.is_literal else None, before + own)
        for segment, own, before in zip(segments, tokens, ahead, strict=True)
    )
    ends = tuple(PrefixEnd(life, part, ahead[part]) for part, life in _lows(segments))
    return RenderedPrompt(prompt.name, prompt.dialect, prompt.kind, parts, ends, _strip(prompt, ends, count), total)


def _lows(segments: tuple[Segment, ...]) -> Iterator[tuple[int, Lifetime]]:
    """Yield each segment that lives shorter than all in front of it, loops and conditions around it included."""
    lowest = Lifetime.STATIC
    for number, segment in enumerate(segments):
        life = min((segment.lifetime, *(control.lifetime for control in segment.controls)))
        if life < lowest and segment.text.strip():
            lowest = life
            yield number, life


def _strip(prompt: Prompt, ends: tuple[PrefixEnd, ...], count: Callable[[str], int]) -> PromptStrip | None:
    if prompt.chat_template is not None:
        return None
    strip = LifetimeStrip(prompt, count)
    if not ends:
        return strip.whole
    lost = stakes_of(prompt, count).behind(ends[0].part, ends[0].lifetime).tokens
    return strip.broken_at(ends[0].part, lost)
