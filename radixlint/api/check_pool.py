"""Processes that check files; what they find does not depend on their number, for files are checked one by one anyway.

A process is a copy of this one (fork), which has read the rules already. Where there is no fork, or threads run beside, one
process does all: to start a fresh interpreter and read the rules again takes as long as some hundred files.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, TypeVar

from radixlint import opened_paths
from radixlint.errors import RadixlintError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_Item = TypeVar("_Item")
_Found = TypeVar("_Found")
_LEAST_FILES: Final = 100
# For each process, and in all: as many as fit into the smallest pipe.
_TICKETS: Final = 16
_MOST_TICKETS: Final = 2000
_TICKET_BYTES: Final = 2


def jobs_for(files: int, jobs: int | None) -> int:
    """Return how many processes to use for ``files`` files, if the user asks for ``jobs`` (None: as many as help)."""
    if sys.platform != "linux" or threading.active_count() > 1:
        return 1
    wanted = min(len(os.sched_getaffinity(0)), files // _LEAST_FILES) if jobs is None else jobs
    return max(1, min(wanted, files))


def checked_by(jobs: int, items: Sequence[_Item], check: Callable[[_Item], _Found]) -> Iterator[_Found]:
    """Yield ``check(item)`` for each item in order, worked out in ``jobs`` processes, of which this is one.

    Raises:
        RadixlintError: what ``check`` raises for the first item for which it does.
    """
    if jobs == 1:
        yield from map(check, items)
        return
    from multiprocessing import get_context

    context = get_context("fork")
    size = -(-len(items) // min(jobs * _TICKETS, _MOST_TICKETS))
    tickets = _tickets(-(-len(items) // size))
    workers = []
    try:
        for _ in range(1, jobs):
            pipe, end = context.Pipe(duplex=False)
            process = context.Process(target=_serve, args=(end, items, check, tickets, size), daemon=True)
            process.start()
            end.close()
            workers.append((process, pipe))
        found = _share(items, check, tickets, size)
        for _, pipe in workers:
            found.update(_answer(pipe))
    finally:
        os.close(tickets)
        for process, pipe in workers:
            process.terminate()
            process.join()
            pipe.close()
    for number, item in enumerate(items):
        # What a process did not give (it met a fault, or was ended from outside) is made here.
        yield found[number] if number in found else check(item)


def _tickets(count: int) -> int:
    """Return a pipe of ``count`` numbers; who has time takes the next, so no process waits while another has work left."""
    taken, put = os.pipe()
    os.write(put, b"".join(number.to_bytes(_TICKET_BYTES, "big") for number in range(count)))
    os.close(put)
    return taken


def _share(items: Sequence[_Item], check: Callable[[_Item], _Found], tickets: int, size: int) -> dict[int, _Found]:
    """Return by number what is found in the items of the tickets drawn, up to the first fault, which is met again in its turn."""
    found: dict[int, _Found] = {}
    try:
        while ticket := os.read(tickets, _TICKET_BYTES):
            first = int.from_bytes(ticket, "big") * size
            found.update((number, check(items[number])) for number in range(first, min(first + size, len(items))))
    except RadixlintError:
        return found
    return found


def _serve(pipe: Connection, items: Sequence[_Item], check: Callable[[_Item], _Found], tickets: int, size: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is for the process that asks, which then ends this one
    found = _share(items, check, tickets, size)
    try:
        pipe.send((found, opened_paths.recorded()))
    except OSError:
        return


def _answer(pipe: Connection) -> dict[int, _Found]:
    try:
        found, opened = pipe.recv()
    except (EOFError, OSError):
        return {}
    opened_paths.asked(*opened)
    return dict(found)
