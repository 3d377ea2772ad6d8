"""Time to live, minimum, replicas and requests in flight: what each takes away, and that none ever adds a hit."""

from __future__ import annotations

import random

import pytest
from msgspec import structs
from oracle_cases import ids

from radixlint.errors import ConfigError
from radixlint.replay import open_cache, replay
from radixlint.traffic import CacheLimits, CachePolicy, TokenRequest

STORES = ("tree", "block-pool", "lru-blocks")
LOGS = 300


def drawn_requests(seed: int) -> list[TokenRequest]:
    """Draw a log of few distinct tokens with times, outputs, namespaces and hosts; some times are unknown."""
    draw = random.Random(seed)
    sequences: list[list[int]] = [[]]
    requests, now = [], 0.0
    for index in range(draw.randint(2, 14)):
        earlier = draw.choice(sequences)
        prompt = earlier[: draw.randint(0, len(earlier))] + [draw.randrange(3) for _ in range(draw.randint(0, 14))]
        output = [draw.randrange(3) for _ in range(draw.choice((0, 0, 3)))]
        sequences.append(prompt + output)
        now += draw.choice((0.0, 1.0, 4.0, 9.0))
        time_s = draw.choice((now, now, now, None))
        host, namespace = draw.choice(("one", "two")), draw.choice(("", "", "b"))
        requests.append(TokenRequest(index, ids(prompt), ids(output), namespace, time_s=time_s, host=host))
    return requests


def hits(requests: list[TokenRequest], policy: CachePolicy) -> list[int]:
    """Return the engine tokens of each request."""
    return [match.engine_tokens for match in replay(requests, policy).matches]


def with_limits(requests: list[TokenRequest], seed: int) -> list[TokenRequest]:
    """Give some of ``requests`` a minimum or a time to live of their own."""
    draw = random.Random(seed)
    own = (None, None, CacheLimits(min_tokens=6), CacheLimits(ttl_s=2.0), CacheLimits(min_tokens=1, ttl_s=8.0))
    return [structs.replace(request, limits=draw.choice(own)) for request in requests]


def block_ages(requests: list[TokenRequest], policy: CachePolicy) -> list[int]:
    """Twin of an unlimited cache with a time to live: every block under its whole prefix with the times of all its uses."""
    block = policy.block_tokens
    uses: dict[tuple[str, bytes], list[tuple[float, float]]] = {}
    found: list[int] = []
    now_s = float("-inf")
    for request in requests:
        now_s = now_s if request.time_s is None else request.time_s
        own = request.limits or CacheLimits()
        ttl_s = (policy.ttl_s or 0.0) if own.ttl_s is None else own.ttl_s
        min_tokens = own.min_tokens if policy.min_tokens and own.min_tokens is not None else policy.min_tokens
        keys = [(request.namespace, (request.tokens + request.output)[:end]) for end in range(4 * block, 400, 4 * block)]
        fresh = [any(now_s == used_s or now_s - used_s <= kept_s for used_s, kept_s in uses.get(key, ())) for key in keys]
        reach = max(0, request.prompt_tokens - 1) // block
        hit = block * next((n for n, is_fresh in enumerate(fresh[:reach]) if not is_fresh), reach)
        found.append(hit if hit >= min_tokens else 0)
        whole = len(request.tokens + request.output) // (4 * block)
        for key in keys[:whole]:
            uses.setdefault(key, []).append((now_s, ttl_s))
    return found


@pytest.mark.parametrize("store", ["tree", "block-pool"])
def test_time_to_live_without_a_size_equals_its_twin(store: str) -> None:
    """A block counts if it was used at most so long ago; at an unknown time no time has passed since the last known."""
    for seed in range(LOGS):
        requests = drawn_requests(seed)
        for block in (1, 4):
            policy = CachePolicy("any", block, store=store, ttl_s=5.0)
            assert hits(requests, policy) == block_ages(requests, policy), f"log of seed {seed}"


@pytest.mark.parametrize("min_tokens", [0, 3])
@pytest.mark.parametrize("store", ["tree", "block-pool"])
def test_limits_of_single_requests_equal_their_twin(store: str, min_tokens: int) -> None:
    """A use keeps a block for the time to live of its own request; a minimum of its own counts where the policy has one."""
    differing = 0
    for seed in range(LOGS):
        requests = with_limits(drawn_requests(seed), seed)
        policy = CachePolicy("any", 2, store=store, ttl_s=5.0, min_tokens=min_tokens)
        assert hits(requests, policy) == block_ages(requests, policy), f"log of seed {seed}"
        differing += hits(requests, policy) != hits([structs.replace(one, limits=None) for one in requests], policy)
    assert differing


@pytest.mark.parametrize("store", [*STORES, "slots"])
def test_every_store_takes_the_minimum_of_the_request(store: str) -> None:
    """Four tokens shared, a minimum of three: a request whose own minimum is five hits none of them."""
    policy = CachePolicy("any", 1, store=store, min_tokens=3, slots=1)
    requests = [TokenRequest(index, ids([1, 2, 3, 4, 5 + index])) for index in range(3)]
    requests[2] = structs.replace(requests[2], limits=CacheLimits(min_tokens=5))

    assert hits(requests, policy) == [0, 4, 0]


