"""Parts of a log: by key, by place in a turn, the cold start, and who shares with whom."""

from __future__ import annotations

from msgspec.structs import replace

from radixlint.api.analyze_options import AnalyzeOptions, PolicyOptions
from radixlint.api.measuring import measure
from radixlint.result.groups import GroupBy
from radixlint.result.measurement import AnalyzeReport, Show
from radixlint.traffic import LogRead, Message, Request, Usage

RULES = "Answer from the notes only, in at most three sentences. " * 8


def chat(index: int, *texts: str, session: str | None = None, **fields: object) -> Request:
    roles = ("user", "assistant")
    messages = (Message("system", RULES), *(Message(roles[i % 2], text) for i, text in enumerate(texts)))
    return Request(index, session=session or f"s{index}", messages=messages, **fields)  # type: ignore[arg-type]


def report(*requests: Request, **options: object) -> AnalyzeReport:
    read = LogRead("openai-chat", len(requests), requests, {})
    return measure(read, AnalyzeOptions(PolicyOptions(engine="sglang"), **options))  # type: ignore[arg-type]


def test_groups_add_up_and_are_measured_in_the_whole_log() -> None:
    """Each request is in one group; a request that reuses another group's prefix keeps that hit; most uncached first."""
    result = report(
        chat(0, "one", tenant="a"), chat(1, "two", tenant="b"), chat(2, "three", tenant="b"), chat(3, "x"), by=(GroupBy.TENANT,)
    )
    groups = {group.key: group.part for group in result.groups}

    assert set(groups) == {"a", "b", None}
    assert sum(part.requests for part in groups.values()) == result.requests
    assert sum(part.prompt_tokens for part in groups.values()) == result.prompt_tokens
    assert sum(part.engine_tokens or 0 for part in groups.values()) == result.engine_tokens
    assert groups[None].engine_tokens
    assert [g.part.uncached_tokens for g in result.groups] == sorted((p.uncached_tokens for p in groups.values()), reverse=True)


def test_reported_tokens_decide_what_was_not_cached() -> None:
    """Where the server says how much was cached, uncached is prompt less that; the engine's figure stands in elsewhere."""
    usage = Usage(prompt_tokens=100, cached_tokens=90)
    (group,) = report(chat(0, "one", model="m", usage=usage), chat(1, "one", model="m", usage=usage), by=(GroupBy.MODEL,)).groups

    assert group.part.uncached_tokens == 20
    assert group.part.hit_rate.reported == 0.9


def test_a_request_counts_for_each_of_its_tags() -> None:
    """Tags overlap: a request with two of them is in both groups."""
    result = report(chat(0, "one", tags=("x", "y")), chat(1, "two", tags=("x",)), by=(GroupBy.TAG,))

    assert {group.key: group.part.requests for group in result.groups} == {"x": 2, "y": 1}


def test_a_template_is_told_by_its_fixed_words() -> None:
    """A time in the system text makes no new template, other words do; a name from the log goes first."""
    heads = ("Help. Now: 2026-03-02T10:00", "Help. Now: 2026-03-02T10:07", "Refuse.")
    requests = [Request(i, messages=(Message("system", head), Message("user", "q"))) for i, head in enumerate(heads)]
    named = Request(3, messages=(Message("system", "Refuse."),), template="triage v2")
    result = report(*requests, named, by=(GroupBy.TEMPLATE,))

    assert sorted(group.part.requests for group in result.groups) == [1, 1, 2]
    assert "triage v2" in {group.key for group in result.groups}


def test_keys_are_hashed_where_no_text_may_be_shown() -> None:
    """--hash-only shows no tenant's name, and equal names stay one group."""
    result = report(chat(0, "a", tenant="acme"), chat(1, "b", tenant="acme"), chat(2, "c"), by=(GroupBy.TENANT,), show=Show.HASH)
    keys = {group.key: group.part.requests for group in result.groups}

    assert "acme" not in keys
    assert sorted(keys.values()) == [1, 2]
    assert keys[None] == 1


def test_results_of_tools_are_apart_from_the_first_request_of_a_turn() -> None:
    """A request whose newest message is a tool's result goes on with a turn; one with a person's message begins it."""
    first = chat(0, "look it up", session="s")
    later = Request(1, session="s", messages=(*first.messages, Message("assistant", "calling"), Message("tool", "42")))
    turns = report(first, later).turns

    assert turns is not None
    assert (turns.first.requests, turns.later.requests) == (1, 1)
    assert turns.later.engine_tokens
    assert report(first, first).turns is None


