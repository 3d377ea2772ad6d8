"""How long shared prefixes are, against counting over all pairs of requests."""

from __future__ import annotations

from array import array

from hypothesis import given
from hypothesis import strategies as st

from radixlint.explain import longest_shared_tokens, own_conversation_tokens
from radixlint.replay import Replayed, replay
from radixlint.traffic import CachePolicy, TokenRequest

Log = list[tuple[list[int], list[int], str, int]]
TOKENS = st.lists(st.integers(0, 1), max_size=6)
LOGS = st.lists(st.tuples(TOKENS, TOKENS, st.sampled_from("ab"), st.integers(0, 2)), max_size=12)


def replayed(log: Log) -> Replayed:
    """Return the replay of prompts, outputs and namespaces."""
    ids = [(array("I", prompt).tobytes(), array("I", output).tobytes(), space) for prompt, output, space, _ in log]
    requests = [TokenRequest(i, prompt, output, namespace=space) for i, (prompt, output, space) in enumerate(ids)]
    return replay(requests, CachePolicy("any", 1))


@given(LOGS)
def test_longest_shared_prefix_equals_brute_force(log: Log) -> None:
    """It is the longest prefix that at least half of the prompts, and two, begin with in one namespace; outputs do not count."""
    prefixes = {(space, tuple(prompt[:n])) for prompt, _, space, _ in log for n in range(len(prompt) + 1)}
    quorum = max(2, -(-len(log) // 2))

    def holders(space: str, prefix: tuple[int, ...]) -> int:
        return sum(s == space and tuple(p[: len(prefix)]) == prefix for p, _, s, _ in log)

    expected = max((len(prefix) for space, prefix in prefixes if holders(space, prefix) >= quorum), default=0)
    assert longest_shared_tokens(replayed(log)) == expected


@given(LOGS)
def test_own_conversation_tokens_equal_brute_force(log: Log) -> None:
    """Each prompt shares what it has in common with an earlier prompt and output of its conversation and namespace."""
    expected = 0
    for i, (prompt, _, space, conversation) in enumerate(log):
        earlier = [p + o for p, o, s, c in log[:i] if (s, c) == (space, conversation)]
        expected += max((n for one in earlier for n in range(len(prompt) + 1) if one[:n] == prompt[:n]), default=0)

    assert own_conversation_tokens(replayed(log), [conversation for *_, conversation in log]) == expected
