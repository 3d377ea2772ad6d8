"""Prompts that were intact and yet computed are cleared, with the cause that made them so; healthy logs give nothing."""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable, Sequence

import pytest
from msgspec.structs import replace

from radixlint.explain.exoneration import Cleared, exonerate
from radixlint.providers import load_policy
from radixlint.replay import replay
from radixlint.result.cause import Cause, Confidence
from radixlint.traffic import CacheMark, CachePolicy, Match, Message, Request, Settings, TokenRequest, Usage

SEEDS = range(20)
PLAIN = load_policy("vllm")
PROVIDER = replace(PLAIN, name="provider", ttl_s=300.0, min_tokens=1024)
MARKED = replace(load_policy("anthropic"), min_tokens=0, ttl_s=None)
Log = list[Request]


def some_tokens(rng: random.Random, count: int) -> bytes:
    return array("I", (rng.randrange(1 << 20) for _ in range(count))).tobytes()


def chats(seed: int, *, conversations: int = 8, turns: int = 8, system: int = 2_000, pause_s: float = 20.0) -> Log:
    """Return conversations with one system text, interleaved: each turn adds to the last."""
    rng = random.Random(seed)
    shared = some_tokens(rng, system)
    histories = [shared for _ in range(conversations)]
    log: Log = []
    time_s = 1_000.0
    for _ in range(turns):
        for number in rng.sample(range(conversations), conversations):
            histories[number] += some_tokens(rng, rng.randrange(250, 400))
            time_s += rng.uniform(0.5, 1.5) * pause_s
            log.append(Request(len(log), model="m", namespace="m", time_s=time_s, token_ids=histories[number]))
    return log


def returning(seed: int) -> Log:
    """Return conversations of two quick turns, a long while of other ones, and two more."""
    rng = random.Random(seed)
    histories = [some_tokens(rng, 2_000) for _ in range(24)]
    log: Log = []
    for number in [*range(24), *rng.sample(range(24), 24)]:
        for _ in range(2):
            histories[number] += some_tokens(rng, 300)
            log.append(Request(len(log), model="m", namespace="m", time_s=5.0 * len(log), token_ids=histories[number]))
    return log


def hits(log: Log, policy: CachePolicy) -> tuple[list[Match], list[int | None]]:
    asked = [
        TokenRequest(one.index, one.token_ids or b"", namespace=one.namespace, time_s=one.time_s, host=one.host) for one in log
    ]
    replayed = replay(asked, policy)
    return list(replayed.matches), list(replayed.partners)


