"""``analyze`` end to end against the plain way: json.loads, tiktoken.encode_ordinary, a radix tree walked token by token.

Run: ``python benchmarks/bench_analyze.py [requests]``. Both sides read the same file and must find the same shared tokens
before a time is printed. Ratios of one run on one machine; no test depends on them.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import takewhile
from pathlib import Path

from radixlint.api.log_tokens import tokenize
from radixlint.api.analyze_options import AnalyzeOptions
from radixlint.api.measuring import analyze
from radixlint.logs import read_logs
from radixlint.providers import load_policy
from radixlint.replay import replay
from radixlint.tokenizers import open_tokenizer

WORDS = [
    f"{a}{b}"
    for a in ("order", "invoice", "carton", "road", "desk", "late", "refund")
    for b in ("", "s", "ly", " of", " to", ",")
]


def words(draw: random.Random, count: int) -> str:
    """Return ``count`` random words."""
    return " ".join(draw.choices(WORDS, k=count))


def multi_turn(requests: int) -> list[dict[str, object]]:
    """Build chats of eight turns: the history grows, the newest turn is new."""
    draw, system, rows = random.Random(1), words(random.Random(0), 900), []
    while len(rows) < requests:
        messages = [{"role": "system", "content": system}]
        for _ in range(8):
            messages = [*messages, {"role": "user", "content": words(draw, 60)}]
            rows.append({"model": "gpt-4o", "messages": messages})
            messages = [*messages, {"role": "assistant", "content": words(draw, 120)}]
    return rows[:requests]


def single_turn(requests: int) -> list[dict[str, object]]:
    """Build questions on one of 40 documents behind a common system text."""
    draw, system = random.Random(2), words(random.Random(0), 900)
    documents = [words(draw, 500) for _ in range(40)]
    return [
        {
            "model": "gpt-4o",
            "messages": [
                {"role": "system", "content": system},
                {"role": "user", "content": f"{draw.choice(documents)}\n{words(draw, 40)}"},
            ],
        }
        for _ in range(requests)
    ]


class PlainNode:
    """A node of the plain tree: a list of ids, children by first id."""

    def __init__(self, key: list[int]) -> None:
        self.key = key
        self.children: dict[int, PlainNode] = {}


def plain_insert(node: PlainNode, ids: list[int]) -> int:
    """Insert ``ids``, comparing token by token; return how many were there already."""
    matched = 0
    while ids:
        child = node.children.get(ids[0])
        if child is None:
            node.children[ids[0]] = PlainNode(ids)
            return matched
        common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(child.key, ids, strict=False)))
        if common < len(child.key):
            head = PlainNode(child.key[:common])
            child.key = child.key[common:]
            head.children[child.key[0]] = child
            node.children[ids[0]] = child = head
        matched += common
        ids, node = ids[common:], child
    return matched


def plain(path: Path) -> int:
    """Return the shared tokens of the log, the plain way."""
    encoding = open_tokenizer("o200k_base")._encoding
    root, shared = PlainNode([]), 0
    with path.open("rb") as lines:
        for line in lines:
            messages = json.loads(line)["messages"]
            text = "".join(f"<|{m['role']}|>\n{m['content']}\n<|end|>\n" for m in messages) + "<|assistant|>\n"
            shared += plain_insert(root, encoding.encode_ordinary(text))
    return shared


def measured(path: Path) -> int:
    """Return the shared tokens of the log: read, lay out, tokenize, replay."""
    read = read_logs([str(path)])
    matches = replay(tokenize(read.requests).requests, load_policy("vllm")).matches
    return sum(m.shareable_tokens for m in matches)


def whole(path: Path) -> int:
    """Return the same with everything the report holds: privacy, branch points, rows."""
    return analyze([str(path)], AnalyzeOptions()).shareable_tokens


def timed(work: Callable[[Path], int], path: Path) -> tuple[int, float]:
    """Return the result of ``work`` and its best time of three, in seconds."""
    best, result = float("inf"), 0
    for _ in range(3):
        start = time.perf_counter()
        result = work(path)
        best = min(best, time.perf_counter() - start)
    return result, best


def main() -> None:
    """Print both logs' times and ratios."""
    requests = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    open_tokenizer("o200k_base")
    print(f"{requests:,} requests a log, best of 3; ratio = plain / ours")
    with tempfile.TemporaryDirectory() as folder:
        for name, rows in (("multi-turn", multi_turn(requests)), ("single-turn", single_turn(requests))):
            path = Path(folder) / f"{name}.jsonl"
            path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
            results = {work: timed(work, path) for work in (plain, measured, whole)}
            totals = {shared for shared, _ in results.values()}
            assert len(totals) == 1, totals
            base = results[plain][1]
            print(f"{name}: {path.stat().st_size / 1e6:.1f} MB, {totals.pop():,} shared tokens on all sides")
            print(f"  plain (json, encode_ordinary, token loop)  {base:8.2f} s")
            print(
                f"  read, lay out, tokenize, replay            {results[measured][1]:8.2f} s  {base / results[measured][1]:6.1f}x"
            )
            print(f"  whole report, branch points included       {results[whole][1]:8.2f} s  {base / results[whole][1]:6.1f}x")


if __name__ == "__main__":
    main()
