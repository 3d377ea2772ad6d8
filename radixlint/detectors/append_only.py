"""A chat template prints a request so that the next one, one turn longer, does not start with the same text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

import msgspec

from radixlint.detectors import Hit
from radixlint.detectors._last_turn import moving_blocks
from radixlint.detectors._prefix_breaks import Break, lf_only, try_template
from radixlint.detectors._template_places import segment_at, span_at
from radixlint.late_pattern import late_pattern
from radixlint.prompt import ChatTemplate, ControlKind, Lifetime, Origin, Prompt, Segment, Span
from radixlint.result.finding import Related
from radixlint.stake import CountTokens

_OPEN_MARK: Final = late_pattern(r"[<\[][^<>\[\]\s]{0,16}$")  # a mark that both texts start with is shown whole
_SHOWN_CHARACTERS: Final = 32
_SHOWN_KINDS: Final = 2


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets: ``is_cut`` for breaks where what the model wrote is left out later, else for all others."""

    is_cut: bool


def find(prompt: Prompt, params: Params, count: CountTokens) -> Iterator[Hit]:
    """Yield each place that prints a first difference; for what the model wrote or the oldest messages, left out, only one."""
    template = prompt.chat_template
    if template is None:
        return
    trial = try_template(template, prompt.path)
    found = sorted((one for one in trial.breaks if one.is_cut == params.is_cut), key=_cost)
    window = next((one.place for one in found if one.is_window), None)
    places: dict[tuple[int, bool], list[Break]] = {}
    for one in found:
        place = found[0].place if params.is_cut else window if one.is_window and window is not None else one.place
        places.setdefault((place, one.is_window), []).append(one)
    for _, breaks in sorted(places.items()):
        yield _hit(prompt, template, breaks, count)


def _cost(one: Break) -> tuple[bool, int]:
    """Sort the costliest first; the loss of an answer alone costs less than that of a part of the prompt."""
    return one.is_whole, -len(one.before)


def notes(prompt: Prompt) -> Iterator[str]:
    """Yield why the template could not be tried, if so."""
    if prompt.chat_template is not None:
        reason = try_template(prompt.chat_template, prompt.path).reason
        if reason is not None:
            yield f"{reason}; whether it is append-only is not known"


def _hit(prompt: Prompt, template: ChatTemplate, breaks: list[Break], count: CountTokens) -> Hit:
    worst = breaks[0]
    _, offsets = lf_only(template.text)
    span = span_at(prompt, template, offsets[worst.place])
    index = segment_at(prompt, span)
    if worst.is_window:
        span = _loop_around(prompt.segments[index]) or span
    lost = count(worst.before)
    fields = {
        "kinds": _listed([one.kind for one in breaks]),
        "lost": f"{lost:,}",
        "total": f"{count(worst.shared + worst.before):,}",
        "change": _change(worst),
    }
    related: tuple[Related, ...] = ()
    if worst.other_place is not None and not worst.is_window:
        other = span_at(prompt, template, offsets[worst.other_place])
        related = (Related(other, "this prints the other text in its place"),) if other != span else ()
    value = Segment(span=span, text="", lifetime=Lifetime.TURN, origin=Origin.HISTORY)
    return Hit(index, value, span, lost, fields, related, is_value=False, cause=_moving_cause(prompt, index, count))


def _loop_around(segment: Segment) -> Span | None:
    """Return the tag of the loop over the messages that prints ``segment``, which says which of them there are."""
    loops = (c.span for c in segment.controls if c.kind is ControlKind.LOOP and c.origin is Origin.HISTORY)
    return next((span for span in loops if span.path == segment.span.path), None)


def _listed(kinds: list[str]) -> str:
    found = list(dict.fromkeys(kinds))
    more = len(found) - _SHOWN_KINDS
    return "; ".join([*found[:_SHOWN_KINDS], *([f"{more} more"] if more > 0 else [])])


def _change(worst: Break) -> str:
    if worst.is_whole:
        return "the answer is printed again without what the model thought"
    if worst.is_window:
        return "the oldest messages are left out of that one"
    mark = _OPEN_MARK.search(worst.shared)
    lead = mark[0] if mark else ""
    after = f"has {_shown(lead + worst.after)} there" if worst.after else "ends there"
    return f"{_shown(lead + worst.before)} is printed, and the next request {after}"


def _shown(text: str) -> str:
    short = text if len(text) <= _SHOWN_CHARACTERS else text[: _SHOWN_CHARACTERS - 1] + "…"
    return f"`{json.dumps(short, ensure_ascii=False)[1:-1]}`"


def _moving_cause(prompt: Prompt, index: int, count: CountTokens) -> Span | None:
    """Return the place of a block by the newest turn that what stands at ``index`` belongs to."""
    return next((block.span for block in moving_blocks(prompt, count) if block.holds(prompt, index)), None)
