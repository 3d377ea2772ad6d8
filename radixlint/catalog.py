"""The rule catalogue: YAML files in, checked ``Rule`` values out, and the selectors that pick among them.

What a rule's detector and params mean is not known here; ``lint`` joins them.
"""

from __future__ import annotations

import functools
import re
import string
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from radixlint.errors import ConfigError, RuleError
from radixlint.prompt import Confidence, Lifetime
from radixlint.result.finding import Severity
from radixlint.result.rule import Rule, RuleExample
from radixlint.spelling import guess

SOURCE_DETECTOR: Final = "source"
"""The detector word of rules that the readers of prompt files report themselves."""

_PACKAGE: Final = Path(__file__).resolve().parent
_MAX_FILE_BYTES: Final = 100_000
_MAX_DEPTH: Final = 20
_ID: Final = re.compile(r"RL[0-9]{3}")
_KEBAB: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_PLACE: Final = re.compile(r"(?:[\w./-]+:)?[1-9][0-9]*:[1-9][0-9]*")
_APPLIES_TO: Final = ("template", "request", "chat-template", "folder")
_SCOPES: Final = (*(lifetime.label for lifetime in Lifetime), "process")
_FIX_SAFETY: Final = ("safe", "unsafe", "manual")


class _ExampleFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    kind: str
    text: str
    expected: tuple[str, ...] = ()
    fixed: str | None = None
    files: dict[str, str] = {}
    config: str = ""


class _ExamplesFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"passing": "pass", "failing": "fail"}):
    passing: tuple[_ExampleFile, ...]
    failing: tuple[_ExampleFile, ...]


class _FixerFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    params: dict[str, Any] = {}


class _RuleFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    name: str
    severity: Severity
    confidence: Confidence
    applies_to: tuple[str, ...]
    summary: str
    detector: str
    message: str
    why: str
    fix: str
    fix_safety: str
    references: tuple[str, ...]
    examples: _ExamplesFile
    params: dict[str, Any] = {}
    limit: str = ""
    when_not: str = ""
    scope: str = ""
    fixer: _FixerFile | None = None


def rules_folder() -> Path:
    """Return where the rules are: the packaged folder if there is one, else the checkout's ``rules/``.

    Raises:
        RuleError: there is neither.
    """
    # The packaged folder wins: an installed copy's sibling ``rules`` could be anyone's.
    for folder in (_PACKAGE / "_rules", _PACKAGE.parent / "rules"):
        if folder.is_dir():
            return folder
    raise RuleError(
        "the rules are missing from this installation", where=str(_PACKAGE / "_rules"), hint="install radixlint again"
    )


@functools.cache
def load_rules(folder: Path | None = None) -> tuple[Rule, ...]:
    """Return all rules, by id.

    Args:
        folder: where the YAML files are; ``rules_folder()`` if None.

    Raises:
        RuleError: a file is malformed, or two files share an id or a name.
    """
    place = folder or rules_folder()
    rules = tuple(read_rule(path) for path in sorted(place.glob("*.yaml")))
    if not rules:
        raise RuleError("no rule file (*.yaml) in this folder", where=str(place))
    seen: dict[str, str] = {}
    for rule in rules:
        for key in (rule.id, rule.name):
            if key in seen:
                raise RuleError(
                    f"{key} is taken by {seen[key]} already", where=_file_name(rule.id, rule.name), hint="codes are unique"
                )
            seen[key] = _file_name(rule.id, rule.name)
    return tuple(sorted(rules, key=lambda rule: rule.id))


def read_rule(path: Path) -> Rule:
    """Return the rule in one YAML file.

    Raises:
        RuleError: the file is no rule; names the file, the key and what is wrong with it.
    """
    data = _read_yaml(path)
    try:
        raw = msgspec.convert(data, _RuleFile)
    except msgspec.ValidationError as error:
        raise RuleError(str(error).replace("`$.", "`").replace("Object ", ""), where=path.name) from None
    problem = _fault(raw, path.name)
    if problem:
        raise RuleError(problem, where=path.name)
    return _rule(raw)


