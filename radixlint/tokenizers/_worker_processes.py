"""Encode many texts in several processes; what comes back is the same for any number of them."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING, Final

from radixlint.tokenizers._piece_encoder import PieceEncoder

if TYPE_CHECKING:
    from radixlint.tokenizers import Tokenizer

# Engines differ a hundredfold in speed and logs in how much they repeat, so time decides, not size.
_TRIAL_S: Final = 1.0
_WORTHWHILE_S: Final = 5.0


def encode_in_processes(texts: Iterable[str], tokenizer: Tokenizer, *, jobs: int | None = None) -> dict[str, bytes]:
    """Return the ids of each distinct text, by text, in order of first appearance.

    Texts with a common beginning go to the same process, which encodes that once. Processes are started only if some
    seconds of work are left after a trial in this one; where they cannot be started, this one does all of it.

    Args:
        texts: what to encode, repeats allowed.
        tokenizer: from ``open_tokenizer``, which every process calls with its name.
        jobs: number of processes, None for one a core.
    """
    distinct = dict.fromkeys(texts)
    ordered = sorted(distinct)
    encode = PieceEncoder(tokenizer).encode_piece
    ids: list[bytes] = []
    begin, total_characters, done_characters = time.monotonic(), sum(map(len, ordered)), 0
    jobs = jobs or os.cpu_count() or 1
    for text in ordered:
        ids.append(encode(text))
        done_characters += len(text)
        spent_s = time.monotonic() - begin
        if jobs > 1 and spent_s > _TRIAL_S:
            if spent_s * (total_characters - done_characters) > _WORTHWHILE_S * done_characters:
                ids += _in_processes(ordered[len(ids) :], tokenizer.name, jobs) or ()
            break
    ids += map(encode, ordered[len(ids) :])
    found = dict(zip(ordered, ids, strict=True))
    return {text: found[text] for text in distinct}


def _in_processes(ordered: Sequence[str], tokenizer_name: str, jobs: int) -> list[bytes] | None:
    shares = _shares(ordered, jobs)
    try:
        with ProcessPoolExecutor(len(shares), mp_context=multiprocessing.get_context("spawn")) as pool:
            done = pool.map(_encode_share, shares, [tokenizer_name] * len(shares))
            return [ids for share in done for ids in share]
    except (OSError, BrokenProcessPool):
        return None


def _shares(ordered: Sequence[str], count: int) -> list[Sequence[str]]:
    """Cut sorted texts into at most ``count`` runs of about as many characters each."""
    total, seen, starts = sum(map(len, ordered)), 0, [0]
    for i, text in enumerate(ordered):
        if len(starts) < count and i > starts[-1] and seen * count >= total * len(starts):
            starts.append(i)
        seen += len(text)
    return [ordered[a:b] for a, b in zip(starts, [*starts[1:], len(ordered)], strict=True)]


def _encode_share(texts: Sequence[str], tokenizer_name: str) -> list[bytes]:
    from radixlint.tokenizers import open_tokenizer

    return list(map(PieceEncoder(open_tokenizer(tokenizer_name)).encode_piece, texts))
