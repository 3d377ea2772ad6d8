"""vLLM's request lines, old and new: ids, adapters, answers; logs cut by ``--max-log-len`` are refused."""

from __future__ import annotations

import pytest
from engine_log_lines import FIXTURES, details, lines, old_request, packed, vllm
from log_records import read_bytes

from radixlint.errors import LogError
from radixlint.logs import read_logs
from radixlint.logs._vllm_cap import Extent, find_cap
from radixlint.logs._vllm_requests import CUT, NO_PROMPT


def text(characters: int, number: int = 0) -> str:
    """Return a text of so many characters, another for each number."""
    return f"{number:04} it's a prompt of words {chr(97 + number % 26)}".ljust(characters, "w")[:characters]


def test_the_debug_log_of_a_real_server_that_was_cut() -> None:
    """Prompts of 200 characters and 200 ids: all are skipped by a reason that says what to do; no request is left."""
    log = read_logs([str(FIXTURES / "vllm_debug_cut.log")])

    assert (log.format, log.engine, log.requests, log.skipped) == ("vllm-log", "vllm", (), {CUT: 3})
    assert any("lines 1, " in note for note in log.notes if "--max-log-len" in note)
    assert log.records == log.records_read + 3


def test_new_lines_give_ids() -> None:
    """The DEBUG line has text and ids: the ids are the prompt, and differences of times are kept."""
    log = read_bytes(lines(details("a", text(90), [1, 2]), details("b", None, [1, 3], time="11-29 13:12:02")))

    first, second = log.requests
    assert [(r.id, r.token_ids, r.rendered) for r in log.requests] == [("a", packed([1, 2]), None), ("b", packed([1, 3]), None)]
    assert (second.time_s or 0) - (first.time_s or 0) == 30
    assert any("neither year nor zone" in note for note in log.notes)


def test_times_go_on_over_the_new_year() -> None:
    """A log that runs into the new year keeps its order."""
    log = read_bytes(lines(details("a", None, [1], time="12-31 23:59:59"), details("b", None, [2], time="01-01 00:00:01")))

    assert (log.requests[1].time_s or 0) - (log.requests[0].time_s or 0) == 2


@pytest.mark.parametrize("ids", [[1, 2, 3], None])
def test_old_lines_give_ids_or_text(ids: list[int] | None) -> None:
    """The INFO line of old versions has ids for some routes and text alone for others."""
    prompt = '<|user|>it\'s "so"\n'

    request = read_bytes(lines(old_request("a", prompt, ids))).requests[0]

    assert (request.token_ids, request.rendered) == ((packed(ids), None) if ids else (None, prompt))


def test_a_line_without_ids_at_all() -> None:
    """A line that ends behind the parameters gives its text."""
    line = "INFO 11-29 10:00:00 [logger.py:39] Received request c-1: prompt: 'You are', params: SamplingParams(n=1)"

    assert [(r.id, r.rendered) for r in read_bytes(lines(line)).requests] == [("c-1", "You are")]


def test_fields_inside_a_prompt_or_a_parameter_are_none() -> None:
    """A prompt or a stop string that quotes the log's own form changes nothing of what is read."""
    trap = "x', params: SamplingParams(), prompt_token_ids: [9, 9], lora_request: LoRARequest(lora_name='evil')"

    log = read_bytes(lines(old_request("a", trap, [1], stop=trap), details("b", trap, [2])))

    assert [(r.token_ids, r.namespace) for r in log.requests] == [(packed([1]), ""), (packed([2]), "")]


def test_adapters_and_answers_are_joined_by_id() -> None:
    """The adapter stands on the INFO line, the ids of a streamed answer on lines of their own."""
    adapter = "lora_request: LoRARequest(lora_name='sql', lora_int_id=1)."
    log = read_bytes(
        lines(
            details("a", None, [1, 2]),
            vllm(f"Received request a: params: SamplingParams(n=1), {adapter}", level="INFO"),
            vllm("Generated response a (streaming delta) details: output_token_ids: [7]"),
            vllm("Generated response a (streaming delta): output: 'x', finish_reason: None", level="INFO"),
            vllm("Generated response a (streaming delta) details: output_token_ids: [8]"),
            vllm("Generated response a (streaming complete) details: output_token_ids: None"),
            details("b", None, [3]),
            vllm("Generated response b: output: 'y', output_token_ids: [9, 9], finish_reason: stop", level="INFO"),
        )
    )

    assert [(r.namespace, r.output_ids) for r in log.requests] == [("lora=sql", packed([7, 8])), ("", packed([9, 9]))]


