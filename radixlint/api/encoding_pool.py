"""Processes that encode texts ahead of the one that replays; what they find does not depend on their number."""

from __future__ import annotations

import contextlib
import functools
import multiprocessing
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from typing import Final

from radixlint.errors import RadixlintError
from radixlint.tokenizers import PieceEncoder, open_tokenizer, piece_encoder

_MOST_AHEAD_CHARACTERS: Final = 1 << 20

Batch = tuple[str, bool, list[str]]


class Coming:
    """Ids on their way; what a process cannot give (it was ended from outside) is left out."""

    def __init__(self, parts: Sequence[tuple[list[str], Future[list[bytes]]]] = ()) -> None:
        self._parts = parts

    def ids(self) -> dict[str, bytes]:
        """Wait, and return the ids by text."""
        found: dict[str, bytes] = {}
        for texts, future in self._parts:
            found.update(zip(texts, future.result(), strict=False))
        return found


class EncodingPool:
    """``jobs`` processes, each with vocabularies and memos of its own; to be closed in the end."""

    def __init__(self, jobs: int) -> None:
        self._workers: list[_Worker] = []
        with contextlib.suppress(OSError):  # fewer, where no more may be started
            self._workers.extend(_Worker() for _ in range(jobs))
        self._homes: dict[int, _Worker] = {}

    def encode(self, name: str, texts: dict[str, int], *, reads_specials: bool) -> Coming:
        """Let the ids of ``texts`` be found in the vocabulary ``name``.

        Each text has a number, equal for texts that probably begin alike: these are encoded in one process, as long as it
        has not much more to do than another.
        """
        shares: dict[_Worker, list[str]] = {}
        if not self._workers:
            return Coming()
        for text, number in texts.items():
            idle = min(self._workers, key=lambda worker: worker.taken_characters)
            home = self._homes.setdefault(number, idle)
            if home.taken_characters > idle.taken_characters + _MOST_AHEAD_CHARACTERS:
                home = self._homes[number] = idle
            home.taken_characters += len(text)
            shares.setdefault(home, []).append(text)
        return Coming([(share, worker.start((name, reads_specials, share))) for worker, share in shares.items()])

    def close(self) -> None:
        """End the processes at once."""
        for worker in self._workers:
            worker.close()


class _Worker:
    """A process, and a thread that waits for it."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        # Only the child holds its end: if this process is gone, however it ended, the child reads the end of the pipe.
        self._pipe, end = context.Pipe()
        self._process = context.Process(target=_serve, args=(end,), daemon=True)
        with _without_interrupts():
            self._process.start()
        end.close()
        self._thread = ThreadPoolExecutor(1)
        self.taken_characters = 0

    def start(self, batch: Batch) -> Future[list[bytes]]:
        return self._thread.submit(self._ask, batch)

    def close(self) -> None:
        self._process.terminate()
        self._process.join()
        self._thread.shutdown(cancel_futures=True)
        self._pipe.close()

    def _ask(self, batch: Batch) -> list[bytes]:
        try:
            self._pipe.send(batch)
            ids: list[bytes] = self._pipe.recv()
        except (EOFError, OSError):
            return []
        return ids


@contextlib.contextmanager
def _without_interrupts() -> Iterator[None]:
    """Let processes that are started meanwhile never be interrupted from the keyboard, not even while they start."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # to start it with the first process would let interrupts in again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(pipe: Connection) -> None:
    """Answer batches until the other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is for the process that asks, which then ends this one
    while True:
        try:
            pipe.send(_encoded(*pipe.recv()))
        except (EOFError, OSError):
            return


def _encoded(name: str, reads_specials: bool, texts: Sequence[str]) -> list[bytes]:
    try:
        return list(map(_encoder(name, reads_specials).encode_piece, texts))
    except RadixlintError:
        return []  # the process that asked meets the same fault, and tells it


@functools.cache
def _encoder(name: str, reads_specials: bool) -> PieceEncoder:
    return piece_encoder(open_tokenizer(name), reads_specials=reads_specials)
