"""Prompts that programs in TypeScript and JavaScript build; parsed by tree-sitter, never run."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

from radixlint import opened_paths
from radixlint.errors import MissingReaderError
from radixlint.prompt import SourceText
from radixlint.sources import Includes, SourceRead

if TYPE_CHECKING:
    from radixlint.flow.sink_table import Sink

NAME = "script"
HAS_SINKS = True
SUFFIXES = frozenset((".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"))
_LANGUAGES = "TypeScript and JavaScript"


def read(source: SourceText, includes: Includes, sinks: tuple[Sink, ...] = ()) -> SourceRead | None:
    """Return the prompts that the file builds; None if it has no trace of any.

    Code that does not parse is told as a fault; the rest of the file is read.

    Raises:
        MissingReaderError: it has a trace of a prompt, and the parsers are not installed.
        SourceError: it has a trace of a prompt and none of it parses.
    """
    from radixlint.flow.script_signs import may_hold_prompts

    if not may_hold_prompts(source.text) and not any(sink.is_named_in(source.text) for sink in sinks):
        return None
    from radixlint.flow.script_lowering import is_installed

    if not is_installed():
        # A kept run does not count any more once they are.
        opened_paths.asked(*(f"{folder}/tree_sitter" for folder in sys.path))
        raise MissingReaderError(_LANGUAGES, "js")
    from radixlint.flow.reading import read_program
    from radixlint.sources._script_modules import modules_of

    modules = modules_of(includes)
    lowered = modules.parsed(source)
    prompts, notes = read_program(lowered.module, modules.load, partial(modules.text, from_path=source.path), sinks)
    faults = () if lowered.fault is None else (lowered.fault,)
    return SourceRead(NAME, prompts, notes, faults) if prompts or notes or faults else None