def test_lines_without_prompts_say_what_to_do() -> None:
    """At level INFO there is no prompt: alone this is no log to read, beside others it is told."""
    line = vllm("Received request a: params: SamplingParams(n=1), lora_request: None.", level="INFO")

    with pytest.raises(LogError, match=NO_PROMPT):
        read_bytes(lines(line))
    log = read_bytes(lines(line, details("b", None, [1])))
    assert (len(log.requests), log.skipped) == (1, {})
    assert any("VLLM_LOGGING_LEVEL=DEBUG" in note for note in log.notes)


def test_lines_that_break_off_are_skipped_and_counted() -> None:
    """A prompt or a list without its end gives no request."""
    whole = details("a", "it's", [1, 2, 3])
    log = read_bytes(lines(whole, whole[: whole.index("it's")], whole[: whole.rindex("2")]))

    assert (len(log.requests), log.skipped) == (1, {"request line not readable": 2})


def test_cut_logs_are_refused_with_their_short_prompts() -> None:
    """A log whose longer prompts were cut is refused as a whole: a rate of the short ones would be none of the log."""
    log_lines = lines(*[details(f"r{n}", text(100, n), list(range(100))) for n in range(3)], details("s", "short one", [1, 2]))

    with pytest.raises(LogError, match="4 prompt cut by --max-log-len; start the server without it"):
        read_bytes(log_lines)


def test_a_cap_that_the_start_up_line_names_is_believed() -> None:
    """Where the server says how long its lines may be, one prompt of as many ids is enough, a cut text is not."""
    named = vllm("non-default args: {'model': 'm', 'max_log_len': 37}", level="INFO")

    with pytest.raises(LogError, match="--max-log-len"):
        read_bytes(lines(named, details("a", None, [1] * 37), details("b", None, [1])))
    assert len(read_bytes(lines(named, details("a", text(37), [1] * 9), details("b", None, [1]))).requests) == 2


def extents(*sizes: tuple[int | None, int | None], ending: str = "") -> list[Extent]:
    """Return the extents of different prompts of so many characters and ids, with their own ends or all the same."""
    return [Extent(c, i, content=bytes([n]), ending=ending or str(n)) for n, (c, i) in enumerate(sizes)]


@pytest.mark.parametrize(
    ("told", "cap"),
    [
        (extents((200, 200)), 200),
        (extents((200, 90), (200, 200), (150, 40)), 200),
        (extents((77, 77), (77, 77)), 77),
        (extents((100, None), (100, None), (100, None), (40, None)), 100),
        (extents((None, 128), (None, 128), (None, 128), (None, 9)), 128),
        (extents((100, None), (100, None), (100, None), (100, 30)), 100),
    ],
    ids=["one", "some", "odd length twice", "text", "ids", "text beside whole ids"],
)
def test_caps_are_found(told: list[Extent], cap: int) -> None:
    """Text and ids of one prompt at one length, or several at a round length that none exceeds, show a cap."""
    assert find_cap(told) == cap


@pytest.mark.parametrize(
    "told",
    [
        extents((200, 50), (200, 48), (200, 61)),
        extents((200, 200), (640, 130)),
        extents((77, 77), (60, 20)),
        extents((3, 3), (2, 1)),
        extents((100, 100), (50, 50), (77, 77)),
        extents((100, None), (100, None), (100, None), ending="ant\n"),
        extents((101, None), (101, None), (101, None)),
        extents((100, None), (100, None)),
        extents((None, 1024), (None, 1024), (None, 1024)),
        [],
    ],
    ids=["ids differ", "longer ones", "odd length once", "tiny", "bytes", "same end", "not round", "two", "all made so", "none"],
)
def test_prompts_that_only_look_alike_are_kept(told: list[Extent]) -> None:
    """Equal lengths alone are no cap: prompts of one length with other numbers of ids, with one end, or all made so."""
    assert find_cap(told) is None


def test_ids_all_of_one_length_are_kept_with_a_warning() -> None:
    """Made prompts and cut ones look the same where only ids are logged: they are read, and the doubt is told."""
    log = read_bytes(lines(*[details(f"r{n}", None, [n] * 128) for n in range(3)]))

    assert len(log.requests) == 3
    assert any("same number of ids" in note for note in log.notes)
