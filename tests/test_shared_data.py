"""Tests of how missing shared data is reported."""

from __future__ import annotations

from pathlib import Path

import pytest
from shared_data import MARK, shared_folder


def test_unset_variable_skips_with_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable that is not set skips the test and the reason carries the mark that the summary looks for."""
    monkeypatch.delenv("RADIXLINT_NOWHERE", raising=False)

    with pytest.raises(pytest.skip.Exception, match=f"{MARK}RADIXLINT_NOWHERE is not set"):
        shared_folder("RADIXLINT_NOWHERE")


def test_wrong_folder_fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A variable that names no folder fails instead of skipping: somebody meant the data to be there."""
    monkeypatch.setenv("RADIXLINT_NOWHERE", str(tmp_path / "absent"))

    with pytest.raises(AssertionError, match="RADIXLINT_NOWHERE"):
        shared_folder("RADIXLINT_NOWHERE")


def test_set_variable_gives_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A variable that names a folder gives it."""
    monkeypatch.setenv("RADIXLINT_NOWHERE", str(tmp_path))

    assert shared_folder("RADIXLINT_NOWHERE") == tmp_path
