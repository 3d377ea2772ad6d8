"""The memory of a prefix as a few lines of text."""

from __future__ import annotations

from radixlint.reports import TextStyle
from radixlint.reports._figures import binary_size
from radixlint.result.estimate import PrefixMemory


def render(memory: PrefixMemory, style: TextStyle) -> str:
    """Return the report; ``style`` changes nothing here."""
    rows = [
        ("one token", _bytes(memory.bytes_per_token)),
        (f"{memory.tokens:,} tokens", _bytes(memory.bytes)),
        (f"{memory.blocks:,} blocks of {memory.block_tokens}", _bytes(memory.block_bytes) + _partial(memory)),
    ]
    if memory.sequences is not None and memory.unshared_bytes is not None and memory.saved_bytes is not None:
        rows += [
            (f"{memory.sequences:,} sequences, no reuse", _bytes(memory.unshared_bytes)),
            (f"{memory.sequences:,} sequences, one shared copy", f"{_bytes(memory.bytes)}, saves {_bytes(memory.saved_bytes)}"),
        ]
    if memory.gpu_rate is not None and memory.gpu_memory_bytes is not None:
        text = f"{memory.gpu_rate:.2%} of {memory.gpu_memory_bytes / 10**9:,.0f} GB, weights not counted"
        rows.append((f"share of one {memory.gpu}", text))
    width = max(len(label) for label, _ in rows)
    lines = [f"KV cache of {memory.model} in {memory.dtype}", ""]
    lines += [f"  {label:<{width}}  {value}" for label, value in rows]
    lines += ["", f"Evidence: static, from the model's shape ({memory.source}, checked {memory.checked})."]
    return "\n".join(lines) + "\n"


def _bytes(size: int) -> str:
    return f"{size:,} bytes = {binary_size(size)}"


def _partial(memory: PrefixMemory) -> str:
    empty = memory.blocks * memory.block_tokens - memory.tokens
    return f" (the last block is not full: {empty} tokens free)" if empty else ""
