"""Made logs with known faults: the cause is named at its place, what a fix brings is foretold, and healthy logs stay silent."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from made_faults import FAULTS, Fault, Faulty
from made_logs import KINDS, MODEL, START_S, Sizes, instructions, mix, numbered, question, rag, tools, write_jsonl
from made_server_faults import SERVER_FAULTS, reported
from msgspec import structs
from prefix_twin import twin_rates

from radixlint.api.analyze_options import AnalyzeOptions, PolicyOptions
from radixlint.api.measuring import analyze, measure
from radixlint.logs import read_logs
from radixlint.providers import load_policy, provider_names
from radixlint.result.breaks import Break
from radixlint.result.cause import Cause
from radixlint.result.measurement import AnalyzeReport
from radixlint.traffic import LogRead, Message, Request, ToolCall, Usage

BY_NAME = {fault.name: fault for fault in (*FAULTS, *SERVER_FAULTS)}
# No remedy of these is known that a replay could rate.
UNMENDED = ("tool-added", "tool-described", "trailing-blanks", "decomposed", "deleted", "placeholder", "edited")
SEEDS = range(20)
SMALL_LOGS, LOGS_A_TEST = 2_000, 250
# Few documents and short questions: all but a few tokens of a prompt were sent before.
REUSED = Sizes(documents=4, question_tokens=20)
SMALL_CACHE_TOKENS = 512 * 16


def report(requests: Sequence[Request], policy: PolicyOptions | None = None, top: int = 5) -> AnalyzeReport:
    options = AnalyzeOptions(policy or PolicyOptions(), top=top)
    return measure(LogRead("made", len(requests), tuple(requests), {}), options)


@cache
def faulty(name: str, share: float, requests: int) -> Faulty:
    fault = BY_NAME[name]
    return fault.inject(KINDS[fault.kind](requests, 1), share, random.Random(name))


def is_of(found: Break, fault: Fault) -> bool:
    return found.cause in fault.causes and fault.place in found.where


def sectioned(is_permuted: bool) -> list[Request]:
    """Return 50 questions behind three sections of 1,900 tokens each, in one order or in a random one."""
    draw = random.Random("sections 0")
    sections = [f"## On {name}\n{instructions(draw, 1_900, name)}" for name in ("tariffs", "returns", "tone")]
    made = []
    for i in range(50):
        order = draw.sample(sections, 3)
        asked = Message("user", question(draw, 40))
        system = Message("system", "\n\n".join(order if is_permuted else sections))
        made.append(Request(0, session=f"s-{i}", user=f"u-{i}", model=MODEL, time_s=START_S + 4 * i, messages=(system, asked)))
    return numbered(made)


@cache
def with_clock() -> Faulty:
    return BY_NAME["clock-second"].inject(rag(800, 1, REUSED), 1.0, random.Random(1))


@pytest.mark.parametrize("kind", KINDS)
def test_made_logs_share_what_a_twin_finds(kind: str) -> None:
    """The report's tokens of a healthy log are those of comparing all pairs: any length, and whole blocks of 16."""
    requests = KINDS[kind](300, 0)
    twin, found = twin_rates(requests), report(requests, top=0)

    assert found.shareable_tokens == twin.shared_tokens
    assert found.hit_rate.engine == pytest.approx(twin.block_rate)
    assert twin.block_rate > 0.8


@pytest.mark.parametrize("kind", KINDS)
def test_made_logs_are_the_same_each_time_and_read_back(kind: str, tmp_path: Path) -> None:
    """A seed makes one log, another seed another; what is written as JSONL reads as the same requests."""
    requests = KINDS[kind](60, 3)
    write_jsonl(tmp_path / "log.jsonl", requests)
    read = read_logs([str(tmp_path / "log.jsonl")])

    assert requests == KINDS[kind](60, 3)
    assert requests != KINDS[kind](60, 4)
    assert [structs.replace(request, format="") for request in read.requests] == requests


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_faults_lose_what_the_right_fix_regains(fault: Fault) -> None:
    """Every fault of a prompt costs shared tokens, at any share of requests; its right fix brings at least half a point back."""
    for share, requests in ((1.0, 200), (1 / 50, 300)):
        made = faulty(fault.name, share, requests)
        gain = twin_rates(made.mended).shareable_rate - twin_rates(made.requests).shareable_rate

        assert gain > (0.005 if share == 1 else 0)


@pytest.mark.parametrize("fault", SERVER_FAULTS, ids=lambda fault: fault.name)
def test_server_faults_are_in_the_reported_tokens_alone(fault: Fault) -> None:
    """Prompts share as much as the mended ones do, but the server reports fewer cached tokens."""
    made = faulty(fault.name, 1.0, 200)
    cached = [sum((r.usage and r.usage.cached_tokens) or 0 for r in log) for log in (made.requests, made.mended)]

    assert twin_rates(made.requests).shareable_rate == twin_rates(made.mended).shareable_rate
    assert cached[0] < 0.95 * cached[1]


