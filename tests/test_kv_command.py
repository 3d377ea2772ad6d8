"""``radixlint kv`` on the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path


def kv(*arguments: str, expected_code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run the command in a child process and check its exit code."""
    run = subprocess.run([sys.executable, "-m", "radixlint", "kv", *arguments], capture_output=True, text=True, check=False)
    assert run.returncode == expected_code, run.stderr
    return run


def test_text_report() -> None:
    """The documented example: bytes, blocks, and the cost of 16 copies against one."""
    text = kv("--model", "llama-3.1-8b", "--tokens", "2000", "--sequences", "16", "--gpu", "h100").stdout

    assert "262,144,000 bytes = 250 MiB" in text
    assert "125 blocks of 16" in text
    assert "4,194,304,000 bytes" in text
    assert "saves 3,932,160,000 bytes" in text
    assert "one copy, share of one h100    0.33% of 80 GB" in text
    assert "in whole blocks" not in text
    assert "Evidence: static" in text


def test_a_partial_block_is_named() -> None:
    """One token over a block boundary takes one more block, and the free room in it is said."""
    text = kv("--model", "llama-3.1-8b", "--tokens", "2001").stdout

    assert "126 blocks of 16" in text
    assert "15 tokens free" in text


def test_many_sequences_are_counted_in_whole_blocks_too() -> None:
    """17 tokens take two blocks of 16: each of 16 sequences holds both without reuse, its own second one with reuse."""
    arguments = ("--model", "llama-3.1-8b", "--tokens", "17", "--sequences", "16")
    text = " ".join(kv(*arguments).stdout.split())
    report = json.loads(kv(*arguments, "--format", "json").stdout)
    block_bytes = 16 * report["bytes_per_token"]

    assert report["unshared_bytes"] == 16 * 17 * report["bytes_per_token"]
    assert report["unshared_block_bytes"] == 16 * 2 * block_bytes
    assert report["shared_block_bytes"] == (1 + 16) * block_bytes
    assert f"in whole blocks, no reuse {report['unshared_block_bytes']:,} bytes" in text
    assert f"in whole blocks, shared {report['shared_block_bytes']:,} bytes" in text


def test_names_are_listed() -> None:
    """``--list`` prints every known model and GPU, whatever else is given, and the help of both options names it."""
    listed = kv("--list").stdout.splitlines()
    every_help = " ".join(kv("--help").stdout.split())

    assert "model  llama-3.1-8b" in listed
    assert "gpu    h100" in listed
    assert kv("--model", "gpt-9", "--list").stdout.splitlines() == listed
    assert every_help.count("--list names all") == 2
    for name in (line.split()[1] for line in listed if line.startswith("model")):
        kv("--model", name, "--tokens", "1")


def test_json_report_and_output_file(tmp_path: Path) -> None:
    """JSON has the same figures, goes to a file whole, and both spellings of the format option work."""
    target = tmp_path / "kv.json"
    run = kv("--model", "llama-3.1-8b", "--tokens", "2000", "--dtype", "fp8", "--output-format", "json", "--output", str(target))
    report = json.loads(target.read_text(encoding="utf-8"))

    assert run.stdout == ""
    assert report["schema_version"] == 1
    assert report["bytes"] * 2 == 262_144_000
    assert report["sequences"] is None


def test_wrong_input_is_one_line() -> None:
    """An unknown model or a negative length ends with exit code 2 and one line that says what is known or allowed."""
    unknown = kv("--model", "gpt-9", "--tokens", "1", expected_code=2).stderr
    negative = kv("--model", "llama-3.1-8b", "--tokens", "-1", expected_code=2).stderr

    assert "unknown model 'gpt-9'" in unknown
    assert "llama-3.1-8b" in unknown
    assert "--tokens" in negative
    assert len(unknown.splitlines()) == len(negative.splitlines()) == 1
