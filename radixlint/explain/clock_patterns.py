"""The forms in which people write times and dates, as patterns."""

from __future__ import annotations

import re
from typing import Final

_MONTH_WORDS: Final = (
    "january jan januar jänner janvier janv enero ene gennaio janeiro",
    "february feb februar février févr febrero febbraio fevereiro",
    "march mar märz mär mrz mars marzo março",
    "april apr avril avr abril abr aprile",
    "may mai mayo maggio maio",
    "june jun juni juin junio giugno junho",
    "july jul juli juillet juil julio luglio julho",
    "august aug août agosto ago",
    "september sept sep septembre septiembre settembre setembro",
    "october oct oktober okt octobre octubre ottobre outubro",
    "november nov novembre noviembre novembro",
    "december dec dezember dez décembre déc diciembre dic dicembre dezembro",
)
MONTHS: Final = {word: number for number, words in enumerate(_MONTH_WORDS, 1) for word in words.split()}
_WEEKDAYS: Final = (
    "monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonnabend "
    "sonntag lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes sábado domingo"
)
_SHORT_WEEKDAYS: Final = (
    "mon tues tue weds wed thurs thur thu fri sat sun mo di mi do fr sa so lun mar mer mié jeu jue ven vie sam sáb dim dom"
)


def _any_of(words: str) -> str:
    return "(?i:" + "|".join(sorted(words.split(), key=lambda word: (-len(word), word))) + ")"


# CJK letters count as word characters, and a date in them needs no blank: only Latin ones bind.
_FRONT: Final = r"(?<![A-Za-z0-9_.:\-])"
_BACK: Final = r"(?![A-Za-z0-9_]|[:.\-]\w)"
_MONTH: Final = rf"(?P<name>{_any_of(' '.join(MONTHS))})\.?"
_YEAR: Final = r"(?P<y>(?:19|20)\d\d)"
_DATE_BACK: Final = r"(?=T\d|[_\-]\d\d[:.\-]?\d\d|(?![A-Za-z0-9_]|[:\-/]\w|\.\d))"
_ZONE: Final = (
    r"(?:\s?(?:Z(?![A-Za-z])|(?:UTC|GMT)?(?P<o>[+\-\u2212]\d{1,2}(?::?\d\d)?)|UTC|GMT|[A-Z]{2,4}T\b))?"
    r"(?:\s?\[[A-Z]\w+/\w+\]|\s\(?[A-Z][a-z]+/[A-Z]\w+\)?|\s\((?:UTC|GMT|[A-Z]{2,4}T)\))?"
)
_HALF: Final = r"(?P<p>(?i:[ap]\.?\s?m\b\.?))"
_EASTERN_HALF: Final = r"(?:(?P<q>上午|下午|午前|午後|오전|오후)\s?)?"
_JOINED_FRONT: Final = r"(?<=\d[T_\-])"

