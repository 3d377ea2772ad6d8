"""What a model and a GPU can do, as small dated tables: shapes, rates, sizes, each with its source."""

from __future__ import annotations

from radixlint.hardware.gpu_table import Gpu, load_gpu
from radixlint.hardware.model_table import DTYPE_BYTES, Model, load_model

__all__ = ["DTYPE_BYTES", "Gpu", "Model", "load_gpu", "load_model"]