@pytest.mark.parametrize("store", STORES)
def test_no_limit_ever_adds_a_hit(store: str) -> None:
    """In flight, then time to live, then replicas, then room: each takes hits away from any request, or leaves them."""
    lost = [0, 0, 0, 0]
    for seed in range(LOGS):
        requests, draw = drawn_requests(seed), random.Random(seed)
        policy = CachePolicy("any", draw.choice((1, 2, 4)), store=store)
        routing = draw.choice(("round-robin", "random", "hash-prefix", "cache-aware"))
        before = hits(requests, policy)
        limits: list[dict[str, object]] = [
            {"in_flight": draw.choice((1, 2, 4))},
            {"ttl_s": draw.choice((2.0, 6.0))},
            {"replicas": draw.choice((0, 2, 3)), "routing": routing},
            {"kv_tokens": draw.randint(8, 40)},
        ]
        for step, limit in enumerate(limits):
            policy = structs.replace(policy, **limit)
            after = hits(requests, policy)
            assert all(a <= b for a, b in zip(after, before, strict=True)), f"log of seed {seed} under {policy}"
            lost[step] += sum(before) - sum(after)
            before = after
    assert all(lost)  # each limit was felt


def test_shorter_hits_than_the_minimum_are_none() -> None:
    """Steps of 128 tokens from 1,024 on, as OpenAI's older models count: 1,023 shared give none, 1,300 give 1,280."""
    shared = list(range(1_300))
    requests = [TokenRequest(0, ids([*shared, 1]))]
    requests += [TokenRequest(n, ids([*shared[:n], 2_000 + n])) for n in (1_023, 1_024, 1_160, 1_300)]

    for store in STORES:
        assert hits(requests, CachePolicy("any", 128, store=store, min_tokens=1_024)) == [0, 0, 1_024, 1_152, 1_280]


@pytest.mark.parametrize(("in_flight", "expected"), [(0, [0, 9, 9, 9, 9, 9]), (1, [0, 0, 9, 9, 9, 9]), (2, [0, 0, 0, 0, 9, 9])])
def test_a_batch_sees_neither_itself_nor_the_one_before(in_flight: int, expected: list[int]) -> None:
    """Six equal prompts of ten tokens, one or two in flight: the first two batches find nothing."""
    requests = [TokenRequest(i, ids(list(range(10)))) for i in range(6)]

    assert hits(requests, CachePolicy("sglang", 1, in_flight=in_flight)) == expected


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ({"replicas": 2, "routing": "round-robin"}, [0, 0, 0, 0, 9, 9]),
        ({"replicas": 2, "routing": "cache-aware"}, [0, 0, 9, 9, 9, 9]),
        ({"replicas": 2, "routing": "hash-prefix"}, [0, 0, 9, 9, 9, 9]),
        ({"replicas": 0}, [0, 0, 9, 0, 9, 9]),
    ],
)
def test_replicas_share_nothing(limits: dict[str, object], expected: list[int]) -> None:
    """Two prompts in the order ABBAAB: in turn, by content, or to the hosts of the log."""
    a, b = list(range(10)), list(range(20, 30))
    hosts = ("x", "y", "y", "y", "x", "y")
    requests = [TokenRequest(i, ids(p), host=host) for i, (p, host) in enumerate(zip((a, b, b, a, a, b), hosts, strict=True))]

    assert hits(requests, CachePolicy("sglang", 1, **limits)) == expected


def test_random_routing_is_the_same_every_time() -> None:
    """Two runs send each request to the same replica, and not all to one."""
    requests = [TokenRequest(i, ids(list(range(10)))) for i in range(40)]
    policy = CachePolicy("sglang", 1, replicas=4, routing="random")

    assert hits(requests, policy) == hits(requests, policy)
    assert hits(requests, policy).count(0) == policy.replicas


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        (CachePolicy("any", 16, store="shelf"), "no cache that keeps 'shelf'"),
        (CachePolicy("any", 16, kv_tokens=15), "holds no page of 16"),
        (CachePolicy("any", 16, store="block-pool", kv_tokens=15), "holds no block of 16"),
        (CachePolicy("any", 16, store="lru-blocks", kv_tokens=15), "holds no block of 16"),
        (CachePolicy("any", 16, store="block-pool", eviction="lfu"), "eviction lru, not lfu"),
        (CachePolicy("any", 16, store="lru-blocks", eviction="lfu"), "eviction lru, not lfu"),
        (CachePolicy("any", 16, eviction="fifo"), "unknown eviction 'fifo'"),
        (CachePolicy("any", 1, store="slots"), "at least one slot"),
    ],
)
def test_policies_that_cannot_be_are_told(policy: CachePolicy, words: str) -> None:
    """Figures that do not go together, or an unknown store, are an error of the user's settings."""
    with pytest.raises(ConfigError, match=words):
        open_cache(policy)


@pytest.mark.parametrize(("limits", "words"), [({"replicas": -1}, "-1 replicas"), ({"replicas": 2, "routing": "near"}, "'near'")])
def test_routing_that_cannot_be_is_told(limits: dict[str, object], words: str) -> None:
    """An unknown routing or fewer than no replicas are an error of the user's settings."""
    with pytest.raises(ConfigError, match=words):
        replay([], CachePolicy("any", 16, **limits))
