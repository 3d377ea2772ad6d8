"""Walk a program with abstract values, and tell a listener what it meets; the program is never run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from radixlint.errors import SourceError
from radixlint.flow.calls import Listener, Models
from radixlint.flow.evaluator_base import Load, OpenTemplate
from radixlint.flow.evaluator_entries import Evaluator
from radixlint.flow.evaluator_frames import Budget as Budget
from radixlint.flow.program import Module
from radixlint.flow.scope_signs import ReadModule, Signs

_NAMED_MAX: Final = 3


def evaluate(
    module: Module,
    models: Models,
    listener: Listener,
    load: Load,
    budget: Budget | None = None,
    open_template: OpenTemplate | None = None,
    has_trace: Callable[[str], bool] | None = None,
    read: ReadModule | None = None,
) -> tuple[str, ...]:
    """Evaluate the body of ``module``, then each of its functions as if called with arguments that are not known.

    Returns notes on what was not followed.

    Args:
        module: the program.
        models: what library functions do.
        listener: is told of calls, assignments and what functions give back.
        load: returns the module of a file, given its name and the path of the file that names it; None if there is none.
        budget: bounds the work; a fresh one if None.
        open_template: returns a template file that the program names, as its source text.
        has_trace: tells code that may have to do with prompts; functions without it, which name nothing of the file with it,
            are followed only where they are called. All functions are evaluated if None.
        read: returns the source of a module of the tree, called as ``load``, to look for a trace in it.

    Raises:
        SourceError: the program asks for more work than any prompt builder does.
    """
    evaluator = Evaluator(module, models, listener, load, budget or Budget(), open_template)
    try:
        evaluator.run(Signs(module, has_trace, read))
    except RecursionError:
        raise SourceError("the code nests too deeply to be followed, not checked") from None
    return _notes(evaluator)


def _notes(evaluator: Evaluator) -> tuple[str, ...]:
    """Return one line on the functions whose calls were followed only so far, the first of them by name."""
    if not evaluator.unfollowed:
        return ()
    lines = {name: evaluator.home.module.passage.place(start)[0] for name, start in evaluator.unfollowed.items()}
    first = sorted(lines, key=lambda name: (lines[name], name))[:_NAMED_MAX]
    shown = ", ".join(f"{name or 'a lambda'} (line {lines[name]})" for name in first)
    more = f" and {len(lines) - len(first)} more" if len(lines) > len(first) else ""
    return (f"not all calls were followed, they go too deep or too much code hangs on them: in {shown}{more}",)
