"""Whether two texts hold the same words in another form: white space, Unicode form, quotes, dashes, escapes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Final

from radixlint.written_forms import BYTE_ORDER_MARK, DASHES, QUOTES, with_small_escapes

_MOST_CHARACTERS: Final = 1 << 20

_Form = Callable[[str], str]


def is_text_form(before: str, after: str) -> str | None:
    """Return how two texts of the same words differ, as a phrase such as ``line ends``; None if words differ or nothing does.

    Of several differences all are named, joined by ``and``. A text of over a million code points is not looked at.
    """
    if before == after or max(len(before), len(after)) > _MOST_CHARACTERS:
        return None
    forms = list(_FORMS.values())
    if _in_form(before, forms) != _in_form(after, forms):
        return None
    needed = [name for name in _FORMS if _are_apart(before, after, [form for other, form in _FORMS.items() if other != name])]
    if not needed:  # two of them would each do, as for a blank that does not break
        needed = [next((name for name, form in _FORMS.items() if form(before) == form(after)), _WHITE_SPACE)]
    if _WHITE_SPACE in needed:
        rest = [form for name, form in _FORMS.items() if name != _WHITE_SPACE]
        needed[needed.index(_WHITE_SPACE)] = _white_space_kind(_in_form(before, rest), _in_form(after, rest))
    return " and ".join(needed)


def _in_form(text: str, forms: Sequence[_Form]) -> str:
    for form in forms:
        text = form(text)
    return text


def _are_apart(before: str, after: str, forms: Sequence[_Form]) -> bool:
    return _in_form(before, forms) != _in_form(after, forms)


def _white_space_kind(before: str, after: str) -> str:
    """Return which white space alone makes two texts differ; each form is tried upon those in front of it."""
    for name, form in _BLANKS.items():
        before, after = form(before), form(after)
        if before == after:
            return name
    has_tabs = before.count("\t") != after.count("\t")
    return "tabs" if has_tabs and _with_single_blanks_in_lines(before) == _with_single_blanks_in_lines(after) else _WHITE_SPACE


def _with_plain_line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _without_trailing_blanks(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.split("\n")).rstrip("\n")


def _without_blank_lines(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if line.strip())


def _with_single_blanks_in_lines(text: str) -> str:
    """Return the text with each run of blanks and tabs as one blank, as a tab has no fixed width."""
    return re.sub(r"[ \t]+", " ", text)


def _with_single_blanks(text: str) -> str:
    return " ".join(text.split())


_WHITE_SPACE: Final = "white space"
_FORMS: Final[dict[str, _Form]] = {
    "byte order mark": lambda text: text.removeprefix(BYTE_ORDER_MARK),
    "quotes": lambda text: text.translate(QUOTES),
    "dashes": lambda text: text.translate(DASHES),
    "hex case": with_small_escapes,
    # Compatibility forms come behind the quotes: they take an acute accent apart.
    "unicode form": lambda text: unicodedata.normalize("NFKC", text),
    _WHITE_SPACE: _with_single_blanks,
}
_BLANKS: Final[dict[str, _Form]] = {
    "line ends": _with_plain_line_ends,
    "trailing blanks": _without_trailing_blanks,
    "blank lines": _without_blank_lines,
}
