"""Which parameters differ between two requests, and whether they belong to the cache key of whoever served them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Final

from radixlint.result.pair_comparison import ParameterChange, Reach
from radixlint.traffic import CachePolicy, Request

_CLAUDE: Final = ("anthropic", "bedrock")
_OPENAI: Final = ("openai-legacy", "openai-breakpoint")
_ENGINES: Final = ("vllm", "sglang", "tensorrt-llm", "lmdeploy", "llama-cpp", "generic-block")
_TEMPLATE: Final = ("chat_template", "chat_template_kwargs")

# Anthropic's page on prompt caching, table "what invalidates the cache".
_CLAUDE_MESSAGES: Final = frozenset(
    (
        *("tool_choice", "parallel_tool_calls", "function_call", "thinking", "enable_thinking", "thinking_budget"),
        *("reasoning", "reasoning_effort", "effort", "verbosity", "text.verbosity"),
    )
)
_CLAUDE_SYSTEM: Final = frozenset(
    ("speed", "web_search", "web_search_options", "search_parameters", "enable_search", "citations")
)
_CLAUDE_ALL: Final = frozenset(("output_format", "output_config", "response_format", "text.format"))
# The reasons for a miss that OpenAI's diagnosis names.
_OPENAI_ALL: Final = frozenset(
    (
        *("reasoning", "reasoning_effort", "effort", "verbosity", "text.verbosity", "service_tier", "speed"),
        *("response_format", "text.format", "output_format"),
    )
)
_ROUTES: Final = "not part of the cache key, but requests with another one may go to another server, whose cache is another"
_KEEPS: Final = "not part of the cache key; it says how long a prefix is kept"
_NAMESPACE: Final = "part of what separates caches: nothing is shared, whatever the prompts are"


def differing_parameters(one: Request, other: Request, policy: CachePolicy) -> tuple[ParameterChange, ...]:
    """Return what differs beside the prompt: model and namespace first, then parameters by name."""
    return tuple(_changes(one, other, policy))


def _changes(one: Request, other: Request, policy: CachePolicy) -> Iterator[ParameterChange]:
    if one.model != other.model:
        yield ParameterChange("model", Reach.ALL, _NAMESPACE)
    if one.namespace.removeprefix(one.model or "") != other.namespace.removeprefix(other.model or ""):
        yield ParameterChange("namespace", Reach.ALL, _NAMESPACE)
    sides = [dict(request.settings.parameters) if request.settings else {} for request in (one, other)]
    for name in sorted(set(chain(*sides))):
        if sides[0].get(name) != sides[1].get(name):
            yield _known(name, policy)


def _known(name: str, policy: CachePolicy) -> ParameterChange:
    if name == "prompt_cache_key":
        return ParameterChange(name, Reach.NONE, _ROUTES)
    if name == "prompt_cache_retention":
        return ParameterChange(name, Reach.NONE, _KEEPS)
    if policy.name in _CLAUDE:
        return _of_claude(name, policy.name)
    if policy.name in _OPENAI and name in _OPENAI_ALL:
        return ParameterChange(name, Reach.ALL, "part of what OpenAI matches: it names a change of it as a reason for a miss")
    if policy.name in _ENGINES:
        return _of_engine(name, policy)
    return ParameterChange(name, Reach.UNKNOWN, f"{policy.name} does not document whether it belongs to the cache key")


def _of_claude(name: str, provider: str) -> ParameterChange:
    if name in _CLAUDE_MESSAGES:
        what = "part of the cache key of the messages: tools and system text are still shared"
        return ParameterChange(name, Reach.MESSAGES, what)
    if name in _CLAUDE_SYSTEM:
        what = "part of the cache key of system text and messages: tools alone are still shared"
        return ParameterChange(name, Reach.MESSAGES, what)
    if name in _CLAUDE_ALL:
        return ParameterChange(name, Reach.ALL, "written in front of the prompt, so part of every cache key")
    return ParameterChange(name, Reach.UNKNOWN, f"{provider} does not document whether it belongs to the cache key")


def _of_engine(name: str, policy: CachePolicy) -> ParameterChange:
    assumed = " (assumed: the log names no server)" if policy.is_assumed else ""
    if name in _TEMPLATE:
        what = "not part of the cache key itself, but the prompt is another where the template makes other text of it"
        return ParameterChange(name, Reach.TEMPLATE, f"{what}{assumed}")
    what = (
        f"not part of the cache key of {policy.name}{assumed}; it matters only where the chat template writes it into the prompt"
    )
    return ParameterChange(name, Reach.TEMPLATE, what)
