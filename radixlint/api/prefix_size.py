"""From the name of a model and a length to the memory of a prefix, and which names there are."""

from __future__ import annotations

from radixlint.estimate import prefix_memory
from radixlint.hardware import load_gpu, load_model
from radixlint.hardware.table_file import read_table
from radixlint.result.estimate import PrefixMemory


def prefix_size(
    model: str,
    tokens: int,
    *,
    block_tokens: int = 16,
    sequences: int | None = None,
    dtype: str = "bf16",
    gpu: str | None = None,
) -> PrefixMemory:
    """Return what a prefix of ``tokens`` tokens takes in the KV cache of ``model``, compared with ``gpu`` if one is named.

    Raises:
        DataError: the model or the GPU is unknown; the error names all.
    """
    return prefix_memory(
        load_model(model),
        tokens,
        block_tokens=block_tokens,
        sequences=sequences,
        dtype=dtype,
        gpu=load_gpu(gpu) if gpu else None,
    )


def known_names() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of the models and of the GPUs in the tables, each sorted."""
    return tuple(sorted(read_table("models.yaml")["models"])), tuple(sorted(read_table("gpus.yaml")["gpus"]))
