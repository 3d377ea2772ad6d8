"""Request bodies as programs send them: healthy ones of every API, and the same with one fault planted."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Body = dict[str, Any]
MARK = {"type": "ephemeral"}
CLOCK = "Request time: 2026-03-04T05:06:07Z"
_THINGS = (
    "novels",
    "maps",
    "scores",
    "atlases",
    "letters",
    "diaries",
    "journals",
    "films",
    "records",
    "games",
    "plans",
    "prints",
)
PROSE = "\n".join(
    f"Our {thing} stand on floor {number % 4}; read them in the hall of {other}, borrow them with a card, return them by night."
    for number, thing in enumerate(_THINGS)
    for other in _THINGS
)
SCHEMA = {"type": "object", "properties": {"branch": {"type": "string", "examples": ["2026-03-04T05:06:07Z"]}}}
IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}


def text(words: str, *, is_marked: bool = False, ttl: str | None = None) -> Body:
    """Return a text block, with a cache mark if wanted."""
    mark = {"cache_control": MARK if ttl is None else {**MARK, "ttl": ttl}} if is_marked or ttl else {}
    return {"type": "text", "text": words, **mark}


def agent() -> Body:
    """Anthropic: tools, thinking, calls and their results, an image, marks on the system text and the last two user turns."""
    turns: list[Body] = []
    for number in range(50):
        turns += [
            {"role": "user", "content": [text(f"Question {number} at 2026-03-04T05:{number:02}:07Z")]},
            {
                "role": "assistant",
                "content": [{"type": "thinking", "thinking": "Let me see.", "signature": "ErUB" * 20}, text("Yes.")],
            },
        ]
    turns[-2]["content"][0]["cache_control"] = MARK
    call = {"type": "tool_use", "id": "toolu_1", "name": "hours", "input": {"branch": "north"}}
    result = {
        "type": "tool_result",
        "tool_use_id": "toolu_1",
        "content": [{"type": "text", "text": "at 2026-03-04T05:06:07Z"}, IMAGE],
    }
    turns += [
        {"role": "user", "content": [IMAGE, text("Is this yours?")]},
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [{**result, "cache_control": MARK}]},
    ]
    tools = [{"name": "hours", "description": "Opening hours, for example from 09:00 to 17:00.", "input_schema": SCHEMA}]
    system = [text(PROSE, is_marked=True), text(CLOCK)]
    return {"model": "claude-opus-4-5", "max_tokens": 1024, "tools": tools, "system": system[:1], "messages": turns}


def chat() -> Body:
    """OpenAI chat: tools, parts, calls and their results."""
    call = {"id": "c1", "type": "function", "function": {"name": "hours", "arguments": '{"branch": "north"}'}}
    return {
        "model": "gpt-5-mini",
        "prompt_cache_key": "library-v3",
        "tools": [{"type": "function", "function": {"name": "hours", "description": "Opening hours.", "parameters": SCHEMA}}],
        "messages": [
            {"role": "system", "content": PROSE},
            {
                "role": "user",
                "content": [text("Look."), {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBO"}}],
            },
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c1", "content": "2026-03-04T05:06:07Z"},
            {"role": "user", "content": "It is 2026-03-04T05:06:07Z. And now?"},
        ],
    }


def responses() -> Body:
    """OpenAI Responses: instructions and items of every kind."""
    return {
        "model": "gpt-5.6",
        "instructions": PROSE,
        "prompt_cache_options": {"mode": "implicit"},
        "tools": [{"type": "function", "name": "hours", "description": "Opening hours.", "parameters": SCHEMA}],
        "input": [
            {
                "role": "user",
                "content": [{"type": "input_text", "text": "Are you open?"}, {"type": "input_image", "image_url": "data:x"}],
            },
            {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA"},
            {"type": "function_call", "call_id": "c1", "name": "hours", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "c1", "output": "2026-03-04T05:06:07Z"},
            {"role": "user", "content": "It is 2026-03-04T05:06:07Z. And now?"},
        ],
    }


def gemini() -> Body:
    """Gemini: system instruction, declarations, parts of every kind."""
    return {
        "model": "models/gemini-3-pro",
        "systemInstruction": {"parts": [{"text": PROSE}]},
        "tools": [{"functionDeclarations": [{"name": "hours", "description": "Opening hours.", "parameters": SCHEMA}]}],
        "contents": [
            {"role": "user", "parts": [{"text": "Look."}, {"inlineData": {"mimeType": "image/png", "data": "iVBO"}}]},
            {"role": "model", "parts": [{"functionCall": {"name": "hours", "args": {}}}]},
            {"role": "user", "parts": [{"functionResponse": {"name": "hours", "response": {"at": "2026-03-04T05:06:07Z"}}}]},
            {"role": "user", "parts": [{"text": "It is 2026-03-04T05:06:07Z. And now?"}]},
        ],
    }


def converse() -> Body:
    """Bedrock Converse: cache points behind tools and system text, a document, a call and its result."""
    point = {"cachePoint": {"type": "default"}}
    document = {"document": {"format": "pdf", "name": "plan", "source": {"bytes": "JVBERi0="}}}
    return {
        "modelId": "eu.anthropic.claude-sonnet-4-5-20250929-v1:0",
        "toolConfig": {
            "tools": [
                {"toolSpec": {"name": "hours", "description": "Opening hours.", "inputSchema": {"json": SCHEMA}}},
                point,
            ]
        },
        "system": [{"text": PROSE}, point],
        "messages": [
            {"role": "user", "content": [document, {"text": "Read this."}]},
            {"role": "assistant", "content": [{"toolUse": {"toolUseId": "t1", "name": "hours", "input": {}}}]},
            {
                "role": "user",
                "content": [{"toolResult": {"toolUseId": "t1", "content": [{"json": {"at": "2026-03-04T05:06:07Z"}}]}}],
            },
        ],
    }


def invoke() -> Body:
    """Bedrock InvokeModel: Anthropic's form with a version and no model."""
    return {
        "anthropic_version": "bedrock-2023-05-31",
        "max_tokens": 8,
        "system": [text(PROSE, is_marked=True)],
        "messages": [{"role": "user", "content": f"{CLOCK}. Are you open?"}],
    }


