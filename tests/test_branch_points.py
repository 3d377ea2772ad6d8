"""Branch points of logs without texts: where requests part, what is repeated behind it; and the drawn tree."""

from __future__ import annotations

import sys
from array import array

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from radixlint.api.analyze_options import AnalyzeOptions
from radixlint.api.measuring import measure
from radixlint.explain.branch_points import CANDIDATES
from radixlint.explain.laid_out_texts import common_length
from radixlint.explain.repeats import RUN_TOKENS, repeated_tokens, run_hashes, without_closing
from radixlint.result.measurement import AnalyzeReport, TreeLimits, TreeNode
from radixlint.traffic import LogRead, Message, Request

RULES = "\n".join(f"{n}. Rule number {n} of the house is not to be bent by anyone." for n in range(1, 30))


def ids(*tokens: int) -> bytes:
    return array("I", tokens).tobytes()


def chat(index: int, system: str, *texts: str, session: str | None = None) -> Request:
    roles = ("user", "assistant")
    messages = (Message("system", system), *(Message(roles[i % 2], text) for i, text in enumerate(texts)))
    return Request(index, model="gpt-4o", session=session or f"s{index}", messages=messages)


def report(requests: list[Request], **options: object) -> AnalyzeReport:
    return measure(LogRead("openai-chat", len(requests), tuple(requests), {}), AnalyzeOptions(**options))  # type: ignore[arg-type]


def brute_repeated(later: list[int], earlier: list[int]) -> int:
    runs = {tuple(earlier[i : i + RUN_TOKENS]) for i in range(len(earlier) - RUN_TOKENS + 1)}
    covered: set[int] = set()
    for i in range(len(later) - RUN_TOKENS + 1):
        if tuple(later[i : i + RUN_TOKENS]) in runs:
            covered.update(range(i, i + RUN_TOKENS))
    return len(covered)


sequences = st.lists(st.integers(0, 1), max_size=40)


@given(sequences, sequences)
def test_repeated_tokens_equal_brute_force(later: list[int], earlier: list[int]) -> None:
    """Counting over hashes gives what comparing every run of eight gives."""
    counted = repeated_tokens(run_hashes(ids(*later)), np.sort(run_hashes(ids(*earlier))))

    assert counted == brute_repeated(later, earlier)


def test_closing_marks_are_not_counted_as_repeated() -> None:
    """What both prompts end with is the layout's closing, at most 16 tokens of it; a longer common end stays content."""
    assert without_closing(ids(1, 2, 8, 9), ids(3, 8, 9)) == ids(1, 2)
    assert without_closing(ids(8, 9), ids(8, 9)) == b""
    assert without_closing(ids(*range(40)), ids(*range(40))) == ids(*range(24))
    assert without_closing(ids(1), b"") == ids(1)


@given(st.text("ab\n", max_size=30), st.text("ab\n", max_size=30), st.integers(0, 3))
def test_common_length_equals_brute_force(one: str, other: str, repeat: int) -> None:
    """Chunks and bisection find the first difference, in long texts too."""
    head = "x" * (4_096 * repeat)
    expected = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))

    assert common_length(head + one, head + other) == len(head) + expected


def test_token_ids_are_grouped_by_exact_prefix() -> None:
    """Without texts a place is its prefix; nothing but positions and counts is shown."""
    requests = [Request(i, token_ids=ids(*range(20), 100 + i, *range(50, 80), 200 + i)) for i in range(4)]

    (place,) = report(requests).breaks

    assert (place.where, place.token_index, place.requests, place.values) == ("token ids", 20, 3, 4)
    assert (place.computed_tokens, place.lost_tokens) == (3 * 32, 3 * 30)
    assert (place.cause, place.fix, place.remedies) == ("unknown", None, ())
    assert (place.shared, place.before, place.after) == ("", "", "")


def test_places_beyond_the_candidates_are_said() -> None:
    """Repeated tokens are worked out for the places that lose most, one of them the start, and a note says so."""
    requests = [
        Request(2 * n + k, token_ids=ids(n, *range(1000 + n, 1010 + n), 7 + k, *range(30)))
        for n in range(CANDIDATES + 5)
        for k in range(2)
    ]

    told = f"part at {CANDIDATES + 6} places; the {CANDIDATES} with most tokens behind them"
    assert any(told in note for note in report(requests).notes)


