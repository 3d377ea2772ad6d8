"""What an expression stands for: of all it is made of, the part that lives shortest decides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec.structs import replace

from radixlint.late_pattern import late_pattern
from radixlint.lifetime.call_table import (
    CALLS,
    CLOCK_MODULES,
    COMMANDS,
    FILTERS,
    FREE_CALLS,
    LOOKUP_PLUGINS,
    LOOKUPS,
    MODULES,
    NEUTRAL_CALLS,
    SIZE_FILTERS,
)
from radixlint.lifetime.clock_format import TOLD_BY_MOMENTS, is_time_format, prints_days_only, prints_seconds
from radixlint.lifetime.name_match import nature_of_name, words_of
from radixlint.lifetime.name_table import LITERAL, UNKNOWN, Nature
from radixlint.lifetime.name_words import CONTAINERS, EVENTS, VERBS
from radixlint.lifetime.program_calls import (
    is_day_cut,
    is_given_moment,
    is_plain_read,
    nature_of_environment,
    nature_of_program_call,
)
from radixlint.lifetime.round_nature import of_round
from radixlint.lifetime.settings_match import configured
from radixlint.prompt import COUNTED, EACH, Confidence, Cut, Expression, Lifetime, Origin
from radixlint.recent import Recent

Variables = Mapping[str, Lifetime]

_SEEDED: Final = late_pattern(r"\bseed\s*=\s*['\"]?\w*\d|\bseed\(\s*\d|Random\(\s*\d")
_FIXED_DATE: Final = late_pattern(r"\b(?:date|datetime)\(\s*(?:year\s*=\s*)?\d")
_FIRST_ITEM: Final = late_pattern(r"\[\s*0\s*\]|\|\s*first\b|\.0\b")
_DAY_PARTS: Final = late_pattern(
    r"\.(?:year|month|day|date|weekday|isoweekday|toordinal)\b(?!.*\.(?:hour|minute|second|isoformat)\b)"
)
_COMPARES: Final = late_pattern(r"[<>=+*/%]|\bin\b")
_IDENTIFIER: Final = late_pattern(r"[A-Za-z_][\w.]*")
_SIZES: Final = frozenset({"length", "size", "count"})
_RANK: Final = {Confidence.HIGH: 0, Confidence.MEDIUM: 1, Confidence.LOW: 2}
_PREFERENCE: Final = tuple(Origin)
_DRAWN: Final = frozenset({Origin.CLOCK, Origin.ID, Origin.RANDOM})


# Files of one project print the same values. The settings are held, so that no others take their place in memory.
_MOST_KNOWN: Final = 50_000
_LATEST: list[tuple[Variables, Recent[Expression, Nature]]] = []


def nature_of(expression: Expression, variables: Variables) -> Nature:
    """Return what ``expression`` stands for, with a reason in one clause; ``variables`` do not change once given."""
    if not (_LATEST and _LATEST[0][0] is variables):
        _LATEST[:] = [(variables, Recent(_MOST_KNOWN))]
    memo = _LATEST[0][1]
    found = memo.get(expression)
    if found is None:
        found = _nature_of(expression, variables)
        memo.keep(expression, found)
    return found


_FORMATTERS: Final = frozenset(("strftime", "date", "format", "Format", "datetimeformat", "format_datetime", "format_time"))
_MOMENT_NOW: Final = Nature(Origin.CLOCK, Lifetime.CALL, Confidence.MEDIUM, "a moment printed to the second is mostly the clock")
# A server of tools (MCP) is asked for them by a connection, which programs call a session.
_LISTING: Final = frozenset(("list_tools", "listTools"))
_SERVER: Final = Nature(Origin.TOOLS, Lifetime.RELEASE, Confidence.MEDIUM, "a server of tools lists them")


def _nature_of(expression: Expression, variables: Variables) -> Nature:
    named = [*_of_names(expression, variables)]
    natures = [*named, *_of_calls(expression, variables), *_of_filters(expression)]
    told = of_round(expression, named, natures) if not {COUNTED, EACH}.isdisjoint(expression.filters) else None
    if told is not None and not any(configured(name, variables, UNKNOWN) for name in expression.names):
        return told
    known = [n for n in natures if n.origin is not Origin.UNKNOWN]
    if not natures:
        return LITERAL
    if not known:
        return natures[0]
    is_looked_up = any(n.origin is Origin.RETRIEVAL for n in known)
    # What is looked up for a question is no question.
    shortest = min(
        known,
        key=lambda n: (n.lifetime, n.origin is Origin.INPUT and is_looked_up, _RANK[n.confidence], _PREFERENCE.index(n.origin)),
    )
    if shortest.origin is Origin.HISTORY:
        return _first_message(expression, shortest)
    return replace(shortest, is_long=False) if shortest.is_long and _is_size(expression) else shortest


def _is_size(expression: Expression) -> bool:
    """Whether the number of items is printed and not the items."""
    return bool(SIZE_FILTERS & set(expression.filters)) or any(call.split(".")[-1] == "len" for call in expression.calls)


def nature_of_test(expression: Expression, variables: Variables) -> Nature:
    """Return what a condition depends on; whether a clock or an id is given at all does not change with it."""
    nature = nature_of(expression, variables)
    is_plain = not expression.calls and {COUNTED, EACH}.issuperset(expression.filters)
    is_presence = is_plain and not _COMPARES.search(expression.text)
    is_volatile = nature.origin in (Origin.CLOCK, Origin.ID, Origin.RANDOM, Origin.COUNTER)
    return LITERAL if is_presence and is_volatile else nature


def _of_names(expression: Expression, variables: Variables) -> Iterator[Nature]:
    for name in expression.names:
        given = configured(name, variables, nature_of_name(name))
        if given is not None:
            yield given
            continue
        environment = nature_of_environment(name)
        if environment is not None:
            yield environment
            continue
        if any(way == name and asked in _LISTING for way, _, asked in (call.rpartition(".") for call in expression.calls)):
            yield _SERVER
            continue
        if name.split(".")[0] == "loop":
            # Says which item this is; the loop itself is judged.
            continue
        if any(call.startswith(f"{name}.") for call in expression.calls) and name in MODULES:
            continue
        nature = _grained(nature_of_name(name), expression)
        if nature is UNKNOWN and expression.constants and _is_moment(name, expression):
            yield _MOMENT_NOW
            continue
        nature = nature if Cut.NEWEST in expression.filters else _sized(name, nature)
        if nature.origin is Origin.CLOCK and _FIXED_DATE.search(expression.text):
            continue
        if nature.origin is Origin.RANDOM and _SEEDED.search(expression.text):
            continue
        yield replace(nature, reason=_because(name, nature))


def _is_moment(name: str, expression: Expression) -> bool:
    """Whether an unknown name is printed to the second, as only the clock is; a record's own time is named by its event."""
    used = {*expression.filters, *(call.rpartition(".")[2] for call in expression.calls)}
    if _FORMATTERS.isdisjoint(used) or not prints_seconds(expression.constants):
        return False
    *owner, last = name.split(".")
    is_own = bool(owner) and owner[0] not in CONTAINERS
    return not is_own and EVENTS.isdisjoint(words_of(last))


