"""Make prompts of what the evaluator meets: requests at sinks, messages and tools, and what is named or reads like a prompt.

A unit of weaker evidence is dropped where all of it is part of one of stronger evidence.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Final

from msgspec.structs import replace

from radixlint.flow.calls import Outcome, Site
from radixlint.flow.format_fields import double_fields_in, fields_in, has_double_fields, has_single_fields
from radixlint.flow.keeping import OBJECT
from radixlint.flow.merging_facts import facts_of, taints_of
from radixlint.flow.program import Cut, Function, Module, Node
from radixlint.flow.sink_table import Sink
from radixlint.flow.unit_asides import Asides, asides_in
from radixlint.flow.unit_edits import edits_in
from radixlint.flow.unit_elements import is_element, messages_in, text_in
from radixlint.flow.unit_events import event_prompts, habit_of_binding, habit_of_call
from radixlint.flow.unit_layout import Layout, is_message, is_messages, is_tools
from radixlint.flow.unit_marks import habits_of_marks
from radixlint.flow.unit_requests import given_back, has_text, request_of, sink_of
from radixlint.flow.unit_rounds import requests_of
from radixlint.flow.unit_sent import SentLists
from radixlint.flow.unit_signs import (
    is_addressed,
    is_sentence,
    is_speech,
    names_models,
    names_prompt,
    names_text,
    names_text_for_people,
    names_tool_use,
    names_tools,
)
from radixlint.flow.unit_windows import Windows
from radixlint.flow.values import Instance, Listed, Mapped, Several, Unknown, Value, Written
from radixlint.prompt import COUNTED, EACH, Chance, Confidence, Event, Evidence, Habit, Prompt, Role, Segment, Span

_RANK: Final = {evidence: rank for rank, evidence in enumerate(Evidence)}
_ORDERS: Final = frozenset((Chance.SET, Chance.IO, Chance.MAPPING))
_ROUNDS: Final = frozenset((COUNTED, EACH))
_UNITS_MAX: Final = 2_000
_ABOUT_MARKS: Final = frozenset((Habit.MARK_UNUSED, Habit.MARK_IN_LOOP))
_DOUBT: Final = "nothing that was checked sends this text, so it may be no prompt"


class Units:
    """The listener that collects prompts of one file and of what it calls."""

    def __init__(self, module: Module, sinks: tuple[Sink, ...] = ()) -> None:
        self.module = module
        self._sinks = sinks
        self._found: list[Prompt] = []
        self._events: dict[tuple[str, Span], Event] = {}
        self._lists = SentLists(module)
        self._windows = Windows(module, self._lists)

    def called(self, site: Site, outcome: Outcome) -> None:
        """Take a call that sends a prompt, or that changes messages sent before."""
        if site.module is not self.module and not site.callers:
            return
        event = habit_of_call(site)
        if event is not None:
            self._note(event)
        sink = sink_of(site, self._sinks)
        prompts = [request_of(each, sink) for each in requests_of(site, sink)] if sink is not None else []
        for prompt in prompts:
            self._add(prompt)
        if sink is None and site.module is self.module:
            # What nobody is known to send may say by the name of its argument what it is.
            objects = [
                (field.key or "", field.value) for given in site.positional if isinstance(given, Mapped) for field in given.fields
            ]
            for name, value in (*site.named, *objects):
                if name == "system" or names_prompt(name):
                    self._take(f"{name} prompt", value, site.module)

    def returned(self, function: Function, module: Module, value: Value, node: Node, callers: tuple[Span, ...]) -> None:
        """Take what a function gives back if it is named like a prompt or has the shape of one."""
        if module is self.module and not callers:
            for prompt in given_back(function, value, node, module, self._sinks):
                self._add(prompt)
            self._take(function.name, value, module)

    def bound(
        self, target: str, value: Value, node: Node, module: Module, owner: Function | None, added: Value | None = None
    ) -> None:
        """Take what is bound to a name that says prompt, and note what is done to messages."""
        if module is not self.module:
            return
        event = habit_of_binding(target, value, node, module, owner, added)
        if event is not None:
            self._note(event)
        is_question = names_prompt(target) and self._asides.is_asked(target, owner)
        if not is_question and not self._is_sorted_at_once(value, node):
            self._take(target, value, module)

    def evaluated(self, value: Value, node: Node, module: Module, owner: Function | None) -> None:
        """Take messages and tools that are written out anywhere, and note windows on the history."""
        if module is not self.module:
            return
        if isinstance(node, Cut):
            self._windows.note_cut(value, node)
        elif (is_messages(value) or is_tools(value)) and not self._is_sorted_at_once(value, node):
            self._add(self._messages(value, "messages"))

    def _is_sorted_at_once(self, value: Value, node: Node) -> bool:
        """Whether the order that a list is made in is lost at once, or under its name in the same function."""
        if not any(taint.chance in _ORDERS for taint in taints_of(value)):
            return False
        return any(start <= node.start and node.end <= end for start, end in self._asides.sorted)

    @cached_property
    def _asides(self) -> Asides:
        return asides_in(self.module)

    def _reached(self) -> frozenset[Span]:
        """Return the places that values of prompts come from and through, and of what decides about them."""
        parts = [segment for prompt in self._found for segment in prompt.segments if not segment.is_literal or segment.controls]
        return frozenset(at for part in parts for at in (part.span, *part.related, *(c.span for c in part.controls)))

    def prompts(self) -> tuple[Prompt, ...]:
        """Return the prompts by place, the surest of each text, and one for each event."""
        sends = any(prompt.evidence in (Evidence.SINK, Evidence.MESSAGES) for prompt in self._found)
        windows = self._windows.found(sends=sends, reached=self._reached() if sends else ())
        for event in (*habits_of_marks(self.module, self._lists), *windows):
            self._note(event)
        # A loop says which list its items are of; the function that it calls for each does not know.
        windows_at = {span for habit, span in self._events if habit is Habit.WINDOW}
        edits = (event for event in edits_in(self.module, self._lists) if event.span not in windows_at)
        self._events |= {(event.habit, event.span): event for event in edits}
        kept: list[Prompt] = []
        known: set[object] = set()
        told: set[Span] = set()
        for prompt in sorted(self._found, key=_standing):
            segments = [segment for segment in prompt.segments if segment.span not in told]
            own = {_key(segment) for segment in segments if segment.text.strip() or segment.taints}
            if own and not (own <= known):
                kept.append(prompt)
                known |= own
                # A placeholder that is filled there is told with what fills it.
                known |= {(at.path, at.line, at.column, False, ()) for segment in prompt.segments for at in segment.related}
            told |= {segment.span for segment in prompt.segments if _is_of_round(segment)}
        kept.sort(key=lambda prompt: (prompt.segments[0].span, prompt.name))
        return (*kept, *event_prompts(self.module, self._weighed(list(self._events.values()))))

    def _weighed(self, events: list[Event]) -> list[Event]:
        """Return events as sure as the file shows messages for a model: others keep histories and lists of messages too."""
        if any(_evidence(found) in (Evidence.SINK, Evidence.MESSAGES) for found in self._found):
            return events
        return [
            event if event.habit in _ABOUT_MARKS else replace(event, confidence=Confidence.LOW)
            for event in events
            if self.names_models or event.habit in _ABOUT_MARKS
        ]

    @cached_property
    def names_models(self) -> bool:
        """Whether the file names models and talk."""
        return names_models(self.module.passage.text)

    @cached_property
    def _names_tool_use(self) -> bool:
        return self.names_models or names_tool_use(self.module.passage.text)

    def _note(self, event: Event) -> None:
        """Note an event; of the calls through which one place is reached those that say what goes in say more."""
        known = self._events.setdefault((event.habit, event.span), event)
        if known is not event:
            covers = tuple(dict.fromkeys((*known.covers, *event.covers)))
            is_fuller = event.value is not None and event.value.calls and not (known.value and known.value.calls)
            self._events[event.habit, event.span] = replace(event if is_fuller else known, covers=covers)

    def _add(self, prompt: Prompt | None) -> None:
        if prompt is not None and len(self._found) < _UNITS_MAX and has_anything(prompt.segments):
            self._found.append(prompt)

    def _take(self, name: str, value: Value, module: Module) -> None:
        if isinstance(value, Written):
            self._add(self._text(name, value))
        elif isinstance(value, Several):
            for _, choice in value.choices:
                self._take(name, choice, module)
        elif is_messages(value) or is_tools(value) or is_message(value):
            self._add(self._messages(value, name))
        elif isinstance(value, Instance) and is_element(value):
            self._take_element(name, value)
        elif isinstance(value, Listed | Unknown | Mapped) and _is_tainted_tools(name, value) and self._names_tool_use:
            layout = Layout()
            layout.tools(value)
            self._add(self._prompt(name, tuple(layout.segments), Evidence.NAME))

    def _take_element(self, name: str, value: Instance) -> None:
        messages = messages_in(value)
        if messages is not None:
            self._add(self._messages(messages, name))
            return
        text = text_in(value)
        if text is not None:
            self._add(self._text(name, text))

    def _text(self, name: str, value: Written) -> Prompt | None:
        value = _with_placeholders(value)
        if not any(part.expression is not None or part.taints for part in value.parts):
            return None
        if names_prompt(name) and is_sentence(value):
            evidence, is_doubted = Evidence.NAME, False
        elif is_speech(value) and not names_text_for_people(name) and (self.names_models or is_addressed(value)):
            evidence, is_doubted = Evidence.TEXT, not names_text(name)
        elif _is_call_arguments(name) and taints_of(value):
            segments = tuple(replace(part, role=Role.ASSISTANT) for part in value.parts)
            return self._prompt(name, segments, Evidence.MESSAGES)
        else:
            return None
        segments = tuple(_doubted(part) if is_doubted else part for part in value.parts)
        return self._prompt(name, segments, evidence)

    def _messages(self, value: Value, name: str) -> Prompt:
        layout = Layout()
        if is_tools(value):
            layout.tools(value)
        else:
            layout.messages(value)
        found = self._prompt(name, tuple(layout.segments), Evidence.MESSAGES)
        return replace(found, has_breakpoints=bool(layout.marks))

    def _prompt(self, name: str, segments: tuple[Segment, ...], evidence: Evidence) -> Prompt:
        return Prompt(self.module.path, name, self.module.language, segments, evidence=evidence)


def has_anything(segments: tuple[Segment, ...]) -> bool:
    """Whether there is text, or something left to chance."""
    return has_text(segments) or any(segment.taints for segment in segments)


def _standing(prompt: Prompt) -> tuple[int, int, bool, bool]:
    """Return what to sort by, the surest first: of the same text, what is said of it where a loop sends it."""
    return _RANK[_evidence(prompt)], -len(prompt.segments), not any(map(_is_of_round, prompt.segments)), _is_supposed(prompt)


def _is_of_round(segment: Segment) -> bool:
    return segment.expression is not None and not _ROUNDS.isdisjoint(segment.expression.filters)


def _evidence(prompt: Prompt) -> Evidence:
    return prompt.evidence or Evidence.TEXT


def _is_supposed(prompt: Prompt) -> bool:
    """Whether an object that lives on is only supposed: where the file makes it, it says more."""
    return any(part.expression is not None and any(k == OBJECT for _, k in part.expression.kept) for part in prompt.segments)


def _key(segment: Segment) -> object:
    # Text with fields begins where its first piece does.
    span = segment.span
    return (span.path, span.line, span.column, segment.expression is None, segment.taints)


def _doubted(part: Segment) -> Segment:
    # Whether a condition switches text counts for nothing where the text may be none of a prompt.
    part = replace(part, controls=()) if part.controls else part
    return part if part.expression is None else replace(part, confidence=Confidence.LOW, reason=_DOUBT)


def _with_placeholders(value: Written) -> Written:
    """Return text with the fields that are filled elsewhere as parts."""
    if has_double_fields(value):
        return double_fields_in(value)
    if has_single_fields(value) and all(part.expression is None for part in value.parts):
        return Written(fields_in(value.parts))
    return value


def _is_tainted_tools(name: str, value: Value) -> bool:
    taints = taints_of(value)
    if not any(taint.chance in _ORDERS for taint in taints):
        return False
    if names_tools(name):
        return True
    if not isinstance(value, Unknown):
        return any(names_tools(found) for found in _names(value))
    # What a call gives depends on all that went in, as an answer does on the tools of its request.
    return not value.facts.calls and any(names_tools(path) for path in value.facts.names)


def _names(value: Value) -> Iterator[str]:
    for path in facts_of(value).names:
        yield from path.split(".")


def _is_call_arguments(target: str) -> bool:
    """Whether a target is the arguments of a tool call in a message."""
    return "arguments" in target and ("function" in target or "tool" in target or "call" in target)
