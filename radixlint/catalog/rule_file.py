"""Read the rules in one YAML file; a mistake is told with file, line, and what to write instead."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

from radixlint.catalog.rule_schema import ExampleFile, Fault, RuleFile, faults_of, faults_of_built_in, faults_of_own
from radixlint.catalog.rule_shape import RULE_LIST, RuleText, read_shape
from radixlint.errors import RuleError, all_in_one
from radixlint.marked_yaml import MarkedYaml, MarkedYamlError, read_marked_yaml
from radixlint.result.rule import Rule, RuleExample

_MAX_FILE_BYTES: Final = 100_000
# What stands in for a mistake in these can look like another one.
_NESTED: Final = ("examples", "fixer")


def read_rule(path: Path) -> Rule:
    """Return the rule in one file of those that ship with radixlint.

    Raises:
        RuleError: the file is no rule; names the file, the line, the key and what is wrong with it.
    """
    text = _text(path, path.name)
    rule = RuleText(text, _marked(text, path.name), (), path.name)
    return _rule(_raw(rule, lambda raw: faults_of_built_in(raw, path.name)))


def read_own_rules(path: Path, shown: str) -> tuple[Rule, ...]:
    """Return the rules of a file of people's own: one rule, or a list of them under ``rules``; each knows its place.

    Raises:
        RuleError: as ``read_rule``, with the mistakes of all rules.
    """
    rules: list[Rule] = []
    mistakes: list[RuleError] = []
    for rule in _texts(_text(path, shown), shown):
        try:
            line = rule.marked.place((*rule.at, "id"))[0]
            rules.append(_rule(_raw(rule, faults_of_own), f"{shown}:{line}"))
        except RuleError as error:
            mistakes.append(error)
    if mistakes:
        raise all_in_one(mistakes)
    return tuple(rules)


def _texts(text: str, shown: str) -> tuple[RuleText, ...]:
    """Return the rules of a file, as written."""
    whole = RuleText(text, _marked(text, shown), (), shown)
    if RULE_LIST not in whole.value:
        return (whole,)
    items = whole.value[RULE_LIST]
    others = [key for key in whole.value if key != RULE_LIST]
    mistakes = [whole.error((key,), f"unknown key `{key}` beside `{RULE_LIST}`") for key in others]
    if not isinstance(items, list) or not items:
        mistakes.append(whole.error((RULE_LIST,), f"`{RULE_LIST}` must be a list of rules"))
    if mistakes:
        raise all_in_one(mistakes)
    return tuple(RuleText(text, whole.marked, (RULE_LIST, index), shown) for index in range(len(items)))


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


def _raw(rule: RuleText, own_faults: Callable[[RuleFile], Iterable[Fault]]) -> RuleFile:
    """Return a rule of the right shape and without faults.

    Raises:
        RuleError: it has another shape, or faults; with all mistakes.
    """
    raw, mistakes = read_shape(rule)
    if raw is not None:
        faults = [fault for fault in (*faults_of(raw), *own_faults(raw)) if not (mistakes and fault[0][0] in _NESTED)]
        mistakes += [rule.error(path, f"{rule.lead}{words}") for path, words in faults]
    if raw is None or mistakes:
        raise all_in_one(sorted(mistakes, key=lambda error: int(str(error.where).rpartition(":")[2])))
    return raw


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
        code_fixer=raw.code_fixer.name if raw.code_fixer else "",
        code_fixer_params=raw.code_fixer.params if raw.code_fixer else {},
        place=place,
    )