def _sized(name: str, nature: Nature) -> Nature:
    """Return a counter for the size of the history, as in ``messages.length``."""
    is_size = nature.origin is Origin.HISTORY and name.rpartition(".")[2] in _SIZES and "." in name
    return Nature(Origin.COUNTER, Lifetime.CALL, Confidence.MEDIUM) if is_size else nature


def _of_calls(expression: Expression, variables: Variables) -> Iterator[Nature]:
    for call in expression.calls:
        nature = _call_nature(call, expression)
        given = configured(call, variables, nature or UNKNOWN)
        if given is not None:
            yield given
        elif nature is not None:
            yield _kept(replace(nature, reason=_because(f"{call}()", nature)), call, expression)


def _kept(nature: Nature, call: str, expression: Expression) -> Nature:
    """Return what a call stands for where its result is kept: a process lives for about a day, an object for a session."""
    keepers = dict(expression.kept)
    if not keepers:
        return nature
    receiver, _, last = call.rpartition(".")
    keeper = keepers.get(call, "")
    if not keeper and last in TOLD_BY_MOMENTS:
        keeper = keepers.get(receiver.removesuffix("()")) or ("" if "(" in receiver else next(iter(keepers.values())))
    if keeper not in ("process", "object"):
        return nature
    if nature.origin is Origin.RETRIEVAL and keeper == "process":
        return replace(nature, origin=Origin.RELEASE, lifetime=Lifetime.RELEASE, reason="it is read once a process")
    if nature.origin not in _DRAWN or nature.lifetime > Lifetime.CALL:
        return nature
    return replace(nature, lifetime=Lifetime.DAY if keeper == "process" else Lifetime.SESSION, kept=keeper)


def _call_nature(call: str, expression: Expression) -> Nature | None:
    """Return what a call stands for, None if what goes into it decides."""
    *receiver, last = call.split(".")
    known = nature_of_program_call(call, expression)
    if known is not None:
        return _exempt(_grained(known, expression, call), expression)
    if is_given_moment(call, expression):
        return None
    found = _looked_up(last, expression) or CALLS.get(last)
    if found is None and (not receiver or receiver[-1] in CLOCK_MODULES):
        found = FREE_CALLS.get(last) if receiver or not expression.names else None
    if found is not None and found.origin is Origin.RETRIEVAL and is_plain_read(call, expression):
        return None if expression.names or len(expression.calls) > 1 else UNKNOWN
    if found is not None:
        return _exempt(_grained(found, expression, call), expression)
    if last in NEUTRAL_CALLS:
        return None
    nature = _nature_of_function(last)
    if nature is UNKNOWN:
        return None if expression.names or len(expression.calls) > 1 else UNKNOWN
    return _exempt(_grained(nature, expression, call), expression)


