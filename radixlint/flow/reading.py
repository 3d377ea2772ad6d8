"""Read a program into prompts: evaluator, models and units joined."""

from __future__ import annotations

from collections.abc import Callable

from radixlint.flow.evaluator import evaluate
from radixlint.flow.evaluator_frames import Budget
from radixlint.flow.models import library_models
from radixlint.flow.program import Module
from radixlint.flow.units import Units
from radixlint.prompt import Prompt

Load = Callable[[str, str], Module | None]


def read_program(module: Module, load: Load) -> tuple[Prompt, ...]:
    """Return the prompts that a file makes, by place.

    Args:
        module: the file.
        load: returns the module of the linted tree that a file imports by name, None if there is none.

    Raises:
        SourceError: the file asks for more work than any prompt builder does.
    """
    units = Units(module)
    evaluate(module, library_models(module.language), units, load, Budget())
    return units.prompts()
