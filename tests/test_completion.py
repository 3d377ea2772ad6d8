"""Shell completion names the commands, in every shell that is documented."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shell_completion(tmp_path: Path, shell: str) -> None:
    """The script for a shell is printed, and completing gives the commands."""
    script = _command(tmp_path, _RADIXLINT_COMPLETE=f"{shell}_source")
    words = {"COMP_WORDS": "radixlint test", "COMP_CWORD": "test" if shell == "fish" else "1"}
    words_given = _command(tmp_path, _RADIXLINT_COMPLETE=f"{shell}_complete", **words)

    assert "radixlint" in script.stdout
    assert script.returncode == 0
    assert "test-rules" in words_given.stdout
