"""Parse strict JSON, and ``{{ }}`` where a value may stand, into a tree that knows the place of every character."""

from __future__ import annotations

from radixlint.errors import SourceError
from radixlint.late_pattern import late_pattern
from radixlint.passage import Ground, Passage
from radixlint.sources._tree import Leaf, Listing, Table, Tree, slot_at

_DEPTH_MAX = 100
_SPACE = late_pattern(r"[ \t\n\r]*")
_STRING = late_pattern(r'"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+"')
_ESCAPE = late_pattern(r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)")
_PLAIN = late_pattern(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null")
_SHORT = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


def parse_json(ground: Ground) -> tuple[Tree, tuple[str, ...]]:
    """Return the document, and notes on repeated keys.

    Raises:
        SourceError: it is not one JSON value, or nests more than 100 levels.
    """
    parser = _Parser(ground)
    tree = parser.value(parser.skip(0), 0)
    end = parser.skip(tree.end)
    if end < len(ground.text):
        raise parser.error(
            "more text after the JSON value",
            end,
            "a prompt file holds one JSON value; `radixlint analyze` reads logs of one request a line",
        )
    return tree, tuple(dict.fromkeys(parser.notes))


class _Parser:
    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.text = ground.text
        self.notes: list[str] = []

    def error(self, message: str, at: int, hint: str | None = None) -> SourceError:
        line, column = self.ground.place(at)
        return SourceError(message, line=line, column=column, hint=hint)

    def skip(self, at: int) -> int:
        match = _SPACE.match(self.text, at)
        return match.end() if match else at

    def value(self, at: int, depth: int) -> Tree:
        if depth > _DEPTH_MAX:
            raise self.error("too deeply nested, not checked", at)
        first = self.text[at : at + 1]
        if first == "{":
            # No JSON has two braces here; a document that is all one placeholder says nothing.
            return (slot_at(self.ground, at) if depth else None) or self._table(at, depth)
        if first == "[":
            return self._listing(at, depth)
        if first == '"':
            return self._string(at)
        match = _PLAIN.match(self.text, at)
        if not match:
            raise self.error("a JSON value is expected here" if first else "the JSON value ends too early", at)
        return Leaf(Passage(match.group(), self.ground, at), at, match.end(), is_text=False)

    def _string(self, at: int) -> Leaf:
        match = _STRING.match(self.text, at)
        if not match:
            raise self.error("this string does not end, or holds a character or escape that JSON forbids", at)
        raw = match.group()[1:-1]
        passage = Passage(raw, self.ground, at + 1) if "\\" not in raw else _unescaped(raw, self.ground, at + 1)
        return Leaf(passage, at, match.end())

    def _listing(self, start: int, depth: int) -> Listing:
        items: list[Tree] = []
        at = self.skip(start + 1)
        while self.text[at : at + 1] != "]":
            if items:
                at = self._comma(at, "]")
            items.append(self.value(at, depth + 1))
            at = self.skip(items[-1].end)
        return Listing(tuple(items), start, at + 1)

    def _table(self, start: int, depth: int) -> Table:
        pairs: dict[str, Tree] = {}
        at, is_first = self.skip(start + 1), True
        while self.text[at : at + 1] != "}":
            at = at if is_first else self._comma(at, "}")
            is_first = False
            if self.text[at : at + 1] != '"':
                raise self.error("a key in double quotes is expected here", at)
            key = self._string(at)
            colon = self.skip(key.end)
            if self.text[colon : colon + 1] != ":":
                raise self.error("':' is expected here", colon)
            value = self.value(self.skip(colon + 1), depth + 1)
            if key.passage.text in pairs:
                self.notes.append(f"key '{key.passage.text}' is repeated at line {self.ground.place(at)[0]}, the last one counts")
            pairs[key.passage.text] = value
            at = self.skip(value.end)
        return Table(tuple(pairs.items()), start, at + 1)

    def _comma(self, at: int, end: str) -> int:
        if self.text[at : at + 1] != ",":
            raise self.error(f"',' or '{end}' is expected here", at)
        return self.skip(at + 1)


def _unescaped(raw: str, ground: Ground, base: int) -> Passage:
    pieces: list[str] = []
    table: list[int] = []
    last = 0
    for match in _ESCAPE.finditer(raw):
        pieces.append(raw[last : match.start()])
        table.extend(range(base + last, base + match.start()))
        pieces.append(_character(match.group()))
        table.append(base + match.start())
        last = match.end()
    pieces.append(raw[last:])
    table.extend(range(base + last, base + len(raw) + 1))
    return Passage("".join(pieces), ground, base, table)


def _character(escape: str) -> str:
    if escape[1] != "u":
        return _SHORT.get(escape[1], escape[1])
    code = int(escape[2:6], 16)
    if len(escape) > 6:
        return chr(0x10000 + ((code - 0xD800) << 10) + int(escape[8:12], 16) - 0xDC00)
    # Half a surrogate pair is no character: nothing could encode it later.
    return "\ufffd" if 0xD800 <= code < 0xE000 else chr(code)
