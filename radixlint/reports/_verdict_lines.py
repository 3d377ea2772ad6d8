"""The answer of ``analyze`` in a few lines: what was served, what was lost most, what mends it, and whose it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from radixlint.reports._cause_words import MEANINGS, OUTSIDE, RULE_FIXES, SERVER_FIXES
from radixlint.reports._figures import counted, percent
from radixlint.result.breaks import Break, Cleared
from radixlint.result.cause import Cause
from radixlint.result.evidence import Evidence
from radixlint.result.measurement import AnalyzeReport, WaterfallEntry
from radixlint.safe_text import safe_line

if TYPE_CHECKING:
    from rich.text import Text

# Less than this share of the prompt tokens is no loss to name, and of block borders, which no one can help, less than that.
_LEAST_RATE: Final = 0.01
_LEAST_FLOOR_RATE: Final = 0.05
_LEAST_ZEROS: Final = 3
_WIDTH: Final = 8


class _Worst(NamedTuple):
    """The largest loss: a break, a rule of the cache, or what the server reports less than it could have served."""

    tokens: int
    broken: Break | None = None
    rule: WaterfallEntry | None = None
    cleared: Cleared | None = None


def verdict_lines(report: AnalyzeReport) -> Iterator[Text]:
    """Yield three to five lines, each with a figure or why there is none."""
    yield from _row("Served", _served(report))
    if not report.measured_requests or report.hit_rate.shareable is None:
        yield from _row("Lost", _why_untold(report))
        return
    worst = _worst(report)
    yield from _row("Lost", _lost(report, worst))
    yield from _row("Fix", _fix(report, worst))
    yield from _row("Whose", _whose(report, worst))


def is_above_shareable(report: AnalyzeReport) -> bool:
    """Whether the server read clearly more than the log shares with itself."""
    reported, shareable = report.hit_rate.reported, report.hit_rate.shareable
    return reported is not None and shareable is not None and reported > shareable + _LEAST_RATE


def who_filled_it(report: AnalyzeReport) -> str:
    """Return what had filled the cache where the server read more than the log shares with itself."""
    if report.is_partial:
        return "the requests that were left out had filled the cache"
    return "the cache held what was sent before this log begins, or the server counts in tokens of its own"


def _row(label: str, words: str) -> Iterator[Text]:
    from rich.text import Text

    if words:
        yield Text(f"{label:<{_WIDTH}}", "bold").append(words)


def _served(report: AnalyzeReport) -> str:
    rates = report.hit_rate
    assumed = " (assumed)" if report.engine.evidence is Evidence.ASSUMED else ""
    simulated = (
        f"{percent(rates.engine)} by the rules of {report.engine.name}{assumed}, {percent(rates.shareable)} shareable (simulated)"
    )
    if rates.reported is None:
        return "" if rates.engine is None else f"{simulated}; the log reports no cached tokens"
    served = f"{percent(rates.reported)} reported (measured)"
    if rates.shareable is None:
        return served
    if is_above_shareable(report):
        here = "this part of the log" if report.is_partial else "this log"
        return f"{served}: more than the {percent(rates.shareable)} that {here} shares with itself, for {who_filled_it(report)}"
    return f"{served}; {simulated}"


def _why_untold(report: AnalyzeReport) -> str:
    if not report.requests:
        return "not told: the log holds no requests, only the engine's own statistics" if report.engine_log else ""
    if report.requests == 1:
        return "not told: a single request has no earlier one to share its prefix with; give a log of two or more"
    return "not told: the log holds no prompts, so neither what could be shared nor a cause can be said"


def _worst(report: AnalyzeReport) -> _Worst | None:
    places = [place for place in report.breaks if place.lost_tokens]
    # A beginning too short to be cached may be short because of the break: what mends that is to be done first.
    passed_over = {Cause.BELOW_MINIMUM} if any(place.remedies for place in places) else set()
    found = [_Worst(place.lost_tokens, broken=place) for place in places]
    told = {place.cause for place in places} | passed_over
    for entry in report.waterfall:
        least = _LEAST_FLOOR_RATE if entry.cause == Cause.BLOCK_FLOOR else _LEAST_RATE
        if entry.cause in RULE_FIXES and entry.cause not in told and entry.tokens >= least * report.prompt_tokens:
            found.append(_Worst(entry.tokens, rule=entry))
    least_tokens = _LEAST_RATE * report.prompt_tokens
    found += [
        _Worst(one.tokens, cleared=one) for one in report.cleared if one.tokens >= least_tokens and one.cause not in passed_over
    ]
    # The first of equals: a break tells more than a rule, and a rule than what is reported.
    return max(found, key=lambda one: one.tokens, default=None)


def _lost(report: AnalyzeReport, worst: _Worst | None) -> str:
    if worst is None:
        return _nothing_lost(report)
    if worst.cleared is not None:
        one = worst.cleared
        fewer = f"{counted(one.tokens, 'cached token')} fewer reported than the prompts allow"
        return f"{fewer}, in {counted(one.requests, 'request')}: {safe_line(one.what)}"
    computed = max(1, report.prompt_tokens - (report.engine_tokens or 0))
    share = f"{percent(worst.tokens / computed)} of the tokens computed"
    if worst.rule is not None:
        label, meaning = MEANINGS[worst.rule.cause]
        return f"{share}, to {label}: {meaning}"
    assert worst.broken is not None
    place = worst.broken
    cause = "an unknown cause" if place.cause == Cause.UNKNOWN else place.cause
    words = f"{share}, to {cause} at {safe_line(place.where)} ({place.requests:,} of {counted(report.requests, 'request')})"
    others = [one.lost_tokens for one in report.breaks if one.lost_tokens and one is not place]
    return f"{words}; {counted(len(others), 'other break')}: {percent(sum(others) / computed)}" if others else words


def _nothing_lost(report: AnalyzeReport) -> str:
    if not report.is_explained:
        return "not looked for: causes are told without --no-explain and --top 0"
    parts = {entry.cause: entry.tokens for entry in report.waterfall}
    new = parts.get(Cause.NEW_CONTENT, 0) + parts.get(Cause.UNKNOWN, 0)
    once = sum(one.lost_tokens for one in report.one_time)
    told = (
        f"; {counted(once, 'token')} once to {report.one_time[0].cause}, since {report.one_time[0].first_request}" if once else ""
    )
    words = f"nothing to a break that comes again{told}; {percent(new / max(1, report.prompt_tokens))} was new"
    return f"{words} in this part, where what had been sent before it is not seen" if report.is_partial else words


def _fix(report: AnalyzeReport, worst: _Worst | None) -> str:
    if worst is None:
        return ""
    if worst.rule is not None:
        return RULE_FIXES[worst.rule.cause]
    if worst.cleared is not None:
        return SERVER_FIXES.get(worst.cleared.cause, "")
    assert worst.broken is not None
    place = worst.broken
    if not place.remedies:
        return "none was tried: it takes the cause" if place.cause == Cause.UNKNOWN else "none that was tried helps"
    best = place.remedies[0]
    before, after = best.before, best.after
    cost = f", {after.cost / before.cost:.2f}x the cost" if before.cost and after.cost is not None else ""
    words = f"{safe_line(best.title)}: {before.uncached_tokens:,} -> {counted(after.uncached_tokens, 'token')} computed{cost}"
    takes = f"; {'half a fix: ' if best.is_half else ''}{safe_line(best.freshness)}" if best.freshness else ""
    together = report.together
    more = f"; all fixes together: {counted(together.after.uncached_tokens, 'token')}" if together is not None else ""
    return words + takes + more


def _whose(report: AnalyzeReport, worst: _Worst | None) -> str:
    if worst is None:
        return "nobody's: nothing to mend" if report.is_explained else ""
    if worst.rule is not None:
        return f"the cache's, by the rules of {report.engine.name}, not the prompt's"
    if worst.cleared is not None:
        return f"{OUTSIDE.get(worst.cleared.cause, 'not the prompt')} ({worst.cleared.confidence.value} confidence)"
    assert worst.broken is not None
    place = worst.broken
    if place.cause == Cause.UNKNOWN:
        return "not known: where prompts part is told, the cause is not"
    owner = "the chat template's" if place.cause == Cause.CHAT_TEMPLATE else "the prompt's"
    words = f"{owner} ({place.confidence.value} confidence)"
    if report.cleared:
        one = report.cleared[0]
        return f"{words}; beside it {OUTSIDE.get(one.cause, 'not the prompt')}: {counted(one.tokens, 'token')} (see below)"
    if _has_zeros_alone(report):
        return f"{words}; all report 0 cached tokens: is prefix caching on? (see Basis)"
    return words


def _has_zeros_alone(report: AnalyzeReport) -> bool:
    is_told = report.reported_tokens == 0 and report.reporting_requests >= _LEAST_ZEROS
    return is_told and bool(report.engine_tokens) and report.provider_hint is None
