"""Two requests: the first divergence in wire order, how much is common, what kind of change it is, and what may be shown."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from made_faults import with_line, with_text
from made_logs import agent, chat, rag, write_jsonl
from msgspec import structs
from prefix_twin import twin_tokens

from radixlint.api.analyze_options import AnalyzeOptions, PolicyOptions
from radixlint.api.compare_options import CompareOptions
from radixlint.api.comparing import compare
from radixlint.api.measuring import measure
from radixlint.errors import ConfigError, LogError
from radixlint.result.cause import Cause
from radixlint.result.measurement import Show
from radixlint.result.pair_comparison import Reach, RequestComparison
from radixlint.traffic import LogRead, Message, Request, Settings, ToolCall


def compared(folder: Path, one: Request, other: Request, show: Show = Show.SHARED) -> RequestComparison:
    """Write each request into a file of its own and compare these."""
    for name, request in (("one", one), ("other", other)):
        write_jsonl(folder / f"{name}.jsonl", [request])
    found = compare([str(folder / "one.jsonl"), str(folder / "other.jsonl")], CompareOptions(show=show))
    assert isinstance(found, RequestComparison)
    return found


def test_common_tokens_are_those_of_a_slow_count(tmp_path: Path) -> None:
    """P of R is what a comparison token by token gives."""
    one, other = rag(40, 2)[3], rag(40, 2)[30]
    found = compared(tmp_path, one, other)
    expected = twin_tokens([one, other])[1]

    assert (found.common_tokens, found.prompt_tokens) == (expected.shared_tokens, expected.prompt_tokens)


@pytest.mark.parametrize(("before", "after", "cause"), [
    ("Now: 2026-03-02T10:00:00Z", "Now: 2026-03-02T10:00:07Z", Cause.CLOCK),
    ("Trace 3f9a1c52-77d0-4b1e-9a53-0c4f6c1d2e11", "Trace 91be77aa-10c2-4fd3-8e05-5a6b7c8d9e0f", Cause.ID),
])  # fmt: skip
def test_a_value_in_front_of_the_instructions(before: str, after: str, cause: Cause, tmp_path: Path) -> None:
    """A changed value is named with its place; the instructions behind it are lost, and realign."""
    one, other = rag(2, 2)
    found = compared(tmp_path, with_line(one, before, 1), with_line(other, after, 1), Show.TEXT)

    assert (found.cause, found.where) == (cause.value, "messages[0] system line 1")
    assert found.lost_tokens > 1_000
    assert found.is_realigned
    assert found.is_worse
    assert (before[-4:] in found.before, after[-4:] in found.after) == (True, True)


def test_tools_in_another_order(tmp_path: Path) -> None:
    """The same tools in another order are told as such, at the first that differs."""
    one = agent(1, 3)[0]
    found = compared(tmp_path, one, structs.replace(one, tools=(one.tools[0], *reversed(one.tools[1:]))))

    assert (found.cause, found.where) == (Cause.TOOL_ORDER.value, "tools[1]")
    assert found.is_worse


def test_the_next_turn_of_a_chat_goes_on(tmp_path: Path) -> None:
    """A request that extends the earlier one by an answer and a question has no divergence that costs anything."""
    log = [one for one in chat(80, 1) if one.session == "parcel-chat-0"]
    found = compared(tmp_path, log[0], log[1])

    assert found.lost_tokens == 0
    assert not found.is_worse


def test_another_question_is_new_content(tmp_path: Path) -> None:
    """What differs in the newest turn alone loses nothing, so it is no fault."""
    one, other = rag(2, 2)
    found = compared(tmp_path, one, with_text(one, 1, other.messages[1].text))

    assert (found.cause, found.lost_tokens, found.is_worse) == (Cause.NEW_CONTENT.value, 0, False)


def test_equal_requests(tmp_path: Path) -> None:
    """A request against itself has everything in common."""
    one = chat(5, 1)[0]
    found = compared(tmp_path, one, one)

    assert (found.cause, found.common_tokens) == (None, found.prompt_tokens)
    assert not found.is_worse


def test_texts_are_hidden_unless_asked_for(tmp_path: Path) -> None:
    """Two requests are no crowd: a private line appears as a shape, and a note names the option that shows it."""
    one = rag(2, 2)[0]
    secret = with_line(one, "Patient Quillfeather asks", 2), with_line(one, "Patient Dorwick-Hale asks", 2)
    hidden, shown = (compared(tmp_path, *secret, show) for show in (Show.SHARED, Show.TEXT))

    assert "Quillfeather" not in f"{hidden.shared}{hidden.before}{hidden.after}"
    assert any("--show-text" in note for note in hidden.notes)
    assert "Quillfeather" in shown.before
    assert not any("--show-text" in note for note in shown.notes)


def test_what_stands_behind_is_what_a_log_of_both_would_lose(tmp_path: Path) -> None:
    """Keys of a call in another order: the tokens are counted as ``analyze`` counts those of the two."""
    values = {f"field {i}": "order of wood and stone " * (i + 1) for i in range(6)}
    one, other = (json.dumps(dict(pairs)) for pairs in (values.items(), reversed(list(values.items()))))
    head = (Message("system", "Be kind to all who ask.\n" * 40), Message("user", "What is new in the yard?"))
    tail = (Message("tool", "Nothing at all, said the keeper. " * 30),)
    asked = [
        Request(
            i,
            id=f"r{i}",
            session="s",
            time_s=float(i),
            messages=(*head, Message("assistant", "", (ToolCall("look", text),)), *tail, *more),
        )
        for i, (text, more) in enumerate(((one, ()), (other, (Message("assistant", "Nothing."), Message("user", "And there?")))))
    ]
    found = compared(tmp_path, *asked)
    (place,) = measure(LogRead("made", 2, tuple(asked), {}), AnalyzeOptions()).breaks

    assert found.cause == place.cause == Cause.KEY_ORDER
    assert found.lost_tokens == place.lost_tokens


def test_two_ids_of_one_log(tmp_path: Path) -> None:
    """Two requests of a log are chosen by id; the result is that of two files."""
    log = rag(30, 4)
    write_jsonl(tmp_path / "log.jsonl", log)
    found = compare([str(tmp_path / "log.jsonl")], CompareOptions(requests=("r-3", "r-20")))
    alone = compared(tmp_path, log[3], log[20])

    assert isinstance(found, RequestComparison)
    assert (found.common_tokens, found.cause, found.where) == (alone.common_tokens, alone.cause, alone.where)


@pytest.mark.parametrize("ids", [("r-1", "nobody"), ("r-1",)])
def test_ids_that_are_not_there(ids: tuple[str, ...], tmp_path: Path) -> None:
    """A missing id, or one alone, is an error that names the option."""
    write_jsonl(tmp_path / "log.jsonl", rag(5, 4))

    with pytest.raises((LogError, ConfigError), match="--request"):
        compare([str(tmp_path / "log.jsonl")], CompareOptions(requests=ids))


def test_ids_given_have_a_place_and_no_cause(tmp_path: Path) -> None:
    """Of token ids the first that differs is told, and that nobody can say which text it is."""
    draw = random.Random(1)
    ids = [draw.randrange(1000) for _ in range(50)]
    for name, some in (("one", ids), ("other", [*ids[:20], 1001, *ids[21:]])):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps({"token_ids": some}) + "\n")
    found = compare([str(tmp_path / "one.jsonl"), str(tmp_path / "other.jsonl")], CompareOptions())

    assert isinstance(found, RequestComparison)
    assert (found.common_tokens, found.where, found.cause) == (20, "token 20", Cause.UNKNOWN.value)


def with_parameter(request: Request, name: str, value: object) -> Request:
    """Return the request with one parameter."""
    return structs.replace(request, settings=Settings(((name, json.dumps(value)),)))


@pytest.mark.parametrize(("engine", "name", "reach", "is_worse"), [
    ("anthropic", "tool_choice", Reach.MESSAGES, True),
    ("anthropic", "response_format", Reach.ALL, True),
    ("openai-legacy", "reasoning_effort", Reach.ALL, True),
    ("openai-legacy", "prompt_cache_key", Reach.NONE, False),
    ("openai-legacy", "tool_choice", Reach.UNKNOWN, False),
    ("vllm", "tool_choice", Reach.TEMPLATE, False),
    ("deepseek", "tool_choice", Reach.UNKNOWN, False),
])  # fmt: skip
def test_equal_prompts_with_another_parameter(engine: str, name: str, reach: Reach, is_worse: bool, tmp_path: Path) -> None:
    """The prompts are the same, the parameter differs, and whether it belongs to that provider's cache key is told."""
    one = rag(2, 2)[0]
    sides = [with_parameter(one, name, {"type": value}) for value in ("auto", "other")]
    for title, request in zip(("one", "other"), sides, strict=True):
        write_jsonl(tmp_path / f"{title}.jsonl", [request])
    options = CompareOptions(policy=PolicyOptions(engine=engine))
    found = compare([str(tmp_path / "one.jsonl"), str(tmp_path / "other.jsonl")], options)

    assert isinstance(found, RequestComparison)
    assert found.what == f"the two prompts are the same; {name} differs"
    assert [(change.name, change.reach) for change in found.parameters] == [(name, reach)]
    assert (found.is_worse, found.cause) == (is_worse, Cause.PARAMETER.value if is_worse else None)
    assert found.common_tokens == found.prompt_tokens


def test_another_model_or_namespace_shares_nothing(tmp_path: Path) -> None:
    """Equal prompts for two models are told apart by the model, and all of the tokens are computed again."""
    one = rag(2, 2)[0]
    found = compared(tmp_path, one, structs.replace(one, model="gpt-4o-mini", namespace="gpt-4o-mini"))

    assert [(change.name, change.reach) for change in found.parameters] == [("model", Reach.ALL)]
    assert (found.cause, found.lost_tokens) == (Cause.PARAMETER.value, found.prompt_tokens)


def test_a_later_request_given_first_is_told(tmp_path: Path) -> None:
    """Who swaps the two is told so."""
    one, other = rag(2, 2)

    assert compared(tmp_path, other, one).is_reversed
    assert not compared(tmp_path, one, other).is_reversed