HEALTHY: dict[str, Callable[[], Body]] = {
    "agent": agent,
    "chat": chat,
    "responses": responses,
    "gemini": gemini,
    "converse": converse,
    "invoke": invoke,
    "batch": lambda: {"custom_id": "a", "method": "POST", "url": "/v1/chat/completions", "body": chat()},
    "requests": lambda: {"requests": [{"custom_id": "a", "params": agent()}, {"custom_id": "b", "params": invoke()}]},
    "keyed": lambda: {"key": "a", "request": gemini()},
}


@dataclass(frozen=True)
class Planted:
    """A fault: what to do to which healthy body, the rule that says so, and a text on the line it reports."""

    base: str
    change: Callable[[Body], object]
    rule: str
    line: str


def _set(body: Body, **fields: object) -> None:
    body.update(fields)


def _long_turn(body: Body) -> None:
    for turn in body["messages"]:
        for block in turn["content"]:
            block.pop("cache_control", None)
    body["messages"].append({"role": "assistant", "content": "Yes."})
    pages = [text(f"Page {number}") for number in range(30)]
    pages.append(text("The last page", is_marked=True))
    body["messages"].append({"role": "user", "content": pages})


PLANTED: dict[str, Planted] = {
    "clock ahead of the mark": Planted("agent", lambda b: b["system"].insert(0, text(CLOCK)), "RL601", CLOCK),
    "clock behind the mark, ahead of those of the turns": Planted(
        "agent", lambda b: b["system"].append(text(CLOCK)), "RL601", CLOCK
    ),
    "clock ahead of the point": Planted("converse", lambda b: b["system"].insert(0, {"text": CLOCK}), "RL601", CLOCK),
    "clock in the marked text": Planted("invoke", lambda b: _set(b["system"][0], text=f"{CLOCK}\n{PROSE}"), "RL601", CLOCK),
    "little marked": Planted("invoke", lambda b: _set(b["system"][0], text="Rules."), "RL602", '"cache_control"'),
    "little behind a key": Planted(
        "chat", lambda b: _set(b, messages=[{"role": "user", "content": "Hi."}]), "RL602", '"prompt_cache_key"'
    ),
    "a fifth mark": Planted(
        "invoke",
        lambda b: b["system"].extend(text(f"Part {n}", is_marked=True, ttl="300s") for n in range(4)),
        "RL603",
        "300s@4",
    ),
    "no mark": Planted("invoke", lambda b: b["system"][0].pop("cache_control"), "RL604", "Our novels"),
    "no point": Planted("converse", lambda b: (b["system"].pop(), b["toolConfig"]["tools"].pop()), "RL604", "Our novels"),
    "mode without a mark": Planted(
        "responses", lambda b: _set(b["prompt_cache_options"], mode="explicit"), "RL604", "Our novels"
    ),
    "a turn of many pages": Planted("agent", _long_turn, "RL605", '"cache_control"@-1'),
    "shorter time to live first": Planted("invoke", lambda b: b["system"].append(text("More.", ttl="1h")), "RL606", "1h"),
    "clock as key": Planted("chat", lambda b: _set(b, prompt_cache_key="2026-03-04T05:06:08Z"), "RL607", "05:06:08Z"),
    "mark for another API": Planted(
        "chat", lambda b: _set(b["messages"][0], content=[text(PROSE, is_marked=True)]), "RL610", '"cache_control"'
    ),
    "mark in Gemini's parts": Planted(
        "gemini", lambda b: _set(b["systemInstruction"]["parts"][0], cache_control=MARK), "RL610", '"cache_control"'
    ),
    "clock in a description": Planted("responses", lambda b: _set(b["tools"][0], description=CLOCK), "RL803", CLOCK),
    "clock in a declaration": Planted(
        "gemini", lambda b: _set(b["tools"][0]["functionDeclarations"][0], description=CLOCK), "RL803", CLOCK
    ),
    "clock in a tool of Converse": Planted(
        "converse", lambda b: _set(b["toolConfig"]["tools"][0]["toolSpec"], description=CLOCK), "RL803", CLOCK
    ),
    "clock in the instructions": Planted("responses", lambda b: _set(b, instructions=f"{CLOCK}\n{PROSE}"), "RL203", CLOCK),
    "clock in the system instruction": Planted(
        "gemini", lambda b: b["systemInstruction"]["parts"].insert(0, {"text": CLOCK}), "RL203", CLOCK
    ),
}


def planted(fault: Planted) -> Body:
    """Return the body with its fault."""
    body = copy.deepcopy(HEALTHY[fault.base]())
    fault.change(body)
    return body
