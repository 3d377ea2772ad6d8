"""``radixlint analyze`` as a process would see it: files, flags, exit codes, streams."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

GOOD = {"model": "gpt-4o", "messages": [{"role": "system", "content": "Be brief. " * 30}, {"role": "user", "content": "Hi"}]}
CANARY = "ONLY-ONCE-CANARY-7f3a"


def run(*args: str, stdin: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "radixlint", "analyze", *args]
    return subprocess.run(
        command, input=stdin, capture_output=True, encoding="utf-8", env=os.environ | env, timeout=60, check=False
    )


def lines(count: int, bad: int = 0) -> str:
    return (json.dumps(GOOD) + "\n") * count + "not json\n" * bad


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.jsonl"
    path.write_text(lines(3))
    return path


def test_text_report_on_stdout_and_nothing_on_stderr(log: Path) -> None:
    """An ordinary run exits 0, prints the report alone and is silent otherwise."""
    result = run(str(log))

    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("3 of 3 records read")


@pytest.mark.parametrize("flag", ["--format", "--output-format"])
def test_json_under_both_names_from_stdin(flag: str) -> None:
    """Both spellings of the format option work, and - reads standard input."""
    result = run("-", flag, "json", stdin=lines(2))

    assert result.returncode == 0
    assert json.loads(result.stdout)["requests"] == 2


def test_gzip_output_file_and_per_request_file(tmp_path: Path) -> None:
    """A gzip log is read; report and rows go to their files, stdout stays empty."""
    log, out, rows = tmp_path / "log.jsonl.gz", tmp_path / "out.json", tmp_path / "rows.jsonl"
    log.write_bytes(gzip.compress(lines(4).encode()))

    result = run(str(log), "--format", "json", "--output", str(out), "--per-request", str(rows))

    assert (result.returncode, result.stdout) == (0, "")
    assert json.loads(out.read_text())["requests"] == len(rows.read_text().splitlines()) == 4


def test_engine_and_block_size_decide_the_engine_figure(tmp_path: Path) -> None:
    """Pages of one token reuse all but the last token, blocks of 16 whole blocks only."""
    log = tmp_path / "ids.jsonl"
    log.write_text(json.dumps({"token_ids": list(range(40))}) + "\n" + json.dumps({"token_ids": list(range(40))}) + "\n")

    figures = [
        json.loads(run(str(log), "--format", "json", *flags).stdout)["engine_tokens"]
        for flags in ([], ["--engine", "sglang"], ["--engine", "sglang", "--block-size", "8"])
    ]

    assert figures == [32, 39, 32]


def test_over_five_percent_bad_records_exits_2_with_the_report(tmp_path: Path) -> None:
    """The report is still written; --lenient accepts it."""
    log = tmp_path / "log.jsonl"
    log.write_text(lines(10, bad=1))

    strict, lenient = run(str(log), "--format", "json"), run(str(log), "--format", "json", "--lenient")

    assert (strict.returncode, lenient.returncode) == (2, 0)
    assert strict.stdout == lenient.stdout
    assert json.loads(strict.stdout)["input"]["records"] == 11
    assert "1 of 11 records skipped" in strict.stderr


@pytest.mark.parametrize("output_format", ["text", "json"])
def test_no_readable_record_exits_2_and_writes_nothing(tmp_path: Path, output_format: str) -> None:
    """One line on stderr, nothing on stdout, no file left behind."""
    log, rows = tmp_path / "log.jsonl", tmp_path / "rows.jsonl"
    log.write_text("not json\n")

    result = run(str(log), "--format", output_format, "--per-request", str(rows))

    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert not rows.exists()


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["missing.jsonl"], "missing.jsonl"),
        (["{log}", "--engine", "sglan"], "did you mean sglang"),
        (["{log}", "--tokenizer", "gpt9"], "unknown tokenizer"),
        (["{log}", "--layout", "upside-down"], "unknown layout"),
        (["{log}", "--show-text", "--hash-only"], "exclude each other"),
        (["{log}", "--kv-tokens", "5"], "--kv-tokens"),
        (["{log}", "--model", "llama-3.1-9b"], "--model: unknown model 'llama-3.1-9b' (did you mean"),
        (["{log}", "--model", "llama-3.1-8b", "--gpu", "h101"], "--gpu: unknown GPU 'h101' (did you mean h100"),
        (["missing.jsonl", "--model", "llama-3.1-9b"], "unknown model"),
        (["{log}", "--gpu", "h100"], "--gpu goes with --model"),
        (["{log}", "--output-tokens", "9"], "--output-tokens goes with --model"),
        (["{log}", "--from", "nonesuch"], "nonesuch"),
        (["{log}", "--output", "{log}/below"], "cannot write"),
    ],
)
def test_wrong_input_is_one_clear_line(log: Path, args: list[str], words: str) -> None:
    """Every mistake names what and where, exits 2 and prints no report."""
    result = run(*(arg.format(log=log) for arg in args))

    assert (result.returncode, result.stdout) == (2, "")
    assert words in result.stderr
    assert result.stderr.count("\n") == 1


def test_bytes_do_not_depend_on_hash_seed_locale_or_time_zone(tmp_path: Path) -> None:
    """The same log gives the same bytes in any surroundings."""
    rows = [
        json.dumps(
            {
                "messages": [
                    {"role": "system", "content": f"Now 08:{i:02d}:00\n" + "Rule. " * 40},
                    {"role": "user", "content": f"é {i}"},
                ]
            }
        )
        for i in range(12)
    ]
    log = tmp_path / "log.jsonl"
    log.write_text("\n".join(rows), encoding="utf-8")

    for flags in (["--tree"], ["--tree", "--format", "json"]):
        one = run(str(log), *flags, PYTHONHASHSEED="1", LC_ALL="C", TZ="UTC")
        other = run(str(log), *flags, PYTHONHASHSEED="2", LC_ALL="C.UTF-8", TZ="Asia/Tokyo", PYTHONIOENCODING="ascii")
        assert one.returncode == 0
        assert one.stdout == other.stdout


def test_canary_is_in_no_stream_or_file(tmp_path: Path) -> None:
    """Text of one request only leaves by no way, with every report asked for; --show-text lets it out."""
    log, rows = tmp_path / "log.jsonl", tmp_path / "rows.jsonl"
    records = [
        GOOD | {"messages": [GOOD["messages"][0], {"role": "user", "content": f"{CANARY if i == 3 else 'ask'} {i}"}]}
        for i in range(9)
    ]
    log.write_text("".join(json.dumps(r) + "\n" for r in records))

    outputs = []
    for mode in ([], ["--hash-only"]):
        for output_format in ("text", "json"):
            result = run(
                *[str(log), "--tree", "--tree-width", "50", "--top", "50", "--format", output_format, "--per-request", str(rows)],
                *mode,
            )
            outputs += [result.stdout, result.stderr, rows.read_text()]

    assert not any("CANARY" in output for output in outputs)
    assert "CANARY" in run(str(log), "--show-text", "--tree", "--tree-width", "50").stdout


def test_worth_is_said_for_a_named_model_only(log: Path) -> None:
    """With --model the report has estimate and memory under the log's base name; without it text and figures are as before."""
    flags = ["--model", "llama-3.1-8b", "--gpu", "h100", "--output-tokens", "200"]
    plain, text = run(str(log)), run(str(log), *flags)
    told, untold = (json.loads(run(str(log), "--format", "json", *f).stdout) for f in (flags, []))

    assert "What reuse is worth" not in plain.stdout
    assert "Estimate for workload 'log.jsonl' (3 requests" in text.stdout
    assert str(log.parent) not in text.stdout
    assert "output 200 tokens a request" in " ".join(text.stdout.split())
    assert max(map(len, text.stdout.splitlines())) <= 100
    assert told["estimate"]["speedup"] > 1
    assert told["shared_prefix_memory"]["tokens"] == told["longest_shared_tokens"]
    assert (untold.pop("estimate"), untold.pop("shared_prefix_memory")) == (None, None)
    assert untold.items() <= told.items()


