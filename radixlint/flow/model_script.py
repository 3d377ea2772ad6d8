"""What calls of JavaScript alone do: tags of templates, searches by pattern, shuffles by a sort, moments that are formatted."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from radixlint.flow.calls import Context, Outcome, Site
from radixlint.flow.merging_facts import facts_of, union
from radixlint.flow.model_text import filled
from radixlint.flow.text_parts import refilled, repeated
from radixlint.flow.values import Callback, Facts, Instance, Mapped, Number, Unknown, Value, Written
from radixlint.prompt import Segment

Print = Callable[[Value, str], Written]

# Tags and functions that change blanks of what goes in, or hand it on, by the last part of their name.
_HANDED_ON: Final = frozenset(
    ("dedent", "outdent", "stripIndent", "stripIndents", "oneLine", "oneLineTrim", "trimIndent", "codeBlock", "endent")
)
_MARKED: Final = frozenset(("tool", "createTool", "defineTool", "dynamicTool"))
_SORTS: Final = frozenset(("sort", "toSorted", "sortBy", "orderBy"))
_FINE: Final = re.compile(r"hour|minute|second|timeStyle", re.IGNORECASE)
_COARSE: Final = re.compile(r"weekday|era|year|month|day|dateStyle", re.IGNORECASE)
_LOCAL: Final = ("toLocaleString", "toLocaleDateString")
_PATTERN: Final = re.compile(r"/((?:\\.|[^\\/\n])+)/[a-z]*")
_BLANKS: Final = re.compile(r"\\s[*+?]?|[ ][*+?]")
_OPEN: Final = re.compile(r"(?<!\\)(?:\\\\)*[\[\](){}|^$.*+?]|\\[a-zA-Z0-9]")
_BRACES: Final = re.compile(r"(?<!\\)[{}]{2}")
_CONSTANT_MAX: Final = 80


def script_call(site: Site, context: Context, printed: Print) -> Outcome | None:
    """Return what a call gives that only JavaScript has, None for all others."""
    last = site.name.rsplit(".", 1)[-1]
    first = site.positional[0] if site.positional else None
    if last in _HANDED_ON and isinstance(first, Written):
        return Outcome(first)
    if last in _MARKED and first is not None and len(site.positional) == 1:
        return Outcome(first)
    if last in ("replace", "replaceAll") and isinstance(site.receiver, Written) and len(site.positional) == 2:
        return _replaced(site, site.receiver, context, printed)
    if last == "repeat" and isinstance(site.receiver, Written) and isinstance(first, Number) and isinstance(first.value, int):
        return Outcome(Written(repeated(site.receiver.parts, first.value)))
    if last in _SORTS and site.positional:
        return _shuffled(site, context)
    return None if site.node.is_new else _of_fixed_moment(site) or _localised(site, last) or _of_moment(site, last)


def _replaced(site: Site, text: Written, context: Context, printed: Print) -> Outcome | None:
    r"""``text.replace(/{{\s*now\s*}}/g, value)`` and ``text.replace("{{now}}", () => value)``."""
    old, new = site.positional
    pattern = _searched(old)
    if pattern is None:
        return None
    value = context.invoke(new, (old,), (), site.span) if isinstance(new, Callback) else new

    def fill(match: re.Match[str], place: Segment) -> tuple[Segment, ...]:
        return filled(value, place, "", printed)

    return Outcome(Written(refilled(text.parts, pattern, fill)))


def _searched(old: Value) -> re.Pattern[str] | None:
    """Return what is looked for: a fixed text, or a pattern that is one but for blanks; None for other patterns."""
    if isinstance(old, Written):
        return re.compile(re.escape(old.fixed)) if old.fixed else None
    written = _PATTERN.fullmatch(old.text) if isinstance(old, Unknown) else None
    if written is None:
        return None
    pieces = _BLANKS.split(_BRACES.sub(lambda braces: "".join(f"\\{sign}" for sign in braces[0]), written[1]))
    if any(_OPEN.search(piece) for piece in pieces) or not any(pieces):
        return None
    return re.compile(r"\s*".join(re.escape(re.sub(r"\\(.)", r"\1", piece)) for piece in pieces))


def _shuffled(site: Site, context: Context) -> Outcome | None:
    """``items.sort(() => Math.random() - 0.5)`` leaves the items in an order that differs on every call."""
    by = site.positional[-1]
    if site.receiver is None or not isinstance(by, Callback):
        return None
    told = facts_of(context.invoke(by, (), (), site.span))
    if not any(call.endswith("random") for call in told.calls):
        return None
    facts = union((facts_of(site.receiver), Facts(calls=("Math.random",))))
    mixed = Unknown(facts, site.span, site.text)
    return Outcome(mixed, mixed)


def _of_fixed_moment(site: Site) -> Outcome | None:
    """``new Date("2024-05-01").toISOString()`` is the same on every call."""
    moment = site.receiver
    is_fixed = isinstance(moment, Instance) and moment.made == "Date" and moment.given and facts_of(moment) == facts_of()
    return Outcome(Unknown(Facts(), site.span, site.text)) if is_fixed else None


def _localised(site: Site, last: str) -> Outcome | None:
    """``new Date().toLocaleString("en", options)`` and what a ``DateTimeFormat`` prints: the options say how fine it is."""
    moment, is_new = site.receiver, isinstance(site.receiver, Instance) and not site.receiver.given
    options = site.argument("", 1)
    if "DateTimeFormat" in site.name and last in ("format", "formatToParts") and isinstance(moment, Instance):
        if site.positional:
            return None
        is_new, options = True, dict(moment.given).get("1")
    elif last not in _LOCAL or options is None:
        return None
    if not is_new or not isinstance(moment, Instance):
        return None
    day = "Date.toLocaleDateString"
    call = day if options is None else _grain(options, "Date.toLocaleString" if last == "toLocaleString" else day)
    return Outcome(Unknown(Facts(calls=(call,)), moment.span if "Format" not in site.name else site.span, site.text))


def _grain(options: Value, otherwise: str) -> str:
    """Return the call that prints as fine as ``options`` of a format ask for; ``otherwise`` where they do not say."""
    keys = [field.key for field in options.fields if field.key is not None] if isinstance(options, Mapped) else []
    if any(_FINE.search(key) for key in keys):
        return "Date.toLocaleString"
    return "Date.toLocaleDateString" if any(_COARSE.search(key) for key in keys) else otherwise


def _of_moment(site: Site, last: str) -> Outcome | None:
    """A function that is given ``new Date()`` prints it: ``format(new Date(), "yyyy-MM-dd")``."""
    moment = next((v for v in site.positional if isinstance(v, Instance) and v.made == "Date" and not v.given), None)
    if moment is None or (last[:1].isupper() and last != "Number"):
        return None
    constants = tuple(v.fixed for v in site.positional if isinstance(v, Written) and v.fixed and len(v.fixed) <= _CONSTANT_MAX)
    call = "Date"
    if "DateTimeFormat" in site.name:
        given = dict(site.receiver.given).get("1") if isinstance(site.receiver, Instance) else None
        call = "Date" if _FINE.search(site.text) else "Date.toLocaleDateString"
        call = _grain(given, call) if given is not None else call
    others = facts_of(*(value for value in site.positional if value is not moment))
    facts = replace(others, calls=(*others.calls, call), constants=constants)
    return Outcome(Unknown(facts, moment.span, site.module.passage.text[site.node.start : site.node.end][:_CONSTANT_MAX]))
