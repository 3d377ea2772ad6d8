"""What trying rules gave: the places where a rule missed a fault, or reported what is none."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RuleFault:
    """One thing that a rule did wrong; ``place`` is a file and line, or a rule and its example."""

    place: str
    rule: str
    problem: str


@dataclass(frozen=True, slots=True)
class TestedRules:
    """The faults by place; how many rules, examples and marked files were tried; codes of rules that nothing tries."""

    faults: tuple[RuleFault, ...]
    rules: int
    examples: int
    files: int
    untested: tuple[str, ...]
