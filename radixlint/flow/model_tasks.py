"""Work that is handed to a loop, a thread or a pool gives what the function itself gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from radixlint.flow.calls import Context, Outcome, Site
from radixlint.flow.model_orders import element_of, with_taint
from radixlint.flow.model_sequences import mapped
from radixlint.flow.values import Callback, Instance, Listed, Mapped, Part, Several, Unknown, Written
from radixlint.prompt import Chance

Function = Callable[[Site, Context], Outcome | None]


def _gathered(site: Site, context: Context) -> Outcome | None:
    """``asyncio.gather(a(), b())`` gives what each gives, in the order of the arguments."""
    parts = [Part(value, site.span) for value in site.positional]
    spread = dict(site.named).get("*")
    if spread is not None:
        if not isinstance(spread, Listed) or spread.kind == "set":
            return None
        return Outcome(Listed((*parts, *spread.parts), site.span, "list", spread.taints))
    return Outcome(Listed(tuple(parts), site.span))


def _handed(position: int) -> Function:
    def handed(site: Site, context: Context) -> Outcome | None:
        function = site.argument("func", position)
        if not isinstance(function, Callback):
            return None
        return Outcome(context.beside(function, site.positional[position + 1 :], site.named, site.span))

    return handed


def _waited(site: Site, context: Context) -> Outcome | None:
    """``loop.run_until_complete(work)``."""
    return Outcome(site.positional[0]) if len(site.positional) == 1 else None


def _result(site: Site, context: Context) -> Outcome | None:
    """``future.result()`` of work whose result is known."""
    return Outcome(site.receiver) if isinstance(site.receiver, Written | Listed | Mapped) else None


def _mapped_by(site: Site, context: Context) -> Outcome | None:
    """``pool.map(function, items)`` gives its results in the order of the items."""
    pool = site.receiver
    is_pool = isinstance(pool, Instance) and pool.made.endswith(_POOLS)
    return mapped(site, context) if is_pool else None


def _then(site: Site, context: Context) -> Outcome | None:
    """``work.then(function)`` gives what the function gives for the result; so does ``add_done_callback`` for the work."""
    result, function = site.receiver, site.positional[0] if site.positional else None
    if not isinstance(function, Callback) or not isinstance(result, Unknown | Written | Listed | Mapped | Several):
        return None
    return Outcome(context.beside(function, (result,), (), site.span))


def _raced(site: Site, context: Context) -> Outcome | None:
    """``Promise.race(work)`` gives what is ready first: of a collection that a loop empties so, one item after another.

    Work that is written out is a race against a timeout.
    """
    work = site.positional[0] if site.positional else None
    if work is None or site.loop is None or (isinstance(work, Listed) and not any(part.controls for part in work.parts)):
        return None
    return Outcome(with_taint(element_of(work, site.span), Chance.IO, site.span, site.text))


_POOLS: Final = ("Executor", "Pool")
TASKS: Final[dict[str, Function]] = {
    **dict.fromkeys(("asyncio.gather", "anyio.gather"), _gathered),
    **dict.fromkeys(("Promise.race", "Promise.any"), _raced),
    **dict.fromkeys(("asyncio.to_thread", "anyio.to_thread.run_sync", "asgiref.sync.sync_to_async"), _handed(0)),
}
TASKS_BY_LAST: Final[dict[str, Function]] = {
    "submit": _handed(0),
    "run_in_executor": _handed(1),
    "run_until_complete": _waited,
    "result": _result,
    "then": _then,
    "add_done_callback": _then,
    "map": _mapped_by,
}
"""By the last part of the name, whatever the loop or pool is."""
