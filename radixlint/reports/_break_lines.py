"""Where prefixes break: cause, place, texts around it, and what each fix would bring."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from radixlint.reports import TextStyle
from radixlint.reports._figures import counted, percent
from radixlint.result.breaks import Break, Cleared
from radixlint.result.cause import Cause
from radixlint.result.measurement import AnalyzeReport
from radixlint.result.remedy import Remedy
from radixlint.safe_text import safe_line

if TYPE_CHECKING:
    from rich.text import Text

_INDENT: Final = "     "
_LEAST_SINCE: Final = 3
_WITHIN_CONVERSATIONS: Final = frozenset(
    (Cause.HISTORY_REWRITTEN, Cause.BLOCK_MOVED, Cause.KEY_ORDER, Cause.TEXT_FORM, Cause.CHAT_TEMPLATE)
)
# What a fix sends more or less is told from this share of the prompts on.
_SENT_RATE: Final = 0.01
# Before it a time is no date of a log, but seconds since some start.
_EARLIEST_DATE_S: Final = 946_684_800


def break_lines(report: AnalyzeReport, style: TextStyle) -> Iterator[Text]:
    """Yield the breaks, those that lose most first; one line if there are none."""
    from rich.text import Text

    places = [place for place in report.breaks if place.lost_tokens]
    if not places:
        yield Text("Breaks", "bold").append("  none: what was computed was new in its place, nothing to move", "dim")
        return
    words = "  simulated, most lost tokens first; each fix is a replay of this log"
    yield Text("Breaks", "bold").append(words, "dim")
    for number, place in enumerate(places, 1):
        yield from _break(number, place, report, style)
    if report.together is not None:
        yield Text("  All fixes together  ", "bold").append_text(_brings(report.together, with_before=True))
        yield from (Text(f"       - {safe_line(title)}", "dim") for title in report.together.title.split("; "))


def cleared_lines(report: AnalyzeReport) -> Iterator[Text]:
    """Yield the requests that were reported uncached though their prefix was intact, by cause."""
    from rich.text import Text

    yield Text("Not the prompt", "bold").append("  prefix intact, yet reported as not cached; measured against simulated", "dim")
    for one in report.cleared:
        yield _cleared(one)
        if one.agrees is not None:
            words = "the provider's own word agrees" if one.agrees else "the provider's own word says otherwise"
            yield Text(_INDENT).append(words, "dim")


def _cleared(one: Cleared) -> Text:
    from rich.text import Text

    line = (
        Text("  ")
        .append(one.cause, "bold cyan")
        .append(f"  {counted(one.requests, 'request')}, {counted(one.tokens, 'token')} · ")
    )
    return line.append(f"{safe_line(one.what)} ({one.confidence.value} confidence) · {', '.join(one.examples)}")


def _break(number: int, place: Break, report: AnalyzeReport, style: TextStyle) -> Iterator[Text]:
    from rich.text import Text

    yield (
        Text(f"{number:>3}  ", "bold")
        .append(place.cause, "bold red" if place.cause != "unknown" else "bold yellow")
        .append(" · ")
        .append(safe_line(place.where), "bold cyan")
        .append(f"  from token {place.token_index:,}")
        .append(f" · {place.requests:,} of {counted(report.requests, 'request')} · {counted(place.values, 'value')}")
    )
    if place.what:
        yield Text(_INDENT).append(f"{safe_line(place.what)} ").append(f"({place.confidence.value} confidence)", "dim")
    yield _loss(place)
    if recurrence := recurrence_of(place):
        yield Text(_INDENT).append(recurrence)
    for said in place.provider_words:
        verdict = "" if said.agrees is None else ", which agrees" if said.agrees else ", which is something else"
        words = f"the provider gives {said.word} for {counted(said.requests, 'request')}{verdict}"
        yield Text(_INDENT).append(safe_line(words)).append("  measured", "dim")
    if place.cause == Cause.CHAT_TEMPLATE:
        words = "a server that cannot go back in a prompt (recurrent or windowed state) computes all of it: "
        yield Text(_INDENT).append(words + counted(place.prompt_tokens, "token"), "yellow")
    yield from side_lines(place, style)
    yield from remedy_lines(place)


def recurrence_of(place: Break) -> str:
    """Return how often it comes since it came first, empty where a conversation has one such request alone."""
    since = place.since_requests
    if since < _LEAST_SINCE or place.cause not in _WITHIN_CONVERSATIONS:
        return ""
    those = counted(since, "request")
    if place.requests == since:
        return f"in each of the {those} of these conversations since it began: it will go on as long as they do"
    return f"in {place.requests:,} of the {those} of these conversations since; the others go on from one another"


def remedy_lines(place: Break, most: int | None = None) -> Iterator[Text]:
    """Yield what each remedy brings, the best first; ``most`` of them, all for None."""
    whole = [remedy for remedy in place.remedies if not remedy.is_half]
    for remedy in place.remedies[:most]:
        brings_more = bool(whole) and remedy.after.uncached_tokens < whole[0].after.uncached_tokens
        yield from _remedy(remedy, is_first=remedy is place.remedies[0], brings_more=brings_more)


def side_lines(place: Break, style: TextStyle) -> Iterator[Text]:
    """Yield what stands in front of a break, and on its two sides."""
    from rich.text import Text

    for name, text in (("shared", place.shared), ("before", place.before), ("after", place.after)):
        if text:
            yield Text(f"       {name:<7} ", "dim").append(_fit(safe_line(text), style.width - 15))


def _loss(place: Break) -> Text:
    from rich.text import Text

    line = (
        Text(_INDENT).append(counted(place.lost_tokens, "token"), "bold yellow").append(" lost, sent before and computed again")
    )
    line.append(f"; {place.computed_tokens:,} computed behind it in all")
    first = first_seen(place)
    return line.append(f"; first seen {first}" if first else "")


def first_seen(place: Break) -> str:
    """Return when and in which request a break came first, as far as the log tells; empty if it tells neither."""
    parts = [f"in {place.examples[0]}"] if place.examples else []
    if place.first_seen_s is not None and place.first_seen_s >= _EARLIEST_DATE_S:
        parts.insert(0, f"{datetime.fromtimestamp(place.first_seen_s, UTC):%Y-%m-%d %H:%M:%S} UTC")
    return " ".join(parts)


def _remedy(remedy: Remedy, *, is_first: bool, brings_more: bool) -> Iterator[Text]:
    from rich.text import Text

    name = "half" if remedy.is_half else "fix" if is_first else "or"
    yield (
        Text(f"       {name:<7} ", "dim")
        .append(safe_line(remedy.title), "green" if is_first else "")
        .append(": ")
        .append_text(_brings(remedy, with_before=is_first))
    )
    if remedy.freshness:
        half = "brings more than the fix, yet is half: " if remedy.is_half and brings_more else ""
        yield Text(" " * 15).append(half + safe_line(remedy.freshness), "dim")


def _brings(remedy: Remedy, *, with_before: bool) -> Text:
    """Return what a remedy leaves to compute and what it makes shareable; the figures before it stand beside the first."""
    from rich.text import Text

    before, after = remedy.before, remedy.after

    def was(figure: str) -> str:
        return f"{figure} -> " if with_before else ""

    line = Text(was(f"{before.uncached_tokens:,}")).append(counted(after.uncached_tokens, "token"), "bold").append(" computed")
    line.append(f", {was(percent(before.engine_rate))}{percent(after.engine_rate)} engine")
    line.append(f", {was(percent(before.shareable_rate))}{percent(after.shareable_rate)} shareable")
    line.append(f" ({remedy.regained_tokens:+,})")
    if abs(after.prompt_tokens - before.prompt_tokens) > _SENT_RATE * before.prompt_tokens:
        line.append(f", {was(f'{before.prompt_tokens:,}')}{after.prompt_tokens:,} sent")
    if before.cost and after.cost is not None:
        line.append(f", cost {after.cost / before.cost:.2f}x of now")
    if before.prefill_s is not None and after.prefill_s is not None:
        line.append(f", {before.prefill_s:,.1f} -> {after.prefill_s:,.1f} s of prefill (estimated)")
    return line


def _fit(text: str, width: int) -> str:
    width = max(width, 20)
    return text if len(text) <= width else text[: width - 1] + "…"
