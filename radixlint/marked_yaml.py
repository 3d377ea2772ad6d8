"""Strict YAML of people's own making: a few plain values, each with its line, and every trap of the format refused by name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from radixlint.errors import RadixlintError

MAX_DEPTH: Final = 20
_MOST_NAMED: Final = 6
# Plain words that YAML 1.1, which the parser speaks, reads otherwise than their writer and YAML 1.2 do.
_OCTAL: Final = re.compile(r"[-+]?0[0-7_]+")
_SIXTIES: Final = re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?")
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt \t].*)?")
_EXPONENT: Final = re.compile(r"[-+]?[0-9]+[eE][-+]?[0-9]+|[-+]?[0-9]+\.[0-9]*[eE][0-9]+")
_PADDED: Final = re.compile(r"[-+]?[0-9]+\.[0-9]*0")

KeyPath = tuple[str | int, ...]


class MarkedYamlError(RadixlintError):
    """A text is no YAML, or YAML that is refused; ``line`` and ``column`` count from 1."""

    def __init__(self, message: str, line: int, column: int, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.line = line
        self.column = column


@dataclass(frozen=True, slots=True)
class MarkedYaml:
    """What a text holds, with the place of each key and item: line and column from 1, by path (``("rules", 0, "id")``)."""

    value: object
    places: Mapping[KeyPath, tuple[int, int]]

    def place(self, path: KeyPath) -> tuple[int, int]:
        """Return where ``path`` stands, or the nearest part of it that stands anywhere."""
        while path and path not in self.places:
            path = path[:-1]
        return self.places.get(path, (1, 1))


def read_marked_yaml(text: str) -> MarkedYaml:
    """Return the one document in ``text``.

    Raises:
        MarkedYamlError: it is no YAML, or has tags, anchors, aliases, deep nesting, keys given twice or that are no text, more
            documents than one, or plain words that YAML reads otherwise than they look.
    """
    import yaml

    # libyaml reads a folder of rules ten times as fast; its events are the same.
    events = yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    composer = _Composer(events)
    try:
        return composer.document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        raise MarkedYamlError(f"not valid YAML: {error.problem or error.context}", line, column) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise MarkedYamlError(f"not valid YAML: {error.reason}", line, 1) from None


class _Composer:
    """Makes values of the parser's events as they come, so that what is refused is never built."""

    def __init__(self, events: Iterator[Any]) -> None:
        import yaml

        self.events = events
        self.places: dict[KeyPath, tuple[int, int]] = {}
        self.odd: list[tuple[int, int, str]] = []
        self.resolver = yaml.resolver.Resolver()
        self.constructor = yaml.constructor.SafeConstructor()
        self.yaml = yaml

    def document(self) -> MarkedYaml:
        """Return the only document."""
        next(self.events)
        event = next(self.events)
        if isinstance(event, self.yaml.StreamEndEvent):
            return MarkedYaml(None, {})
        value = self._value(next(self.events), ())
        next(self.events)
        event = next(self.events)
        if not isinstance(event, self.yaml.StreamEndEvent):
            raise MarkedYamlError("a second document starts here", *_place(event), "one file holds one document")
        if self.odd:
            raise self._odd_words()
        return MarkedYaml(value, self.places)

    def _value(self, event: Any, path: KeyPath) -> object:
        if len(path) >= MAX_DEPTH:
            raise MarkedYamlError("nested too deeply", *_place(event))
        if event.anchor is not None:
            raise MarkedYamlError("anchors and aliases are not allowed", *_place(event), "write the value out")
        if event.tag is not None:
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")
            raise MarkedYamlError(f"the tag {tag} is not allowed", *_place(event), "write plain values only")
        self.places.setdefault(path, _place(event))
        if isinstance(event, self.yaml.ScalarEvent):
            return self._scalar(event)
        if isinstance(event, self.yaml.SequenceStartEvent):
            return self._list(path)
        return self._mapping(path)

    def _list(self, path: KeyPath) -> list[object]:
        found: list[object] = []
        while not isinstance(event := next(self.events), self.yaml.SequenceEndEvent):
            found.append(self._value(event, (*path, len(found))))
        return found

    def _mapping(self, path: KeyPath) -> dict[str, object]:
        found: dict[str, object] = {}
        while not isinstance(event := next(self.events), self.yaml.MappingEndEvent):
            name = self._key(event)
            if name in found:
                first = self.places[*path, name][0]
                raise MarkedYamlError(f"`{name}` is given twice, first on line {first}", *_place(event), "keep one")
            self.places[*path, name] = _place(event)
            found[name] = self._value(next(self.events), (*path, name))
        return found

    def _key(self, event: Any) -> str:
        if not isinstance(event, self.yaml.ScalarEvent):
            raise MarkedYamlError("a key must be text", *_place(event))
        if self._tag(event) not in ("tag:yaml.org,2002:str", "tag:yaml.org,2002:merge"):
            self.odd.append((*_place(event), f'the key `{event.value}` is not text to YAML: write "{event.value}"'))
        return str(event.value)

    def _scalar(self, event: Any) -> object:
        if event.implicit[0] and (advice := _advice(event.value)):
            self.odd.append((*_place(event), f"`{event.value}` {advice}"))
            return event.value
        tag = self._tag(event)
        if tag == "tag:yaml.org,2002:str":
            return event.value
        try:
            return self.constructor.construct_object(self.yaml.ScalarNode(tag, event.value, event.start_mark, event.end_mark))
        except (ValueError, self.yaml.YAMLError):
            raise MarkedYamlError(f"`{event.value[:60]}` cannot be read", *_place(event), "put it in quotation marks") from None

    def _tag(self, event: Any) -> str:
        found: object = self.resolver.resolve(self.yaml.ScalarNode, event.value, event.implicit)  # type: ignore[no-untyped-call]
        return str(found)

    def _odd_words(self) -> MarkedYamlError:
        (line, column, first), *others = sorted(self.odd)
        told = [first, *(f"line {number}: {text}" for number, _, text in others[: _MOST_NAMED - 1])]
        more = [f"and {len(self.odd) - _MOST_NAMED} more"] if len(self.odd) > _MOST_NAMED else []
        return MarkedYamlError("; ".join((*told, *more)), line, column)


def _place(event: Any) -> tuple[int, int]:
    return event.start_mark.line + 1, event.start_mark.column + 1


def _advice(word: str) -> str | None:
    """Return what YAML makes of a plain word that looks like something else, and what to write instead."""
    if _OCTAL.fullmatch(word):
        return f'is {int(word.replace("_", ""), 8)}, an octal number, to YAML: write {int(word)} or "{word}"'
    if _SIXTIES.fullmatch(word):
        return f'is a number in base 60 to YAML: write "{word}"'
    if _DATE.fullmatch(word):
        return f'is a date to YAML: write "{word}"'
    if _EXPONENT.fullmatch(word):
        return f'is text to YAML, not a number: write {float(word):.15g} or "{word}"'
    return f'is the number {float(word):.15g} to YAML: write "{word}" or {float(word):.15g}' if _PADDED.fullmatch(word) else None
