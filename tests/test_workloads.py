"""Invented loads: their shape, and that a seed repeats them."""

from __future__ import annotations

import pytest

from radixlint.errors import ConfigError
from radixlint.serving.workloads import WORKLOADS, RagShape, make_workload

SHAPE = RagShape(requests=40, system_tokens=5, tools_tokens=4, documents=3, document_tokens=3, question_tokens=2)


def ids(tokens: bytes) -> list[int]:
    """Return a buffer as numbers."""
    return [int.from_bytes(tokens[i : i + 4], "little") for i in range(0, len(tokens), 4)]


@pytest.mark.parametrize("name", WORKLOADS)
def test_shape_is_kept(name: str) -> None:
    """Every prompt has the parts' length, questions never repeat, and no token id belongs to two parts."""
    load = make_workload(name, 3, SHAPE)
    prompts = [ids(request.tokens) for request in load]

    assert [request.index for request in load] == list(range(40))
    assert all(len(prompt) == SHAPE.prompt_tokens == 14 for prompt in prompts)
    assert all(len(set(prompt)) == len(prompt) for prompt in prompts)
    questions = [tuple(prompt[-2:]) for prompt in prompts]
    assert len(set(questions)) == 40
    assert len({token for prompt in prompts for token in prompt}) == 5 + 4 + 3 * 3 + 2 * 40


def test_ordered_prompts_begin_alike_and_scrambled_ones_are_the_same_parts() -> None:
    """One seed draws the same documents and questions for both; only the order of the first parts differs."""
    ordered, scrambled = (make_workload(name, 3, SHAPE) for name in ("rag", "rag-scrambled"))

    assert len({request.tokens[: 4 * 9] for request in ordered}) == 1
    assert len({request.tokens[: 4 * 3] for request in scrambled}) > 3
    for one, other in zip(ordered, scrambled, strict=True):
        assert sorted(ids(one.tokens)) == sorted(ids(other.tokens))
        assert one.tokens[-8:] == other.tokens[-8:]


@pytest.mark.parametrize("name", WORKLOADS)
def test_the_seed_decides(name: str) -> None:
    """One seed gives one load, another seed another."""
    assert make_workload(name, 5) == make_workload(name, 5)
    assert make_workload(name, 5) != make_workload(name, 6)


def test_the_default_shape_is_the_lessons() -> None:
    """80 requests of 2,860 tokens: 2,000 system, 300 tools, 500 of a document, 60 of a question."""
    load = make_workload("rag")

    assert len(load) == 80
    assert {request.prompt_tokens for request in load} == {2_860}
    assert [tokens for _, tokens in RagShape().parts] == [2_000, 300, 500, 60]


def test_an_unknown_workload_is_refused() -> None:
    """The error names the workloads there are."""
    with pytest.raises(ConfigError, match="rag-scrambled"):
        make_workload("chat")
