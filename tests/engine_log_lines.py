"""Lines as SGLang and vLLM write them, for the tests of what is read from their logs."""

from __future__ import annotations

import array
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

FIXTURES = Path(__file__).parent / "fixtures" / "engine_logs"


def packed(ids: Sequence[int]) -> bytes:
    """Return ``ids`` as uint32, for comparison."""
    return array.array("I", ids).tobytes()


def lines(*texts: str) -> bytes:
    """Return ``texts`` as the lines of a log."""
    return "".join(text + "\n" for text in texts).encode("utf-8", "surrogatepass")


def sglang(message: str, second: int = 3) -> str:
    """Return a line of SGLang's text log."""
    return f"[2026-11-29 13:19:{second:02}] {message}"


def generate_input(rid: object, text: str | None = None, input_ids: object = None, **fields: object) -> str:
    """Return a request as SGLang prints it; strings and lists over 2,048 are cut as on level 2."""
    shown = {"rid": rid, "session_id": None, "text": text, "input_ids": input_ids, "sampling_params": {"stop": "']),"}, **fields}
    return f"GenerateReqInput({', '.join(f'{name}={_cut(value)}' for name, value in shown.items())})"


def answer(prompt_tokens: int, cached_tokens: object, output_ids: Sequence[int] = (), **meta: object) -> dict[str, Any]:
    """Return an answer as SGLang logs it."""
    counts = {"prompt_tokens": prompt_tokens, "completion_tokens": len(output_ids), "cached_tokens": cached_tokens}
    return {"text": 'it\'s "so"', "output_ids": list(output_ids), "meta_info": {"id": "x", **counts, **meta}}


def receive(rid: object, second: int = 3, **fields: Any) -> str:
    """Return the line of a request that comes in."""
    return sglang(f"Receive: obj={generate_input(rid, **fields)}", second)


def finish(rid: object, out: dict[str, Any], second: int = 4, **fields: Any) -> str:
    """Return the line of a request that is answered."""
    return sglang(f"Finish: obj={generate_input(rid, **fields)}, out={out}", second)


def event(kind: str, rid: str | None, obj: dict[str, Any], **fields: Any) -> str:
    """Return an event of SGLang's JSON log."""
    named = {} if rid is None else {"rid": rid}
    return json.dumps(
        {"timestamp": "2026-11-29T13:19:03.250000", "event": kind, **named, "obj": obj, **fields}, ensure_ascii=False
    )


def vllm(message: str, time: str = "11-29 13:11:32", level: str = "DEBUG") -> str:
    """Return a line of vLLM's log."""
    return f"(APIServer pid=3633) {level} {time} [request_logger.py:55] {message}"


def details(rid: str, prompt: str | None, ids: object, **place: str) -> str:
    """Return the line with the prompt, as new versions write it."""
    return vllm(f"Request {rid} details: prompt: {prompt!r}, prompt_token_ids: {ids}, prompt_embeds shape: None.", **place)


def old_request(rid: str, prompt: str | None, ids: object, stop: str = "") -> str:
    """Return the line with the prompt, as old versions write it."""
    params = f"SamplingParams(n=1, stop={[stop]!r}, max_tokens=16)"
    head = f"INFO 11-01 10:00:00 [logger.py:39] Received request {rid}: prompt: {prompt!r}, params: {params}"
    return f"{head}, prompt_token_ids: {ids}, lora_request: None, prompt_adapter_request: None."


def _cut(value: object, most: int = 2048) -> str:
    if isinstance(value, str | list) and len(value) > most:
        return f"{value[: most // 2]!r} ... {value[-(most // 2) :]!r}"
    return repr(value)
