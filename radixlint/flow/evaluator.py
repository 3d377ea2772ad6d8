"""Walk a program with abstract values, and tell a listener what it meets; the program is never run."""

from __future__ import annotations

from collections.abc import Callable

from radixlint.errors import SourceError
from radixlint.flow.calls import Listener, Models
from radixlint.flow.evaluator_base import Load, OpenTemplate
from radixlint.flow.evaluator_entries import Evaluator
from radixlint.flow.evaluator_frames import Budget as Budget
from radixlint.flow.program import Module
from radixlint.flow.scope_signs import Signs


def evaluate(
    module: Module,
    models: Models,
    listener: Listener,
    load: Load,
    budget: Budget | None = None,
    open_template: OpenTemplate | None = None,
    has_trace: Callable[[str], bool] | None = None,
) -> None:
    """Evaluate the body of ``module``, then each of its functions as if called with arguments that are not known.

    Args:
        module: the program.
        models: what library functions do.
        listener: is told of calls, assignments and what functions give back.
        load: returns the module of a file, given its name and the path of the file that names it; None if there is none.
        budget: bounds the work; a fresh one if None.
        open_template: returns a template file that the program names, as its source text.
        has_trace: tells code that may have to do with prompts; functions without it, which name nothing of the file with it,
            are followed only where they are called. All functions are evaluated if None.

    Raises:
        SourceError: the program asks for more work than any prompt builder does.
    """
    evaluator = Evaluator(module, models, listener, load, budget or Budget(), open_template)
    try:
        evaluator.run(Signs(module, has_trace))
    except RecursionError:
        raise SourceError("the code nests too deeply to be followed, not checked") from None