def test_moving_a_clock_last_brings_what_was_lost() -> None:
    """An ISO time in line 1 leaves next to nothing to share; kept last in each turn, 96 % are shared in blocks of 16."""
    before, after = twin_rates(with_clock().requests), twin_rates(with_clock().mended)

    assert before.block_rate < 0.02
    assert after.block_rate >= 0.96


def test_clock_in_line_one_covers_the_loss() -> None:
    """One break, a clock, covers over 99 % of what is lost, to 3 % as the twin has it; 96 % are shared when it stands last."""
    log = with_clock()
    breaks = report(log.requests).breaks
    regained = twin_rates(log.mended).shared_tokens - twin_rates(log.requests).shared_tokens

    assert is_of(breaks[0], BY_NAME["clock-second"])
    assert breaks[0].lost_tokens > 0.99 * sum(found.lost_tokens for found in breaks)
    assert breaks[0].remedies[0].regained_tokens == pytest.approx(regained, rel=0.03)
    assert breaks[0].fix
    assert breaks[0].hit_rate_after is not None
    assert breaks[0].hit_rate_after >= 0.96


def test_shuffled_tools_are_mended_by_sorting() -> None:
    """Tools in another order each time: before as all pairs compared, at least 95 % are shared after sorting."""
    requests = faulty("tool-order", 1.0, 300).requests
    found = report(requests)

    assert found.shareable_tokens == twin_rates(requests).shared_tokens
    assert is_of(found.breaks[0], BY_NAME["tool-order"])
    assert (found.breaks[0].hit_rate_after or 0.0) >= 0.95


def test_permuted_sections_have_the_known_rates() -> None:
    """In blocks of 16: 89 % before and 97 % after without limits; 31 % and 97 % with room for 512 blocks."""
    for policy, before_rate, after_rate in (
        (PolicyOptions(), 0.89, 0.97),
        (PolicyOptions(kv_tokens=SMALL_CACHE_TOKENS), 0.31, 0.97),
    ):
        assert report(sectioned(True), policy, top=0).hit_rate.engine == pytest.approx(before_rate, abs=0.01)
        assert report(sectioned(False), policy, top=0).hit_rate.engine == pytest.approx(after_rate, abs=0.01)
    assert twin_rates(sectioned(True)).block_rate == pytest.approx(0.89, abs=0.01)
    assert twin_rates(sectioned(False)).block_rate == pytest.approx(0.97, abs=0.01)


@pytest.mark.parametrize("kv_tokens", [None, SMALL_CACHE_TOKENS])
def test_permuted_sections_are_a_matter_of_order_only(kv_tokens: int | None) -> None:
    """The same sections in another order are named so, whatever the size of the cache, and one order gives 97 %."""
    first = report(sectioned(True), PolicyOptions(kv_tokens=kv_tokens)).breaks[0]

    assert first.cause == Cause.SECTION_ORDER
    assert "system" in first.where
    assert first.hit_rate_after == pytest.approx(0.97, abs=0.01)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", KINDS)
def test_healthy_logs_have_no_finding(kind: str, seed: int) -> None:
    """Retrieval behind instructions, growing chats, agents, and three tenants of all: nothing is found, whatever the seed."""
    found = report(KINDS[kind](300, seed)).breaks

    assert [(one.cause, one.where) for one in found] == []


@pytest.mark.parametrize("kind", KINDS)
def test_healthy_logs_with_counters_have_no_finding(kind: str) -> None:
    """A server that reports what a cache of blocks holds gives no reason for a finding either."""
    found = report(reported(KINDS[kind](300, 1)))

    assert [(one.cause, one.where) for one in found.breaks] == []
    assert found.unexplained_tokens == 0


def test_large_healthy_mix_has_no_finding() -> None:
    """The slow one: 10,000 requests of three tenants, nothing found."""
    assert [(one.cause, one.where) for one in report(mix(10_000, 1)).breaks] == []


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_fault_of_every_request_is_the_first_break(fault: Fault) -> None:
    """What all requests suffer from is the largest loss, named with its place; a simulated fix, if one is known, helps."""
    log = faulty(fault.name, 1.0, 300).requests
    found = report(log)

    assert is_of(found.breaks[0], fault), [(one.cause, one.where) for one in found.breaks]
    assert (found.breaks[0].hit_rate_after is not None) or fault.name in UNMENDED
    assert (found.breaks[0].hit_rate_after or 1.0) > (found.hit_rate.shareable or 0.0)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_fault_of_one_request_in_fifty_is_still_named(fault: Fault) -> None:
    """What a fiftieth of the requests suffers from is among the breaks, by its cause and place."""
    breaks = report(faulty(fault.name, 1 / 50, 600).requests).breaks

    assert any(is_of(found, fault) for found in breaks), [(found.cause, found.where) for found in breaks]


