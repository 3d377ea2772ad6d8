"""llama.cpp's slots: one prompt a slot, chosen by likeness, else the one unused for longest."""

from __future__ import annotations

from oracle_cases import ids

from radixlint.replay import replay
from radixlint.traffic import CachePolicy, TokenRequest


def hits(prompts: list[list[int]], slots: int, **limits: object) -> list[int]:
    """Return the engine tokens of prompts served in turn."""
    requests = [TokenRequest(i, ids(prompt)) for i, prompt in enumerate(prompts)]
    return [m.engine_tokens for m in replay(requests, CachePolicy("llama-cpp", 1, store="slots", slots=slots, **limits)).matches]


def prompt(start: int, tokens: int = 20) -> list[int]:
    """Return a prompt that shares nothing with those of another start."""
    return list(range(100 * start, 100 * start + tokens))


def test_as_many_prompts_as_slots_stay_and_one_more_thrashes() -> None:
    """Two prompts in turn fit two slots; three in turn never find their own."""
    assert hits([prompt(1), prompt(2)] * 3, 2) == [0, 0] + [19] * 4
    assert hits([prompt(1), prompt(2), prompt(3)] * 3, 2) == [0] * 9


def test_a_slot_must_hold_more_than_a_tenth_of_the_prompt() -> None:
    """Two shared tokens of 20 are not enough to be sent to a slot, though they hit in the slot unused for longest; three are."""
    first = prompt(1)

    assert hits([first, prompt(2), [*first[:2], *prompt(3, 18)], first], 2) == [0, 0, 2, 0]
    assert hits([prompt(2), first, [*first[:2], *prompt(3, 18)], first], 2) == [0, 0, 0, 19]
    assert hits([prompt(2), first, [*first[:3], *prompt(3, 17)], first], 2) == [0, 0, 3, 3]


def test_only_the_last_request_of_a_slot_counts() -> None:
    """With one slot a prompt replaces the one before whole; what both begin with is kept."""
    assert hits([prompt(1), [*prompt(1, 5), *prompt(2, 15)], prompt(1)], 1) == [0, 5, 5]


def test_output_stays_in_the_slot_and_namespaces_are_apart() -> None:
    """The next turn finds prompt and output; equal tokens of another namespace find nothing."""
    turn = TokenRequest(0, ids([1, 2, 3]), ids([4, 5]))
    requests = [turn, TokenRequest(1, ids([1, 2, 3, 4, 5, 6])), TokenRequest(2, ids([1, 2, 3]), namespace="b")]

    assert [m.engine_tokens for m in replay(requests, CachePolicy("llama-cpp", 1, store="slots", slots=1)).matches] == [0, 5, 0]


def test_room_is_shared_out_and_a_longer_request_refused() -> None:
    """60 tokens in three slots hold prompts of 20; one of 21 is not served and leaves the slots as they are."""
    assert hits([prompt(1), prompt(2, 21), prompt(2, 21), prompt(1)], 3, kv_tokens=60) == [0, 0, 0, 19]
