"""Processes that encode texts; results do not depend on their number."""

from __future__ import annotations

import functools
import multiprocessing
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

from radixlint.tokenizers import PieceEncoder, open_tokenizer, piece_encoder


class EncodingPool:
    """``jobs`` processes, each with vocabularies and memos of its own, started when first used."""

    def __init__(self, jobs: int) -> None:
        # One executor a process: a text goes where texts with its beginning went before.
        context = multiprocessing.get_context("spawn")
        self._processes = [ProcessPoolExecutor(1, mp_context=context) for _ in range(jobs)]

    def encode(self, name: str, texts: Sequence[tuple[str, int]], *, reads_specials: bool) -> dict[str, bytes]:
        """Return the ids of ``texts`` in the vocabulary ``name``, by text.

        Each text comes with a number, equal for texts that probably begin alike; these are encoded in one process.
        """
        shares: list[list[str]] = [[] for _ in self._processes]
        for text, number in texts:
            shares[number % len(shares)].append(text)
        started = [
            (share, process.submit(_encode_all, name, reads_specials, share))
            for process, share in zip(self._processes, shares, strict=True)
            if share
        ]
        return {text: ids for share, future in started for text, ids in zip(share, future.result(), strict=True)}

    def close(self) -> None:
        """End the processes."""
        for process in self._processes:
            process.shutdown(cancel_futures=True)


def _encode_all(name: str, reads_specials: bool, texts: Sequence[str]) -> list[bytes]:
    encoder = _encoder(name, reads_specials)
    return [encoder.encode_piece(text) for text in texts]


@functools.cache
def _encoder(name: str, reads_specials: bool) -> PieceEncoder:
    return piece_encoder(open_tokenizer(name), reads_specials=reads_specials)
