"""Draw the README's picture: what ``check`` prints for one bundled template, as SVG.

Run ``python tests/make_picture.py`` to write ``docs/check.svg`` anew; the same bytes each time.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "check.svg"
COMMAND = ("check", "templates/support-clock.bad.j2")
COLUMNS = 100

# Rich's own frame loads a font from the network; this one uses what the reader has.
FRAME = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img"
 aria-label="radixlint check: a clock near the top of a prompt, the code frame, and the prompt strip with the break marked">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: {char_height}px;
 line-height: {line_height}px; }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal"><rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/></clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def make() -> str:
    """Return the picture as SVG text."""
    environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"} | {"FORCE_COLOR": "1", "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-m", "radixlint", *COMMAND]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", check=False)
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(Text.from_ansi(f"$ radixlint {' '.join(COMMAND)}\n\n{done.stdout}"))
    return console.export_svg(title="radixlint", theme=MONOKAI, code_format=FRAME, unique_id="radixlint")


if __name__ == "__main__":
    PICTURE.write_text(make(), encoding="utf-8")
