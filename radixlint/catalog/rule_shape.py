"""Every mistake in the shape of a rule: each is told and put right in a copy, until the rest can be read."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from radixlint.catalog.rule_schema import ExampleFile, ExamplesFile, FixerFile, RuleFile
from radixlint.errors import RuleError
from radixlint.marked_yaml import KeyPath, MarkedYaml
from radixlint.spelling import guess

RULE_LIST: Final = "rules"
"""The key of a file that holds several rules."""

_MOST_MISTAKES: Final = 30
_UNKNOWN: Final = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
_MISSING: Final = re.compile(r"Object missing required field `(.*)`", re.DOTALL)
_STEP: Final = re.compile(r"\.([\w-]+)|\[(\d+)\]")
_PATTERN_WORDS: Final = frozenset({"regex", "regexp", "pattern", "patterns", "re"})
_NO_PATTERNS: Final = "rules hold no regular expressions: name values by globs, as the detector name-before-static does"
# What stands for a value that is missing or wrong, and gives no mistake of its own.
_STAND_INS: Final = {
    "id": "XX000",
    "name": "a",
    "severity": "error",
    "detector": "a",
    "message": "a",
    "fix": "a",
    "kind": "md",
    "text": "a",
}


@dataclass(frozen=True, slots=True)
class RuleText:
    """One rule in a file: the file's text and values, the keys that lead to the rule, the file as shown."""

    text: str
    marked: MarkedYaml
    at: KeyPath
    shown: str

    @property
    def value(self) -> Any:
        """What stands there."""
        value: Any = self.marked.value
        for key in self.at:
            value = value[key]
        return value

    @property
    def lead(self) -> str:
        """The rule's code where a file holds several: ``rule ACME001: ``."""
        rule_id = self.value.get("id") if isinstance(self.value, dict) else None
        return f"rule {rule_id}: " if self.at and isinstance(rule_id, str) else ""

    def error(self, path: KeyPath, message: str, hint: str | None = None) -> RuleError:
        """Return the error for what stands under ``path`` in the rule."""
        return RuleError(message, where=f"{self.shown}:{self.marked.place((*self.at, *path))[0]}", hint=hint)


def read_shape(rule: RuleText) -> tuple[RuleFile | None, list[RuleError]]:
    """Return the rule, with stand-ins for what is wrong, and all mistakes in its shape; None if it cannot be told."""
    value = copy.deepcopy(rule.value)
    mistakes: list[RuleError] = []
    while len(mistakes) < _MOST_MISTAKES:
        try:
            return msgspec.convert(value, RuleFile), mistakes
        except msgspec.ValidationError as error:
            what, _, where = str(error).partition(" - at `$")
            dotted = where.rstrip("`")
            steps = _STEP.findall(dotted.split("[...]")[0])
            path: KeyPath = tuple(int(index) if index else key for key, index in steps)
            mistakes.append(_mistake(rule, what, path, dotted.removeprefix(".")))
            if not path and not isinstance(value, dict):
                break
            _put_right(value, path, what)
    return None, mistakes


def _mistake(rule: RuleText, what: str, path: KeyPath, dotted: str) -> RuleError:
    """Say what msgspec found, with the line, the words as written and the nearest right ones."""
    if unknown := _UNKNOWN.fullmatch(what):
        key = unknown[1]
        known = (*_struct_at(path).__struct_encode_fields__, *(() if path else (RULE_LIST,)))
        near = guess(key, known).strip() or f"known keys: {', '.join(known)}"
        hint: str | None = _NO_PATTERNS if key in _PATTERN_WORDS else near
        return rule.error((*path, key), f"{rule.lead}unknown key `{'.'.join([*filter(None, [dotted]), key])}`", hint)
    if _MISSING.fullmatch(what):
        missing = list(_missing(rule.value, path))
        what = f"missing required field{'s' if len(missing) > 1 else ''} {', '.join(f'`{key}`' for key in missing)}"
    what = what.replace("Object ", "")
    if not dotted:
        return rule.error((), f"{rule.lead}{what}")
    written = _written(rule.text, rule.marked.place((*rule.at, *path))[0], path)
    is_text = "`str`" in what and written
    hint = f'`{written}` is not text to YAML: write "{written}"' if is_text else None
    return rule.error(path, f"{rule.lead}`{dotted}`: {what}", hint)


def _put_right(value: Any, path: KeyPath, what: str) -> None:
    """Take out of ``value`` what cannot be read, and put stand-ins in where something must be."""
    if _MISSING.fullmatch(what):
        _within(value, path).update({key: _STAND_INS[key] for key in _missing(value, path)})
        return
    unknown = _UNKNOWN.fullmatch(what)
    *above, last = (*path, unknown[1]) if unknown else path
    while isinstance(last, int):  # without one item the others would be counted otherwise than in the file
        *above, last = above
    holder = _within(value, tuple(above))
    if not unknown and last in _STAND_INS:
        holder[last] = _STAND_INS[str(last)]
    else:
        del holder[last]


def _missing(value: Any, path: KeyPath) -> Iterator[str]:
    struct, written = _struct_at(path), _within(value, path)
    required = len(struct.__struct_fields__) - len(struct.__struct_defaults__)
    yield from (key for key in struct.__struct_encode_fields__[:required] if key not in written)


def _within(value: Any, path: KeyPath) -> Any:
    for key in path:
        value = value[key]
    return value


def _struct_at(path: KeyPath) -> type[msgspec.Struct]:
    kinds: dict[KeyPath, type[msgspec.Struct]] = {
        (): RuleFile,
        ("examples",): ExamplesFile,
        ("fixer",): FixerFile,
        ("code_fixer",): FixerFile,
    }
    return kinds.get(path, ExampleFile)


def _written(text: str, line: int, path: KeyPath) -> str:
    """Return what stands behind the key on its line, empty if it is no plain word."""
    found = re.search(rf"\b{re.escape(str(path[-1]))}\"?\s*:\s*([^\s#\"'\[\]{{}},|>]+)", text.split("\n")[line - 1])
    return found[1] if found else ""
