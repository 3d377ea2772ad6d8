"""Logs for gates, small enough to be measured in a blink, and one call that checks them."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from made_faults import FAULTS
from made_logs import KINDS, write_jsonl
from msgspec import structs

from radixlint.api.gate_options import GateOptions
from radixlint.api.gating import check_log
from radixlint.result.gate import CheckStatus, GateCheck, GateReport
from radixlint.traffic import Request, Usage

BY_NAME = {fault.name: fault for fault in FAULTS}
PASSED, FAILED, OPEN = CheckStatus.PASSED, CheckStatus.FAILED, CheckStatus.COULD_NOT_CHECK


def healthy(kind: str = "rag", requests: int = 60, seed: int = 1) -> list[Request]:
    """Return requests in which no prefix breaks."""
    return KINDS[kind](requests, seed)


def faulty(name: str, requests: int = 60, share: float = 1.0) -> list[Request]:
    """Return requests with one fault."""
    fault = BY_NAME[name]
    return fault.inject(healthy(fault.kind, requests), share, random.Random(name)).requests


def reporting(requests: Iterable[Request], rate: float, prompt_tokens: int = 1_000) -> list[Request]:
    """Return ``requests`` as if the server had told of each that ``rate`` of its tokens were cached."""
    usage = Usage(prompt_tokens=prompt_tokens, cached_tokens=round(rate * prompt_tokens))
    return [structs.replace(request, usage=usage) for request in requests]


def written(path: Path, requests: Iterable[Request]) -> str:
    """Write ``requests`` to ``path`` and return its name."""
    write_jsonl(path, requests)
    return str(path)


def usage_only(path: Path, cached: Sequence[int | None], prompt_tokens: int = 1_000) -> str:
    """Write a log that holds no prompts but what was counted, and return its name."""
    path.write_text("".join(json.dumps(_usage_row(i, one, prompt_tokens)) + "\n" for i, one in enumerate(cached)))
    return str(path)


def _usage_row(number: int, cached: int | None, prompt_tokens: int) -> dict[str, Any]:
    """Return a row of a LiteLLM spend log whose prompts are not stored."""
    details = {} if cached is None else {"prompt_tokens_details": {"cached_tokens": cached}}
    usage = {"prompt_tokens": prompt_tokens, "completion_tokens": 5, **details}
    return {
        "request_id": f"r{number}",
        "call_type": "acompletion",
        "spend": 0.001,
        "model": "gpt-4o",
        "prompt_tokens": prompt_tokens,
        "completion_tokens": 5,
        "startTime": f"2026-03-02T09:00:{number:02}Z",
        "messages": {},
        "metadata": json.dumps({"usage_object": usage}),
        "cache_hit": "False",
        "status": "success",
    }


def ids_only(path: Path, prompts: Sequence[Sequence[int]]) -> str:
    """Write a log of token ids, and return its name."""
    path.write_text("".join(json.dumps({"token_ids": list(ids)}) + "\n" for ids in prompts))
    return str(path)


def gate(log: str, options: GateOptions) -> GateReport:
    """Check one log."""
    return check_log((log,), options)


def only(report: GateReport, name: str) -> GateCheck:
    """Return the check of this name."""
    (check,) = (check for check in report.checks if check.name == name)
    return check
