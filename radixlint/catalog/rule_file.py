"""Read the rules in one YAML file; a mistake is told with file, line, and what to write instead."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from radixlint.catalog.rule_schema import (
    ExampleFile,
    ExamplesFile,
    Fault,
    FixerFile,
    RuleFile,
    fault_of,
    fault_of_built_in,
    fault_of_own,
)
from radixlint.errors import RuleError
from radixlint.marked_yaml import KeyPath, MarkedYaml, MarkedYamlError, read_marked_yaml
from radixlint.result.rule import Rule, RuleExample
from radixlint.spelling import guess

_MAX_FILE_BYTES: Final = 100_000
_LIST: Final = "rules"
_UNKNOWN: Final = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
_STEP: Final = re.compile(r"\.([\w-]+)|\[(\d+)\]")
_PATTERN_WORDS: Final = frozenset({"regex", "regexp", "pattern", "patterns", "re"})


def read_rule(path: Path) -> Rule:
    """Return the rule in one file of those that ship with radixlint.

    Raises:
        RuleError: the file is no rule; names the file, the line, the key and what is wrong with it.
    """
    text = _text(path, path.name)
    marked = _marked(text, path.name)
    return _rule(_raw(text, marked, (), path.name, lambda raw: fault_of_built_in(raw, path.name)))


def read_own_rules(path: Path, shown: str) -> Iterator[Rule]:
    """Yield the rules of a file of people's own: one rule, or a list of them under ``rules``; each knows its place.

    Raises:
        RuleError: as ``read_rule``.
    """
    text = _text(path, shown)
    marked = _marked(text, shown)
    assert isinstance(marked.value, dict)
    if _LIST not in marked.value:
        yield _placed(text, marked, (), shown)
        return
    items = marked.value[_LIST]
    others = [key for key in marked.value if key != _LIST]
    if others:
        raise _error(marked, (others[0],), f"unknown key `{others[0]}` beside `{_LIST}`", shown)
    if not isinstance(items, list) or not items:
        raise _error(marked, (_LIST,), f"`{_LIST}` must be a list of rules", shown)
    for index in range(len(items)):
        yield _placed(text, marked, (_LIST, index), shown)


def _placed(text: str, marked: MarkedYaml, at: KeyPath, shown: str) -> Rule:
    rule_line = marked.place((*at, "id"))[0]
    return _rule(_raw(text, marked, at, shown, fault_of_own), f"{shown}:{rule_line}")


def _text(path: Path, shown: str) -> str:
    try:
        if not path.is_file():
            raise RuleError("not a regular file" if path.exists() else "no such file", where=shown)
        with path.open("rb") as stream:
            raw = stream.read(_MAX_FILE_BYTES + 1)
    except OSError as error:
        raise RuleError(f"cannot be read: {(error.strerror or '').lower()}", where=shown) from error
    if len(raw) > _MAX_FILE_BYTES:
        raise RuleError(f"a rule file has at most {_MAX_FILE_BYTES:,} bytes", where=shown)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise RuleError(f"not valid YAML: not UTF-8 (byte {error.start})", where=f"{shown}:{line}") from None


def _marked(text: str, shown: str) -> MarkedYaml:
    try:
        marked = read_marked_yaml(text)
    except MarkedYamlError as error:
        raise RuleError(error.message, where=f"{shown}:{error.line}:{error.column}", hint=error.hint) from None
    if not isinstance(marked.value, dict):
        raise RuleError("a rule file is a mapping with `id`, `name`, ...", where=f"{shown}:1")
    return marked


def _raw(text: str, marked: MarkedYaml, at: KeyPath, shown: str, own_fault: Callable[[RuleFile], Fault | None]) -> RuleFile:
    """Return the rule at ``at`` of the right shape and without faults."""
    try:
        raw = msgspec.convert(_value_at(marked, at), RuleFile)
    except msgspec.ValidationError as error:
        raise _shape_error(str(error), text, marked, at, shown) from None
    fault = fault_of(raw) or own_fault(raw)
    if fault is not None:
        raise _error(marked, (*at, *fault[0]), fault[1], shown)
    return raw


def _error(marked: MarkedYaml, at: KeyPath, message: str, shown: str, hint: str | None = None) -> RuleError:
    return RuleError(message, where=f"{shown}:{marked.place(at)[0]}", hint=hint)


def _shape_error(message: str, text: str, marked: MarkedYaml, at: KeyPath, shown: str) -> RuleError:
    """Say what msgspec found, with the line, the words as written and the nearest right ones."""
    what, _, where = message.partition(" - at `$")
    path: KeyPath = tuple(int(index) if index else key for key, index in _STEP.findall(where.rstrip("`").split("[...]")[0]))
    dotted = where.rstrip("`").removeprefix(".")
    rule = _id_of(marked, at)
    unknown = _UNKNOWN.fullmatch(what)
    if unknown is not None:
        key = unknown[1]
        known = _known_keys(path)
        hint: str | None = f"{guess(key, known)}known keys: {', '.join(known)}"
        if key in _PATTERN_WORDS:
            hint = "rules hold no regular expressions: name values by globs, as the detector name-before-static does"
        return _error(marked, (*at, *path, key), f"{rule}unknown key `{'.'.join([*filter(None, [dotted]), key])}`", shown, hint)
    what = what.replace("Object ", "")
    if not dotted:
        return _error(marked, at, f"{rule}{what}", shown)
    written = _written(text, marked.place((*at, *path))[0], path)
    is_text = "`str`" in what and written
    hint = f'`{written}` is not text to YAML: write "{written}"' if is_text else None
    return _error(marked, (*at, *path), f"{rule}`{dotted}`: {what}", shown, hint)


def _value_at(marked: MarkedYaml, at: KeyPath) -> object:
    value: Any = marked.value
    for key in at:
        value = value[key]
    return value


def _id_of(marked: MarkedYaml, at: KeyPath) -> str:
    value = _value_at(marked, at)
    rule_id = value.get("id") if isinstance(value, dict) else None
    return f"rule {rule_id}: " if at and isinstance(rule_id, str) else ""


def _written(text: str, line: int, path: KeyPath) -> str:
    """Return what stands behind the key on its line, empty if it is no plain word."""
    found = re.search(rf"\b{re.escape(str(path[-1]))}\"?\s*:\s*([^\s#\"'\[\]{{}},|>]+)", text.split("\n")[line - 1])
    return found[1] if found else ""


def _known_keys(path: KeyPath) -> tuple[str, ...]:
    kinds: dict[KeyPath, type[msgspec.Struct]] = {(): RuleFile, ("examples",): ExamplesFile, ("fixer",): FixerFile}
    known: tuple[str, ...] = kinds.get(path, ExampleFile).__struct_encode_fields__
    return known if path else (*known, _LIST)


def _rule(raw: RuleFile, place: str = "") -> Rule:
    def examples(items: tuple[ExampleFile, ...]) -> tuple[RuleExample, ...]:
        return tuple(RuleExample(e.name, e.kind, e.text, e.expected, e.fixed, tuple(e.files.items()), e.config) for e in items)

    params: Mapping[str, object] = raw.params
    summary = raw.summary.strip() or f"{raw.name.replace('-', ' ').capitalize()}."
    return Rule(
        id=raw.id,
        name=raw.name,
        severity=raw.severity,
        confidence=raw.confidence,
        detector=raw.detector,
        params=params,
        summary=summary,
        message=raw.message.strip(),
        why=raw.why.strip() or summary,
        fix=raw.fix.strip(),
        fix_safety=raw.fix_safety,
        applies_to=raw.applies_to,
        references=raw.references,
        passing=examples(raw.examples.passing),
        failing=examples(raw.examples.failing),
        limit=raw.limit.strip().format_map(params),
        when_not=raw.when_not.strip(),
        scope=raw.scope,
        fixer=raw.fixer.name if raw.fixer else "",
        fixer_params=raw.fixer.params if raw.fixer else {},
        place=place,
    )
