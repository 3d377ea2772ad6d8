"""What library functions and methods do with values; the door to all models."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from radixlint.flow.calls import Context, Outcome, Site
from radixlint.flow.merging_facts import facts_of, source_of
from radixlint.flow.model_callbacks import filtered_elsewhere
from radixlint.flow.model_collections import METHODS
from radixlint.flow.model_cuts import cut_of_unknown
from radixlint.flow.model_files import named_template, read_file
from radixlint.flow.model_functions import BY_LAST, FUNCTIONS, SCRIPT_FUNCTIONS
from radixlint.flow.model_json import (
    DUMPS,
    GENERATED,
    LOADS,
    address_taint,
    dumped,
    loaded,
    printed_at_its_address,
    printed_data,
    spelled_inside,
)
from radixlint.flow.model_lines import cut_text
from radixlint.flow.model_operators import OPERATORS, of_type, operated
from radixlint.flow.model_orders import counted_order, element_of, is_scalar, tainted_part
from radixlint.flow.model_pieces import BUFFER, PIECES, PIECES_BY_LAST
from radixlint.flow.model_rewording import reworded
from radixlint.flow.model_script import script_call
from radixlint.flow.model_seeds import Seeds
from radixlint.flow.model_tasks import TASKS, TASKS_BY_LAST
from radixlint.flow.model_text import (
    SAME,
    SAME_FUNCTIONS,
    formatted,
    joined_text,
    number_text,
    percent,
    rendered,
    replaced,
    replaced_by_pattern,
    separator_of,
    substituted,
)
from radixlint.flow.sink_table import sink_table
from radixlint.flow.values import (
    GENERATOR,
    Absent,
    Callback,
    Instance,
    Library,
    Listed,
    Mapped,
    Number,
    Several,
    Unknown,
    Value,
    Written,
)
from radixlint.prompt import Expression, Segment, Span

_PRINTING: Final = frozenset(("str", "repr", "String", "format", "unicode", "ascii"))
_TEMPLATES: Final = ("Template", "from_string", "get_template")
_PATTERNS: Final = frozenset(("re.sub", "regex.sub", "re.compile().sub", "regex.compile().sub"))
_PIECES: Final = {**PIECES, **TASKS, **OPERATORS}
_PIECES_BY_LAST: Final = {**PIECES_BY_LAST, **TASKS_BY_LAST}


class LibraryModels:
    """The models of one language."""

    def __init__(self, language: str) -> None:
        self._is_script = language == "script"
        self._seeds = Seeds()

    def call(self, site: Site, context: Context) -> Outcome | None:
        """Return what a call gives, None if nothing is known about it."""
        if self._is_script:
            told = script_call(site, context, self._print_at(site, context))
            if told is not None:
                return told
        else:
            site = of_type(site) or site
        told = self._made(site, context) or self._modelled(site, context) or self._method(site, context)
        return told or reworded(site, self._print_at(site, context))

    def _made(self, site: Site, context: Context) -> Outcome | None:
        """Return what reads files, draws by chance, calculates, or writes and reads data."""
        opened = named_template(site, context) or read_file(site, context)
        if opened is not None:
            return Outcome(opened)
        told = self._seeds.drawn(site) or operated(site, context)
        if told is not None:
            return told
        name = site.name.removesuffix("()")
        found = dumped(site, context) if name in DUMPS else loaded(site) if name in LOADS else None
        return Outcome(found) if found is not None else None

    def _modelled(self, site: Site, context: Context) -> Outcome | None:
        """Return what a function gives that is known by its name."""
        name = site.name.removesuffix("()")
        own = SCRIPT_FUNCTIONS.get(name) if self._is_script else None
        function = own or FUNCTIONS.get(name) or _PIECES.get(name)
        if function is not None:
            return function(site, context)
        by_last = _PIECES_BY_LAST.get(name.rsplit(".", 1)[-1])
        told = by_last(site, context) if by_last is not None else None
        if told is not None:
            return told
        if name in _PATTERNS:
            found = replaced_by_pattern(site, self._print_at(site, context))
            return Outcome(found) if found is not None else None
        if name in SAME_FUNCTIONS:
            kept = site.argument("text", SAME_FUNCTIONS[name])
            return Outcome(kept) if kept is not None else None
        if name in _PRINTING and site.positional:
            return Outcome(self.printed(site.positional[0], site.span, context, "", "r" if name == "repr" else ""))
        return None

    def _print_at(self, site: Site, context: Context) -> Callable[..., Written]:
        return lambda value, form="": self.printed(value, site.span, context, form)

    def iterated(self, value: Value, span: Span, context: Context) -> Value:
        """Return one item of ``value`` as a loop at ``span`` sees it."""
        return element_of(value, span)

    def printed(self, value: Value, span: Span, context: Context, form: str = "", conversion: str = "") -> Written:
        """Return ``value`` as text."""
        if isinstance(value, Written):
            return value
        if isinstance(value, Unknown):
            spelled = context.spelled(value, span, form, conversion) if value.type and not is_scalar(value) else None
            return Written((_part_of(value, form),)) if spelled is None else self.printed(spelled, span, context, form)
        if isinstance(value, Number):
            return number_text(value)
        if isinstance(value, Several):
            parts = [
                replace(part, controls=(*controls, *part.controls))
                for controls, choice in value.choices
                for part in self.printed(choice, span, context, form, conversion).parts
            ]
            return Written(tuple(parts))
        if isinstance(value, Listed | Mapped):
            spelled = context.spelled(value, span, form, conversion) if value.identity else None
            if spelled is not None:
                return self.printed(spelled, span, context, form)
            if isinstance(value, Listed) and value.kind == GENERATOR and not self._is_script:
                return printed_at_its_address(GENERATED, span)
            return printed_data(spelled_inside(value, span, context), span)
        if isinstance(value, Absent):
            return Written(())
        spelled = context.spelled(value, span, form, conversion) if isinstance(value, Instance) and value.identity else None
        if spelled is not None:
            return self.printed(spelled, span, context, form, conversion)
        return self._printed_object(value, span)

    def _printed_object(self, value: Value, span: Span) -> Written:
        if isinstance(value, Callback):
            name = value.name or "function"
            part = Segment(name, span, expression=facts_of(value).of(name))
            # JavaScript prints the source of a function, which stays the same.
            return Written((tainted_part(part, () if self._is_script else address_taint(value, span, name)),))
        if isinstance(value, Instance):
            # An object of a library prints itself; one that is made on the spot is a source of its own (``new Date()``).
            facts = facts_of(value)
            calls = (*facts.calls, value.made) if not value.identity else facts.calls
            expression = replace(facts.of(value.made), calls=calls)
            place = source_of((value,)) if facts.calls else None
            return Written((Segment(value.made, place[0] if place else value.span, expression=expression, taints=facts.taints),))
        name = value.name if isinstance(value, Library) else ""
        return Written((Segment(name, span, expression=Expression(name, (name,))),)) if name else Written(())

    def _method(self, site: Site, context: Context) -> Outcome | None:
        last, receiver = site.name.rsplit(".", 1)[-1], site.receiver
        if last == "join" and not self._is_script and (separator := separator_of(site)) is not None:
            found = joined_text(separator, site.positional[0], site.span, self._print_at(site, context))
            return Outcome(found) if found is not None else None
        if receiver is None or isinstance(receiver, Library | Callback):
            if last.startswith("from_") and sink_table().speaker(site.name) is not None:
                given = (*((str(at), value) for at, value in enumerate(site.positional)), *site.named)
                return Outcome(Instance(site.name, given, site.span))
            if last == "filter" and self._is_script:
                return filtered_elsewhere(site, context)
            function = BY_LAST.get(last)
            return function(site, context) if function is not None and "." in site.name else None
        told = self._written_method(site, last, context)
        if told is not None:
            return told
        cut = cut_of_unknown(site, last)
        if cut is not None:
            return cut
        method = METHODS.get(last)
        if method is not None and isinstance(receiver, Listed | Mapped | Unknown | Several):
            outcome = method(site, context)
            if outcome is not None:
                return outcome
        function = BY_LAST.get(last)
        return function(site, context) if function is not None else None

    def _written_method(self, site: Site, last: str, context: Context) -> Outcome | None:
        """Return what a method of text, of a template or of a count gives."""
        receiver = site.receiver
        if isinstance(receiver, Written) or _is_written_out(last, receiver):
            found = self._text_method(site, last, context)
            pieces = Outcome(found) if found is not None else cut_text(site, last)
            if pieces is not None:
                return pieces
        if last in SAME and isinstance(receiver, Written | Several):
            return Outcome(receiver)
        counted = counted_order(site, last)
        if counted is not None:
            return Outcome(counted)
        if last in ("substitute", "safe_substitute", "render", "render_async") and isinstance(receiver, Instance):
            return self._rendered(site, receiver, last, context)
        return None

    def _text_method(self, site: Site, last: str, context: Context) -> Written | None:
        def printed(value: Value, form: str = "") -> Written:
            return self.printed(value, site.span, context, form)

        receiver = site.receiver
        first = site.positional[0] if site.positional else None
        if last in ("join", "getvalue", "read"):
            return self._joined(site, last, printed)
        if not isinstance(receiver, Written):
            return None
        if last in ("format", "format_map"):
            if last == "format_map" and isinstance(first, Mapped):
                named = tuple((field.key, field.value) for field in first.fields if field.key is not None)
                site = replace(site, named=named, positional=())
            return formatted(site, receiver, printed, context.member) if last == "format" or not site.positional else None
        if last == "%":
            return percent(site, receiver, printed)
        if last in ("replace", "replaceAll"):
            return replaced(site, receiver, printed)
        if last == "concat":
            return Written((*receiver.parts, *(part for value in site.positional for part in printed(value).parts)))
        return None

    def _joined(self, site: Site, last: str, printed: Callable[[Value], Written]) -> Written | None:
        receiver, first = site.receiver, site.positional[0] if site.positional else None
        if receiver is None or last in ("getvalue", "read"):
            return joined_text(Written(()), receiver, site.span, printed) if receiver is not None else None
        if isinstance(receiver, Written):  # Python: separator.join(items)
            return joined_text(receiver, first, site.span, printed) if first is not None else None
        separator = printed(first) if first is not None else Written((Segment(",", site.span, offsets=_one(site.span)),))
        return joined_text(separator, receiver, site.span, printed)

    def _rendered(self, site: Site, template: Instance, last: str, context: Context) -> Outcome | None:
        text = dict(template.given).get("0") or dict(template.given).get("template") or dict(template.given).get("source")
        if not isinstance(text, Written) or not template.made.endswith(_TEMPLATES[:2]):
            return None

        def printed(value: Value, form: str = "") -> Written:
            return self.printed(value, site.span, context, form)

        is_jinja = last.startswith("render")
        return Outcome(rendered(site, text, printed) if is_jinja else substituted(site, text, printed))


def _is_written_out(last: str, receiver: Value | None) -> bool:
    """Whether a method writes a list, or a buffer of text, as one text."""
    is_buffer = last == "read" and isinstance(receiver, Listed) and receiver.kind == BUFFER
    return is_buffer or (last in ("join", "format", "getvalue") and isinstance(receiver, Listed | Several))


def _one(span: Span) -> tuple[tuple[int, int], ...]:
    return ((span.line, span.column),)


def _part_of(value: Unknown, form: str) -> Segment:
    facts = value.facts
    if form:
        facts = replace(facts, constants=(*facts.constants, form))
    related = tuple(place for place in facts.places if place != value.span)
    return Segment(value.text, value.span, expression=facts.of(value.text), related=related, taints=facts.taints)


def library_models(language: str) -> LibraryModels:
    """Return the models of ``python`` or ``script``."""
    return LibraryModels(language)
