"""Text that looks alike has other bytes: line ends, byte-order marks, composed letters, blanks that cannot be seen."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from radixlint.detectors import FolderHit, Hit
from radixlint.late_pattern import late_pattern
from radixlint.prompt import Prompt, Segment, SourceText, Span
from radixlint.stake import CountTokens
from radixlint.stake.ahead import head_end
from radixlint.stake.cause_place import span_at

_NAMES: Final = {"\n": "LF", "\r\n": "CRLF", "\r": "CR"}
_KEY_CHARS: Final = 200
# Joiners and marks of direction are part of many scripts and of emoji; these are not.
_HIDDEN: Final = late_pattern("[\u200b\u2060\ufeff\u00ad]")
# A no-break space between plain words; before French punctuation, units and numbers it is meant.
_NO_BREAK: Final = late_pattern("(?<=[A-Za-z,;]{2})[\u00a0\u202f](?=[A-Za-z]{2})")
_SPLIT: Final = late_pattern("[A-Za-z][\u0300-\u036f]+")
_WHOLE: Final = late_pattern("[\u00c0-\u024f\u1e00-\u1eff][\u0300-\u036f]*")
_HIDDEN_NAMES: Final = {
    "\u200b": "a zero-width space",
    "\u2060": "a word joiner",
    "\ufeff": "a byte-order mark inside the text",
    "\u00ad": "a soft hyphen",
}


class Params(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule sets: the literal tokens that two files must begin with alike, before their bytes count as drift."""

    min_tokens: int


def find_across(prompts: Sequence[Prompt], params: Params, count: CountTokens) -> Iterator[FolderHit]:
    """Yield each kind of drift once a file: among its own lines, in its letters, and against files that begin alike."""
    first: dict[str, int] = {}
    for index, prompt in enumerate(prompts):
        if prompt.source is not None and prompt.segments:
            first.setdefault(prompt.path, index)
    apart = _apart(prompts, list(first.values()), params, count)
    for index in first.values():
        prompt, source = prompts[index], prompts[index].source
        if source is not None and len(source.line_ends) > 1:
            names = " and ".join(_NAMES.get(end, "other") for end in source.line_ends)
            yield FolderHit(index, _hit(prompt, 0, _top(prompt), f"the file mixes line ends ({names})"))
        elif index in apart:
            yield FolderHit(index, apart[index])
    of_file: dict[str, list[Prompt]] = {}
    for prompt in prompts:
        of_file.setdefault(prompt.path, []).append(prompt)
    for path, index in first.items():
        for hit in _letters(of_file[path]):
            yield FolderHit(index, hit)


def _apart(prompts: Sequence[Prompt], indices: Sequence[int], params: Params, count: CountTokens) -> dict[int, Hit]:
    """Return a hit for each file that begins with the same text as most others but has other line ends or a mark ahead."""
    alike: dict[str, list[int]] = {}
    for index in indices:
        head = _head(prompts[index])
        if len(head) >= _KEY_CHARS and "\n" in head:
            alike.setdefault(head[:_KEY_CHARS], []).append(index)
    found: dict[int, Hit] = {}
    for members in alike.values():
        forms = {index: _form(prompts[index].source) for index in members}
        usual = min(Counter(forms.values()).items(), key=lambda item: (-item[1], item[0]))[0]
        model = next(index for index in members if forms[index] == usual)
        for index in members:
            if forms[index] == usual:
                continue
            tokens = count(_common(_head(prompts[index]), _head(prompts[model])))
            if tokens >= params.min_tokens:
                what = f"{_words(forms[index])} where {prompts[model].path}, which begins with the same text, has {_words(usual)}"
                found[index] = _hit(prompts[index], tokens, _top(prompts[index]), what)
    return found


def _common(one: str, other: str) -> str:
    shorter = min(len(one), len(other))
    return one[: next((i for i in range(shorter) if one[i] != other[i]), shorter)]


def _head(prompt: Prompt) -> str:
    return "".join(s.text for s in prompt.segments[: head_end(prompt)] if s.is_literal)


def _form(source: SourceText | None) -> tuple[str, bool]:
    return (source.line_ends[0] if source and source.line_ends else "\n", bool(source and source.has_byte_order_mark))


def _words(form: tuple[str, bool]) -> str:
    return f"{_NAMES.get(form[0], 'other')} line ends{' behind a byte-order mark' if form[1] else ''}"


def _letters(prompts: Sequence[Prompt]) -> Iterator[Hit]:
    """Yield the first hidden character of a file, and the first letter that the file writes in two ways."""
    every = ((prompt, segment) for prompt in prompts for segment in prompt.segments if segment.is_literal)
    # Plain ASCII holds none of them, and most text is that.
    literals = [(prompt, segment) for prompt, segment in every if not segment.text.isascii()]
    for prompt, segment in literals:
        found = _HIDDEN.search(segment.text) or _NO_BREAK.search(segment.text)
        if found is not None:
            what = f"there is {_HIDDEN_NAMES.get(found.group(), 'a no-break space between plain words')}"
            yield _hit(prompt, 0, span_at(segment, found.start()), what, segment)
            break
    written = {letter for _, segment in literals for letter in _WHOLE.findall(segment.text)}
    for prompt, segment in literals if written else ():
        for found in _SPLIT.finditer(segment.text):
            whole = unicodedata.normalize("NFC", found.group())
            if whole != found.group() and whole in written:
                what = f"`{whole}` is written as a letter with a separate mark here, and as one character elsewhere in the file"
                yield _hit(prompt, 0, span_at(segment, found.start()), what, segment)
                return


def _top(prompt: Prompt) -> Span:
    return Span(prompt.path, 1, 1, 1, 2)


def _hit(prompt: Prompt, tokens: int, span: Span, what: str, segment: Segment | None = None) -> Hit:
    at = segment or prompt.segments[0]
    return Hit(prompt.segments.index(at), at, span, tokens, {"what": what}, is_value=False)
