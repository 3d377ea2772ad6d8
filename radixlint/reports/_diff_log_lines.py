"""Two parts of traffic for people: when, what and whose fault; the rates; the change taken apart; breaks and kinds."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from radixlint.reports._figures import counted, percent
from radixlint.result.comparison import Blame, BreakChange, ComparedPart, LogComparison, MixGroup, Turn, Unit
from radixlint.result.evidence import Evidence
from radixlint.safe_text import safe_line

if TYPE_CHECKING:
    from rich.text import Text

# Before it a time is no date of a log, but seconds since some start.
_EARLIEST_DATE_S: Final = 946_684_800
_COLORS: Final = {Blame.NOTHING: "green", Blame.UNKNOWN: "yellow"}
_MOST_BREAKS: Final = 8
_MOST_GROUPS: Final = 5
_SHOWN_CELLS: Final = 60
_EFFECTS: Final = (
    ("prompt", "prompt", "lost to breaks of the prefix"),
    ("engine", "engine or provider", "shareable, and not served from the cache"),
    ("mix", "traffic mix", "other shares of the kinds of requests"),
    ("content", "new text", "sent for the first time behind its prefix, or cut off by steps of the cache"),
)


def log_lines(report: LogComparison) -> Iterator[Text]:
    """Yield the lines of a comparison of two parts; those up to the first empty one are the answer."""
    yield from _answer(report)
    yield from _evidence(report)


def _answer(report: LogComparison) -> Iterator[Text]:
    from rich.text import Text

    yield Text("Change ", "bold").append(safe_line(f"{_since(report)}{report.what}"))
    yield from _cost(report)
    color = "green" if report.is_better else _COLORS.get(report.blame, "red")
    whose = Text("Whose  ", "bold").append(report.blame.value, f"bold {color}").append(", improved" if report.is_better else "")
    if not report.is_sure and report.blame not in (Blame.UNKNOWN, Blame.NOTHING):
        whose.append(f", as far as {_few(report)} show")
    yield whose.append(f"{_shares(report)}", "dim")
    yield Text("Do     ", "bold").append(safe_line(report.do))
    if report.is_reversed:
        yield Text("Order  ", "bold yellow").append(_order(report))


def _since(report: LogComparison) -> str:
    if report.when_request is not None:
        return f"{_time(report.when_s)}{'' if report.when_s is None else 'with '}{report.when_request}: "
    return f"{_time(report.when_s)}"


def _few(report: LogComparison) -> str:
    return counted(min(report.before.counted_requests, report.after.counted_requests), "request")


def _shares(report: LogComparison) -> str:
    """Return by how many points each part of the change moved the hit rate down."""
    if report.blame is Blame.NOTHING:
        return ""
    named = ((getattr(report.effects, f"{name}_rate"), label) for name, label, _ in _EFFECTS)
    moved = sorted(((rate, label) for rate, label in named if abs(rate) >= 0.0005), key=lambda one: -abs(one[0]))
    told = ", ".join(f"{label} {_points(rate)}" for rate, label in moved)
    return f" (points of the hit rate lost: {told})" if moved else ""


def _points(rate: float) -> str:
    # Adding 0.0 takes the sign of a negative zero.
    return f"{round(100 * rate, 1) + 0.0:+.1f}"


def _order(report: LogComparison) -> str:
    begin = f"the first part was sent later ({_date(report.before.first_s)}) than the second ({_date(report.after.first_s)})"
    return f"{begin}: what began is told as ended; swap the two if that was not meant"


def _evidence(report: LogComparison) -> Iterator[Text]:
    from rich.text import Text

    yield Text()
    yield from _rates(report)
    yield Text()
    yield from _effects(report)
    yield from _breaks(report)
    yield from _cleared(report)
    if len(report.groups) > 1:
        yield from _groups(report)
    yield Text()


def _time(time_s: float | None) -> str:
    return "" if time_s is None else f"from {_date(time_s)} on, "


def _date(time_s: float | None) -> str:
    if time_s is None:
        return "unknown"
    return f"{time_s:,.0f} s" if time_s < _EARLIEST_DATE_S else f"{datetime.fromtimestamp(time_s, UTC):%Y-%m-%d %H:%M:%S} UTC"


def _cost(report: LogComparison) -> Iterator[Text]:
    from rich.text import Text

    lost = report.effects.lost_tokens
    line = Text(f"{'Cost' if lost >= 0 else 'Saved':<7}", "bold").append(f"{abs(lost):,} {report.unit.value}", "bold yellow")
    rates = f"hit rate {percent(report.rate_before)} -> {percent(report.rate_after)} ({report.served.value})"
    yield line.append(f" {'more' if lost >= 0 else 'less'} to compute, at equal traffic; {rates}")


def _rates(report: LogComparison) -> Iterator[Text]:
    from rich.text import Text

    yield Text("Hit rate", "bold").append(" = matched tokens / prompt tokens, cold requests left out", "dim")
    yield Text(f"  {'':<12}{'before':>10}{'after':>10}{'with cold':>12}{'':>3}{'':>7}", "dim")
    evidence = {"shareable": Evidence.SIMULATED, "engine": Evidence.SIMULATED, "reported": Evidence.MEASURED}
    for name, kind in evidence.items():
        rates = [getattr(rate, name) for part in (report.before, report.after) for rate in (part.hit_rate, part.whole_hit_rate)]
        if any(rate is not None for rate in rates):
            line = Text(f"  {name:<12}{percent(rates[0]):>10}{percent(rates[2]):>10}")
            yield line.append(f"   {percent(rates[1])} -> {percent(rates[3])}", "dim").append(f"  {kind.value}", "dim")
    for name, part in (("before", report.before), ("after", report.after)):
        yield Text(f"  {name}: {_part_words(part)}", "dim")
    if report.unit is not Unit.DAY:
        yield Text(f"  {_not_daily(report)}, so nothing is scaled to a day", "dim")
    if report.same_mix_rate is not None and report.grouped_by:
        yield Text(f"  {percent(report.same_mix_rate)} with the old mix and the new rate of each kind", "dim")
    chance = f"  by chance rates of such parts differ by up to {report.margin_rate:.1%}; tolerance {report.tolerance_rate:.1%}"
    yield Text(chance, "dim")


def _not_daily(report: LogComparison) -> str:
    if report.unit is Unit.REQUEST:
        return "too few requests"
    has_times = report.before.days is not None and report.after.days is not None
    return "a part spans less than an hour" if has_times else "the log has no times"


def _part_words(part: ComparedPart) -> str:
    cold = part.cold
    span = "" if part.days is None else f" over {_length(part.days)}"
    resumed = f", {counted(cold.resumed_requests, 'first request')} of sessions begun earlier" if cold.resumed_requests else ""
    return (
        f"{part.counted_requests:,} of {counted(part.requests, 'request')}{span}; left out as cold: "
        f"{counted(cold.first_requests, 'first request')}{resumed}"
    )


def _length(days: float) -> str:
    for size, unit in ((1.0, "days"), (1 / 24, "hours"), (1 / 1440, "minutes")):
        if days >= 2 * size:
            return f"{days / size:.1f} {unit}"
    return f"{days * 86_400:.0f} seconds"


def _effects(report: LogComparison) -> Iterator[Text]:
    from rich.text import Text

    effects = report.effects
    evidence = "measured, split by simulation" if report.served is Evidence.MEASURED else "simulated"
    yield Text("Change of uncached tokens", "bold").append(
        f"  {report.unit.value}, and points of the hit rate lost; {evidence}", "dim"
    )
    for name, label, words in _EFFECTS:
        yield _effect(label, getattr(effects, f"{name}_tokens"), getattr(effects, f"{name}_rate"), words)
    yield _effect("at equal traffic", effects.lost_tokens, effects.lost_rate, "the sum of these: the cost above")
    label, words = ("traffic", "more or less of it") if report.unit is Unit.DAY else ("length", "longer or shorter prompts")
    yield _effect(label, effects.volume_tokens, None, f"{words}, at the rate before")


def _effect(label: str, tokens: int, rate: float | None, words: str) -> Text:
    from rich.text import Text

    points = "" if rate is None else _points(rate)
    return Text(f"  {label:<19}{tokens:>+15,}{points:>8}  ").append(words, "dim")


def _breaks(report: LogComparison) -> Iterator[Text]:
    from rich.text import Text

    moved = [one for one in report.breaks if one.turn is not Turn.STAYED]
    if moved:
        yield Text()
        yield Text("Breaks that changed", "bold").append("  simulated", "dim")
    for one in moved[:_MOST_BREAKS]:
        yield from _break(one, report)
    if len(moved) > _MOST_BREAKS:
        yield Text(f"  {len(moved) - _MOST_BREAKS} more in --format json", "dim")


def _break(one: BreakChange, report: LogComparison) -> Iterator[Text]:
    from rich.text import Text

    color = "bold red" if one.turn in (Turn.BEGAN, Turn.GREW, Turn.ONCE) else "bold green"
    yield (
        Text(f"  {one.turn.value}  ", color)
        .append(one.cause, "bold")
        .append(" · ")
        .append(safe_line(one.where), "bold cyan")
        .append(f"  {one.change_tokens:+,} {report.unit.value}")
    )
    lost = f"{percent(one.lost_before_rate)} -> {percent(one.lost_after_rate)} of the prompt tokens lost"
    requests = f"in {one.requests_before:,} -> {counted(one.requests_after, 'request')}"
    yield Text(f"     {safe_line(one.what)} ({one.confidence} confidence); {lost}, {requests}{_seen(one)}", "dim")
    for name, text in (("shared", one.shared), ("before", one.before), ("after", one.after)):
        if text:
            shown = safe_line(text)
            yield Text(f"       {name:<7} ", "dim").append(
                shown if len(shown) <= _SHOWN_CELLS else f"{shown[: _SHOWN_CELLS - 1]}…"
            )


def _seen(one: BreakChange) -> str:
    if one.since_request is None:
        return ""
    since = safe_line(one.since_request) if one.since_s is None else f"{_date(one.since_s)}, {safe_line(one.since_request)}"
    if one.turn is not Turn.GREW:
        return f"; since {since}"
    return f"; there before{'' if one.first_seen_s is None else f' (first {_date(one.first_seen_s)})'}, more since {since}"


def _cleared(report: LogComparison) -> Iterator[Text]:
    from rich.text import Text

    moved = [one for one in report.cleared if one.turn is not Turn.STAYED]
    if moved:
        yield Text()
        yield Text("Not the prompt", "bold").append(
            "  prefix intact, yet reported as not cached; measured against simulated", "dim"
        )
    for one in moved:
        line = (
            Text(f"  {one.turn.value}  ").append(one.cause, "bold cyan").append(f"  {one.change_tokens:+,} {report.unit.value}")
        )
        yield line.append(f"; {safe_line(one.what)} ({one.confidence} confidence)", "dim")


def _groups(report: LogComparison) -> Iterator[Text]:
    from rich.text import Text

    words = {"depth": "answers so far", "template": "application"}
    told = ", ".join(words.get(field, field) for field in report.grouped_by)
    yield Text()
    yield Text("Kinds of requests", "bold").append(f"  by {told}; those first whose share moved the rate most", "dim")
    yield Text("  share of tokens   uncached share", "dim")
    for group in report.groups[:_MOST_GROUPS]:
        yield _group(group)


def _group(group: MixGroup) -> Text:
    from rich.text import Text

    named = [name for name in (group.model, group.template, group.tenant) if name is not None]
    if group.depth is not None:
        named.append(f"{counted(group.depth, 'answer')} so far")
    share = f"{group.share_before_rate:.1%} -> {group.share_after_rate:.1%}"
    uncached = " -> ".join(
        "none" if rate is None else f"{rate:.1%}" for rate in (group.uncached_before_rate, group.uncached_after_rate)
    )
    return Text(f"  {share:<18}{uncached:<18}").append(safe_line(", ".join(named)), "cyan")
