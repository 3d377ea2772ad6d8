"""``check-log`` for people: one line a check, and under a failure the places that are to blame."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from radixlint.reports import TextStyle
from radixlint.reports._cause_words import MEANINGS
from radixlint.reports._console_text import drawn
from radixlint.reports._engine_words import engine_words
from radixlint.reports._figures import counted, percent
from radixlint.result.breaks import Break
from radixlint.result.cause import Cause
from radixlint.result.gate import CheckStatus, GateCheck, GatedLog, GatedRate, GateReport
from radixlint.safe_text import safe_line

if TYPE_CHECKING:
    from rich.text import Text

_WORDS: Final = {
    CheckStatus.PASSED: ("passed", "bold green"),
    CheckStatus.FAILED: ("failed", "bold red"),
    CheckStatus.COULD_NOT_CHECK: ("could not check", "bold yellow"),
}
_INDENT: Final = " " * 17
_SHOWN_LOSSES: Final = 4
_MOST_LOGS: Final = 3
_SERVED_OR_NEW: Final = (Cause.HIT, Cause.NEW_CONTENT)


def render(report: GateReport, style: TextStyle) -> str:
    """Return the report as text of ``style.width`` columns; colours only if the style wants them."""
    return drawn(_lines(report), style)


def _lines(report: GateReport) -> Iterator[Text]:
    from rich.text import Text

    blamed: set[int] = set()
    told = ""
    for check in report.checks:
        is_repeated = check.status is CheckStatus.COULD_NOT_CHECK and check.what == told
        yield _check(check, is_repeated=is_repeated)
        told = check.what
        if check.hint and not is_repeated:
            yield Text(_INDENT).append(safe_line(check.hint), "dim")
        if check.status is CheckStatus.FAILED and report.log is not None:
            yield from _blame(check, report.log, blamed)
    if report.status is CheckStatus.FAILED:
        yield Text()
        yield _next(report)
    if (
        report.rate is not None
        and (report.rate.requests or report.rate.left_out)
        and any(check.unit != "breaks" for check in report.checks)
    ):
        yield Text()
        yield from _rate(report.rate)
    if report.log is not None:
        yield Text()
        yield from _log(report.log)


def _next(report: GateReport) -> Text:
    """Return which command says more: of a failure the fixes, and one of its requests."""
    from rich.text import Text

    logs = shlex.join(report.paths) if 0 < len(report.paths) <= _MOST_LOGS and "-" not in report.paths else "LOG..."
    line = Text("Next", "bold").append(f"  radixlint analyze {safe_line(logs)} tells the fixes and what each brings")
    place = next((place for check in report.checks for place in check.breaks if place.examples), None)
    if place is not None:
        request = safe_line(shlex.quote(place.examples[0]))
        line.append(f"; radixlint why {safe_line(logs)} --request {request} explains one request")
    return line.append("; give both the options of this run", "dim")


def _check(check: GateCheck, *, is_repeated: bool) -> Text:
    from rich.text import Text

    word, color = _WORDS[check.status]
    line = Text().append(f"{word:<17}", color).append(f"{check.name:<17}", "bold")
    if check.status is CheckStatus.COULD_NOT_CHECK:
        return line.append("for the same reason" if is_repeated else safe_line(check.what))
    line.append(_written(check.figure, check.unit))
    if check.limit is not None:
        line.append(f", {'at least' if check.unit == 'rate' else 'at most'} {_written(check.limit, check.unit)}")
    return line.append(f"  {safe_line(check.what)}" + (f", {check.evidence.value}" if check.evidence else ""), "dim")


def _written(figure: float | None, unit: str) -> str:
    if figure is None:
        return "unknown"
    # Two decimals: with one, a figure just under its limit would look equal to it.
    return f"{figure:.2%}" if unit == "rate" else counted(int(figure), unit.removesuffix("s"))


def _blame(check: GateCheck, log: GatedLog, told: set[int]) -> Iterator[Text]:
    """Yield the places to blame; what stands under an earlier check already is named alone."""
    from rich.text import Text

    for place in check.breaks:
        yield _place(place, log)
        if id(place) not in told:
            told.add(id(place))
            yield from _evidence(place)
    if not check.breaks and check.unit != "breaks":
        yield Text(_INDENT).append(_elsewhere(log))
        for one in log.cleared:
            yield Text(_INDENT).append(
                f"{safe_line(one.what)}: {counted(one.requests, 'request')}, {counted(one.tokens, 'token')}", "dim"
            )


def _place(place: Break, log: GatedLog) -> Text:
    from rich.text import Text

    line = Text(_INDENT).append(place.cause, "bold red").append(" at ").append(safe_line(place.where), "bold cyan")
    line.append(f": {counted(place.lost_tokens, 'token')} lost ({percent(place.lost_tokens / max(1, log.prompt_tokens))} of all)")
    return line.append(f", {counted(place.requests, 'request')}, {', '.join(map(safe_line, place.examples))}")


def _evidence(place: Break) -> Iterator[Text]:
    from rich.text import Text

    indent = f"{_INDENT}  "
    if place.what:
        yield Text(indent).append(f"{safe_line(place.what)} ({place.confidence.value} confidence)", "dim")
    for name, text in (("before", place.before), ("after", place.after)):
        if text:
            yield Text(indent).append(f"{name:<7}", "dim").append(safe_line(text))


def _elsewhere(log: GatedLog) -> str:
    """Say where tokens go if no break that counts is to blame."""
    rest = sorted((e for e in log.waterfall if e.tokens and e.cause not in _SERVED_OR_NEW), key=lambda entry: -entry.tokens)
    new = next((entry.tokens for entry in log.waterfall if entry.cause == Cause.NEW_CONTENT), None)
    parts = [f"{entry.tokens:,} {MEANINGS.get(entry.cause, (entry.cause, ''))[0]}" for entry in rest[:_SHOWN_LOSSES]]
    parts += [] if new is None else [f"{new:,} new content"]
    told = f"; tokens not hit: {', '.join(parts)} (simulated)" if parts else ""
    return ("the log does not tell causes" if log.breaks is None else "no break that counts is to blame") + told


def _rate(rate: GatedRate) -> Iterator[Text]:
    from rich.text import Text

    kind = f"{rate.kind.value} ({rate.kind.evidence.value}; {rate.why})"
    yield Text().append("Rate", "bold").append(f"  matched / prompt tokens of {counted(rate.requests, 'request')}: {kind}")
    yield from (Text(f"  left out {one.requests:,}: {one.reason}", "dim") for one in rate.left_out)


def _log(log: GatedLog) -> Iterator[Text]:
    from rich.text import Text

    basis = f"{engine_words(log.engine)} · layout {log.layout} · tokenizer {log.tokenizer}"
    read = f"{log.read:,} of {counted(log.records, 'record')} read" if log.records else "no request read"
    tokens = f" · {counted(log.prompt_tokens, 'prompt token')}" if log.requests else ""
    read = f"  {read}, {log.input_format}{tokens}"
    yield Text().append("Log", "bold").append(safe_line(f"{read} · {basis if log.measured_requests else 'no prompts'}"))
    yield from (Text("  - ", "dim").append(safe_line(note)) for note in log.notes)