_DATES: Final = tuple(
    re.compile(_FRONT + pattern + ("" if pattern.endswith("일]") else _DATE_BACK))
    for pattern in (
        _YEAR + r"(?P<sep>[-/.])(?P<mo>\d{1,2})(?P=sep)(?P<d>\d{1,2})",
        _YEAR + r"(?P<mo>[01]\d)(?P<d>[0-3]\d)",
        r"(?P<a>\d{1,2})(?P<sep>[-/.])(?P<b>\d{1,2})(?P=sep)" + _YEAR,
        r"(?P<a>\d{1,2})/(?P<b>\d{1,2})/(?P<y>\d\d)",
        r"(?P<d>\d\d)\.(?P<mo>\d\d)\.(?P<y>\d\d)",
        r"(?P<d>\d{1,2})(?:st|nd|rd|th|er|\.|º)?[\s\-](?:of\s|de\s)?" + _MONTH + r"(?:,?[\s\-](?:del?\s)?" + _YEAR + ")?",
        _MONTH + r"\s{1,2}(?P<d>\d{1,2})(?:st|nd|rd|th)?(?:,?\s" + _YEAR + ")?",
        _MONTH + r",?\s" + _YEAR,
        r"(?:" + _YEAR + r"\s?[年년]\s?)?(?P<mo>\d{1,2})\s?[月월]\s?(?P<d>\d{1,2})\s?[日号號일]",
    )
)
_TIMES: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?:{_FRONT}|{_JOINED_FRONT}){_EASTERN_HALF}(?P<h>[01]?\d|2[0-4]):(?P<m>[0-5]\d)"
        rf"(?::(?P<s>[0-5]\d|60)(?:[.,](?P<f>\d{{1,9}}))?)?(?:\s?{_HALF}|\sUhr\b)?{_ZONE}{_BACK}",
        rf"{_FRONT}{_EASTERN_HALF}(?P<h>\d{{1,2}})\s?[時时点點시](?:\s?(?P<m>\d{{1,2}})\s?[分분](?:\s?(?P<s>\d{{1,2}})\s?[秒초])?)?",
        rf"{_FRONT}(?P<h>1[0-2]|0?[1-9])\s?{_HALF}{_ZONE}{_BACK}",
        rf"{_FRONT}(?P<h>\d{{1,2}})(?:\.(?P<m>\d\d))?\sUhr{_BACK}",
        rf"{_FRONT}(?P<h>[01]?\d|2[0-3])\s?h\s?(?P<m>[0-5]\d)(?:\s?m(?:in)?\s?(?P<s>[0-5]\d)\s?s)?{_BACK}",
    )
)
_BARE_TIME: Final = re.compile(
    _JOINED_FRONT + r"(?P<h>[01]\d|2[0-3])(?P<sep>[.\-]?)(?P<m>[0-5]\d)(?:(?P=sep)(?P<s>[0-5]\d)(?:\.(?P<f>\d{1,9}))?)?"
    r"(?:Z|(?P<o>[+\-]\d\d:?\d\d))?" + _BACK
)
_WEEKDAY: Final = re.compile(
    rf"(?<![^\W\d_]){_any_of(_WEEKDAYS)}(?![^\W\d_])|(?:星期|礼拜|周)[一二三四五六日天]|[月火水木金土日]曜日?"
)
_SHORT_WEEKDAY: Final = re.compile(rf"(?<![^\W\d_]){_any_of(_SHORT_WEEKDAYS)}(?![^\W\d_])\.?|[(\uff08][月火水木金土日][)\uff09]")
_EPOCH: Final = re.compile(_FRONT + r"(?:1[2-9]\d{8}(?:\.(?P<f>\d{1,9}))?|(?P<f3>1[2-9]\d{11}(?:\d{3}){0,2}))" + _BACK)
# The whole of a time without separators, as in names of runs and files: what joins the name to it is no part of it.
_PACKED: Final = re.compile(
    r"(?<![A-Za-z0-9.:])(?<!\d[_\-])"
    + _YEAR
    + r"(?P<mo>0[1-9]|1[0-2])(?P<d>0[1-9]|[12]\d|3[01])(?P<h>[01]\d|2[0-3])(?P<m>[0-5]\d)"
    r"(?:(?P<s>[0-5]\d)(?:\.?(?P<f>\d{3}(?:\d{3})?))?)?(?:Z|(?P<o>[+\-]\d\d:?\d\d))?(?![A-Za-z0-9_]|:\w|[.\-]\d)"
)
PACKED_DATE: Final = len("YYYYMMDD")
"""How many digits of a packed time are its date."""
JOINT: Final = re.compile(r"[T_,|@·\s\-\u2013\u2014()]{0,4}(?i:at|um|on|le|à|a las|el|den|the)?[\s,(]{0,2}")
LATE_YEAR: Final = re.compile(r"\s" + _YEAR + r"(?![\w:/\-])")
AFTERNOON: Final = frozenset(("下午", "午後", "오후"))
PATTERNS: Final = (
    *(("date", pattern, frozenset(MONTHS if "name" in pattern.groupindex else ())) for pattern in _DATES),
    *(("time", pattern, frozenset[str]()) for pattern in _TIMES),
    ("time", _BARE_TIME, frozenset[str]()),
    ("weekday", _WEEKDAY, frozenset(_WEEKDAYS.split())),
    ("weekday", _SHORT_WEEKDAY, frozenset(_SHORT_WEEKDAYS.split())),
    ("epoch", _EPOCH, frozenset[str]()),
    ("packed", _PACKED, frozenset[str]()),
)
"""Kind, pattern, and the words (small) of which one must be there, empty for none; what stands first is looked for first."""
ALONE: Final = frozenset(("epoch", "packed"))
"""Kinds that join nothing."""
WEAK: Final = frozenset((_BARE_TIME, _SHORT_WEEKDAY))
"""Patterns that count only beside a date."""
