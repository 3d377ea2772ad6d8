"""What methods of text and functions on text do: format, join, replace, strip, and those that leave only facts."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import count
from typing import Final

from msgspec.structs import replace

from radixlint.flow.calls import Site
from radixlint.flow.format_fields import fields_in, jinja_fields_in
from radixlint.flow.merging_facts import facts_of
from radixlint.flow.model_orders import order_taints, tainted_part
from radixlint.flow.text_parts import refilled, with_whole_braces
from radixlint.flow.values import Callback, Listed, Mapped, Number, Several, Unknown, Value, Written
from radixlint.prompt import Expression, Segment, Span
from radixlint.prompt.literal_cut import cut

Print = Callable[[Value, str], Written]
Member = Callable[[Value, str], Value | None]

_POSITION: Final = re.compile(
    r"\{(?P<number>\d*)(?P<path>(?:\.[A-Za-z_]\w*|\[\w+\])*)(?:![rsa])?(?::(?P<spec>(?:[^{}\n]|\{\d*\})*))?\}"
)
_WORD: Final = re.compile(r"\w+")
_PERCENT: Final = re.compile(r"%(?:\((?P<name>[^)]*)\))?[-+ #0]*(?:\d+|\*)?(?:\.\d+)?[sdifrxXeEgGacou%]")
_DOLLAR: Final = re.compile(r"\$(?:\$|(?P<name>[A-Za-z_]\w*)|\{(?P<braced>[A-Za-z_]\w*)\})")


_ESCAPED: Final = re.compile(r"\\([^\w\s])")
_OPERATOR: Final = re.compile(r"[.^$*+?()\[\]|\\]")


def words(text: str) -> frozenset[str]:
    """Return the words of ``text``."""
    return frozenset(text.split())


# Methods and functions that change letters or blanks of what goes in and nothing else.
SAME: Final = words(
    "strip lstrip rstrip upper lower title capitalize casefold swapcase expandtabs zfill center ljust rjust encode decode "
    "removeprefix removesuffix trim trimStart trimEnd trimLeft trimRight toUpperCase toLowerCase normalize padStart padEnd "
    "toString valueOf toLocaleUpperCase toLocaleLowerCase stripIndent translate"
)
SAME_FUNCTIONS: Final[dict[str, int]] = {
    **dict.fromkeys(
        words(
            "textwrap.dedent textwrap.indent textwrap.fill textwrap.shorten inspect.cleandoc dedent html.escape html.unescape "
            "escape Markup markupsafe.Markup String.raw stripIndent outdent indent cleandoc markupsafe.escape sys.intern "
            "xml.sax.saxutils.escape xml.sax.saxutils.unescape ftfy.fix_text unidecode.unidecode collections.UserString"
        ),
        0,
    ),
    "unicodedata.normalize": 1,
}
"""Where the text stands among the arguments."""


def separator_of(site: Site) -> Written | None:
    """Return the separator of ``LINE.join(items)`` where its text is not known, as empty; None where no list is joined."""
    receiver = site.receiver
    if len(site.positional) != 1 or not isinstance(site.positional[0], Listed | Several):
        return None
    if receiver is None:
        return None if site.name.endswith("path.join") or "." not in site.name else Written(())
    return Written(()) if isinstance(receiver, Unknown) and not facts_of(receiver).calls else None


def joined_text(separator: Written, items: Value, span: Span, printed: Callable[[Value], Written]) -> Written | None:
    """Return the items of a list as one text with ``separator`` between them."""
    if isinstance(items, Several):
        parts = [
            replace(part, controls=(*controls, *part.controls))
            for controls, choice in items.choices
            for part in (joined_text(separator, choice, span, printed) or Written(())).parts
        ]
        return Written(tuple(parts))
    taints = order_taints(items, span)
    if isinstance(items, Unknown) and taints:
        return Written(tuple(tainted_part(part, taints) for part in printed(items).parts))
    if not isinstance(items, Listed):
        return None
    parts = []
    for number, item in enumerate(items.parts):
        piece = [*(separator.parts if number else ()), *printed(item.value).parts]
        parts.extend(replace(part, controls=(*item.controls, *part.controls)) if item.controls else part for part in piece)
    if taints and parts:
        parts = [tainted_part(parts[0], taints), *parts[1:]]
    return Written(tuple(parts))


def formatted(site: Site, template: Written, printed: Print, of: Member) -> Written:
    """Return ``template.format(...)``: each field is what is given for it, or an attribute or item of that, at the field."""
    numbers = count()
    spread = dict(site.named).get("*")

    def by_position(match: re.Match[str], place: Segment) -> tuple[Segment, ...] | None:
        if match.string[: match.start()].endswith("{"):
            return None
        index = int(match["number"]) if match["number"] else next(numbers)
        value = site.positional[index] if index < len(site.positional) else spread
        for word in _WORD.findall(match["path"]):
            value = of(value, word) if value is not None else None
        return filled(value, place, match["spec"] or "", printed)

    def by_name(path: str, place: Segment) -> tuple[Segment, ...] | None:
        root, *rest = path.split(".")
        value = site.argument(root)
        known = place.expression
        spec = known.constants[0] if known is not None and known.constants else ""
        for word in rest:
            value = of(value, word) if value is not None else None
        return None if value is None else filled(value, place, spec, printed)

    return Written(fields_in(refilled(with_whole_braces(template.parts), _POSITION, by_position), by_name))


def filled(value: Value | None, place: Segment, spec: str, printed: Print) -> tuple[Segment, ...]:
    """Return ``value`` as what fills the field at ``place``; the field itself where nothing is given for it."""
    if value is None:
        return (replace(place, expression=Expression(place.text), offsets=()),)
    return tuple(_placed(part, place) for part in printed(value, spec).parts)


def _placed(part: Segment, place: Segment) -> Segment:
    """Return a part that fills a field: a plain name is placed at the field, all else stays where it is made."""
    known = part.expression
    if known is None or part.span == place.span:
        return part
    if known.calls or part.taints:
        return replace(part, related=(*part.related, place.span))
    return replace(part, span=place.span, related=(*part.related, part.span))


def percent(site: Site, template: Written, printed: Print) -> Written:
    """Return ``template % values``."""
    given = site.positional[0]
    is_tuple = isinstance(given, Listed) and given.kind == "tuple"
    values = iter([part.value for part in given.parts] if is_tuple and isinstance(given, Listed) else [given])

    def fill(match: re.Match[str], place: Segment) -> tuple[Segment, ...] | None:
        if match.group().endswith("%"):
            return (cut(place, 0, 1),)
        name = match["name"]
        if "*" in match.group():
            next(values, None)
        value = next(values, None) if name is None else given.get(name) if isinstance(given, Mapped) else given
        return filled(value, place, "", printed)

    return Written(refilled(template.parts, _PERCENT, fill))


def substituted(site: Site, template: Written, printed: Print) -> Written:
    """Return ``string.Template(template).substitute(...)``."""
    mapping = site.positional[0] if site.positional else None

    def fill(match: re.Match[str], place: Segment) -> tuple[Segment, ...]:
        name = match["name"] or match["braced"]
        if name is None:
            return (cut(place, 0, 1),)
        value = site.argument(name) or (mapping.get(name) if isinstance(mapping, Mapped) else mapping)
        if value is None:
            return (replace(place, expression=Expression(place.text, (name,)), offsets=()),)
        return filled(value, place, "", printed)

    return Written(refilled(template.parts, _DOLLAR, fill))


def rendered(site: Site, template: Written, printed: Print) -> Written:
    """Return a template of ``{{ name }}`` fields filled by the arguments of ``render``; tags of other kinds are left out."""
    given = dict(site.named)
    for value in site.positional:
        if isinstance(value, Mapped):
            given.update((field.key, field.value) for field in value.fields if field.key is not None)
    fields = jinja_fields_in(template)
    parts = fields.parts if isinstance(fields, Written) else ()
    return Written(tuple(found for part in parts for found in _rendered_part(part, given, printed)))


def _rendered_part(part: Segment, given: dict[str, Value], printed: Print) -> tuple[Segment, ...]:
    if part.expression is None:
        over = [given.get(taint.text.partition(".")[0]) for taint in part.taints]
        # A mapping that is known has the order that the program says.
        return (part,) if all(value is None or isinstance(value, Unknown) for value in over) else ()
    name = part.expression.names[0] if part.expression.names else ""
    root = name.partition(".")[0]
    if root in given and re.search(rf"\b{re.escape(root)}\b", part.text) is None:
        # An item of what a loop goes over.
        return (replace(part, expression=facts_of(given[root]).of(part.text)),)
    return filled(given[name], part, "", printed) if part.text.startswith("{{") and name in given else (part,)


def replaced(site: Site, text: Written, printed: Print) -> Written:
    """Return ``text.replace(old, new)``: where a fixed ``old`` stands in fixed text, ``new`` is put in."""
    if len(site.positional) < 2:
        return text
    old, new = site.positional[0], site.positional[1]
    word = old.fixed if isinstance(old, Written) else None
    if not word:
        return text

    def fill(match: re.Match[str], place: Segment) -> tuple[Segment, ...]:
        return filled(new, place, "", printed)

    return Written(refilled(text.parts, re.compile(re.escape(word)), fill))


def replaced_by_pattern(site: Site, printed: Print) -> Written | None:
    """Return ``re.sub(pattern, new, text)``: plain words are replaced; else fixed text leaves the rest as it is.

    No pattern is compiled that a program gives: it may run for ever.
    """
    given = site.positional
    if site.name.endswith("().sub"):
        words_given = facts_of(site.receiver).constants
        known = Written((Segment(words_given[0], site.span),)) if len(words_given) == 1 else Written(())
        given = (known, *given)
    pattern, new, text = (*given, None, None, None)[:3]
    if isinstance(text, Written) and isinstance(new, Callback):
        return text
    if not isinstance(text, Written) or not isinstance(pattern, Written) or not isinstance(new, Written | Unknown | Number):
        return None
    written = pattern.fixed or ""
    if written and not _OPERATOR.search(_ESCAPED.sub("", written)):
        old = Written((replace(pattern.parts[0], text=_ESCAPED.sub(r"\1", written), offsets=()),))
        return replaced(replace(site, positional=(old, new)), text, printed)
    return text if isinstance(new, Written) and new.fixed is not None else None


def number_text(value: Number) -> Written:
    """Return a constant number as text."""
    text = str(value.value)
    return Written((Segment(text, value.span, offsets=((value.span.line, value.span.column),) * len(text)),))
