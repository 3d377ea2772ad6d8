"""``analyze`` end to end against the plain way: json.loads, one encode_ordinary a request, a radix tree of lists of numbers.

Run: ``python benchmarks/bench_analyze.py [REQUESTS]``. All sides read the same file and must find the same shared tokens
before a time is printed; the vocabulary is open before the clock starts. CPU times, least of some rounds in turn, with the
fast engine and, in a child process, without. Ratios of one run on one machine; no test depends on them.
"""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time

from chat_logs import multi_turn, single_turn, write_log
from plain_tree import PlainTree

from radixlint.api.analyze_options import AnalyzeOptions
from radixlint.api.log_tokens import tokenize
from radixlint.api.measuring import analyze
from radixlint.logs import read_logs
from radixlint.providers import load_policy
from radixlint.replay import replay
from radixlint.tokenizers import open_tokenizer

TURN_OFF, ROUNDS = "RADIXLINT_NO_FAST", 3
LOGS: dict[str, tuple[Callable[[int], Iterator[bytes]], int, dict[bool, int]]] = {
    "multi-turn": (multi_turn, 2_400, {True: 40, False: 7}),
    "single-turn": (single_turn, 6_000, {True: 15, False: 4}),
}


def plain(path: Path) -> tuple[int, int]:
    """Return the shared and all tokens of the log, the plain way."""
    encode = open_tokenizer("o200k_base")._encoding.encode_ordinary  # type: ignore[attr-defined]
    tree, shared, total = PlainTree(), 0, 0
    with path.open("rb") as lines:
        for line in lines:
            messages = json.loads(line)["messages"]
            text = "".join([f"<|{m['role']}|>\n{m['content']}\n<|end|>\n" for m in messages]) + "<|assistant|>\n"
            ids = encode(text)
            shared += tree.insert(ids)
            total += len(ids)
    return shared, total


def measured(path: Path) -> tuple[int, int]:
    """Return the same: read, lay out, tokenize, replay, add up."""
    requests = tokenize(read_logs([str(path)]).requests).requests
    matches = replay(requests, load_policy("vllm")).matches
    return sum(m.shareable_tokens for m in matches), sum(m.prompt_tokens for m in matches)


def whole(path: Path) -> tuple[int, int]:
    """Return the same with everything the report holds: privacy, branch points, rows."""
    report = analyze([str(path)], AnalyzeOptions())
    return report.shareable_tokens or 0, report.prompt_tokens


def timed(path: Path) -> tuple[tuple[int, int], dict[str, float]]:
    """Return what all sides found, and the least CPU seconds of each; the plain side runs less often, for it takes longest."""
    spent_s: dict[str, float] = {}
    found = set()
    gc.disable()  # a help to all sides alike
    for number in range(ROUNDS):
        for work in (plain, measured, whole) if number < ROUNDS - 1 else (measured, whole):
            gc.collect()
            start = process_time()
            found.add(work(path))
            spent_s[work.__name__] = min(spent_s.get(work.__name__, float("inf")), process_time() - start)
    gc.enable()
    assert len(found) == 1, f"the sides do not agree: {found}"
    return found.pop(), spent_s


def main() -> None:
    """Print both logs' times and ratios, then once more without the fast engine."""
    is_fast = not os.environ.get(TURN_OFF)
    print(
        f"{'with' if is_fast else 'without'} the fast engine; least CPU time of {ROUNDS} rounds; ratio = plain / ours", flush=True
    )
    open_tokenizer("o200k_base").encode("open")
    with tempfile.TemporaryDirectory() as folder:
        for name, (lines, usual, goals) in LOGS.items():
            requests = int(sys.argv[1]) if len(sys.argv) > 1 else usual
            path = Path(folder) / f"{name}.jsonl"
            size = write_log(path, lines(requests)) / 1e6
            (shared, total), spent_s = timed(path)
            told = f"{size:.0f} MB, {size * 1e3 / requests:.1f} kB a request, {shared / total:.1%} of {total:,} tokens shared"
            print(f"{name}: {requests:,} requests, {told}")
            print(f"  plain                             {spent_s['plain']:7.2f} s  {size / spent_s['plain']:6.0f} MB/s")
            for side, work in (("read, lay out, tokenize, replay", "measured"), ("the whole report, with explanation", "whole")):
                ratio = spent_s["plain"] / spent_s[work]
                goal = f"  (goal >= {goals[is_fast]}x)" if work == "measured" else ""
                print(f"  {side:33} {spent_s[work]:7.2f} s  {size / spent_s[work]:6.0f} MB/s  {ratio:5.1f}x{goal}", flush=True)
    if is_fast:
        subprocess.run([sys.executable, *sys.argv], env=os.environ | {TURN_OFF: "1"}, check=True)


if __name__ == "__main__":
    main()
