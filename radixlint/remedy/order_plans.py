"""What comes in another order each time gets one order; what is written in several ways, one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Final

from radixlint.pieces import TOOL_ROLE, PieceKind
from radixlint.privacy import INSTRUCTIONS
from radixlint.remedy.plan import Plan, Subject
from radixlint.remedy.sections import sections_of
from radixlint.rewrites import first_seen_json, ordered, plain_form, sorted_keys, sorted_tools, steady_tools
from radixlint.written_forms import bare_text, is_typographic, plain_text

_MOST_TEXTS: Final = 16


def tool_plans(subject: Subject) -> list[Plan]:
    """Return the plan that sorts the tools."""
    return [Plan("sorted-tools", "Sort the tools by name, last before the call", lambda: sorted_tools(subject.requests))]


def tool_set_plans(subject: Subject) -> list[Plan]:
    """Return the plan that sends one list of tools."""
    title = "Send one list of tools, each as first seen, and choose among them by the tool choice"
    freshness = "the model is shown tools that it is not to use"
    return [Plan("one-tool-list", title, lambda: steady_tools(subject.requests, subject.clusters), freshness)]


def form_plans(subject: Subject) -> list[Plan]:
    """Return the plans that write text in one form, and JSON where it is that."""
    forms = "plain quotes, dashes, blanks and line ends, no blanks at these, Unicode NFC"
    pairs = [texts for texts in _texts(subject) if texts[0] != texts[1]]
    signs = "typographic signs become plain ones: the same words, other tokens to the model"
    freshness = signs if any(map(is_typographic, chain.from_iterable(pairs))) else ""
    plans = [Plan("one-form", f"Write text in one form: {forms}", lambda: plain_form(subject.requests), freshness)]
    if any(plain_text(one) != plain_text(other) for one, other in pairs):
        title = "Write text bare: single blanks, no tabs, no blank lines, Unicode NFKC, escapes in small letters"
        taken = "the layout of texts, and of code in them, is lost"
        plans.append(Plan("bare-form", title, lambda: plain_form(subject.requests, bare_text), taken, is_half=True))
    return [*plans, *json_plans(subject)]


def json_plans(subject: Subject) -> list[Plan]:
    """Return the plans that keep JSON as it was first written, or sort its keys.

    In instructions, which no model writes, sorted keys are whole.
    """
    item = subject.book.item(subject.book.numbers(subject.case.losses[0].position)[subject.case.losses[0].item])
    in_texts = item.role != TOOL_ROLE and any(piece.kind is PieceKind.LINE for piece in item.pieces)
    is_own = item.role in INSTRUCTIONS
    first = Plan(
        "first-bytes",
        "Store the text as it was first sent or generated, and send it back untouched",
        lambda: first_seen_json(subject.requests, in_texts=in_texts),
    )
    keys = Plan(
        "sorted-keys",
        "Write JSON with sorted keys everywhere",
        lambda: sorted_keys(subject.requests, in_texts=in_texts),
        "" if is_own else "what a model wrote in another order differs when it is first sent back",
        is_half=not is_own,
    )
    return [keys, first] if is_own else [first, keys]


def _texts(subject: Subject) -> Iterator[tuple[str, str]]:
    """Yield the first lines that differ in some losses of the case, in request and partner."""
    for loss in subject.case.losses[:_MOST_TEXTS]:
        found = []
        for position in (loss.position, loss.partner):
            numbers = subject.book.numbers(position)
            item = subject.book.item(numbers[loss.item]) if loss.item < len(numbers) else None
            found.append("" if item is None or loss.piece >= len(item.pieces) else item.piece_text(item.pieces[loss.piece]))
        yield found[0], found[1]


def section_plans(subject: Subject) -> list[Plan]:
    """Return the plan that puts the sections of the instructions into one order."""
    sections = sections_of(subject)
    if len(sections) < 2:
        return []
    return [Plan("one-order", "Put the sections into one order", lambda: ordered(subject.requests, sections))]
