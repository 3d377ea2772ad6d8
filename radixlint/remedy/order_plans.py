"""What comes in another order each time gets one order; what is written in several ways, one."""

from __future__ import annotations

from radixlint.remedy.plan import Plan, Subject
from radixlint.remedy.sections import sections_of
from radixlint.rewrites import first_seen_json, ordered, plain_form, sorted_keys, sorted_tools, steady_tools


def tool_plans(subject: Subject) -> list[Plan]:
    """Return the plan that sorts the tools."""
    return [Plan("sorted-tools", "Sort the tools by name, last before the call", lambda: sorted_tools(subject.requests))]


def tool_set_plans(subject: Subject) -> list[Plan]:
    """Return the plan that sends one list of tools."""
    title = "Send one list of tools, each as first seen, and choose among them by the tool choice"
    freshness = "the model is shown tools that it is not to use"
    return [Plan("one-tool-list", title, lambda: steady_tools(subject.requests, subject.clusters), freshness)]


def form_plans(subject: Subject) -> list[Plan]:
    """Return the plan that writes text in one form."""
    title = "Write text in one form: Unicode NFC, plain newlines, no blanks at line ends"
    return [Plan("one-form", title, lambda: plain_form(subject.requests)), *json_plans(subject)]


def json_plans(subject: Subject) -> list[Plan]:
    """Return the plans that keep JSON as it was first written, or sort its keys."""
    return [
        Plan(
            "first-bytes",
            "Store the text as it was first sent or generated, and send it back untouched",
            lambda: first_seen_json(subject.requests),
        ),
        Plan(
            "sorted-keys",
            "Write JSON with sorted keys everywhere",
            lambda: sorted_keys(subject.requests),
            "what a model wrote in another order differs when it is first sent back",
            is_half=True,
        ),
    ]


def section_plans(subject: Subject) -> list[Plan]:
    """Return the plan that puts the sections of the instructions into one order."""
    sections = sections_of(subject)
    if len(sections) < 2:
        return []
    return [Plan("one-order", "Put the sections into one order", lambda: ordered(subject.requests, sections))]