def test_much_work_is_sampled_evenly_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Above the bound every n-th request of a place is compared and the rest estimated; a note says so."""
    requests = [Request(i, token_ids=ids(*range(9), 5_000 + i, *range(700))) for i in range(40)]
    exact = report(requests)
    monkeypatch.setattr(sys.modules["radixlint.explain.branch_points"], "_COMPARED_TOKENS", 10_000)

    sampled = report(requests)

    assert sampled.breaks[0].lost_tokens == pytest.approx(exact.breaks[0].lost_tokens, rel=0.05)
    assert any("even sample" in note for note in sampled.notes)
    assert not any("even sample" in note for note in exact.notes)


def leaves_and_hidden(node: TreeNode) -> int:
    return node.hidden_requests + sum(max(leaves_and_hidden(c), c.requests if not c.children else 0) for c in node.children)


def tree_of(requests: list[Request], depth: int = 3, width: int = 5, **options: object) -> TreeNode:
    root = report(requests, tree=TreeLimits(depth=depth, width=width), top=0, **options).tree
    assert root is not None
    return root


def test_tree_shows_the_top_and_sums_up_the_rest() -> None:
    """The common stretch comes first, wide levels are cut to the width, and what is cut is counted."""
    requests = [chat(i, RULES, f"{'abcd'[i % 4]} is what my order begins with") for i in range(24)]

    root = tree_of(requests, depth=2, width=3)

    assert (root.requests, len(root.children)) == (24, 1)
    common = root.children[0]
    assert common.requests == 24
    assert common.label.startswith("messages[0] system: 1. Rule number 1 of the house")
    assert len(common.children) == 3
    assert sum(c.requests for c in common.children) + common.hidden_requests == 24
    assert common.hidden_children == 1


def test_branches_of_hidden_values_are_drawn_as_one() -> None:
    """Values that few conversations hold make one line with their kind and number, not a line each that says nothing."""
    requests = [chat(i, f"Desk.\nNow: 2026-03-0{i % 7}T08:14:{i:02d}Z\n{RULES}", "Hello?") for i in range(56)]

    (common,) = tree_of(requests, depth=2).children

    assert common.label == "messages[0] system: Desk.\nNow:"
    assert [(c.label, c.requests) for c in common.children] == [("messages[0] system line 2: <time, second, 56 values>", 56)]


def test_a_path_shows_words_only_to_a_crowd_of_its_own() -> None:
    """Each word of a path is common, but the path as a whole is one person's: below five conversations only shapes stand."""
    towns, names = ("Bonn", "Kiel", "Jena"), ("Anna", "Carl", "Hans", "Eva")
    pairs = [(t, n) for t in towns for n in names for _ in range(5)] + [("Ulm", "Dan")] * 2 + [("Ulm", "Eva")] * 4
    requests = [chat(i, f"I live in {t} and my name is {n} and I ask", f"{i}?") for i, (t, n) in enumerate(pairs)]

    paths: list[str] = []
    pending = [("", tree_of(requests, depth=4))]
    while pending:
        path, node = pending.pop()
        paths.append(f"{path} / {node.label}")
        pending.extend((paths[-1], child) for child in node.children)

    assert any("Bonn" in path and "Eva and I ask" in path for path in paths)
    assert any("Ulm and my name is" in path for path in paths)
    assert not any("Ulm" in path and ("Eva" in path or "Dan" in path) for path in paths)


def test_crowd_of_a_path_counts_users_where_the_log_names_them() -> None:
    """Ten conversations of four users show no word of their path."""
    requests = [replace(chat(i, RULES, "Hello?"), user=f"u{i % 4}") for i in range(10)]

    (common,) = tree_of(requests).children

    assert common.label.startswith("messages[0] system: <text, ")


def test_deep_tree_needs_no_recursion_in_the_walk() -> None:
    """Two thousand nested prefixes are grouped without a recursion limit, and the drawn depth holds."""
    requests = [Request(i, token_ids=ids(*range(i + 1))) for i in range(2_000)]

    result = report(requests, tree=TreeLimits(depth=3, width=2))

    assert result.longest_shared_tokens == 1_001
    depth, node = 0, result.tree
    while node is not None and node.children:
        depth, node = depth + 1, node.children[0]
    assert depth == 3
