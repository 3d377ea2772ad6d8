"""Parts of a log beside each other: groups, turns, cold start, and who shares with whom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from radixlint.reports import TextStyle
from radixlint.reports._figures import counted, percent, usd
from radixlint.result.groups import Cost, Group, Part
from radixlint.result.measurement import AnalyzeReport
from radixlint.safe_text import safe_line

if TYPE_CHECKING:
    from rich.text import Text

_MOST_GROUPS: Final = 12
_LEAST_NAME_CELLS: Final = 12
_MOST_NAME_CELLS: Final = 34
_NOBODY: Final = "(not told)"
_COST_CELLS: Final = len("  1.000x (simulated)")
_INDENT: Final = "  "
_CLASSES: Final = (
    "shareable and engine are simulated, reported is measured; uncached is by the reported count (measured), else by the "
    "engine's rules (simulated)"
)


def part_lines(report: AnalyzeReport, style: TextStyle) -> Iterator[Text]:
    """Yield a table of the parts that every report has, and one a kind of group that was asked for."""
    from rich.text import Text

    rows = list(_fixed_parts(report))
    if rows:
        yield Text()
        yield Text("Parts of the log", "bold").append("  each request where it stands in the whole", "dim")
        yield from _table(rows, style)
    if report.reuse is not None and report.shareable_tokens:
        yield _reuse(report)
    for by in dict.fromkeys(group.by for group in report.groups):
        members = [group for group in report.groups if group.by is by]
        yield Text()
        yield Text(f"By {by.value}", "bold").append(f"  most uncached tokens first{_cost_words(members)}", "dim")
        yield from _table([(_name(group), group.part) for group in members[:_MOST_GROUPS]], style)
        if len(members) > _MOST_GROUPS:
            yield Text(f"  and {counted(len(members) - _MOST_GROUPS, 'more group')}; JSON has all of them", "dim")
    if rows or report.groups:
        yield Text(f"  {_CLASSES}", "dim")


def _fixed_parts(report: AnalyzeReport) -> Iterator[tuple[str, Part]]:
    if report.cold_start is not None:
        yield "first tenth", report.cold_start.cold
        yield "the rest", report.cold_start.steady
    if report.turns is not None:
        yield "first of a turn", report.turns.first
        yield "tool results", report.turns.later


def _table(rows: Sequence[tuple[str, Part]], style: TextStyle) -> Iterator[Text]:
    from rich.text import Text

    columns = f"{'requests':>9}{'prompt':>13}{'uncached':>13}{'shareable':>10}{'engine':>8}{'reported':>9}"
    has_cost = any(part.cost is not None for _, part in rows)
    room = style.width - len(columns) - len(_INDENT) - (_COST_CELLS if has_cost else 0)
    width = max(_LEAST_NAME_CELLS, min(_MOST_NAME_CELLS, room, max(len(name) for name, _ in rows)))
    yield Text(f"{_INDENT}{'':<{width}}{columns}{'  cost' if has_cost else ''}", "dim")
    for name, part in rows:
        short = name if len(name) <= width else name[: width - 1] + "…"
        line = Text(f"{_INDENT}{short:<{width}}{part.requests:>9,}{part.prompt_tokens:>13,}{_count(part.uncached_tokens):>13}")
        line.append(f"{percent(part.hit_rate.shareable):>10}").append(f"{percent(part.hit_rate.engine):>8}", "bold green")
        line.append(f"{percent(part.hit_rate.reported):>9}")
        has_parts = part.cost is not None and bool(part.cost.parts)
        yield line.append(f"  {_cost(part.cost)}") if has_cost and not has_parts else line
        if has_parts:
            yield Text(f"{_INDENT * 2}cost {_cost(part.cost)}")


def _cost(cost: Cost | None) -> str:
    """Return the cost with its evidence class, and of each class by itself where the counts are of two."""
    if cost is None:
        return "unknown"
    amount = f"{cost.factor:.3f}x" if cost.usd is None else usd(cost.usd)
    if not cost.parts:
        return f"{amount} ({cost.evidence})"
    parts = [f"{_cost(part)} for {counted(part.prompt_tokens, 'token')}" for part in cost.parts]
    return f"{amount} ({cost.evidence} in part): {', '.join(parts)}"


def _count(tokens: int | None) -> str:
    return "unknown" if tokens is None else f"{tokens:,}"


def _reuse(report: AnalyzeReport) -> Text:
    from rich.text import Text

    assert report.reuse is not None
    assert report.shareable_tokens
    own, cross = report.reuse.same_conversation_tokens, report.reuse.cross_conversation_tokens
    return Text(
        f"  of the shareable tokens {own / report.shareable_tokens:.1%} ({own:,}) are shared within a session, or a chain of "
        f"requests that go on from one another ({report.reuse.chains:,} of them), {cross:,} only with another one; simulated"
    )


def _name(group: Group) -> str:
    return _NOBODY if group.key is None else safe_line(group.key)


def _cost_words(members: Iterable[Group]) -> str:
    costs = [group.part.cost for group in members if group.part.cost is not None]
    if not costs or any(cost.usd is not None for cost in costs):
        return ""
    return "; cost of a prompt token in plain input tokens"
