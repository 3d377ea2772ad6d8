"""Read a program into prompts: evaluator, models and units joined."""

from __future__ import annotations

from radixlint.flow.evaluator import evaluate
from radixlint.flow.evaluator_base import Load, OpenTemplate
from radixlint.flow.models import library_models
from radixlint.flow.program import Module
from radixlint.flow.python_signs import may_hold_prompts
from radixlint.flow.scope_signs import ReadModule
from radixlint.flow.sink_table import Sink
from radixlint.flow.unit_events import writes_first_message
from radixlint.flow.units import Units
from radixlint.prompt import Prompt


def read_program(
    module: Module,
    load: Load,
    open_template: OpenTemplate | None = None,
    sinks: tuple[Sink, ...] = (),
    read: ReadModule | None = None,
) -> tuple[tuple[Prompt, ...], tuple[str, ...]]:
    """Return the prompts that a file makes, by place, and notes on what was not followed.

    Args:
        module: the file.
        load: returns the module of the linted tree that a file imports by name, None if there is none.
        open_template: returns a template file that the program names, as its source text.
        sinks: people's own calls that send prompts.
        read: returns the source of what ``load`` would.

    Raises:
        SourceError: the file asks for more work than any prompt builder does.
    """
    units = Units(module, sinks)

    def has_trace(code: str) -> bool:
        if may_hold_prompts(code, units.names_models) or any(sink.is_named_in(code) for sink in sinks):
            return True
        return "[0]" in code and writes_first_message(code)

    notes = evaluate(
        module,
        library_models(module.language),
        units,
        load,
        open_template=open_template,
        has_trace=has_trace if module.language == "python" else None,
        read=read,
    )
    return units.prompts(), notes
