"""The memory of a prefix as a few lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from radixlint.reports import TextStyle
from radixlint.reports._console_text import drawn
from radixlint.reports._figures import binary_size, counted
from radixlint.result.estimate import PrefixMemory


def render(memory: PrefixMemory, style: TextStyle) -> str:
    """Return the report as text; it has no colours."""
    from rich.text import Text

    rows = [
        ("one token", _bytes(memory.bytes_per_token)),
        (counted(memory.tokens, "token"), _bytes(memory.bytes)),
        (f"{counted(memory.blocks, 'block')} of {memory.block_tokens}", _bytes(memory.block_bytes) + _partial(memory)),
        *_sequence_rows(memory),
    ]
    if memory.gpu_rate is not None and memory.gpu_memory_bytes is not None:
        text = f"{memory.gpu_rate:.2%} of {memory.gpu_memory_bytes / 10**9:,.0f} GB, weights not counted"
        rows.append((f"one copy, share of one {memory.gpu}", text))
    width = max(len(label) for label, _ in rows)
    lines = [f"KV cache of {memory.model} in {memory.dtype}", ""]
    lines += [f"  {label:<{width}}  {value}" for label, value in rows]
    lines += ["", f"Evidence: static, from the model's shape ({memory.source}, checked {memory.checked})."]
    return drawn(map(Text, lines), style)


def _sequence_rows(memory: PrefixMemory) -> Iterator[tuple[str, str]]:
    """Yield what many sequences hold, by tokens; by whole blocks as well where that is another figure."""
    if memory.sequences is None or memory.unshared_bytes is None or memory.saved_bytes is None:
        return
    who = counted(memory.sequences, "sequence")
    yield f"{who}, no reuse", _bytes(memory.unshared_bytes)
    yield f"{who}, one shared copy", f"{_bytes(memory.bytes)}, saves {_bytes(memory.saved_bytes)}"
    if memory.unshared_block_bytes is None or memory.shared_block_bytes is None or memory.bytes == memory.block_bytes:
        return
    yield "  in whole blocks, no reuse", _bytes(memory.unshared_block_bytes)
    yield "  in whole blocks, shared", f"{_bytes(memory.shared_block_bytes)} (each has its own last block)"


def _bytes(size: int) -> str:
    return f"{size:,} bytes = {binary_size(size)}"


def _partial(memory: PrefixMemory) -> str:
    empty = memory.blocks * memory.block_tokens - memory.tokens
    return f" (the last block is not full: {counted(empty, 'token')} free)" if empty else ""