def select_rules(rules: Sequence[Rule], select: Sequence[str], ignore: Sequence[str]) -> tuple[Rule, ...]:
    """Return the rules picked by ``select`` and not by ``ignore``, in their order; the more specific selector wins.

    Args:
        rules: all rules.
        select: codes (``RL201``), names, code prefixes (``RL2``) or ``ALL``; empty means ``ALL``.
        ignore: the same words; at equal length ``ignore`` wins.

    Raises:
        ConfigError: a selector matches no rule.
    """
    chosen = tuple(select) or ("ALL",)
    for selector in (*chosen, *ignore):
        if not any(_strength(rule, selector) for rule in rules):
            raise unknown_rule(rules, selector)
    return tuple(r for r in rules if _best(r, chosen) > _best(r, ignore))


def _best(rule: Rule, selectors: Sequence[str]) -> int:
    return max((_strength(rule, s) for s in selectors), default=0)


def _strength(rule: Rule, selector: str) -> int:
    """How exactly ``selector`` names ``rule``: 0 not at all, 1 ``ALL``, then by length of the prefix."""
    word = selector.strip()
    if word.upper() == "ALL":
        return 1
    if word.lower() == rule.name:
        return len(rule.id)
    return len(word) if len(word) >= 2 and rule.id.startswith(word.upper()) else 0


def unknown_rule(rules: Sequence[Rule], selector: str) -> ConfigError:
    """Return the error for a word that names no rule, with the nearest that does."""
    words = [word for rule in rules for word in (rule.id, rule.name)]
    return ConfigError(f"unknown rule {selector!r}", hint=f"{guess(selector, words)}run `radixlint rules` for the list")


def _file_name(rule_id: str, name: str) -> str:
    return f"{rule_id}-{name}.yaml"


def _rule(raw: _RuleFile) -> Rule:
    def examples(items: tuple[_ExampleFile, ...]) -> tuple[RuleExample, ...]:
        return tuple(RuleExample(e.name, e.kind, e.text, e.expected, e.fixed, tuple(e.files.items()), e.config) for e in items)

    return Rule(
        id=raw.id,
        name=raw.name,
        severity=raw.severity,
        confidence=raw.confidence,
        detector=raw.detector,
        params=raw.params,
        summary=raw.summary.strip(),
        message=raw.message.strip(),
        why=raw.why.strip(),
        fix=raw.fix.strip(),
        fix_safety=raw.fix_safety,
        applies_to=raw.applies_to,
        references=raw.references,
        passing=examples(raw.examples.passing),
        failing=examples(raw.examples.failing),
        limit=raw.limit.strip().format_map(raw.params),
        when_not=raw.when_not.strip(),
        scope=raw.scope,
        fixer=raw.fixer.name if raw.fixer else "",
        fixer_params=raw.fixer.params if raw.fixer else {},
    )


def _fault(raw: _RuleFile, file_name: str) -> str | None:
    """What is wrong with a rule of the right shape, or None."""
    checks = (
        (bool(_ID.fullmatch(raw.id)), f"`id` must look like RL201, not {raw.id!r}"),
        (bool(_KEBAB.fullmatch(raw.name)), f"`name` must be kebab-case, not {raw.name!r}"),
        (file_name == _file_name(raw.id, raw.name), f"the file must be called {_file_name(raw.id, raw.name)}"),
        (bool(_KEBAB.fullmatch(raw.detector)), f"`detector` must be kebab-case, not {raw.detector!r}"),
        (raw.fix_safety in _FIX_SAFETY, f"`fix_safety` must be one of {', '.join(_FIX_SAFETY)}, not {raw.fix_safety!r}"),
        (bool(raw.applies_to), "`applies_to` is empty"),
        (set(raw.applies_to) <= set(_APPLIES_TO), f"`applies_to` may hold {', '.join(_APPLIES_TO)} only"),
        (not raw.scope or raw.scope in _SCOPES, f"`scope` must be one of {', '.join(_SCOPES)}, not {raw.scope!r}"),
        (raw.fixer is None or bool(_KEBAB.fullmatch(raw.fixer.name)), "`fixer.name` must be kebab-case"),
        (raw.fixer is None or raw.fix_safety != "manual", "`fixer` makes edits, so `fix_safety` is safe or unsafe"),
        (_fields(raw.message) is not None, "`message` must be a format string with plain {field} names"),
        (_is_over(raw.limit, raw.params), "`limit` must be a format string over the params"),
        *((bool(getattr(raw, key).strip()), f"`{key}` is empty") for key in ("summary", "message", "why", "fix")),
    )
    faults = [text for holds, text in checks if not holds]
    return faults[0] if faults else _example_fault(raw.examples)


