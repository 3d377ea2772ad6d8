"""Join a rule with its detector and fixer modules and check its params."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import ModuleType
from typing import Final

import msgspec

from radixlint import detectors, fixers
from radixlint.catalog import SOURCE_DETECTOR
from radixlint.detectors import FolderHit, Hit
from radixlint.errors import RuleError
from radixlint.plugins import load_plugin, plugin_names
from radixlint.prompt import Prompt
from radixlint.result.finding import Edit
from radixlint.result.rule import Rule
from radixlint.stake.traits import Traits

Fixer = Callable[[], tuple[ModuleType, msgspec.Struct]]


class LoadedRule(msgspec.Struct, frozen=True):
    """A rule with the modules it names; ``asked`` is None where any prompt concerns the detector.

    ``fixer``, and ``code_fixer`` for programs, return the module and its params, which are imported when they are first asked
    for; None where there is none.
    """

    rule: Rule
    detector: ModuleType
    params: msgspec.Struct
    fixer: Fixer | None
    asked: Callable[[msgspec.Struct, Traits], bool] | None
    code_fixer: Fixer | None = None

    @property
    def has_notes(self) -> bool:
        """Whether the detector says what it could not judge."""
        return hasattr(self.detector, "notes")

    @property
    def is_for_folders(self) -> bool:
        """Whether the detector compares the prompts of all files."""
        return hasattr(self.detector, "find_across")

    def concerns(self, traits: Traits) -> bool:
        """Whether a prompt of these traits can have hits."""
        return self.asked is None or self.asked(self.params, traits)

    def find(self, prompt: Prompt, count: Callable[[str], int]) -> Iterable[Hit]:
        """Return the hits in a classified prompt."""
        found: Iterable[Hit] = self.detector.find(prompt, self.params, count)
        return found

    def find_across(self, prompts: Sequence[Prompt], count: Callable[[str], int]) -> Iterable[FolderHit]:
        """Return the hits among classified prompts."""
        found: Iterable[FolderHit] = self.detector.find_across(prompts, self.params, count)
        return found

    def notes(self, prompt: Prompt) -> Iterable[str]:
        """Return what the detector could not judge, if it says so."""
        if not self.has_notes:
            return ()
        found: Iterable[str] = self.detector.notes(prompt)
        return found

    def edits(self, prompt: Prompt, hit: Hit) -> tuple[Edit, ...]:
        """Return the edits that repair a hit, none if only a person can."""
        fixer = self.fixer if prompt.evidence is None else self.code_fixer
        if fixer is None:
            return ()
        module, params = fixer()
        return module.edits(prompt, hit, params) or ()


class Runnable(msgspec.Struct, frozen=True):
    """The rules that look at prompts of one kind, and those among them that say what they could not judge."""

    finding: tuple[LoadedRule, ...]
    noting: tuple[LoadedRule, ...]


# The rules of a run are one tuple, which is held here, so that no other takes its place in memory.
_LATEST: Final[list[tuple[object, dict[str, Runnable]]]] = []


def runnable(rules: Iterable[Rule], kind: str) -> Runnable:
    """Return what runs on prompts of ``kind``: not the rules of the source readers, nor those that compare prompts.

    Raises:
        RuleError: as ``load_rule``.
    """
    if not isinstance(rules, tuple):
        return _runnable(rules, kind)
    if not (_LATEST and _LATEST[0][0] is rules):
        _LATEST[:] = [(rules, {})]
    by_kind = _LATEST[0][1]
    if kind not in by_kind:
        by_kind[kind] = _runnable(rules, kind)
    return by_kind[kind]


def _runnable(rules: Iterable[Rule], kind: str) -> Runnable:
    own = [load_rule(rule) for rule in rules if rule.detector != SOURCE_DETECTOR and kind in rule.applies_to]
    return Runnable(tuple(r for r in own if not r.is_for_folders), tuple(r for r in own if r.has_notes))


# By identity: a rule holds mappings. The rule is kept beside, so that its number is not given to another one.
_LOADED: Final[dict[int, tuple[Rule, LoadedRule]]] = {}
_MOST_LOADED: Final = 1000


def load_rule(rule: Rule) -> LoadedRule:
    """Return ``rule`` with its modules; a rule is looked at once.

    Raises:
        RuleError: there is no such detector or fixer, or it does not take these params.
    """
    known = _LOADED.get(id(rule))
    if known is None:
        if len(_LOADED) >= _MOST_LOADED:
            _LOADED.clear()
        known = _LOADED[id(rule)] = rule, _loaded(rule)
    return known[1]


def _loaded(rule: Rule) -> LoadedRule:
    detector, params = _joined(rule, "detector", rule.detector, rule.params)
    asked = getattr(detector, "concerns", None)
    fixer = _later(rule, rule.fixer, rule.fixer_params)
    return LoadedRule(rule, detector, params, fixer, asked, _later(rule, rule.code_fixer, rule.code_fixer_params))


def _later(rule: Rule, name: str, params: Mapping[str, object]) -> Fixer | None:
    """Return what imports a fixer: one of people's own rules is checked at once, one that ships when it first fixes."""
    if not name:
        return None
    fixer = functools.cache(functools.partial(_joined, rule, "fixer", name, params))
    if rule.place:
        fixer()
    return fixer


def _joined(rule: Rule, what: str, name: str, params: Mapping[str, object]) -> tuple[ModuleType, msgspec.Struct]:
    package = detectors if what == "detector" else fixers
    module = _module(package, name)
    if module is None:
        names = ", ".join(plugin_names(package))
        raise RuleError(f"`{what}`: there is no {name!r}", where=rule.place or f"rule {rule.id}", hint=f"there are {names}")
    try:
        return module, msgspec.convert(dict(params), module.Params)
    except msgspec.ValidationError as error:
        key = "params" if what == "detector" else "fixer.params"
        raise RuleError(f"`{key}`: {error}", where=rule.place or f"rule {rule.id}") from None


@functools.cache
def _module(package: ModuleType, name: str) -> ModuleType | None:
    try:
        return load_plugin(package, name)
    except KeyError:
        return None
