"""Rules of people's own: the files and folders they stand in, and that no code or name is taken twice."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from radixlint.errors import RuleError, all_in_one
from radixlint.result.rule import Rule

_SUFFIXES: Final = (".yaml", ".yml")
_MARK: Final = re.compile(rb"^[ \t]*#.*\b(?:todo)?(?:ruleid|ok):", re.MULTILINE)
_DETECTOR: Final = re.compile(rb"^[ \t-]*detector[ \t]*:", re.MULTILINE)


def load_own_rules(packs: Iterable[Path], start: Path) -> tuple[Rule, ...]:
    """Return the rules in the files and folders ``packs``, by code; each file is read once.

    Args:
        packs: rule files, and folders whose YAML files are rule files.
        start: what paths are shown relative to.

    Raises:
        RuleError: a path is no file or folder of rules, files are malformed, or two rules share a code or a name; names all.
    """
    owners: dict[str, str] = {}
    rules: list[Rule] = []
    mistakes: list[RuleError] = []
    for path in dict.fromkeys(file for pack in packs for file in rule_files(pack, start)):
        try:
            found = _read(path, start)
            rules.extend(found)
            mistakes.extend(_taken(owners, found))
        except RuleError as error:
            mistakes.append(error)
    if mistakes:
        raise all_in_one(mistakes)
    return tuple(sorted(rules, key=lambda rule: rule.id))


def _read(path: Path, start: Path) -> tuple[Rule, ...]:
    from radixlint.catalog.rule_file import read_own_rules  # most runs have no rules of their own

    return read_own_rules(path, _shown(path, start))


def refuse_taken(own: Iterable[Rule], built_in: Iterable[Rule]) -> None:
    """Check that rules of people's own have other names than those of radixlint.

    Raises:
        RuleError: one has not.
    """
    mistakes = list(_taken({rule.name: f"{rule.id} of radixlint" for rule in built_in}, own))
    if mistakes:
        raise all_in_one(mistakes)


def _taken(owners: dict[str, str], rules: Iterable[Rule]) -> Iterator[RuleError]:
    """Add the codes and names of rules to those that have an owner, and yield what is wrong with those that had one."""
    for rule in rules:
        for key in (rule.id, rule.name):
            if key in owners:
                yield RuleError(f"{key} is taken by {owners[key]}", where=rule.place, hint="codes and names are unique")
            else:
                owners[key] = rule.place


def rule_files(pack: Path, start: Path) -> Iterator[Path]:
    """Yield the rule files of a pack by name: the file itself, or the YAML files in a folder that are not annotated prompts.

    Raises:
        RuleError: there is nothing, or no rule file in the folder.
    """
    if not pack.is_dir():
        yield pack
        return
    found = [p for p in sorted(pack.iterdir()) if p.suffix.lower() in _SUFFIXES and p.is_file() and not _is_annotated(p)]
    if not found:
        raise RuleError("no rule file (*.yaml) in this folder", where=_shown(pack, start))
    yield from found


def _is_annotated(path: Path) -> bool:
    """Whether a YAML file is a prompt with marks for the rules, and no rule file itself."""
    try:
        with path.open("rb") as stream:
            head = stream.read(100_000)
    except OSError:
        return False
    return _MARK.search(head) is not None and _DETECTOR.search(head) is None


def _shown(path: Path, start: Path) -> str:
    return path.relative_to(start).as_posix() if path.is_relative_to(start) else path.as_posix()
