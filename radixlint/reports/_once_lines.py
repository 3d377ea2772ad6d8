"""Changes that came once, as a deploy brings them: no break, but said, with what they cost."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from radixlint.reports._figures import counted
from radixlint.result.breaks import OneTimeChange
from radixlint.result.measurement import AnalyzeReport
from radixlint.safe_text import safe_line

if TYPE_CHECKING:
    from rich.text import Text

_MOST: Final = 3
# Before it a time is no date of a log, but seconds since some start.
_EARLIEST_DATE_S: Final = 946_684_800


def once_lines(report: AnalyzeReport) -> Iterator[Text]:
    """Yield one line on the changes of a log that are no break; nothing without any."""
    from rich.text import Text

    if report.one_time:
        left = len(report.one_time) - _MOST
        more = f"; {left:,} more in --format json" if left > 0 else ""
        told = "; ".join(once_words(one) for one in report.one_time[:_MOST])
        yield Text("One-time changes", "bold").append(f"  {told}{more}; no break, it costs once", "dim")


def once_words(one: OneTimeChange) -> str:
    """Return what changed once, since when, and what it cost."""
    has_date = one.first_seen_s is not None and one.first_seen_s >= _EARLIEST_DATE_S
    when = f" {datetime.fromtimestamp(one.first_seen_s or 0.0, UTC):%Y-%m-%d %H:%M:%S} UTC" if has_date else ""
    mean = f", {one.lost_tokens // one.conversations:,} a running conversation" if one.conversations > 1 else ""
    tokens = f"{counted(one.lost_tokens, 'token')} of {counted(one.requests, 'request')}"
    return safe_line(
        f"{one.cause} · {one.where} since {one.first_request}{when}: {one.what}; {tokens} had been sent before and were "
        f"computed once more{mean}"
    )