def test_worth_without_a_gpu_has_no_times(log: Path) -> None:
    """Model alone gives what prefill saves and what the prefix takes, and says that the GPU is missing."""
    text = run(str(log), "--model", "llama-3.1-8b").stdout

    assert "prefill saved" in text
    assert "KV cache of shared prefix" in text
    assert "no speedup is given: GPU and output tokens per request not known" in text
    assert "throughput" not in text


def test_closed_standard_input_is_one_clear_line(log: Path) -> None:
    """Where there is no standard input, asking for it is an error of use, and not asking for it none at all."""
    command = f"{sys.executable} -m radixlint analyze"
    asked, unasked = (
        subprocess.run(["bash", "-c", f"{command} {what} <&-"], capture_output=True, encoding="utf-8", timeout=60, check=False)
        for what in ("-", str(log))
    )

    assert (asked.returncode, asked.stdout) == (2, "")
    assert asked.stderr.startswith("error: -: ")
    assert asked.stderr.count("\n") == 1
    assert (unasked.returncode, unasked.stderr) == (0, "")


def test_help_names_fields_and_shows_an_example_that_can_be_read() -> None:
    """The help lists the accepted fields, and its example is a log line that analyze reads."""
    told = run("--help").stdout
    fields = ("messages", "tools", "usage", "request", "response", "body", "token_ids", "output_ids", "namespace", "timestamp")
    example = " ".join(told[told.index('{"timestamp"') : told.index("(The example")].split())

    assert all(field in told for field in fields)
    assert json.loads(run("-", "--format", "json", stdin=example).stdout)["input"]["read"] == 1