def _example_fault(examples: _ExamplesFile) -> str | None:
    names: set[str] = set()
    for group, items in (("pass", examples.passing), ("fail", examples.failing)):
        for index, example in enumerate(items):
            where = f"`examples.{group}[{index}]`"
            if not _KEBAB.fullmatch(example.name) or example.name in names:
                return f"{where}: `name` must be kebab-case and unique, not {example.name!r}"
            names.add(example.name)
            if (group == "fail") != bool(example.expected):
                return f"{where}: a failing example needs `expected` places, a passing one has none"
            wrong = [place for place in example.expected if not _PLACE.fullmatch(place)]
            if wrong:
                return f"{where}: `expected` holds line:column from 1, not {wrong[0]!r}"
    return None


def _is_over(text: str, params: Mapping[str, object]) -> bool:
    fields = _fields(text)
    return fields is not None and fields <= set(params)


def _fields(text: str) -> set[str] | None:
    """Return the fields of a format string, None if it is none or a field is more than a name."""
    try:
        fields = {field for _, field, _, _ in string.Formatter().parse(text) if field is not None}
    except ValueError:
        return None
    return fields if all(field.isidentifier() for field in fields) else None


def _read_yaml(path: Path) -> Mapping[str, object]:
    import yaml

    class Loader(yaml.SafeLoader):
        """Refuses deep nesting, anchors (a few lines can grow to gigabytes) and keys given twice (the first would be lost)."""

        depth = 0

        def compose_node(self, parent: Any, index: Any) -> Any:
            event = self.peek_event()  # type: ignore[no-untyped-call]
            self.depth += 1
            if self.depth > _MAX_DEPTH:
                raise yaml.MarkedYAMLError(problem="nested too deeply", problem_mark=event.start_mark)
            if getattr(event, "anchor", None) is not None:
                raise yaml.MarkedYAMLError(problem="anchors and aliases are not allowed", problem_mark=event.start_mark)
            found = super().compose_node(parent, index)
            self.depth -= 1
            return found

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:
            keys = [key.value for key, _ in node.value]
            twice = [key for key, _ in node.value if keys.count(key.value) > 1]
            if twice:
                raise yaml.MarkedYAMLError(problem=f"`{twice[1].value}` is given twice", problem_mark=twice[1].start_mark)
            return super().construct_mapping(node, deep)

    try:
        raw = path.read_bytes()
        if len(raw) > _MAX_FILE_BYTES:
            raise RuleError(f"a rule file has at most {_MAX_FILE_BYTES} bytes", where=path.name)
        data = yaml.load(raw.decode("utf-8"), Loader=Loader)  # noqa: S506 - a SafeLoader, made stricter
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        raise RuleError(f"not valid YAML: {error.problem}", where=f"{path.name}:{mark.line + 1}" if mark else path.name) from None
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        raise RuleError(f"not valid YAML: {type(error).__name__}", where=path.name) from None
    if not isinstance(data, dict):
        raise RuleError("a rule file is a mapping with `id`, `name`, ...", where=path.name)
    return data
