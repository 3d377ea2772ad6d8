"""Prompts that programs in Python build: ``.py``; parsed, never imported or run."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from radixlint.prompt import SourceText
from radixlint.sources import Includes, SourceRead

if TYPE_CHECKING:
    from radixlint.flow.sink_table import Sink

NAME = "python"
HAS_SINKS = True
SUFFIXES = frozenset((".py",))


def read(source: SourceText, includes: Includes, sinks: tuple[Sink, ...] = ()) -> SourceRead | None:
    """Return the prompts that the file builds; None if it has no trace of any.

    Raises:
        SourceError: it has a trace of a prompt and does not parse.
    """
    from radixlint.flow.python_signs import may_hold_prompts

    if not may_hold_prompts(source.text) and not any(sink.is_named_in(source.text) for sink in sinks):
        return None
    from radixlint.flow.reading import read_program
    from radixlint.sources._python_modules import modules_of

    modules = modules_of(includes)
    open_template = partial(modules.template, from_path=source.path)
    prompts, notes = read_program(modules.parsed(source), modules.load, open_template, sinks, modules.text)
    return SourceRead(NAME, prompts, notes) if prompts or notes else None
