"""Write a small value (a cache mark, a content block) in the manner of the JSON or YAML around it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from radixlint.late_pattern import late_pattern

if TYPE_CHECKING:
    from radixlint.sources._tree import Table, Tree

Value = str | Mapping[str, "Value"]
_STEP: Final = "  "
_PLAIN: Final = late_pattern(r"[A-Za-z_][\w-]*|[0-9]+[a-z]\w*")
_BLANKS: Final = late_pattern(r"[ \t]*")
_OPENING: Final = late_pattern(r"[{\[][ \t]*\n([ \t]*)")
# Plain words that YAML takes for other values than text.
_NO_TEXT: Final = frozenset(("true", "false", "null", "yes", "no", "on", "off", "y", "n"))


@dataclass(frozen=True, slots=True)
class Manner:
    """How values are written: ``is_block`` without braces, ``is_quoted`` with quotes around words; the blanks of one line.

    ``step`` is one level of indentation, ``is_long`` says that mappings in braces have a line for each key.
    """

    is_block: bool
    is_quoted: bool
    comma: str = ", "
    colon: str = ": "
    step: str = _STEP
    is_long: bool = False

    def key(self, name: str) -> str:
        """Return a key with its colon."""
        return self._word(name) + self.colon

    def written(self, value: Value, indent: str) -> str:
        """Return a value on one line, or, of long ones, with ``indent`` ahead of its closing brace."""
        if isinstance(value, str):
            return self._word(value)
        inner = indent + self.step
        if self.is_long:
            pairs = f",\n{inner}".join(self.key(name) + self.written(held, inner) for name, held in value.items())
            return f"{{\n{inner}{pairs}\n{indent}}}"
        return "{" + self.comma.join(self.key(name) + self.written(held, indent) for name, held in value.items()) + "}"

    def lines(self, name: str, value: Value, indent: str) -> str:
        """Return a pair as lines of block YAML; the first line has no indentation."""
        if isinstance(value, str):
            return f"{name}: {self._word(value)}"
        inner = indent + self.step
        return f"{name}:" + "".join(f"\n{inner}{self.lines(key, held, inner)}" for key, held in value.items())

    def _word(self, text: str) -> str:
        is_plain = not self.is_quoted and _PLAIN.fullmatch(text) and text.lower() not in _NO_TEXT
        return text if is_plain else json.dumps(text, ensure_ascii=False)


def manner_at(text: str, table: Table, is_json: bool) -> Manner:
    """Return the manner in which ``table`` is written, its length that of its longest-looking neighbour."""
    is_block = text[table.start] != "{"
    first = text[table.start : table.pairs[0][1].start]
    is_quoted = is_json or first.lstrip("{ \t\r\n").startswith('"')
    colon = ": " if is_block or first.rstrip("\n \t") != first else ":"
    gap = _gap(text, table)
    comma = ", " if (gap is None and colon == ": ") or (gap is not None and gap != "") else ","
    return Manner(is_block, is_quoted, comma, colon, step_of(text, table), is_spread(text, table))


def _gap(text: str, table: Table) -> str | None:
    """Return the blanks behind the first comma, None if there is none."""
    if len(table.pairs) < 2:
        return None
    found = re.compile(r"\s*,(\s*)").match(text, min(value.end for _, value in table.pairs))
    return found[1] if found else None


def is_spread(text: str, tree: Tree) -> bool:
    """Whether what stands in brackets starts on a line of its own."""
    return _OPENING.match(text, tree.start) is not None


def line_indent(text: str, offset: int) -> str:
    """Return the blanks that start the line of ``offset``."""
    found = _BLANKS.match(text, text.rfind("\n", 0, offset) + 1)
    return found.group() if found else ""


def step_of(text: str, tree: Tree) -> str:
    """Return one level of indentation, as the brackets of ``tree`` have it; two blanks if they do not show it."""
    found = _OPENING.match(text, tree.start)
    outer = line_indent(text, tree.end - 1)
    return found[1][len(outer) :] if found and found[1].startswith(outer) and found[1] != outer else _STEP
