"""The shape of a rule in YAML, and what is wrong with a rule of the right shape."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from radixlint.prompt import Confidence, Lifetime
from radixlint.result.finding import Severity

SOURCE_DETECTOR: Final = "source"
"""The detector word of rules that the readers of prompt files report themselves."""

BUILT_IN_ID: Final = re.compile(r"RL[0-9]{3}")
OWN_ID: Final = re.compile(r"(?!RL[0-9])[A-Z]{2,8}[0-9]{3}")
_KEBAB: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_PLACE: Final = re.compile(r"(?:[\w./-]+:)?[1-9][0-9]*:[1-9][0-9]*")
_APPLIES_TO: Final = ("template", "request", "chat-template", "folder")
_SCOPES: Final = (*(lifetime.label for lifetime in Lifetime), "process")
_FIX_SAFETY: Final = ("safe", "unsafe", "manual")

Fault = tuple[tuple[str | int, ...], str]
"""What is wrong, and under which keys."""


class ExampleFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An example as written."""

    name: str
    kind: str
    text: str
    expected: tuple[str, ...] = ()
    fixed: str | None = None
    files: dict[str, str] = {}
    config: str = ""


class ExamplesFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"passing": "pass", "failing": "fail"}):
    """The examples of a rule as written."""

    passing: tuple[ExampleFile, ...] = ()
    failing: tuple[ExampleFile, ...] = ()


class FixerFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fixer as written."""

    name: str
    params: dict[str, Any] = {}


class RuleFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rule as written; the rules that ship with radixlint set more keys than must be set."""

    id: str
    name: str
    severity: Severity
    detector: str
    message: str
    fix: str
    confidence: Confidence = Confidence.HIGH
    applies_to: tuple[str, ...] = ("template", "request")
    summary: str = ""
    why: str = ""
    fix_safety: str = "manual"
    references: tuple[str, ...] = ()
    examples: ExamplesFile = ExamplesFile()
    params: dict[str, Any] = {}
    limit: str = ""
    when_not: str = ""
    scope: str = ""
    fixer: FixerFile | None = None
    code_fixer: FixerFile | None = None


def faults_of(raw: RuleFile) -> Iterator[Fault]:
    """Yield what is wrong with a rule of the right shape, whoever made it."""
    fixers = [(key, fixer) for key, fixer in (("fixer", raw.fixer), ("code_fixer", raw.code_fixer)) if fixer is not None]
    checks = (
        (bool(_KEBAB.fullmatch(raw.name)), "name", f"must be kebab-case, not {raw.name!r}"),
        (bool(_KEBAB.fullmatch(raw.detector)), "detector", f"must be kebab-case, not {raw.detector!r}"),
        (raw.fix_safety in _FIX_SAFETY, "fix_safety", f"must be one of {', '.join(_FIX_SAFETY)}, not {raw.fix_safety!r}"),
        (bool(raw.applies_to), "applies_to", "is empty"),
        (set(raw.applies_to) <= set(_APPLIES_TO), "applies_to", f"may hold {', '.join(_APPLIES_TO)} only"),
        (not raw.scope or raw.scope in _SCOPES, "scope", f"must be one of {', '.join(_SCOPES)}, not {raw.scope!r}"),
        *((bool(_KEBAB.fullmatch(fixer.name)), key, "needs a `name` in kebab-case") for key, fixer in fixers),
        *((raw.fix_safety != "manual", key, "makes edits, so `fix_safety` is safe or unsafe") for key, _ in fixers),
        (_fields(raw.message) is not None, "message", "must be a format string with plain {field} names"),
        (_is_over(raw.limit, raw.params), "limit", "must be a format string over the params"),
        *((bool(getattr(raw, key).strip()), key, "is empty") for key in ("message", "fix")),
    )
    yield from (((key,), f"`{key}` {text}") for holds, key, text in checks if not holds)
    yield from _example_faults(raw.examples)


def faults_of_built_in(raw: RuleFile, file_name: str) -> Iterator[Fault]:
    """Yield what else is wrong with a rule that ships with radixlint."""
    if not BUILT_IN_ID.fullmatch(raw.id):
        yield ("id",), f"`id` must look like RL201, not {raw.id!r}"
    elif _KEBAB.fullmatch(raw.name) and file_name != file_name_of(raw.id, raw.name):
        yield ("id",), f"the file must be called {file_name_of(raw.id, raw.name)}"
    yield from (((key,), f"`{key}` is empty") for key in ("summary", "why") if not getattr(raw, key).strip())


def faults_of_own(raw: RuleFile) -> Iterator[Fault]:
    """Yield what else is wrong with a rule of people's own."""
    if not OWN_ID.fullmatch(raw.id):
        own = "RLnnn is kept for the rules of radixlint: " if raw.id.startswith("RL") else ""
        yield ("id",), f"{own}`id` must be 2 to 8 capital letters of your own and 3 digits (ACME001), not {raw.id!r}"
    if raw.detector == SOURCE_DETECTOR:
        yield ("detector",), f"`detector`: {SOURCE_DETECTOR!r} is for rules of radixlint itself"


def file_name_of(rule_id: str, name: str) -> str:
    """Return what the file of a rule that ships with radixlint is called."""
    return f"{rule_id}-{name}.yaml"


def _example_faults(examples: ExamplesFile) -> Iterator[Fault]:
    names: set[str] = set()
    for group, items in (("pass", examples.passing), ("fail", examples.failing)):
        for index, example in enumerate(items):
            where, at = f"`examples.{group}[{index}]`", ("examples", group, index)
            if not _KEBAB.fullmatch(example.name) or example.name in names:
                yield at, f"{where}: `name` must be kebab-case and unique, not {example.name!r}"
            names.add(example.name)
            if (group == "fail") != bool(example.expected):
                yield at, f"{where}: a failing example needs `expected` places, a passing one has none"
            wrong = [place for place in example.expected if not _PLACE.fullmatch(place)]
            if wrong:
                yield (*at, "expected"), f"{where}: `expected` holds line:column from 1, not {wrong[0]!r}"


def _is_over(text: str, params: Mapping[str, object]) -> bool:
    fields = _fields(text)
    return fields is not None and fields <= set(params)


def _fields(text: str) -> set[str] | None:
    """Return the fields of a format string, None if it is none or a field is more than a name."""
    try:
        parts = list(string.Formatter().parse(text))
    except ValueError:
        return None
    if any(spec or conversion for _, _, spec, conversion in parts):  # a width could make a message of gigabytes
        return None
    fields = {field for _, field, _, _ in parts if field is not None}
    return fields if all(field.isidentifier() for field in fields) else None
