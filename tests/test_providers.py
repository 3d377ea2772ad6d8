"""Provider files and how they become a policy."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest
import yaml

import radixlint.providers
from radixlint.errors import DataError
from radixlint.providers import load_policy, provider_names

FOLDER = Path(radixlint.providers.__file__).parent


@pytest.mark.parametrize(("name", "block_tokens"), [("vllm", 16), ("sglang", 1)])
def test_defaults_are_the_engines(name: str, block_tokens: int) -> None:
    """Blocks of 16 for vLLM, pages of one token for SGLang; both compute at least one prompt token."""
    policy = load_policy(name)

    assert (policy.name, policy.block_tokens, policy.computed_tail_tokens, policy.kv_tokens) == (name, block_tokens, 1, None)
    assert policy.source
    assert not policy.is_assumed


def test_given_block_size_replaces_the_default_and_its_source() -> None:
    """A block size from the user is used, and the source says that it is not the engine's default."""
    policy = load_policy("sglang", 64)

    assert policy.block_tokens == 64
    assert "as given" in policy.source
    assert "as given" not in load_policy("sglang", 1).source


def test_unknown_name_is_told_with_the_nearest_and_the_list() -> None:
    """A typo names the engine meant, and every known one."""
    with pytest.raises(DataError) as caught:
        load_policy("vlm")

    assert "did you mean vllm?" in str(caught.value)
    assert all(name in str(caught.value) for name in provider_names())


@pytest.mark.parametrize("block_tokens", [0, 65_537])
def test_block_size_out_of_range_is_refused(block_tokens: int) -> None:
    """A block size that cannot be is one clear error."""
    with pytest.raises(DataError, match="not within"):
        load_policy("vllm", block_tokens)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.yaml")), ids=lambda p: p.stem)
def test_every_figure_has_a_source_and_the_date_it_was_checked(path: Path) -> None:
    """No number in a provider file stands alone, and every provider file loads."""
    figures = {key: value for key, value in yaml.safe_load(path.read_text()).items() if key != "title"}

    assert figures
    for figure in figures.values():
        assert set(figure) == {"value", "source", "checked"}
        assert isinstance(figure["checked"], datetime.date)
        assert len(figure["source"]) > 10
    assert load_policy(path.stem).name == path.stem


def test_malformed_file_is_told_with_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A figure without a source is a data error that names file and figure."""
    (tmp_path / "mine.yaml").write_text("block_tokens: {value: 16, checked: 2026-11-29}\n")
    monkeypatch.setattr("radixlint.providers._provider_file._FOLDER", tmp_path)

    with pytest.raises(DataError, match=r"mine\.yaml: block_tokens needs"):
        load_policy("mine")
