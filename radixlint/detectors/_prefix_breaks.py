"""Where the prompt of one request is no prefix of the next one's, though the conversation only grew.

An engine keeps what it computed for a prompt and for the answer to it. So the prompt of each request, with the generation prompt
at its end, must stand at the start of the next request's prompt, and the answer behind it.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Final

from radixlint.detectors._head_alignment import shared_length
from radixlint.detectors._probe_conversations import REASONING, REPLIES, Conversation, conversations, thinks
from radixlint.errors import ConfigError
from radixlint.late_pattern import late_pattern
from radixlint.prompt import ChatTemplate
from radixlint.sandbox import Rendering, TemplateRaisedError, render_traced

_CLOSED_THOUGHT: Final = late_pattern(r"</\w*think\w*>|\[/THINK\]")
_NEAR_CHARACTERS: Final = 64
_KINDS_TRIED: Final = 2


@dataclass(frozen=True, slots=True)
class Break:
    """One request's prompt ends to be a prefix of the next one's.

    ``kind`` is the kind of conversation. ``is_cut`` says that what the model had written is left out later. ``place`` is the
    offset in the template of what printed the first difference, ``other_place`` of what the next prompt has there (None if it
    ends). ``before`` and ``after`` are the two texts from there on, the first with the answer behind it; ``shared`` is what is
    in front. ``is_whole`` says that the prompt itself is kept, and the answer alone is lost; ``is_window`` that the oldest
    messages are gone from the next prompt, whatever else differs there.
    """

    kind: str
    is_cut: bool
    place: int
    other_place: int | None
    before: str
    after: str
    shared: str
    is_whole: bool = False
    is_window: bool = False


@dataclass(frozen=True, slots=True)
class Trial:
    """What trying a template gave: its breaks, or the reason why there was nothing to compare."""

    breaks: tuple[Break, ...] = ()
    reason: str | None = None


@functools.lru_cache(maxsize=16)
def try_template(template: ChatTemplate, path: str) -> Trial:
    """Render ``template`` for growing conversations, apart from this process, and compare."""
    text, _ = lf_only(template.text)
    try:
        return _tried(text, dict(template.variables), path)
    except ConfigError as error:
        return Trial(reason=error.message)
    except TemplateRaisedError as error:
        return Trial(reason=f"the chat template does not compile: {error.kind} {error.message}".rstrip())
    except RecursionError:
        return Trial(reason="the chat template nests too deeply")


def lf_only(text: str) -> tuple[str, Sequence[int]]:
    """Return ``text`` with LF as line end, and for each character of it the offset in ``text``."""
    if "\r" not in text:
        return text, range(len(text) + 1)
    kept = [at for at, char in enumerate(text) if char != "\r" or text[at + 1 : at + 2] != "\n"]
    return "".join(text[at] for at in kept).replace("\r", "\n"), [*kept, len(text)]


def _tried(text: str, tokens: Mapping[str, str], path: str) -> Trial:
    form, refusal = _accepted_form(text, tokens, path)
    if form is None:
        return Trial(reason=f"the chat template cannot be tried: {refusal}")
    every = tuple(conversations(text, has_system=form.has_system))
    wanted = [
        one.variables(number, tokens, as_parts=form.as_parts, opens_turn=opens)
        for one in every
        for number in range(len(one.requests))
        for opens in (True, False)
    ]
    rendered = iter(render_traced(text, wanted, path))
    knows_thinking = thinks(text)
    breaks: list[Break] = []
    for one in every:
        pairs = [(next(rendered), next(rendered)) for _ in one.requests]
        if _is_real(one, pairs[0], knows_thinking):
            breaks.extend(_breaks(one, pairs))
    return Trial(tuple(breaks))


@dataclass(frozen=True, slots=True)
class _Form:
    """What a template takes: a system message or none, content as a list of parts or as text."""

    has_system: bool
    as_parts: bool


def _accepted_form(text: str, tokens: Mapping[str, str], path: str) -> tuple[_Form | None, str]:
    """Return the first form in which a question is printed; None, and why, if there is none.

    A template may be for requests with tools alone: these are tried where it prints nothing without.
    """
    forms = [_Form(has_system, as_parts) for has_system in (True, False) for as_parts in (False, True)]
    refusals: list[str] = []
    for kind in range(_KINDS_TRIED):
        openings = [next(islice(conversations(text, has_system=form.has_system), kind, None)) for form in forms]
        asked = [one.variables(0, tokens, as_parts=form.as_parts) for one, form in zip(openings, forms, strict=True)]
        answers = render_traced(text, asked, path)
        for form, answer, opening in zip(forms, answers, openings, strict=True):
            if str(opening.requests[0][-1]["content"]) in answer.text:
                return form, ""
        refusals.extend(answer.refusal for answer in answers if answer.refusal)
    return None, next(iter(refusals), "it prints no message")


def _is_real(one: Conversation, first: tuple[Rendering, Rendering], knows_thinking: bool) -> bool:
    """Whether a model would answer so: it thinks unless the open turn says that the thinking is over."""
    opened, still = first
    is_over = bool(_CLOSED_THOUGHT.search(opened.text, shared_length(opened.text, still.text)))
    if one.reasoning[0] is not None:
        return not is_over
    return is_over or bool(one.switches) or not knows_thinking


def _breaks(one: Conversation, pairs: Sequence[tuple[Rendering, Rendering]]) -> Iterator[Break]:
    oldest = [text for message in one.requests[0] if (text := str(message["content"])) in pairs[0][0].text]
    for number, ((before, still), (after, _)) in enumerate(pairwise(pairs)):
        # A template may refuse a conversation, such as one with tools; what comes before is compared all the same.
        if before.refusal is not None or after.refusal is not None:
            return
        at = shared_length(before.text, after.text)
        said = [text for text in (one.reasoning[number], one.replies[number]) if text in (*REASONING, *REPLIES) and text]
        is_answer_cut = any(text not in after.text for text in said)
        if at < len(before.text) and any(text not in after.text for text in oldest):
            other = after.place_at(at) if at < len(after.text) else None
            lost = before.text[at:] + one.replies[number]
            yield Break(one.kind, False, before.place_at(at), other, lost, after.text[at:], before.text[:at], is_window=True)
        elif at < len(before.text):
            is_open = at >= shared_length(before.text, still.text)
            is_cut = is_answer_cut if is_open else _is_cut(one, number, at, before.text, after.text)
            other = after.place_at(at) if at < len(after.text) else None
            place = before.place_at(at)
            # Where the answer is there and the thoughts are gone, what prints the answer leaves them out.
            if is_open and is_cut and other is not None and one.replies[number] in after.text:
                place, other = other, place
            lost = before.text[at:] + one.replies[number]
            yield Break(one.kind, is_cut, place, other, lost, after.text[at:], before.text[:at])
        elif is_answer_cut:
            found = after.text.find(one.replies[number], at)
            place = after.place_at(found if found >= 0 else at)
            yield Break(one.kind, True, place, None, one.replies[number], after.text[at:], before.text, is_whole=True)


def _is_cut(one: Conversation, number: int, at: int, before: str, after: str) -> bool:
    """Whether what differs first at ``at`` is something that the model wrote earlier, and that is gone."""
    for text in (*one.reasoning[:number], *one.replies[:number]):
        if text is not None and text in before and text not in after:
            start = before.index(text)
            if start - _NEAR_CHARACTERS <= at <= start + len(text):
                return True
    return False
