"""The README shows real output, and its first block holds the two commands."""

from __future__ import annotations

import re
from pathlib import Path

import make_readme

from radixlint.config import load_settings


def test_output_in_the_readme_is_real() -> None:
    """Running every command shown gives the output shown, byte for byte."""
    assert make_readme.make() == make_readme.README.read_text(encoding="utf-8")


def test_the_first_block_has_two_commands() -> None:
    """The first code block of the README is exactly ``make run`` and ``make test``."""
    block = re.search(r"```sh\n(.*?)```", make_readme.README.read_text(encoding="utf-8"), re.DOTALL)

    assert block is not None
    assert [line.split("#")[0].strip() for line in block[1].splitlines()] == ["make run", "make test"]


def test_links_lead_somewhere() -> None:
    """Every relative link of the README and of the docs names a file that exists."""
    pages = [make_readme.README, make_readme.ROOT / "CONTRIBUTING.md", *sorted((make_readme.ROOT / "docs").glob("*.md"))]
    targets = [
        (page.name, target)
        for page in pages
        for target in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8"))
        if "://" not in target and not (page.parent / target).exists()
    ]

    assert targets == []


def test_settings_in_the_readme_are_accepted(tmp_path: Path) -> None:
    """The settings shown load without a complaint."""
    block = re.search(r"```toml\n(.*?)```", make_readme.README.read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    (tmp_path / "pyproject.toml").write_text(block[1], encoding="utf-8")

    assert set(load_settings(tmp_path).variables) == {"customer", "release_notes"}
