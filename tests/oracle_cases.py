"""The recorded cache cases: their requests, explicit or generated, and the runs of both engines."""

from __future__ import annotations

import hashlib
import json
from array import array
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from radixlint.traffic import CachePolicy, TokenRequest

FIXTURES = Path(__file__).parent / "fixtures"
FILES = {
    path.stem: path
    for path in sorted(FIXTURES.glob("oracle*/*.json"))
    if json.loads(path.read_text(encoding="utf-8"))["schema"] == "radix-oracle/1"
}
CASES = sorted(FILES)


@dataclass(frozen=True)
class OracleRequest:
    """A prompt, its output (all sampled tokens) and its namespace."""

    prompt: list[int]
    output: list[int]
    namespace: str


class Draws:
    """The recorded generators' random numbers: a 64-bit linear congruential state."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def below(self, k: int) -> int:
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % k


def stream(a: int, n: int) -> list[int]:
    return [(a * 7919 + j * 8729 + 17) % 32000 for j in range(n)]


def tenants(g: dict[str, int]) -> list[OracleRequest]:
    draws, requests = Draws(g["seed"]), []
    for i in range(g["n"]):
        x, y, f = draws.below(g["T"]), draws.below(g["T"]), draws.below(g["K"])
        s = g["suf_min"] + draws.below(g["suf_span"])
        o = g["out_min"] + (draws.below(g["out_span"]) if g["out_span"] > 0 else 0)
        t = min(x, y)
        few = t * g["K"] + f
        prompt = stream(1 + t, g["sys_min"] + t * 37 % g["sys_span"])
        prompt += stream(1000 + few, g["few_min"] + few * 53 % g["few_span"]) + stream(10000 + i, s)
        requests.append(OracleRequest(prompt, stream(20000 + i, o), ""))
    return requests


def chat(g: dict[str, int]) -> list[OracleRequest]:
    draws, requests = Draws(g["seed"]), []
    histories: list[list[int]] = [[] for _ in range(g["S"])]
    turns = [0] * g["S"]
    for i in range(g["n"]):
        c = draws.below(g["S"])
        user = stream(2000 + i, g["user_min"] + draws.below(g["user_span"]))
        output = stream(12000 + i, g["out_min"] + draws.below(g["out_span"]))
        if turns[c] == g["max_turns"]:
            histories[c], turns[c] = [], 0
        requests.append(OracleRequest(stream(1, g["sys_len"]) + histories[c] + user, output, ""))
        histories[c] = histories[c] + user + output
        turns[c] += 1
    return requests


@cache
def load_case(name: str) -> tuple[list[OracleRequest], list[dict[str, Any]]]:
    """Return the requests of a case, their digest checked, and its runs."""
    case = json.loads(FILES[name].read_text(encoding="utf-8"))
    if "generator" in case:
        requests = {"tenants": tenants, "chat": chat}[case["generator"]["name"]](case["generator"])
    else:
        requests = [
            OracleRequest(r["prompt"], r.get("output") or [], json.dumps([r.get("extra_key"), r.get("cache_salt") or None]))
            for r in case["requests"]
        ]
    lines = (f"{' '.join(map(str, r.prompt))}|{' '.join(map(str, r.output))}\n" for r in requests)
    assert hashlib.sha256("".join(lines).encode()).hexdigest() == case["tokens_sha256"]
    return requests, case["runs"]


def policy_of(run: dict[str, Any]) -> CachePolicy:
    settings = run["settings"]
    if run["engine"] == "sglang":
        return CachePolicy(
            name="sglang",
            block_tokens=settings["page_size"],
            kv_tokens=settings["capacity_tokens"],
            eviction=settings["eviction_policy"],
            chunk_tokens=settings["chunked_prefill_size"],
        )
    usable_blocks = settings["usable_blocks"]
    return CachePolicy(
        name="vllm",
        block_tokens=settings["block_size"],
        store="block-pool",
        kv_tokens=None if usable_blocks is None else usable_blocks * settings["block_size"],
        chunk_tokens=settings["max_num_batched_tokens"],
    )


def ids(tokens: list[int]) -> bytes:
    return array("I", tokens).tobytes()


def token_requests(requests: list[OracleRequest]) -> list[TokenRequest]:
    return [TokenRequest(i, ids(r.prompt), ids(r.output[:-1]), r.namespace) for i, r in enumerate(requests)]
