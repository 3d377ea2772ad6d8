"""Histories that are cut on every call are cut rarely and deep; side calls begin as the main call does."""

from __future__ import annotations

from radixlint.plural import counted
from radixlint.remedy.plan import Plan, Subject
from radixlint.rewrites import append_only, marks, window_size, windowed, with_main_head


def history_plans(subject: Subject) -> list[Plan]:
    """Return the plans that cut a sliding window in batches; where none slides, the one that leaves old messages alone."""
    requests, chains = subject.requests, subject.chains
    size = window_size(requests, chains)
    if size is None:
        title = "Send old messages as they were first sent, and append only"
        freshness = "histories are as long as what was sent, with what was cut or replaced in them"
        return [Plan("append-only", title, lambda: append_only(requests, chains), freshness)]

    def plan(low: int, high: int) -> Plan:
        title = f"Let the history grow to {counted(high, 'message')}, then cut it to {low}"
        freshness = f"between {low} and {counted(high, 'message')} of history instead of {size}"
        return Plan(f"batch-cut-{low}-{high}", title, lambda: windowed(requests, chains, low, high), freshness)

    return [plan(low, high) for low, high in marks(size)]


def side_call_plans(subject: Subject) -> list[Plan]:
    """Return the plan that puts tools and instructions of the main call in front of side calls."""
    heads = {loss.position: loss.partner for loss in subject.case.losses}
    title = "Begin the side call with the tools and messages of the main call, and ask at the end"
    return [
        Plan("main-prefix", title, lambda: with_main_head(subject.requests, heads), "the side call sees the main instructions")
    ]
