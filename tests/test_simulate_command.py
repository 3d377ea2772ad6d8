"""``radixlint simulate`` on the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from oracle_cases import load_case, policy_of

from radixlint.serving.schedule_order import REFRESH_PASSES

ORACLE = Path(__file__).parent / "fixtures" / "oracle"


def simulate(*arguments: str, expected_code: int = 0, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command in a child process and check its exit code."""
    command = [sys.executable, "-m", "radixlint", "simulate", *arguments]
    run = subprocess.run(command, capture_output=True, text=True, check=False, input=stdin)
    assert run.returncode == expected_code, run.stderr
    return run


def written_log(path: Path, prompts: list[list[int]], **fields: object) -> str:
    """Write prompts as a log of token ids and return its path."""
    path.write_text("".join(json.dumps({"token_ids": ids, **fields}) + "\n" for ids in prompts), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("name", ["serve-mix", "serve-mix-page16"])
def test_a_log_is_served_as_the_engine_served_it(name: str, tmp_path: Path) -> None:
    """The recorded case as a log: positions and cached tokens of every row are the engine's."""
    case = json.loads((ORACLE / f"{name}.json").read_text(encoding="utf-8"))
    run = next(run for run in case["runs"] if run["policy"] == "lpm")
    log, rows_file = written_log(tmp_path / "log.jsonl", case["prompts"]), tmp_path / "rows.jsonl"
    size, page = str(run["capacity_tokens"]), str(run["page_size"])
    output = simulate(
        log, "--policy", "lpm", "--kv-tokens", size, "--block-size", page, "--per-request", str(rows_file), "--format", "json"
    ).stdout
    report = json.loads(output)
    rows = [json.loads(line) for line in rows_file.read_text(encoding="utf-8").splitlines()]

    assert [row["engine_tokens"] for row in rows] == run["cached_tokens_by_request"]
    assert [row["index"] for row in sorted(rows, key=lambda row: row["served"])] == run["served_order"]
    assert all(row["engine_tokens"] <= row["shareable_tokens"] <= row["prompt_tokens"] for row in rows)
    assert report["runs"][0]["cached_tokens"] == run["total_cached_tokens"]
    assert report["runs"][0]["hit_rate"] == run["total_cached_tokens"] / report["prompt_tokens"]
    assert report["engine"]["block_tokens"] == run["page_size"]
    assert report["evidence"]["runs"] == "simulated"


def test_text_report_has_every_policy_and_size() -> None:
    """Without options: all policies on sizes from too small to ample, with formula and evidence class."""
    text = simulate("--workload", "rag").stdout

    assert "Hit rate = cached tokens / prompt tokens over 80 requests" in text
    assert "simulated, sglang, token by token" in text
    assert "nothing served: every request is longer than this cache" in text
    for policy in ("fcfs", "lpm", "dfs-weight"):
        assert text.count(f" {policy} ") == 2
    assert max(map(len, text.splitlines())) <= 100


def test_sizes_and_policies_are_run_as_asked() -> None:
    """Repeated options give one run a pair, in the order given, repeats once."""
    output = simulate(
        "--workload", "rag-scrambled", "--seed", "4", "--policy", "lpm", "--policy", "fcfs", "--policy", "lpm",
        "--kv-tokens", "9000", "--kv-tokens", "4000", "--output-format", "json",
    ).stdout  # fmt: skip
    runs = json.loads(output)["runs"]

    assert [(run["kv_tokens"], run["policy"]) for run in runs] == [(n, p) for n in (9000, 4000) for p in ("lpm", "fcfs")]
    assert all(run["cached_tokens"] > 0 for run in runs)
    assert json.loads(output)["input"] == {
        "source": "rag-scrambled", "format": "workload", "seed": 4, "records": 80, "read": 80, "skipped": {},
    }  # fmt: skip


def test_rows_of_requests_that_do_not_fit_say_so(tmp_path: Path) -> None:
    """A request longer than the cache has no position and nothing cached; the report counts it."""
    log = written_log(tmp_path / "log.jsonl", [[1, 2, 3], [1] * 30, [1, 2, 3]])
    rows_file = tmp_path / "rows.jsonl"
    text = simulate(log, "--policy", "fcfs", "--kv-tokens", "10", "--per-request", str(rows_file)).stdout
    rows = [json.loads(line) for line in rows_file.read_text(encoding="utf-8").splitlines()]

    assert [(row["served"], row["engine_tokens"]) for row in rows] == [(0, 0), (None, 0), (1, 2)]
    assert "1 request not served: longer than this cache" in text


def words_of(text: str) -> str:
    """Return the text on one line."""
    return " ".join(text.split())


def test_a_queue_too_long_to_sort_is_told(tmp_path: Path) -> None:
    """129 and more waiting: lpm keeps the order of arrival until 128 are left; only then, and only of lpm, it is said."""
    long = written_log(tmp_path / "long.jsonl", [[i, 1] for i in range(130)])
    short = written_log(tmp_path / "short.jsonl", [[i, 1] for i in range(128)])
    one_size = ("--kv-tokens", "1000")
    said = "lpm does not sort a queue of more than 128 requests, as in the engine: 2 of 130 picks were made in order of arrival."
    runs = {run["policy"]: run for run in json.loads(simulate(long, *one_size, "--format", "json").stdout)["runs"]}

    assert said in words_of(simulate(long, *one_size).stdout)
    assert {policy: run["unsorted_picks"] for policy, run in runs.items()} == {"fcfs": 0, "lpm": 2, "dfs-weight": 0}
    assert "does not sort" not in simulate(short, *one_size).stdout
    assert "does not sort" not in simulate(long, *one_size, "--policy", "dfs-weight").stdout


def test_waiting_before_the_reply_exists_is_told(tmp_path: Path) -> None:
    """A log is served as if all its requests had been there at once; an invented load has no replies to wait for."""
    log = written_log(tmp_path / "log.jsonl", [[1, 2], [1, 2, 3]])
    caution = "waits before the reply to the earlier one exists"

    assert caution in words_of(simulate(log).stdout)
    assert caution not in words_of(simulate("--workload", "rag", "--policy", "fcfs").stdout)


@pytest.mark.parametrize("engine", ["sglang", "vllm"])
def test_the_help_offers_engines_that_are_simulated(engine: str) -> None:
    """``--engine`` names engines; each of them runs, and the report says which."""
    assert engine in words_of(simulate("--help").stdout)
    assert f"simulated, {engine}," in simulate("--workload", "rag", "--engine", engine).stdout


BOUNDED = [
    pytest.param(case, run, id=f"{case}-{run['engine']}-{number}")
    for case in ("hot-cold", "output-split", "chunked-leaf")
    for number, run in enumerate(load_case(case)[1])
    if policy_of(run).kv_tokens is not None
]


@pytest.mark.parametrize(("case", "run"), BOUNDED)
def test_both_engines_under_pressure_are_met(case: str, run: dict, tmp_path: Path) -> None:
    """In order of arrival, with room, eviction order and chunk as recorded, every row has the engine's cached tokens.

    Only as many requests as are served before SGLang refreshes the prefixes of its queue: the recorded cases have none.
    """
    policy, log, rows_file = policy_of(run), tmp_path / "log.jsonl", tmp_path / "rows.jsonl"
    requests = load_case(case)[0][:REFRESH_PASSES]
    records = [{"token_ids": r.prompt, "output_ids": r.output, "namespace": r.namespace} for r in requests]
    log.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    arguments = ["--engine", policy.name, "--block-size", str(policy.block_tokens), "--kv-tokens", str(policy.kv_tokens)]
    arguments += ["--eviction", policy.eviction, "--policy", "fcfs", "--per-request", str(rows_file), "--format", "json"]
    if policy.chunk_tokens is not None:
        arguments += ["--chunk", str(policy.chunk_tokens)]
    report = json.loads(simulate(str(log), *arguments).stdout)
    rows = [json.loads(line) for line in rows_file.read_text(encoding="utf-8").splitlines()]

    assert [row["engine_tokens"] for row in rows] == run["expected"]["cached_tokens"][: len(requests)]
    assert report["engine"]["chunk_tokens"] == policy.chunk_tokens


def test_stdin_output_file_and_outputs_in_the_log(tmp_path: Path) -> None:
    """``-`` reads standard input, ``--output`` writes the file whole, and output ids count but for the last."""
    records = [{"token_ids": [1, 2], "output_ids": [3, 4, 5]}, {"token_ids": [1, 2, 3, 4, 5, 6]}]
    target = tmp_path / "report.json"
    lines = "".join(json.dumps(record) + "\n" for record in records)
    run = simulate("-", "--kv-tokens", "50", "--policy", "fcfs", "--format", "json", "--output", str(target), stdin=lines)

    assert run.stdout == ""
    assert json.loads(target.read_text(encoding="utf-8"))["runs"][0]["cached_tokens"] == 4


def test_bad_records_are_told_and_fail_above_the_limit(tmp_path: Path) -> None:
    """The report is written either way; over 5 % bad records the exit code is 2 unless told to be lenient."""
    log = tmp_path / "log.jsonl"
    log.write_text('{"token_ids": [1, 2]}\nnot json\n', encoding="utf-8")

    strict = simulate(str(log), expected_code=2)
    assert "1 of 2 records skipped" in strict.stderr
    assert "Hit rate" in strict.stdout
    simulate(str(log), "--lenient")


@pytest.mark.parametrize(("arguments", "words"), [
    ([], "give either LOG or --workload"),
    (["x.jsonl", "--workload", "rag"], "give either LOG or --workload"),
    (["missing.jsonl"], "missing.jsonl"),
    (["missing.jsonl", "--seed", "3"], "--seed goes with --workload"),
    (["--workload", "rag", "--lenient"], "--lenient goes with LOG only"),
    (["--workload", "rag", "--tokenizer", "o200k_base"], "--tokenizer goes with LOG only"),
    (["--workload", "rag", "--sample", "10%"], "--sample goes with LOG only"),
    (["--workload", "rag", "--max-record-mb", "64"], "--max-record-mb goes with LOG only"),
    (["missing.jsonl", "--since", "soon"], "--since"),
    (["missing.jsonl", "--layout", "raw", "--chat-template", "t.jinja"], "exclude each other"),
    (["missing.jsonl", "--layout", "row"], "known: anthropic"),
    (["--workload", "rag", "--kv-gib", "1"], "add --model"),
    (["--workload", "rag", "--kv-gib", "inf", "--model", "llama-3.1-8b"], "inf is not in the range"),
    (["--workload", "rag", "--kv-gib", "nan", "--model", "llama-3.1-8b"], "is not above 0"),
    (["--workload", "rag", "--model", "llama-3.1-8b"], "--model goes with --kv-gib"),
    (["--workload", "chat"], "rag-scrambled"),
    (["--workload", "rag", "--policy", "sjf"], "dfs-weight"),
    (["--workload", "rag", "--engine", "triton"], "known: sglang, vllm"),
    (["--workload", "rag", "--engine", "vllm", "--policy", "lpm"], "vllm has fcfs only"),
    (["--workload", "rag", "--engine", "vllm", "--eviction", "lfu"], "vllm has lru only"),
    (["--workload", "rag", "--eviction", "fifo"], "choose from lru, lfu, slru, priority"),
    (["--workload", "rag", "--chunk", "0"], "--chunk"),
    (["--workload", "rag", "--kv-tokens", "0"], "--kv-tokens"),
    (["--workload", "rag", "--kv-tokens", "8", "--block-size", "16"], "holds no page of 16"),
    (["--workload", "rag", "--per-request", "rows.jsonl"], "one --policy and one --kv-tokens"),
])  # fmt: skip
def test_wrong_use_is_one_line(arguments: list[str], words: str) -> None:
    """Every wrong option or input ends with exit code 2 and one line that says what to do; nothing is printed else."""
    run = simulate(*arguments, expected_code=2)

    assert words in run.stderr
    assert len(run.stderr.splitlines()) == 1
    assert run.stdout == ""


def test_rows_mask_what_looks_like_a_secret(tmp_path: Path) -> None:
    """An id that looks like a key or a mail address stands in no row, as in the rows of ``analyze``."""
    log, rows = tmp_path / "log.jsonl", tmp_path / "rows.jsonl"
    log.write_text('{"token_ids": [1, 2], "id": "anna.smith@example.org"}\n', encoding="utf-8")

    simulate(str(log), "--policy", "fcfs", "--kv-tokens", "50", "--per-request", str(rows))

    assert "anna" not in rows.read_text(encoding="utf-8")
    assert json.loads(rows.read_text(encoding="utf-8"))["served"] == 0