def reporting(log: Log, cached: Sequence[int], ratio: float = 1.0) -> Log:
    """Return the log as a server reports it that counts ``ratio`` tokens for one of ours."""
    prompts = [len(one.token_ids or b"") // 4 for one in log]
    return [
        replace(one, usage=Usage(int(prompt * ratio), int(count * ratio), 20))
        for one, prompt, count in zip(log, prompts, cached, strict=True)
    ]


def served(log: Log, policy: CachePolicy = PLAIN, ratio: float = 1.0) -> Log:
    """Return the log with what a server under ``policy`` reports."""
    return reporting(log, [match.engine_tokens for match in hits(log, policy)[0]], ratio)


def judged(log: Log, policy: CachePolicy = PLAIN) -> tuple[Cleared, ...]:
    """Return what clears the prompts of ``log``, seen by a replay without any rule but the blocks."""
    matches, partners = hits([replace(one, host=None) for one in log], PLAIN)
    return exonerate(log, matches, partners, policy)


def short_tokens(log: Log) -> int:
    """Return how many tokens are reported short, counted the plain way: beyond the slack, request by request."""
    matches, _ = hits([replace(one, host=None) for one in log], PLAIN)
    gaps = [
        (m.engine_tokens, m.engine_tokens - one.usage.cached_tokens)
        for m, one in zip(matches, log, strict=True)
        if one.usage is not None and one.usage.cached_tokens is not None
    ]
    return sum(gap for expected, gap in gaps if gap > max(128, expected * 0.05))


def slow(log: Log, seed: int) -> Log:
    """Return the log with pauses of ten minutes and more now and then."""
    rng, late_s = random.Random(seed), 0.0
    out = []
    for one in log:
        late_s += rng.uniform(600, 900) if rng.random() < 0.15 else 0.0
        out.append(replace(one, time_s=(one.time_s or 0.0) + late_s))
    return out


def on_replicas(log: Log, replicas: int = 3) -> Log:
    return [replace(one, host=f"replica-{one.index % replicas}") for one in log]


def with_efforts(seed: int) -> Log:
    """Return chats whose later turns ask for another effort, served by a cache that looks at it."""
    rng, log = random.Random(seed), chats(seed)
    efforts = ['"low"' if one.index < 32 or rng.random() < 0.5 else '"high"' for one in log]
    split = [replace(one, namespace=effort) for one, effort in zip(log, efforts, strict=True)]
    return [
        replace(one, namespace="m", settings=Settings((("reasoning_effort", effort),)))
        for one, effort in zip(served(split), efforts, strict=True)
    ]


def in_bursts(seed: int) -> Log:
    """Return batches that begin at once with one new document each; none is read from the cache but by a late one."""
    rng, log, cached = random.Random(seed), [], []
    for batch in range(12):
        document = some_tokens(rng, 3_000)
        for number in range(6):
            tokens = document + some_tokens(rng, 100)
            time_s = 100.0 * batch + (60.0 if number == 5 else rng.uniform(0, 0.4))
            log.append(Request(len(log), model="m", namespace="m", time_s=time_s, token_ids=tokens))
        log[-6:] = [replace(one, index=len(log) - 6 + i) for i, one in enumerate(sorted(log[-6:], key=lambda r: r.time_s or 0))]
        cached += [0, 0, 0, 0, 0, 2_992]
    return reporting(log, cached)


CAUSES: dict[Cause, tuple[Callable[[int], Log], CachePolicy]] = {
    Cause.TTL: (lambda seed: served(slow(chats(seed), seed), replace(PLAIN, ttl_s=300.0)), PROVIDER),
    Cause.ROUTING: (lambda seed: served(on_replicas(chats(seed)), replace(PLAIN, replicas=3, routing="round-robin")), PLAIN),
    Cause.PARAMETER: (with_efforts, PLAIN),
    Cause.PARALLEL_START: (in_bursts, PROVIDER),
    Cause.BELOW_MINIMUM: (
        lambda seed: reporting(log := chats(seed, system=600, turns=2, pause_s=5.0), [0] * len(log)),
        PROVIDER,
    ),
    Cause.MARKER: (lambda seed: reporting(log := chats(seed), [0] * len(log)), MARKED),
    Cause.ENGINE: (lambda seed: reporting(log := chats(seed), [0] * len(log)), PLAIN),
    Cause.CAPACITY: (
        lambda seed: served(returning(seed), replace(PLAIN, store="lru-blocks", kv_tokens=16_000)),
        PLAIN,
    ),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("cause", CAUSES)
def test_the_cause_is_named(cause: Cause, seed: int) -> None:
    """Of the tokens that a server with one fault reports short, at least 90 % are given that cause, and none is lost."""
    build, policy = CAUSES[cause]
    log = build(seed)

    found = judged(log, policy)
    tokens = {one.cause: one.tokens for one in found}

    assert sum(tokens.values()) == short_tokens(log) > 0
    assert tokens[cause] >= 0.9 * sum(tokens.values())
    assert found[0].cause is cause
    assert found[0].confidence is not Confidence.LOW or cause in (Cause.CAPACITY, Cause.ENGINE)
    assert all(len(one.examples) == min(3, one.requests) for one in found)


HEALTHY: dict[str, Callable[[int], Log]] = {
    "chat": lambda seed: served(chats(seed)),
    "other-tokenizer": lambda seed: served(chats(seed), ratio=0.8),
    "replicas-with-one-cache": lambda seed: served(on_replicas(chats(seed))),
    "pauses-that-do-not-matter": lambda seed: served(slow(chats(seed), seed)),
    "parameters-that-do-not-matter": lambda seed: [
        replace(one, settings=Settings((("service_tier", f'"{one.index % 2}"'),))) for one in served(chats(seed))
    ],
    "steps-of-128": lambda seed: reporting(
        log := chats(seed), [match.engine_tokens // 128 * 128 for match in hits(log, PLAIN)[0]]
    ),
    "warm-start": lambda seed: served(chats(seed))[24:],
    "part-of-the-traffic": lambda seed: [one for one in served(chats(seed)) if one.index % 3],
    "nothing-reported": chats,
    "nothing-in-common": lambda seed: reporting(log := chats(seed, turns=1, system=0), [0] * len(log)),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", HEALTHY)
def test_a_healthy_log_gives_nothing(kind: str, seed: int) -> None:
    """Where all that can be hit is hit, nobody is cleared of anything, under any policy."""
    assert (log := HEALTHY[kind](seed))
    assert [judged(log, policy) for policy in (PLAIN, PROVIDER, MARKED)] == [(), (), ()]


@pytest.mark.parametrize("seed", SEEDS)
def test_chance_is_unknown(seed: int) -> None:
    """Requests that miss at random are cleared without a cause: neither the time nor the size nor the host explains them."""
    rng = random.Random(seed)
    log = [
        replace(one, usage=Usage(one.usage.prompt_tokens, 0)) if one.usage and rng.random() < 0.2 else one
        for one in served(on_replicas(slow(chats(seed), seed)))
    ]

    found = judged(log, PROVIDER)
    unknown = next(one for one in found if one.cause is Cause.UNKNOWN)

    assert sum(one.tokens for one in found) == short_tokens(log)
    assert unknown.tokens >= 0.6 * sum(one.tokens for one in found)
    assert unknown.confidence is Confidence.LOW
    assert "as far as the log shows" in unknown.what


@pytest.mark.parametrize("seed", SEEDS)
def test_counters_that_cannot_be_right(seed: int) -> None:
    """Negative counts, more cached than prompt tokens, and parts above the whole are the counter's fault, and certain."""
    rng = random.Random(seed)
    log = served(chats(seed))
    wrong = sorted(rng.sample(range(20, len(log)), 3))
    for position, usage in zip(wrong, (Usage(900, -5), Usage(900, 1_000), Usage(900, 600, 5, 500)), strict=True):
        log[position] = replace(log[position], usage=usage)

    (found,) = judged(log)

    assert (found.cause, found.confidence, found.examples) == (Cause.METERING, Confidence.HIGH, tuple(wrong))
    assert (found.requests, found.tokens) == (3, 0)


@pytest.mark.parametrize("seed", SEEDS)
def test_cached_tokens_from_nowhere(seed: int) -> None:
    """A request that reports more from the cache than stands in any other prompt is named, with low confidence."""
    rng = random.Random(seed)
    log = served(chats(seed))
    log.append(replace(log[0], index=len(log), token_ids=some_tokens(rng, 3_000), usage=Usage(3_000, 2_500)))

    (found,) = judged(log)

    assert (found.cause, found.confidence, found.examples) == (Cause.METERING, Confidence.LOW, (len(log) - 1,))


@pytest.mark.parametrize("seed", SEEDS)
def test_one_late_request_is_cleared(seed: int) -> None:
    """A single pause beyond the time to live is named with the gap, and other causes are not."""
    log = chats(seed)
    late = [one if one.index < 40 else replace(one, time_s=(one.time_s or 0.0) + 1_200) for one in log]
    reported = served(late, replace(PLAIN, ttl_s=300.0))

    found = judged(reported, PROVIDER)

    assert {one.cause for one in found} == {Cause.TTL}
    assert "min, kept for 5 min" in found[0].detail
    assert found[0].detail in found[0].what


def test_what_the_log_does_not_tell_is_said() -> None:
    """Of messages without tools, instructions and parameters the sentence names what is missing, and is less sure."""
    ids = reporting(log := chats(1), [0] * len(log))
    bare = [replace(one, token_ids=None, messages=(Message("user", f"{one.index}"),), namespace="") for one in ids]
    matches, partners = hits(log, PLAIN)

    (named,) = exonerate([replace(one, settings=Settings((("speed", '"fast"'),))) for one in ids], matches, partners, MARKED)
    (said,) = exonerate(bare, matches, partners, MARKED)

    assert "does not tell" not in named.what
    assert "it does not tell tools, instructions, parameters and namespace" in said.what
    assert (named.confidence, said.confidence) == (Confidence.HIGH, Confidence.MEDIUM)


@pytest.mark.parametrize(("word", "agrees"), [("ttl_expired_5m", True), ("system_changed", False), ("unavailable", None)])
def test_the_providers_word_is_compared(word: str, agrees: bool | None) -> None:
    """A word that fits agrees, one that blames the prompt does not and is told, one that says nothing changes nothing."""
    plain = judged(log := CAUSES[Cause.TTL][0](3), PROVIDER)[0]
    told = judged([replace(one, settings=Settings(miss_reason=word)) for one in log], PROVIDER)[0]

    assert (plain.cause, plain.agrees) == (Cause.TTL, None)
    assert (told.cause, told.agrees) == (Cause.TTL, agrees)
    assert (f"the provider says {word}" in told.what) == (agrees is not None)
    assert ("does not fit" in told.what) == (agrees is False)


def test_the_providers_word_names_what_the_log_does_not_show() -> None:
    """Where nothing else explains a miss, a word that does not blame the prompt is the cause; one that does, is refused."""
    log = served(chats(5))
    missed = {20: "cache_evicted", 40: "tools_changed"}
    for position, word in missed.items():
        log[position] = replace(log[position], usage=Usage(9_000, 0), settings=Settings(miss_reason=word))

    found = {one.examples: (one.cause, one.agrees) for one in judged(log)}

    assert found == {(20,): (Cause.CAPACITY, True), (40,): (Cause.UNKNOWN, False)}


def test_a_mark_anywhere_is_no_missing_mark() -> None:
    """With marks in the requests, or an implied one, a miss under a policy of marks is not for want of one."""
    log = reporting(plain := chats(2), [0] * len(plain))
    marked = [replace(one, marks=(CacheMark(message=0),)) for one in log]

    assert {one.cause for one in judged(log, MARKED)} == {Cause.MARKER}
    assert Cause.MARKER not in {one.cause for one in judged(marked, MARKED)}
    assert Cause.MARKER not in {one.cause for one in judged(log, replace(MARKED, implicit_mark="last-message"))}