def test_the_first_tenth_is_the_cold_start() -> None:
    """Of twenty requests two are the cold start, the first of them without a hit; fewer than twenty have none."""
    requests = [chat(i, f"question {i}") for i in range(20)]
    cold = report(*requests).cold_start

    assert cold is not None
    assert (cold.cold.requests, cold.steady.requests) == (2, 18)
    assert (cold.cold.hit_rate.engine or 0) < (cold.steady.hit_rate.engine or 0)
    assert report(*requests[:19]).cold_start is None


def test_reuse_within_a_conversation_is_what_its_own_cache_would_give() -> None:
    """Two conversations share the rules only; the second turn of the first shares its whole history with itself."""
    first, other = chat(0, "hello", session="a"), chat(1, "goodbye", session="b")
    again = Request(2, session="a", messages=(*first.messages, Message("assistant", "hi"), Message("user", "and now?")))
    reuse = report(first, other, again).reuse
    alone = report(first, again)

    assert reuse is not None
    assert reuse.chains == 2
    assert reuse.same_conversation_tokens == alone.shareable_tokens
    assert reuse.cross_conversation_tokens == (report(first, other).shareable_tokens or 0)


def test_nothing_is_said_of_conversations_that_nobody_can_tell_apart() -> None:
    """Traces of block ids without sessions have no conversations: no reuse is split."""
    trace = [Request(i, block_ids=bytes(8), block_tokens=16, prompt_tokens=32) for i in range(2)]

    assert report(*trace).reuse is None


def test_a_log_without_prompts_has_reported_figures_only() -> None:
    """Usage alone gives the reported rate; what could have been shared stays unknown, never 0."""
    usage = Usage(prompt_tokens=1000, cached_tokens=750, output_tokens=5)
    result = report(*(Request(i, model="claude-x", usage=usage) for i in range(4)), by=(GroupBy.MODEL,))

    assert (result.shareable_tokens, result.engine_tokens) == (None, None)
    assert (result.prompt_tokens, result.reported_tokens, result.hit_rate.reported) == (4000, 3000, 0.75)
    assert (result.hit_rate.engine, result.waterfall, result.measured_requests) == (None, (), 0)
    assert [(row.prompt_tokens, row.shareable_tokens) for row in result.rows] == [(1000, None)] * 4
    assert any("No record holds its prompt" in note for note in result.notes)


def test_token_counts_are_compared_by_format_and_model() -> None:
    """Where formats or models are several, the ratio is told for each, so that one wrong tokenizer is seen among right ones."""
    requests = [chat(i, "hello", model=model, format="openai-chat") for i, model in enumerate(("a", "b"))]
    sizes = {row.index: row.prompt_tokens or 0 for row in report(*requests).rows}
    counted = [
        replace(request, usage=Usage(prompt_tokens=round(sizes[request.index] * factor)))
        for request, factor in zip(requests, (1, 2), strict=True)
    ]
    agreements = {agreement.model: agreement for agreement in report(*counted).agreements}

    assert set(agreements) == {"a", "b"}
    assert {agreement.format for agreement in agreements.values()} == {"openai-chat"}
    assert (agreements["a"].is_off, agreements["b"].is_off) == (False, True)
    assert report(counted[0]).agreements == ()


def test_results_of_tools_in_a_users_message_go_on_with_the_turn() -> None:
    """Anthropic and Bedrock send results of tools as the user: such a request is no new turn."""
    first = chat(0, "look it up", session="s")
    result = Message("user", "42", extra='{"tool_call_id":"t1"}')
    turns = report(first, Request(1, session="s", messages=(*first.messages, Message("assistant", ""), result))).turns

    assert turns is not None
    assert (turns.first.requests, turns.later.requests) == (1, 1)


def test_a_single_request_has_the_rate_that_was_reported() -> None:
    """What the server says needs no second request; what could be shared does."""
    rates = report(chat(0, "hi", usage=Usage(prompt_tokens=100, cached_tokens=40))).hit_rate

    assert (rates.shareable, rates.engine, rates.reported) == (None, None, 0.4)


def test_a_reported_count_without_its_prompt_length_gives_no_rate() -> None:
    """Cached tokens are a part of the server's tokens: without its own length a text log has no rate, and never one over 1."""
    rates = report(*(chat(i, "hi", usage=Usage(cached_tokens=5000)) for i in range(3)), by=(GroupBy.MODEL,))

    assert (rates.hit_rate.reported, rates.reported_tokens) == (None, None)
    assert (rates.groups[0].part.uncached_tokens or 0) >= 0
