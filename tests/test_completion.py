"""Shell completion names the commands, in every shell that is documented."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


def _command(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent), **variables}
    start = "from radixlint.cli.main import main; main()"
    return subprocess.run(
        [sys.executable, "-c", f"import sys; sys.argv[0] = 'radixlint'; {start}", *arguments],
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment,
        check=False,
    )


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shell_completion(tmp_path: Path, shell: str) -> None:
    """The script for a shell is printed, and completing gives the commands."""
    script = _command(tmp_path, _RADIXLINT_COMPLETE=f"{shell}_source")
    words = {"COMP_WORDS": "radixlint test", "COMP_CWORD": "test" if shell == "fish" else "1"}
    words_given = _command(tmp_path, _RADIXLINT_COMPLETE=f"{shell}_complete", **words)

    assert "radixlint" in script.stdout
    assert script.returncode == 0
    assert "test-rules" in words_given.stdout
