"""Turn what a config file holds under a key into a value of the key's kind, or say what is wrong with it and how to write it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeVar

from msgspec import Struct, field

from radixlint.config.config_file import ConfigTable, Keys
from radixlint.config.setting_keys import KEYS, LIFETIMES, NAMES, RULE_KEYS, Key, Kind
from radixlint.errors import ConfigError, all_in_one
from radixlint.prompt import Lifetime
from radixlint.spelling import nearest

_MOST: Final = 1_000_000_000


_SELECTORS: Final = ("select", "extend-select", "ignore")

SelectorFault = Callable[[str], ConfigError | None]
"""Says what is wrong with a word that picks rules, None if nothing is."""

Read = TypeVar("Read")


class KeyValues(Struct, frozen=True):
    """Reads the keys of one table; ``selector_fault`` is asked only where there are other ``mistakes``."""

    table: ConfigTable
    selector_fault: SelectorFault
    mistakes: list[ConfigError] = field(default_factory=list)

    def read(self) -> dict[str, Any]:
        """Return the value of every key that is set.

        Raises:
            ConfigError: keys are unknown, or values are of another kind; names the line of each.
        """
        self.mistakes.extend(self._unknown((name,), NAMES) for name in self.table.keys if name not in NAMES)
        values = self._each({key.name: key for key in KEYS if key.name in self.table.keys}, lambda _, key: self._value(key))
        if self.mistakes:
            self.mistakes.extend(self._selector_faults(values))
            raise all_in_one(sorted(self.mistakes, key=_line))
        return values

    def _each(self, items: Mapping[str, Any], read: Callable[[str, Any], Read]) -> dict[str, Read]:
        """Return what ``read`` makes of each item, and keep the mistakes."""
        found: dict[str, Read] = {}
        for name, item in items.items():
            try:
                found[name] = read(name, item)
            except ConfigError as error:
                self.mistakes.append(error)
        return found

    def _selector_faults(self, values: Mapping[str, Any]) -> Iterator[ConfigError]:
        for key in _SELECTORS:
            for fault in filter(None, map(self.selector_fault, values.get(key, ()))):
                yield self.table.error((key,), fault.message, fault.hint)

    def _value(self, key: Key) -> object:
        value, at = self.table.keys[key.name], (key.name,)
        if key.kind is Kind.STRINGS:
            return self._strings(value, at, key.example)
        if key.kind is Kind.WORD:
            return self._word(value, at, key.known, key.example)
        if key.kind is Kind.FLAG:
            return self._flag(value, at, key.example)
        if key.kind is Kind.COUNT:
            return self._count(value, at, key.least)
        entries = self._entries(value, at, key.example)
        if key.kind is Kind.LIFETIMES:
            return dict(self._lifetimes(entries, at))
        if key.kind is Kind.WORDS:
            return self._each(entries, lambda name, item: self._delimiter(name, item, at, key))
        if key.kind is Kind.CODES_BY_GLOB:
            return self._each(entries, lambda glob, item: self._strings(item, (*at, glob), key.example))
        if key.kind is Kind.LIFETIMES_BY_GLOB:
            return self._each(entries, lambda glob, item: self._lifetimes_of(item, (*at, glob), key.example))
        return self._each(entries, lambda rule, item: self._min_tokens(item, (*at, rule), key.example))

    def _lifetimes_of(self, value: object, at: Keys, example: str) -> dict[str, Lifetime]:
        return dict(self._lifetimes(self._entries(value, at, example), at))

    def _strings(self, value: object, at: Keys, example: str) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self._wrong(at, "a list of strings", value, example)
        return tuple(value)

    def _word(self, value: object, at: Keys, known: tuple[str, ...], example: str) -> str:
        if not isinstance(value, str):
            raise self._wrong(at, "a string", value, example)
        if known and value not in known:
            message = f"{_dotted(at)} must be one of {', '.join(known)}, not {value!r}"
            raise self.table.error(at, message, _guess(value, known))
        return value

    def _flag(self, value: object, at: Keys, example: str) -> bool:
        if not isinstance(value, bool):
            raise self._wrong(at, "true or false", value, example)
        return value

    def _count(self, value: object, at: Keys, least: int) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= _MOST:
            shown = str(value) if isinstance(value, int) and not isinstance(value, bool) else _kind(value)
            raise self.table.error(at, f"{_dotted(at)} must be a whole number from {least} on, not {shown[:40]}")
        return value

    def _entries(self, value: object, at: Keys, example: str) -> Mapping[str, object]:
        if not isinstance(value, dict):
            raise self._wrong(at, "a table", value, example)
        return value

    def _lifetimes(self, entries: Mapping[str, object], at: Keys, above: Keys = ()) -> Iterator[tuple[str, Lifetime]]:
        for name, value in entries.items():
            path = (*above, name)
            if isinstance(value, dict):  # user.name = "user" is a nested table to TOML and one dotted name to us
                yield from self._lifetimes(value, at, path)
            elif not isinstance(value, str):
                message = f"{_dotted((*at, *path))} must be a string, not {_kind(value)}"
                self.mistakes.append(self.table.error((*at, *path), message))
            elif value not in LIFETIMES:
                hint = _guess(value, LIFETIMES) or f"one of {', '.join(LIFETIMES)}"
                message = f"unknown lifetime {value!r} of variable {'.'.join(path)}"
                self.mistakes.append(self.table.error((*at, *path), message, hint))
            else:
                yield ".".join(path), Lifetime[value.upper()]

    def _delimiter(self, name: str, value: object, at: Keys, key: Key) -> str:
        if name not in key.known:
            raise self._unknown((*at, name), key.known)
        if not isinstance(value, str) or not value.strip() or "\n" in value:
            raise self._wrong((*at, name), "a string on one line that is not empty", value, key.example)
        return value

    def _min_tokens(self, value: object, at: Keys, example: str) -> int:
        entries = self._entries(value, at, example)
        for name in entries:
            if name not in RULE_KEYS:
                raise self._unknown((*at, name), RULE_KEYS)
        if "min-tokens" not in entries:
            raise self.table.error(at, f"{_dotted(at)} sets nothing", f"write {example}")
        return self._count(entries["min-tokens"], (*at, "min-tokens"), 0)

    def _wrong(self, at: Keys, wanted: str, value: object, example: str) -> ConfigError:
        return self.table.error(at, f"{_dotted(at)} must be {wanted}, not {_kind(value)}", f"write {example}")

    def _unknown(self, at: Keys, known: tuple[str, ...]) -> ConfigError:
        hint = _guess(at[-1], known) or f"known keys: {', '.join(known)}"
        return self.table.error(at, f"unknown key {at[-1]!r}", hint)


def _line(error: ConfigError) -> int:
    line = (error.where or "").rpartition(":")[2]
    return int(line) if line.isdigit() else 0


def _dotted(keys: Keys) -> str:
    return ".".join(keys)


def _guess(word: str, known: tuple[str, ...]) -> str | None:
    found = nearest(word, known)
    return f"did you mean {found}?" if found else None


def _kind(value: object) -> str:
    names = {str: "a string", bool: "a boolean", int: "an integer", float: "a number", list: "a list of other values"}
    return (
        "an empty list" if value == [] else names.get(type(value), "a table" if isinstance(value, dict) else type(value).__name__)
    )
