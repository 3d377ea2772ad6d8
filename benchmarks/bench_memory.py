"""Peak memory of ``radixlint analyze`` on large logs.

Run: ``python benchmarks/bench_memory.py [REQUESTS]`` (8,000 by default; 100,000 multi-turn requests are the 1.3 GB of the goal).
The logs are made in a temporary folder and read by a child process, whose peak resident memory is printed, with all parts
of the report and with ``--top 0``. The goal of the single-turn log counts the distinct tokens and the nodes of its tree.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from chat_logs import multi_turn, single_turn, write_log

MULTI_TURN_GOAL_MB = 500
SINGLE_TURN_GOAL = (5.0, 300, 150)  # bytes a distinct token, bytes a node, megabytes


def peak(path: Path, folder: Path, *flags: str) -> tuple[dict[str, Any], float, float]:
    """Return the report of ``path``, and the peak memory of the child that made it, in MB, and its CPU seconds."""
    report = folder / "report.json"
    command = [sys.executable, "-m", "radixlint", "analyze", str(path), "--format", "json", "--output", str(report), *flags]
    child = subprocess.Popen(command)
    _, status, used = os.wait4(child.pid, 0)
    assert status == 0, f"analyze failed: {status}"
    return json.loads(report.read_text(encoding="utf-8")), used.ru_maxrss * 1024 / 1e6, used.ru_utime + used.ru_stime


def single_turn_goal_mb(report: dict[str, Any]) -> float:
    """Return the goal for a log in which each request adds a node or two to the tree."""
    token_bytes, node_bytes, base_mb = SINGLE_TURN_GOAL
    return (report["distinct_tokens"] * token_bytes + 2 * report["requests"] * node_bytes) / 1e6 + base_mb


def main() -> None:
    """Print the peak for each log and command."""
    requests = int(sys.argv[1]) if len(sys.argv) > 1 else 8_000
    logs: dict[str, tuple[Iterator[bytes], Callable[[dict[str, Any]], float]]] = {
        "multi-turn": (multi_turn(requests, 0.5), lambda _: MULTI_TURN_GOAL_MB),
        "single-turn": (single_turn(requests), single_turn_goal_mb),
    }
    for name, (lines, goal_mb) in logs.items():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "log.jsonl"
            size = write_log(path, lines) / 1e6
            for flags in ((), ("--top", "0")):
                report, peak_mb, spent_s = peak(path, Path(folder), *flags)
                shared = report["shareable_tokens"] / report["prompt_tokens"]
                print(
                    f"{name} {' '.join(flags):7} {requests:,} requests, {size:,.0f} MB, {shared:.1%} of tokens shared, "
                    f"{report['distinct_tokens']:,} distinct: peak {peak_mb:,.0f} MB (goal <= {goal_mb(report):,.0f}), "
                    f"{spent_s:.1f} s of CPU time, {size / spent_s:,.0f} MB/s",
                    flush=True,
                )


if __name__ == "__main__":
    main()
