"""Where prefixes end: the branch points that lose most, with the texts around them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from radixlint.reports import TextStyle
from radixlint.reports._figures import counted
from radixlint.result.measurement import AnalyzeReport, Break
from radixlint.safe_text import safe_line

if TYPE_CHECKING:
    from rich.text import Text


def break_lines(report: AnalyzeReport, style: TextStyle) -> Iterator[Text]:
    """Yield the places whose tokens come again, the most of them first; one line if there are none."""
    from rich.text import Text

    places = [place for place in report.breaks if place.repeated_tokens]
    if not places:
        words = "  behind none of them stands what the earlier request had: new content, nothing to move"
        yield Text("Branch points", "bold").append(words, "dim")
        return
    words = "  simulated, most repeated tokens first"
    yield Text("Branch points that lose most", "bold").append(words, "dim")
    for number, place in enumerate(places, 1):
        line = (
            Text(f"{number:>3}  ", "bold")
            .append(safe_line(place.where), "bold cyan")
            .append(f"  from token {place.token_index:,}")
        )
        yield line.append(f" · {place.requests:,} of {counted(report.requests, 'request')} · {counted(place.values, 'value')}")
        yield _loss(place)
        for name, text in (("shared", place.shared), ("before", place.before), ("after", place.after)):
            if text:
                yield Text(f"       {name:<7} ", "dim").append(_fit(safe_line(text), style.width - 15))


def _loss(place: Break) -> Text:
    from rich.text import Text

    line = Text("     ").append(f"{place.lost_tokens:,} tokens", "bold").append(" computed behind it; ")
    share = place.repeated_tokens / place.lost_tokens
    return line.append(f"{place.repeated_tokens:,}", "bold yellow").append(
        f" of them ({share:.0%}) stood in the earlier request too"
    )


def _fit(text: str, width: int) -> str:
    width = max(width, 20)
    return text if len(text) <= width else text[: width - 1] + "…"
