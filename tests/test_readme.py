"""The README shows real output, and its first block holds the two commands."""

from __future__ import annotations

import re

import make_readme


def test_output_in_the_readme_is_real() -> None:
    """Running every command shown gives the output shown, byte for byte."""
    assert make_readme.make() == make_readme.README.read_text(encoding="utf-8")


def test_the_first_block_has_two_commands() -> None:
    """The first code block of the README is exactly ``make run`` and ``make test``."""
    block = re.search(r"```sh\n(.*?)```", make_readme.README.read_text(encoding="utf-8"), re.DOTALL)

    assert block is not None
    assert [line.split("#")[0].strip() for line in block[1].splitlines()] == ["make run", "make test"]
