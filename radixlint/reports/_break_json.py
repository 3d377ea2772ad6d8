"""Breaks, remedies and cleared requests as JSON values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from radixlint.result.breaks import Break, Cleared
from radixlint.result.remedy import Remedy, Totals


def break_documents(breaks: Sequence[Break]) -> list[dict[str, object]]:
    """Return ``breaks``, most lost tokens first, with what each remedy brings."""
    worst = sorted(breaks, key=lambda place: -place.lost_tokens)
    return [{**asdict(place), "remedies": [remedy_document(one) for one in place.remedies]} for place in worst]


def remedy_document(remedy: Remedy) -> dict[str, object]:
    """Return ``remedy`` with the rates and differences that follow from its totals."""
    return {
        **asdict(remedy),
        "before": _totals(remedy.before),
        "after": _totals(remedy.after),
        "regained_tokens": remedy.regained_tokens,
        "saved_tokens": remedy.saved_tokens,
    }


def cleared_documents(cleared: Sequence[Cleared]) -> list[dict[str, object]]:
    """Return the requests whose prompt is not to blame, by cause."""
    return [asdict(one) for one in cleared]


def _totals(totals: Totals) -> dict[str, object]:
    return {
        **asdict(totals),
        "shareable_rate": totals.shareable_rate,
        "engine_rate": totals.engine_rate,
        "uncached_tokens": totals.uncached_tokens,
    }
