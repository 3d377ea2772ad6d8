"""Read a workload description: YAML with fixed keys, each checked, an unknown one answered with the nearest."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, TypeVar

from radixlint.advise.strict_yaml import read_mapping
from radixlint.errors import DataError
from radixlint.result.workload import EngineToday, Hardware, Part, RetrievalPattern, Workload, WorkloadKind
from radixlint.spelling import nearest

KEYS: Final[Mapping[str, str]] = {
    "name": "what the report calls this workload",
    "template_shape": "parts of the prompt in the order sent: " + ", ".join(Part),
    "retrieval_pattern": "when retrieved text changes: " + ", ".join(RetrievalPattern),
    "conversation_length": "mean number of turns in a conversation, 1 or more",
    "tenants": "how many tenants share the servers, 1 or more",
    "controls_template": "true if the team can change the order of the prompt's parts",
    "separate_kv_pools": "true if tenants must not share cache memory (default false)",
    "single_shot": "true if no two requests begin with the same preamble (default false)",
    "engine_today": "what serves the traffic now: " + ", ".join(EngineToday),
    "output_tokens": "mean output tokens a request, 1 or more, used where the log does not say",
    "kind": "kind of application, for the customary hit rate shown beside the measured one (default: rag if anything is "
    "retrieved, else chat): " + ", ".join(WorkloadKind),
    "hardware": "a mapping of gpu, model, gpus_per_replica, replicas",
}
"""Every key of a workload file with its meaning, values and unit."""

HARDWARE_KEYS: Final[Mapping[str, str]] = {
    "gpu": "GPU as in the tables of radixlint, for example h100; without it no times are given",
    "model": "model as in the tables of radixlint, for example llama-3.1-8b; without it no times are given",
    "gpus_per_replica": "GPUs that hold one copy of the model, 1 or more (default 1)",
    "replicas": "copies of the model that share the traffic, 1 or more (default 1)",
}
"""Every key of the mapping ``hardware``, in the same way."""

REQUIRED: Final = ("name", "template_shape", "retrieval_pattern", "conversation_length", "tenants", "controls_template")

_NAME: Final = re.compile(r"[\w][\w .:/+-]{0,63}")
_MOST_SHOWN: Final = 60
_Word = TypeVar("_Word", bound=StrEnum)


def parse_workload(text: str, where: str) -> Workload:
    """Return the workload that the YAML ``text`` describes; ``where`` names the file in errors.

    Raises:
        DataError: not YAML, not a mapping, a key is unknown, missing or there twice, or a value has the wrong kind or range.
    """
    values = _Values(read_mapping(text, where, f"keys: {', '.join(KEYS)}"), where, KEYS)
    missing = [key for key in REQUIRED if key not in values.mapping]
    if missing:
        words = f"key {missing[0]!r} is missing" if len(missing) == 1 else f"keys {', '.join(map(repr, missing))} are missing"
        raise DataError(words, where=where, hint="; ".join(f"{key}: {KEYS[key]}" for key in missing))
    return Workload(
        name=values.name("name"),
        template_shape=values.words("template_shape", Part),
        retrieval_pattern=values.word("retrieval_pattern", RetrievalPattern),
        conversation_turns=values.number("conversation_length", least=1),
        tenants=values.count("tenants"),
        controls_template=values.flag("controls_template"),
        separate_kv_pools=values.flag("separate_kv_pools"),
        single_shot=values.flag("single_shot"),
        engine_today=values.word("engine_today", EngineToday) if values.has("engine_today") else None,
        output_tokens=values.number("output_tokens", least=1) if values.has("output_tokens") else None,
        hardware=_hardware(values.mapping.get("hardware"), where),
        kind=values.word("kind", WorkloadKind) if values.has("kind") else None,
    )


def _hardware(given: object, where: str) -> Hardware:
    if given is None:
        return Hardware()
    if not isinstance(given, dict):
        raise DataError("'hardware' must be a mapping", where=where, hint=f"hardware: {KEYS['hardware']}")
    values = _Values(given, f"{where}: hardware", HARDWARE_KEYS)
    return Hardware(
        gpu=values.name("gpu") if values.has("gpu") else None,
        model=values.name("model") if values.has("model") else None,
        gpus_per_replica=values.count("gpus_per_replica") if values.has("gpus_per_replica") else 1,
        replicas=values.count("replicas") if values.has("replicas") else 1,
    )


@dataclass(slots=True)
class _Values:
    """Typed reading of one mapping; every error names file, key and what is allowed."""

    mapping: Mapping[str, Any]
    where: str
    known: Mapping[str, str]

    def __post_init__(self) -> None:
        for key in self.mapping:
            if key not in self.known:
                shown = _cut(key) if isinstance(key, str) else "that is not a word"
                near = nearest(shown, self.known)
                guess = f"did you mean {near!r}? " if near else ""
                raise DataError(f"unknown key {shown!r}", where=self.where, hint=f"{guess}keys: {', '.join(self.known)}")

    def has(self, key: str) -> bool:
        return self.mapping.get(key) is not None

    def _wrong(self, key: str, wanted: str) -> DataError:
        return DataError(f"{key!r} must be {wanted}", where=self.where, hint=self.known[key])

    def name(self, key: str) -> str:
        value = self.mapping[key]
        text = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
        if not _NAME.fullmatch(text):
            raise self._wrong(key, "a name of 1 to 64 letters, digits, spaces and . : / + - _")
        return text

    def flag(self, key: str) -> bool:
        value = self.mapping.get(key, False)
        if not isinstance(value, bool):
            raise self._wrong(key, "true or false")
        return value

    def number(self, key: str, least: float) -> float:
        value = self.mapping[key]
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= 1e9:
            raise self._wrong(key, f"a number of {least:g} or more")
        return float(value)

    def count(self, key: str) -> int:
        value = self.mapping[key]
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 10**9:
            raise self._wrong(key, "a whole number of 1 or more")
        return value

    def word(self, key: str, words: type[_Word]) -> _Word:
        return self._one_of(key, self.mapping[key], words)

    def words(self, key: str, words: type[_Word]) -> tuple[_Word, ...]:
        value = self.mapping[key]
        listed = re.split(r"\s*(?:,|->|→|>|\+)\s*", value.strip()) if isinstance(value, str) else value
        if not isinstance(listed, list) or not listed:
            raise self._wrong(key, "a list of parts")
        found = tuple(self._one_of(key, item, words) for item in listed)
        if len(set(found)) != len(found):
            raise self._wrong(key, "a list that names each part once")
        return found

    def _one_of(self, key: str, value: object, words: type[_Word]) -> _Word:
        # Only plain values are written out: a nested one may be larger than memory once its YAML aliases are unfolded.
        if value is not None and not isinstance(value, str):
            raise self._wrong(key, f"made of these words: {', '.join(words)}")
        text = "none" if value is None else value.strip().lower().replace("_", "-")
        for word in words:
            if text == word.value:
                return word
        near = nearest(text, [word.value for word in words])
        guess = f", did you mean {near!r}" if near else ""
        raise DataError(
            f"{key!r} has the unknown value {_cut(text)!r}{guess}", where=self.where, hint=f"known: {', '.join(words)}"
        )


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_SHOWN else text[:_MOST_SHOWN] + "..."
