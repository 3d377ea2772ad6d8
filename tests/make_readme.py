"""Fill the README's ``console`` blocks with what the commands print today.

A block starts with ``$ radixlint ...``; the rest of it is replaced. Run ``python tests/make_readme.py`` to write the file anew.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
BLOCK = re.compile(r"```console\n\$ radixlint ([^\n]*)\n.*?```\n", re.DOTALL)


def make() -> str:
    """Return the README with the output of every command in it."""
    return BLOCK.sub(_run, README.read_text(encoding="utf-8"))


def _run(block: re.Match[str]) -> str:
    command = [sys.executable, "-m", "radixlint", *shlex.split(block[1])]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
    return f"```console\n$ radixlint {block[1]}\n{done.stdout}```\n"


if __name__ == "__main__":
    README.write_text(make(), encoding="utf-8")
