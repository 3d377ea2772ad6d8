"""The hardware tables: every entry is complete, plausible and dated, and wrong names are answered with help."""

from __future__ import annotations

import pytest

from radixlint.errors import DataError
from radixlint.hardware import DTYPE_BYTES, load_gpu, load_model
from radixlint.hardware.table_file import read_table

MODELS = sorted(read_table("models.yaml")["models"])
GPUS = sorted(read_table("gpus.yaml")["gpus"])
# Weights in the published checkpoints, from the safetensors totals that model pages print.
PUBLISHED_PARAMETERS = {
    "llama-3.1-8b": 8_030_261_248,
    "llama-3.1-70b": 70_553_706_496,
    "llama-3.2-1b": 1_235_814_400,
    "llama-3.2-3b": 3_212_749_824,
    "mistral-7b-v0.3": 7_248_023_552,
    "qwen2.5-7b": 7_615_616_512,
    "qwen3-8b": 8_190_735_360,
}


@pytest.mark.parametrize("name", MODELS)
def test_every_model_is_consistent(name: str) -> None:
    """Key heads divide the query heads, sizes are positive, and a source and a date stand beside the figures."""
    model = load_model(name)

    assert model.heads % model.kv_heads == 0
    assert model.kv_bytes_per_token("bf16") == 2 * model.kv_bytes_per_token("fp8")
    assert model.weight_bytes() == model.parameters * DTYPE_BYTES["bf16"]
    assert model.source.startswith("https://")
    assert model.checked


@pytest.mark.parametrize(("name", "published"), PUBLISHED_PARAMETERS.items())
def test_parameters_follow_from_the_shape(name: str, published: int) -> None:
    """The count worked out from the shape meets the published checkpoint within 0.02 %."""
    assert load_model(name).parameters == pytest.approx(published, rel=2e-4)


@pytest.mark.parametrize("name", GPUS)
def test_every_gpu_is_plausible(name: str) -> None:
    """Arithmetic outruns memory by 50 to 500 FLOPs a byte on every card, which a sparse or mistyped figure would leave."""
    gpu = load_gpu(name)

    assert 50 < gpu.bf16_flops_per_s / gpu.bandwidth_bytes_per_s < 500
    assert gpu.memory_bytes >= 24 * 10**9
    assert gpu.source.startswith("https://")
    assert gpu.checked


@pytest.mark.parametrize(
    "alias", ["Llama-3.1-8B", "meta-llama/Llama-3.1-8B-Instruct", "meta-llama/Meta-Llama-3.1-8B", " llama3.1-8b "]
)
def test_model_names_as_people_write_them(alias: str) -> None:
    """Repository names, case and the instruct ending lead to the same model."""
    assert load_model(alias).name == "llama-3.1-8b"


def test_unknown_names_are_answered_with_the_nearest_and_the_list() -> None:
    """A name that is not in a table ends in one line with the nearest name and all known ones."""
    with pytest.raises(DataError, match=r"unknown model 'lama-3\.1-8b' \(did you mean llama-3\.1-8b\? known: .*qwen3-8b"):
        load_model("lama-3.1-8b")
    with pytest.raises(DataError, match=r"unknown GPU 'h10' .*known: .*l40s"):
        load_gpu("h10")


def test_aliases_are_unique() -> None:
    """No name means two entries."""
    for file_name, kind in (("models.yaml", "models"), ("gpus.yaml", "gpus")):
        entries = read_table(file_name)[kind]
        names = [*entries, *(alias for entry in entries.values() for alias in entry["aliases"])]
        assert len(names) == len(set(names))
