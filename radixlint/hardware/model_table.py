"""Models: the shape of the network, and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from radixlint.hardware.table_file import find_entry, read_table

DTYPE_BYTES: Final = {"bf16": 2, "fp16": 2, "fp8": 1}
"""Bytes per stored value."""


@dataclass(frozen=True, slots=True)
class Model:
    """A decoder with full attention in every layer and a gated MLP of three matrices.

    ``hidden``, ``head_dim``, ``intermediate`` and ``vocabulary`` are widths; ``kv_heads`` of ``heads`` attention heads have
    keys and values of their own. ``repository`` is the public name that engines load.
    """

    name: str
    repository: str
    layers: int
    hidden: int
    heads: int
    kv_heads: int
    head_dim: int
    intermediate: int
    vocabulary: int
    tied_embeddings: bool
    source: str
    checked: str

    @property
    def parameters(self) -> int:
        """Number of weights, biases and the norms of single heads left out (under 0.02 %)."""
        attention = 2 * self.hidden * self.head_dim * (self.heads + self.kv_heads)
        layer = attention + 3 * self.hidden * self.intermediate + 2 * self.hidden
        embeddings = self.vocabulary * self.hidden * (1 if self.tied_embeddings else 2)
        return self.layers * layer + embeddings + self.hidden

    @property
    def attention_flops(self) -> int:
        """FLOPs of attention per pair of a query position and a key position: scores and weighted sum, all layers."""
        return 4 * self.layers * self.heads * self.head_dim

    def weight_bytes(self, dtype: str = "bf16") -> int:
        """Size of the weights in bytes."""
        return self.parameters * DTYPE_BYTES[dtype]

    def kv_bytes_per_token(self, dtype: str = "bf16") -> int:
        """Bytes of KV cache one token takes: keys and values of all layers.

        >>> load_model("llama-3.1-8b").kv_bytes_per_token()
        131072
        """
        return 2 * self.layers * self.kv_heads * self.head_dim * DTYPE_BYTES[dtype]


def load_model(name: str) -> Model:
    """Return the model ``name`` from the packaged table (``models.yaml``).

    Raises:
        DataError: the model is not in the table.
    """
    table = read_table("models.yaml")
    key = find_entry(table["models"], name, "model")
    entry = table["models"][key]
    return Model(name=key, repository=entry["repository"], **entry["shape"], source=entry["source"], checked=table["checked"])
