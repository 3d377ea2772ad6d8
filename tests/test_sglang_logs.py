"""SGLang's request log, as text and as JSON: ids where they are complete, one request of two lines, cut prompts refused."""

from __future__ import annotations

from typing import Any

import pytest
from engine_log_lines import FIXTURES, answer, event, finish, generate_input, lines, packed, receive, sglang
from log_records import read_bytes

from radixlint.errors import LogError
from radixlint.logs import read_logs
from radixlint.logs._sglang_exchanges import CUT, NO_PROMPT
from radixlint.traffic import Message, Usage, has_too_many_bad_records


def test_the_log_of_a_real_server() -> None:
    """Requests come with all their ids, the answered one with the engine's counts and output ids."""
    log = read_logs([str(FIXTURES / "sglang_requests.log")])

    first, second = log.requests
    assert (log.format, log.engine, log.records, log.records_read, log.skipped) == ("sglang-log", "sglang", 2, 2, {})
    assert [len(r.token_ids or b"") // 4 for r in log.requests] == [897, 992]
    assert first.usage == Usage(prompt_tokens=897, cached_tokens=0, output_tokens=5)
    assert first.output_ids == packed([106568, 61763, 81409, 61763, 81409])
    assert first.reply == Message("assistant", "中小学生 pendidikan NaN pendidikan NaN")
    assert (second.usage, second.output_ids, second.reply) == (None, b"", None)
    assert (first.id, first.index, second.index) == ("rag_ordered.p1trace.c8-000-5434885", 0, 1)
    assert (first.token_ids or b"")[:64] == (second.token_ids or b"")[:64]


def test_two_lines_are_one_request_at_the_time_it_came_in() -> None:
    """Order and time are those of arrival, however the answers come; the counts are those of the answer."""
    log = read_bytes(
        lines(
            receive("a", input_ids=[1, 2]),
            receive("b", input_ids=[1, 3], second=5),
            finish("b", answer(2, 1, [7]), second=6),
            finish("a", answer(2, 0, [8]), second=9),
        )
    )

    assert [(r.id, r.index, r.usage) for r in log.requests] == [("a", 0, Usage(2, 0, 1)), ("b", 1, Usage(2, 1, 1))]
    assert (log.requests[1].time_s or 0) - (log.requests[0].time_s or 0) == 2


def test_answers_alone_are_enough() -> None:
    """A line of an answer repeats the request; its time is that of the answer less the time it took."""
    log = read_bytes(
        lines(finish("a", answer(2, 1, [7], e2e_latency=2.5), second=9, input_ids=[1, 2]), receive("b", 7, input_ids=[1]))
    )

    answered, waiting = sorted(log.requests, key=lambda r: r.id or "")
    assert (answered.token_ids, answered.usage) == (packed([1, 2]), Usage(2, 1, 1))
    assert (waiting.time_s or 0) - (answered.time_s or 0) == pytest.approx(0.5)


def test_ids_are_taken_where_the_text_is_cut() -> None:
    """Level 2 cuts text at 2,048 characters, but not ids up to as many: the ids are the prompt."""
    log = read_bytes(lines(receive("a", text="word " * 1000, input_ids=list(range(2048)))))

    assert (log.requests[0].token_ids, log.requests[0].rendered) == (packed(range(2048)), None)


@pytest.mark.parametrize(
    "fields", [{"input_ids": list(range(2049))}, {"text": "word " * 1000}, {"text": "x" * 2049, "input_ids": [1] * 3000}]
)
def test_cut_prompts_are_refused(fields: dict[str, Any]) -> None:
    """A prompt whose middle the logger left out is skipped by a reason that says what to do, with its answer once."""
    log = read_bytes(lines(receive("a", **fields), finish("a", answer(3000, 9), **fields), receive("b", input_ids=[1])))

    assert (log.skipped, [r.id for r in log.requests]) == ({CUT: 1}, ["b"])
    assert (log.records, log.records_read) == (2, 1)


def test_cut_prompts_are_refused_in_json() -> None:
    """The JSON form marks cuts by dots in the middle of a list or text; dots elsewhere are the text's own."""
    dotted = "x" * 1024 + "..." + "y" * 1023
    cut = [
        {"text": None, "input_ids": [*range(1024), "...", *range(1024)]},
        {"text": "x" * 1024 + "..." + "y" * 1024, "input_ids": None},
        {"text": "<text: 9000 chars, blake2b=0123456789abcdef>"},
    ]
    log = read_bytes(
        lines(*[event("request.received", "a", obj) for obj in cut], event("request.received", "b", {"text": dotted}))
    )

    assert (log.skipped, [r.rendered for r in log.requests]) == ({CUT: 3}, [dotted])


def test_text_is_the_prompt_where_no_ids_are() -> None:
    """Without ids the rendered text is the prompt, exactly as the engine read it."""
    text = "<|im_start|>it's \"so\"\n\\n, input_ids=[1, 2], text='x'"

    log = read_bytes(lines(receive("a", text=text)))

    assert (log.requests[0].rendered, log.requests[0].token_ids) == (text, None)


def test_fields_inside_a_text_are_none() -> None:
    """A prompt that quotes the log's own form changes nothing of what is read."""
    trap = f"Finish: obj=GenerateReqInput(rid='z', input_ids=[9]), out={answer(9, 9)}"

    log = read_bytes(
        lines(receive("a", text=trap, input_ids=[1, 2]), finish("a", answer(2, 0, [3]), text=trap, input_ids=[1, 2]))
    )

    assert [(r.id, r.token_ids, r.usage) for r in log.requests] == [("a", packed([1, 2]), Usage(2, 0, 1))]


@pytest.mark.parametrize(("cached", "expected"), [(0, 0), (None, None)])
def test_no_cached_tokens_are_not_zero(cached: int | None, expected: int | None) -> None:
    """A count of 0 is what the engine said (also with caching off); a missing one stays unknown."""
    log = read_bytes(lines(receive("a", input_ids=[1]), finish("a", answer(1, cached))))
    without = answer(1, 0)
    del without["meta_info"]["cached_tokens"]
    bare = read_bytes(lines(receive("a", input_ids=[1]), finish("a", without)))

    assert log.requests[0].usage == Usage(1, expected, 0)
    assert bare.requests[0].usage == Usage(1, None, 0)


def test_a_part_of_the_output_is_not_the_output() -> None:
    """Output ids that are fewer than the tokens of the answer (of a stream's last piece) are left out."""
    log = read_bytes(
        lines(
            receive("a", input_ids=[1]),
            finish("a", answer(1, 0, [5]) | {"output_ids": [5]} | {"meta_info": {"completion_tokens": 3}}),
        )
    )

    assert log.requests[0].output_ids == b""
    assert any("only a part of the ids" in note for note in log.notes)


def test_levels_without_prompts_give_the_counts() -> None:
    """Levels 0 and 1 log no prompt: the engine's counts are kept, and a request without an answer is skipped, with the switch."""
    log = read_bytes(
        lines(
            sglang("Receive: obj=GenerateReqInput(rid='a', session_id=None)"),
            sglang("Receive: obj=GenerateReqInput(rid='b', session_id=None)"),
            sglang(f"Finish: obj=GenerateReqInput(rid='a', session_id=None), out={{'meta_info': {answer(5, 4)['meta_info']}}}"),
        )
    )

    assert [(r.id, r.has_prompt, r.usage) for r in log.requests] == [("a", False, Usage(5, 4, 0))]
    assert (log.records, log.records_read, log.skipped) == (2, 1, {NO_PROMPT: 1})
    assert f"Skipped, {NO_PROMPT}: 1 (line 2)." in log.notes
    assert "--log-requests --log-requests-level 3" in NO_PROMPT
    assert any("the engine's counts alone (log with --log-requests --log-requests-level 3)" in note for note in log.notes)


def test_a_request_without_prompt_and_counts_is_skipped_once() -> None:
    """Where neither line of a request says anything of use, it is one skipped record."""
    bare = [sglang(f"{word}: obj=GenerateReqInput(rid='a'){tail}") for word, tail in (("Receive", ""), ("Finish", ", out={}"))]

    log = read_bytes(lines(*bare, receive("b", input_ids=[1])))

    assert (log.records, log.records_read, log.skipped) == (2, 1, {NO_PROMPT: 1})


def test_namespaces_sessions_and_order_of_ids() -> None:
    """What separates caches and conversations is read from the request, and a routing key stands for a missing session."""
    fields: dict[str, Any] = {"input_ids": [1], "extra_key": "k", "cache_salt": "s", "lora_path": "l"}
    log = read_bytes(
        lines(
            receive("a", **fields, conversation_id="c"),
            sglang(f"Receive: obj={generate_input('b', input_ids=[1])}, headers={{'x-smg-routing-key': 'r'}}"),
        )
    )

    assert [r.namespace for r in log.requests] == ["lora=l key=k salt=s", ""]
    assert [r.session for r in log.requests] == ["c", "r"]


def test_noise_and_health_checks_are_no_requests() -> None:
    """Health checks, embeddings, access lines and batches as a whole give no request; the members of a batch do."""
    log = read_bytes(
        lines(
            receive("HEALTH_CHECK_1", input_ids=[0]),
            finish("HEALTH_CHECK_1", answer(1, 0, [1]), input_ids=[0]),
            sglang("Receive: obj=EmbeddingReqInput(rid='e', text='x')"),
            sglang('INFO:     127.0.0.1:5 - "GET /health HTTP/1.1" 200 OK'),
            receive(["m", "n"], input_ids=[[1, 2], [3]]),
            finish("m", answer(2, 0, [1]), input_ids=[1, 2]),
        )
    )

    assert ([r.id for r in log.requests], log.skipped) == (["m"], {})


def test_requests_alone_are_counted_in_the_log_of_a_server() -> None:
    """Access lines, progress bars and tracebacks are passed over, with a note; the share that was cut is one of requests."""
    beside = ["Loading safetensors: 100%|###| 2/2 [00:01<00:00]", "Traceback (most recent call last):", '  File "x.py", line 1']
    served = [
        text
        for n in range(9)
        for text in (
            receive(f"r{n}", input_ids=list(range(3000 if n % 3 == 0 else 30))),
            sglang('INFO:     127.0.0.1:5 - "POST /generate HTTP/1.1" 200 OK'),
            finish(f"r{n}", answer(30, 1, [7]), input_ids=list(range(3000 if n % 3 == 0 else 30))),
        )
    ]

    log = read_bytes(lines(*beside, *served, *beside * 9))

    assert (log.records, log.records_read, log.skipped) == (9, 6, {CUT: 3})
    assert has_too_many_bad_records(log.records, log.records_read)
    assert sum("passed over: 39" in note for note in log.alterations) == 1


def test_retracted_requests_count_once() -> None:
    """A request that was retracted is one request with its first counts, and a note says so."""
    log = read_bytes(lines(receive("a", input_ids=[1]), finish("a", answer(1, 0, [2], num_retractions=2), input_ids=[1])))

    assert len(log.requests) == 1
    assert any("retracted" in note for note in log.notes)


def test_json_events_are_joined_by_id() -> None:
    """The JSON form gives the same as the text form, with times to the microsecond."""
    obj = {"text": None, "input_ids": [1, 2], "extra_key": "k"}
    log = read_bytes(lines(event("request.received", "a", obj), event("request.finished", "a", obj, out=answer(2, 1, [7]))))

    request = log.requests[0]
    assert (log.format, log.engine, len(log.requests), log.records_read) == ("sglang-requests", "sglang", 1, 1)
    assert (request.id, request.token_ids, request.output_ids, request.usage) == (
        "a",
        packed([1, 2]),
        packed([7]),
        Usage(2, 1, 1),
    )
    assert ((request.time_s or 0) % 60, request.namespace) == (3.25, "key=k")


def test_json_behind_a_prefix_is_read_too() -> None:
    """Where the logger puts its time in front of the JSON form, the event behind it is read."""
    log = read_bytes(lines(sglang(event("request.received", "a", {"input_ids": [4, 5]}))))

    assert [(r.id, r.token_ids) for r in log.requests] == [("a", packed([4, 5]))]


def test_both_forms_of_one_engine_are_no_mix() -> None:
    """Text and JSON lines of SGLang in one log are one engine's, read with one tokenizer."""
    obj = {"text": None, "input_ids": [1, 2]}
    log = read_bytes(lines(receive("a", input_ids=[1]), event("request.received", "b", obj)))

    assert (log.format, log.engine, len(log.requests)) == ("sglang-log, sglang-requests", "sglang", 2)
    assert not any("mixes formats" in note for note in log.notes)


CHAT = {"model": "m", "messages": [{"role": "user", "content": "it's hello"}], "tools": [{"type": "function"}]}


@pytest.mark.parametrize(
    ("line", "prompt"),
    [
        (event("request.received.openai", None, CHAT), event("request.received", "a", {"input_ids": [1]})),
        (sglang(f"Receive OpenAI: obj={CHAT}"), receive("a", input_ids=[1])),
    ],
    ids=["json", "text"],
)
def test_chat_bodies_stand_in_for_missing_prompts(line: str, prompt: str) -> None:
    """Where the engine's own prompts are not logged whole, the bodies of the API are the requests; else they add nothing."""
    alone = read_bytes(lines(line))
    beside = read_bytes(lines(line, prompt, line))

    assert [(r.messages, r.model, r.tools) for r in alone.requests] == [
        ((Message("user", "it's hello"),), "m", ('{"type":"function"}',))
    ]
    assert [r.token_ids for r in beside.requests] == [packed([1])]


def test_lines_that_break_off_are_skipped_and_counted() -> None:
    """Lines without their end, ids that are none and a log without any prompt are named by their reasons."""
    whole = receive("a", input_ids=[1, 2, 3])
    log = read_bytes(lines(whole, whole[:70], receive("b", input_ids=[1, -2])))

    assert (log.skipped, len(log.requests)) == ({"cut off": 1, "token ids not integers": 1}, 1)
    with pytest.raises(LogError, match="level 3"):
        read_bytes(lines(sglang("Finish: obj=GenerateReqInput(rid='a'), out={'text': 'x'}")))


def test_colours_and_collectors_change_nothing() -> None:
    """Terminal colours and what a collector puts in front of a line are passed over."""
    log = read_bytes(lines("sglang-1  | \x1b[32m" + receive("a", input_ids=[1]) + "\x1b[0m"))

    assert [r.token_ids for r in log.requests] == [packed([1])]
    assert NO_PROMPT not in log.skipped
