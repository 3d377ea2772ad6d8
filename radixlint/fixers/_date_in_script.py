"""Print the date of a clock in a script and leave its time out: ``new Date().toISOString()`` becomes ``....slice(0, 10)``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from radixlint.detectors import Hit
from radixlint.fixers._script_place import ScriptPlace, given, member_call, script_place
from radixlint.prompt import Prompt
from radixlint.result.finding import Edit

if TYPE_CHECKING:
    from tree_sitter import Node as Tree

_NOW: Final = re.compile(r"new\s+Date(?:\(\s*\))?|(?:dayjs|moment)\(\s*\)")
_ISO: Final = ("toISOString", "toJSON")
_OF_DAY: Final = {"toString": "toDateString", "toLocaleString": "toLocaleDateString"}
_CUTS: Final = ("slice", "substring")
_DAY_CHARS: Final = 10
_WORDS: Final = r"[\s,;@|-]*(?:\[?\bat\b\]?\s*|T|\[T\]|'T')?"
_CLOCK: Final = r"(?:HH?|hh?|kk?)(?:[:.h]mm?(?:[:.]ss?(?:\.S{1,9})?)?)?(?:\s*[aA])?(?:\s*[zZxX]{1,4})?(?:\[Z\]|'Z')?"
_BEHIND: Final = re.compile(rf"{_WORDS}{_CLOCK}\Z")
_AHEAD: Final = re.compile(rf"\A{_CLOCK}[\s,;@|-]*")
_TIME: Final = re.compile(r"[HhkmsSaAzZxXTtLl]")
_DAY: Final = re.compile(r"Y{2,4}|y{2,4}|M{2,4}|D{1,2}|d{1,2}")
_LITERALS: Final = re.compile(r"\[[^\]]*\]|'[^']*'")
_FILLS: Final = ("replace", "replaceAll", "concat", "push")
_NAMED_AND_READ: Final = 2
_PRINTED: Final = frozenset(("template_substitution", "binary_expression", "array", "return_statement", "arrow_function", "pair"))


def date_in_script(prompt: Prompt, hit: Hit) -> tuple[Edit, ...] | None:
    """Return the edit where the clock is read and printed in one expression; None where it is kept, or no date is apart."""
    place = script_place(prompt, hit.span)
    if place is None or hit.segment.kept:
        # Other code may read what is kept as the moment that it is.
        return None
    moment = _moment(place)
    if moment is None:
        return None
    called = member_call(moment)
    if called is None:
        return _bare(place, moment) or _given_to(place, moment)
    word, call = called
    name = place.source(word)
    if name == "format":
        return _format(place, given(call)[:1])
    if name in _ISO and not given(call):
        return _cut(place, call)
    if name in _OF_DAY and not any(option.type != "string" for option in given(call)) and _is_printed(place, call):
        return (place.edit(word.start_byte, word.end_byte, _OF_DAY[name]),)
    return None


def _moment(place: ScriptPlace) -> Tree | None:
    """Return where the clock is read, at the start of the expression."""
    tree: Tree | None = place.tree
    while tree is not None and not _NOW.fullmatch(place.source(tree)):
        tree = tree.child_by_field_name("function") or tree.child_by_field_name("object")
    return tree


def _bare(place: ScriptPlace, moment: Tree) -> tuple[Edit, ...] | None:
    """``${new Date()}`` prints the moment as it is."""
    around = moment.parent
    is_date = moment.type == "new_expression" and place.source(moment).endswith(")")
    if not is_date or around is None or around.type != "template_substitution":
        return None
    return (place.edit(moment.end_byte, moment.end_byte, ".toDateString()"),)


def _given_to(place: ScriptPlace, moment: Tree) -> tuple[Edit, ...] | None:
    """``format(new Date(), "yyyy-MM-dd HH:mm")``."""
    call = moment.parent.parent if moment.parent is not None and moment.parent.type == "arguments" else None
    callee = call.child_by_field_name("function") if call is not None else None
    if call is None or callee is None or place.source(callee).rpartition(".")[2] not in ("format", "formatDate"):
        return None
    return _format(place, given(call)[1:2])


def _format(place: ScriptPlace, forms: list[Tree]) -> tuple[Edit, ...] | None:
    if not forms or forms[0].type != "string":
        return None
    form = forms[0]
    date = day_form(place.source(form)[1:-1])
    return (place.edit(form.start_byte + 1, form.end_byte - 1, date),) if date is not None else None


def day_form(form: str) -> str | None:
    """Return a format of letters without its time, None if no date stands apart in it.

    >>> day_form("YYYY-MM-DD HH:mm"), day_form("h:mm a, MMM D"), day_form("HH:mm"), day_form("yyyy-MM-dd")
    ('YYYY-MM-DD', 'MMM D', None, None)
    """
    for pattern in (_BEHIND, _AHEAD):
        rest = pattern.sub("", form, count=1)
        bare = _LITERALS.sub("", rest)
        if rest != form and _DAY.search(bare) and not _TIME.search(bare):
            return rest
    return None


def _cut(place: ScriptPlace, call: Tree) -> tuple[Edit, ...] | None:
    """Cut an ISO time behind its day, where nothing else is done to it yet."""
    called = member_call(call)
    if called is None:
        return (place.edit(call.end_byte, call.end_byte, f".slice(0, {_DAY_CHARS})"),) if _is_printed(place, call) else None
    word, cut = called
    bounds = given(cut)
    if place.source(word) not in _CUTS or len(bounds) != 2 or place.source(bounds[0]) != "0" or not _is_printed(place, cut):
        return None
    end = place.source(bounds[1])
    if not end.isdecimal() or int(end) <= _DAY_CHARS:
        return None
    return (place.edit(bounds[1].start_byte, bounds[1].end_byte, str(_DAY_CHARS)),)


def _is_printed(place: ScriptPlace, tree: Tree) -> bool:
    """Whether the text stands where it is printed, or is kept under a name that is read once."""
    around = tree.parent
    if around is None or around.type in _PRINTED:
        return around is not None
    if around.type == "variable_declarator":
        name = around.child_by_field_name("name")
        word = place.source(name) if name is not None and name.type == "identifier" else ""
        return bool(word) and len(re.findall(rf"(?<![\w$]){re.escape(word)}(?![\w$])", place.ground.text)) == _NAMED_AND_READ
    callee = around.parent.child_by_field_name("function") if around.type == "arguments" and around.parent is not None else None
    return callee is not None and place.source(callee).rpartition(".")[2] in _FILLS
