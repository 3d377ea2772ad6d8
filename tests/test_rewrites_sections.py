"""Sections of the instructions in the order that shares most."""

from __future__ import annotations

import itertools
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from radixlint.rewrites import best_order, held_sections, ordered
from radixlint.traffic import Message, Request

SECTIONS = ("# A\na", "# B\nb\nb", "# C", "# D\nd")
PICKS = st.lists(st.permutations(range(len(SECTIONS))).flatmap(lambda p: st.integers(0, len(p)).map(lambda n: tuple(p[:n]))))
OCCURRENCES = st.dictionaries(st.frozensets(st.integers(0, 4)), st.integers(1, 9), min_size=1, max_size=8)
TOKENS = st.lists(st.integers(1, 50), min_size=5, max_size=5)


def request(*sections: int, index: int = 0) -> Request:
    lines = ["You help.", *(SECTIONS[i] for i in sections), "Be brief."]
    return Request(index=index, messages=(Message("system", "\n".join(lines)), Message("user", "# C")))


def shared_tokens(order: tuple[int, ...], tokens: list[int], occurrences: dict[frozenset[int], int]) -> int:
    """Sum the tokens of sections that two requests share in front, over all ordered pairs."""
    total = 0
    for (one, n), (other, m) in itertools.product(occurrences.items(), repeat=2):
        pairs = zip([i for i in order if i in one], [i for i in order if i in other], strict=False)
        total += n * m * sum(tokens[i] for i, _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))
    return total


@given(TOKENS, OCCURRENCES)
def test_best_order_is_the_best_of_all(tokens: list[int], occurrences: dict[frozenset[int], int]) -> None:
    """No permutation shares more tokens between two requests of the log; of equals the one nearest to that given is taken."""
    sections = [(str(i), count) for i, count in enumerate(tokens)]
    found = tuple(int(text) for text in best_order(sections, occurrences))
    every = {order: shared_tokens(order, tokens, occurrences) for order in itertools.permutations(range(len(tokens)))}

    assert found == min(order for order, shared in every.items() if shared == max(every.values()))


def test_many_sections_are_ordered_by_size_and_how_often_they_come() -> None:
    """Beyond eight, those of every request stand in front, then the long and frequent ones."""
    sections = [(f"{i}", 10) for i in range(8)] + [("long and rare", 500), ("always", 1)]
    occurrences = {frozenset(range(8)) | {9}: 5, frozenset({8, 9}): 1}

    assert best_order(sections, occurrences)[0] == "always"
    assert best_order(sections, occurrences)[1] == "long and rare"
    assert sorted(best_order(sections, occurrences)) == sorted(text for text, _ in sections)


@given(PICKS)
def test_sections_are_ordered_and_no_line_is_lost(picks: list[tuple[int, ...]]) -> None:
    """Each request has its sections in the one order, what stands around them in place, and the same lines."""
    requests = tuple(request(*pick, index=i) for i, pick in enumerate(picks))
    after = ordered(requests, SECTIONS)

    assert [sent.messages[0].text for sent in after] == [request(*sorted(pick)).messages[0].text for pick in picks]
    for logged, sent in zip(requests, after, strict=True):
        assert Counter(sent.messages[0].text.split("\n")) == Counter(logged.messages[0].text.split("\n"))
        assert sent.messages[1:] == logged.messages[1:]
    assert all(a is b for a, b in zip(ordered(after, SECTIONS), after, strict=True))
    changed = [sent.messages[0] for sent, logged in zip(after, requests, strict=True) if sent is not logged]
    assert len({id(message) for message in changed}) == len(set(changed))


@given(PICKS)
def test_requests_are_counted_by_the_sections_they_hold(picks: list[tuple[int, ...]]) -> None:
    """Sections are found in whatever order, and in the instructions alone."""
    assert held_sections([request(*pick) for pick in picks], SECTIONS) == Counter(map(frozenset, picks))


def test_sections_in_messages_and_blocks_of_their_own() -> None:
    """Sections swap between the messages and content blocks that hold them; a line end at their end does not count."""
    messages = (Message("system", SECTIONS[1]), Message("system", "x\n# C\n# A\na", parts=("x", "# C", "# A\na")))
    after = ordered([Request(index=0, messages=messages)], [f"{text}\n" for text in SECTIONS])[0]

    assert [message.text for message in after.messages] == [SECTIONS[0], "x\n# B\nb\nb\n# C"]
    assert after.messages[1].parts == ("x", "# B\nb\nb", "# C")


def test_a_section_within_another_is_not_taken_out_of_it() -> None:
    """Where the lines of a short section stand only within a longer one, they stay there."""
    outer = "# B\n# C\nb"
    before = Request(index=0, messages=(Message("system", f"{outer}\n# A\na"),))

    assert ordered([before], (SECTIONS[0], "# C", outer))[0].messages[0].text == f"{SECTIONS[0]}\n{outer}"