@pytest.mark.parametrize("share", [1.0, 1 / 50])
@pytest.mark.parametrize("fault", SERVER_FAULTS, ids=lambda fault: fault.name)
def test_intact_prompts_are_not_blamed(fault: Fault, share: float) -> None:
    """A miss that only the server reports is put down to what the log shows, and to nothing in the prompt."""
    found = report(faulty(fault.name, share, 300).requests)
    breaks = {one.cause for one in found.breaks}

    assert breaks <= set(fault.causes)
    assert set(fault.causes) <= {one.cause for one in found.cleared}


@pytest.mark.parametrize("name", ["clock-second", "tool-order", "call-keys", "window", "side-call"])
def test_order_of_files_changes_nothing(name: str, tmp_path: Path) -> None:
    """Two files, each with every other request, give the same breaks, waterfall and rates in either order."""
    requests = faulty(name, 1.0, 200).requests
    paths = [tmp_path / "even.jsonl", tmp_path / "odd.jsonl"]
    for start, path in enumerate(paths):
        write_jsonl(path, requests[start::2])
    one, other = (analyze([str(path) for path in order]) for order in (paths, paths[::-1]))

    assert one.breaks == other.breaks
    assert (one.waterfall, one.hit_rate, one.unexplained_tokens) == (other.waterfall, other.hit_rate, other.unexplained_tokens)
    assert one.breaks


def small_log(draw: random.Random) -> list[Request]:
    """Return a few short requests of any kind: tools, clocks, histories, calls, hosts, counters, each as chance has it."""
    offered, words = tools(random.Random(draw.randrange(3)), 3), ["the mill", "a clock 12:30", "no\ntwo lines", "caf\xe9", "{}"]
    made = []
    for i in range(draw.randint(2, 8)):
        messages = [Message("system", "\n".join(draw.choices(words, k=draw.randint(1, 3))) + f"\nat {draw.randrange(9)}:0{i}")]
        for _ in range(draw.randrange(4)):
            calls = (ToolCall("look", json.dumps({"a": draw.randrange(2), "b": 1})),) if draw.random() < 0.3 else ()
            messages.append(Message(draw.choice(("user", "assistant", "tool")), draw.choice(words), calls))
        messages.append(Message("user", f"{draw.choice(words)} {draw.randrange(5)}"))
        usage = Usage(draw.randrange(1, 400), draw.choice([None, 0, 16])) if draw.random() < 0.3 else None
        request = Request(i, session=draw.choice([None, "a", "b"]), model=MODEL, messages=tuple(messages), usage=usage)
        host, some = draw.choice([None, "x", "y"]), tuple(draw.sample(offered, draw.randrange(4)))
        made.append(structs.replace(request, time_s=START_S + draw.randrange(900), tools=some, host=host))
    return numbered(made)


def small_policy(draw: random.Random) -> PolicyOptions:
    """Return rules that fit together, of any engine or provider, with few tokens of room if with any limit."""
    name = draw.choice(provider_names())
    is_engine = load_policy(name).store in ("tree", "block-pool", "lru-blocks")
    replicas = draw.choice([1, 1, 2, 3])
    return PolicyOptions(
        engine=name,
        block_tokens=draw.choice([1, 2, 16]) if name in ("vllm", "sglang") else None,
        kv_tokens=draw.choice([None, 256, 640]) if is_engine else None,
        ttl_s=draw.choice([None, 60.0]) if is_engine else None,
        replicas=replicas,
        routing=draw.choice(["round-robin", "random", "hash-prefix", "cache-aware"]) if replicas > 1 else None,
        in_flight=draw.choice([0, 0, 2]) if is_engine else 0,
    )


@pytest.mark.parametrize("part", range(SMALL_LOGS // LOGS_A_TEST))
def test_waterfall_adds_up_on_small_random_logs(part: int) -> None:
    """Under whatever policy, no part is negative, ``hit`` is first, no cause is told twice, and all sum to the prompt tokens."""
    for number in range(LOGS_A_TEST):
        draw = random.Random(f"waterfall {part} {number}")
        policy = small_policy(draw)
        found = report(small_log(draw), policy)
        causes = [entry.cause for entry in found.waterfall]

        assert causes[0] == Cause.HIT
        assert len(set(causes)) == len(causes)
        assert min(entry.tokens for entry in found.waterfall) >= 0, policy
        assert sum(entry.tokens for entry in found.waterfall) == found.prompt_tokens, policy
