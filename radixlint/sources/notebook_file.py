"""Prompts that notebooks build: the code cells of ``.ipynb`` in order, as one program in Python."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from radixlint.passage import Ground
from radixlint.prompt import SourceText
from radixlint.sources import Includes, SourceRead

if TYPE_CHECKING:
    from radixlint.flow.sink_table import Sink

NAME = "notebook"
HAS_SINKS = True
SUFFIXES = frozenset((".ipynb",))


def read(source: SourceText, includes: Includes, sinks: tuple[Sink, ...] = ()) -> SourceRead | None:
    """Return the prompts that the cells build, and where a cell does not parse; None if there is no trace of a prompt.

    Raises:
        SourceError: it has a trace of a prompt and is no JSON.
    """
    from radixlint.flow.python_signs import may_hold_prompts

    if not may_hold_prompts(source.text) and not any(sink.is_named_in(source.text) for sink in sinks):
        return None
    from radixlint.flow.notebook_cells import lower_notebook, read_notebook

    notebook = read_notebook(Ground(source))
    if notebook is None or not (may_hold_prompts(notebook.passage.text) or sinks):
        return None
    from radixlint.flow.reading import read_program
    from radixlint.sources._python_modules import modules_of

    modules = modules_of(includes)
    module, faults = lower_notebook(notebook, source.path)
    prompts, notes = read_program(module, modules.load, partial(modules.template, from_path=source.path), sinks)
    return SourceRead(NAME, prompts, notes, faults) if prompts or notes or faults else None