def _looked_up(call: str, expression: Expression) -> Nature | None:
    """Return what Ansible's look-up of a command, a file or a setting gives; the first constant names the plug-in."""
    plugin, *given = expression.constants if call in LOOKUPS and expression.constants else [""]
    commands = {word for text in given for word in text.split()[:1]} if plugin == "pipe" else set()
    return next((COMMANDS[word] for word in sorted(commands) if word in COMMANDS), LOOKUP_PLUGINS.get(plugin))


def _nature_of_function(name: str) -> Nature:
    """Return what a function's name says; a verb ahead of a clock or an id adds nothing (``fetch_time``)."""
    nature, (first, *rest) = nature_of_name(name), words_of(name) or ("",)
    if nature is not UNKNOWN or first not in VERBS or not rest:
        return nature
    handed = nature_of_name("_".join(rest))
    return handed if handed.origin in (Origin.CLOCK, Origin.ID, Origin.RANDOM) else UNKNOWN


def _exempt(nature: Nature, expression: Expression) -> Nature | None:
    """Return None for a clock that is a fixed date and for chance with a constant seed."""
    if nature.origin is Origin.CLOCK and _FIXED_DATE.search(expression.text):
        return None
    if nature.origin is Origin.RANDOM and _SEEDED.search(expression.text):
        return None
    return nature


def _of_filters(expression: Expression) -> Iterator[Nature]:
    for name in expression.filters:
        nature = FILTERS.get(name)
        if nature is not None and not _SEEDED.search(expression.text):
            yield replace(nature, reason=f"the filter `{name}` picks anew each time")
        if name == "strftime" and not expression.names and not expression.calls:
            # Ansible's filter prints the current time when it is given nothing but a format.
            clock = _grained(Nature(Origin.CLOCK, Lifetime.CALL, Confidence.MEDIUM), expression)
            yield replace(clock, reason="the filter `strftime` prints the current time")
    if _is_size(expression) and Cut.NEWEST not in expression.filters:
        grown = [n for n in expression.names if nature_of_name(n).origin is Origin.HISTORY]
        if grown:
            yield Nature(Origin.COUNTER, Lifetime.CALL, Confidence.MEDIUM, f"the size of `{grown[0]}` grows with every turn")


def _grained(nature: Nature, expression: Expression, call: str = "") -> Nature:
    """Return a clock's nature at the granularity at which it is printed."""
    if nature.origin is not Origin.CLOCK:
        return nature
    if nature.lifetime is Lifetime.CALL:
        is_date = prints_days_only(expression.constants) or bool(_DAY_PARTS.search(expression.text))
        is_date = is_date or is_day_cut(expression.text) or "[:10]" in expression.filters
        is_date = is_date or any(c.split(".")[-1] in ("date", "today") and "datetime.today" not in c for c in expression.calls)
        return replace(nature, lifetime=Lifetime.DAY) if is_date else nature
    if any(is_time_format(text) for text in expression.constants):
        return replace(nature, lifetime=Lifetime.CALL, confidence=Confidence.MEDIUM)
    if call.endswith("datetime.today") and not prints_days_only(expression.constants):
        return replace(nature, lifetime=Lifetime.CALL)
    return nature


def _first_message(expression: Expression, nature: Nature) -> Nature:
    """The first message of a conversation is its system text, which does not grow."""
    written = _IDENTIFIER.match(expression.text.strip())
    named = nature_of_name(written.group()) if written else UNKNOWN
    if _FIRST_ITEM.search(expression.text) or named.origin is Origin.RELEASE:
        is_long = "role" not in expression.text
        return Nature(Origin.RELEASE, Lifetime.RELEASE, Confidence.MEDIUM, "the first message is the system text", is_long)
    return nature


def _because(name: str, nature: Nature) -> str:
    if nature.origin is Origin.UNKNOWN:
        return f"nothing is known about `{name}`"
    return f"`{name}` looks like {_KINDS[nature.origin]}"


_KINDS: Final = {
    Origin.LITERAL: "fixed text",
    Origin.CLOCK: "the clock",
    Origin.ID: "an id",
    Origin.RANDOM: "a random choice",
    Origin.COUNTER: "a counter",
    Origin.HISTORY: "the conversation history",
    Origin.RETRIEVAL: "retrieved text",
    Origin.TOOLS: "the tool list",
    Origin.TENANT: "tenant data",
    Origin.USER: "user data",
    Origin.SESSION: "session data",
    Origin.FLAG: "a choice of few values",
    Origin.HOST: "the machine or process",
    Origin.INPUT: "this call's input",
    Origin.RELEASE: "part of a release",
}
