"""GPUs: peak arithmetic, memory and bandwidth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from radixlint.hardware.table_file import find_entry, read_table

_GIGA: Final = 1_000_000_000
_TERA: Final = 1_000_000_000_000


@dataclass(frozen=True, slots=True)
class Gpu:
    """Peak rates of one GPU: dense bf16 FLOP/s, memory in bytes, memory bandwidth in bytes/s."""

    name: str
    bf16_flops_per_s: float
    memory_bytes: int
    bandwidth_bytes_per_s: float
    source: str
    checked: str


def load_gpu(name: str) -> Gpu:
    """Return the GPU ``name`` from the packaged table (``gpus.yaml``).

    Raises:
        DataError: the GPU is not in the table.
    """
    table = read_table("gpus.yaml")
    key = find_entry(table["gpus"], name, "GPU")
    entry = table["gpus"][key]
    return Gpu(
        name=key,
        bf16_flops_per_s=entry["bf16_tflops"] * _TERA,
        memory_bytes=entry["memory_gb"] * _GIGA,
        bandwidth_bytes_per_s=entry["bandwidth_gb_s"] * _GIGA,
        source=entry["source"],
        checked=table["checked"],
    )
