"""Join a rule with its detector module and check its params."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import cast

import msgspec

from radixlint import detectors
from radixlint.detectors import Detector, Hit
from radixlint.errors import RuleError
from radixlint.plugins import load_plugin, plugin_names
from radixlint.prompt import Prompt
from radixlint.result.rule import Rule


@dataclass(frozen=True, slots=True)
class LoadedDetector:
    """A detector with a rule's params."""

    module: Detector
    params: msgspec.Struct

    def find(self, prompt: Prompt, count: Callable[[str], int]) -> Iterable[Hit]:
        """Return the hits in a classified prompt."""
        return self.module.find(prompt, self.params, count)


def load_detector(rule: Rule) -> LoadedDetector:
    """Return the detector of ``rule``.

    Raises:
        RuleError: there is no such detector, or it does not take these params.
    """
    module = _module(rule.detector)
    if module is None:
        names = ", ".join(plugin_names(detectors))
        raise RuleError(f"`detector`: there is no {rule.detector!r}", where=f"rule {rule.id}", hint=f"there are {names}")
    try:
        params = msgspec.convert(dict(rule.params), module.Params)
    except msgspec.ValidationError as error:
        raise RuleError(f"`params`: {error}", where=f"rule {rule.id}") from None
    return LoadedDetector(module, params)


@functools.cache
def _module(name: str) -> Detector | None:
    try:
        return cast("Detector", load_plugin(detectors, name))
    except KeyError:
        return None
