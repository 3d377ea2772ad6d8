"""``simulate`` reads logs as ``analyze`` does: the same formats, filters, layouts and sizes."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from radixlint.api.simulating import simulate_logs
from radixlint.cli.command_group import cli
from radixlint.errors import LogError

MAP = "name: ours\naccepts: our lines\ndetect: {all: [q]}\npaths: {prompt: q, time: at}\nbody: {as: completions}\n"
ONE_RUN = ("--policy", "fcfs", "--kv-tokens", "10000")


def run(*arguments: str) -> Result:
    """Run ``simulate``, which must end well."""
    done = CliRunner().invoke(cli, ["simulate", *arguments])
    assert done.exit_code == 0, done.output
    return done


def report(*arguments: str) -> dict[str, Any]:
    """Return the JSON report."""
    document: dict[str, Any] = json.loads(run(*arguments, "--format", "json").stdout)
    return document


def written(path: Path, records: list[dict[str, Any]]) -> str:
    """Write the records as JSON lines and return the path."""
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return str(path)


def test_a_map_and_a_date_choose_what_is_served(tmp_path: Path) -> None:
    """``--map``, ``--from`` and ``--since`` hold as in ``analyze``."""
    own = tmp_path / "own.yaml"
    own.write_text(MAP, encoding="utf-8")
    log = written(tmp_path / "log.jsonl", [{"q": f"question {day}", "at": f"2026-03-0{day}T00:00:00Z"} for day in (1, 2, 3)])
    whole = report(log, "--map", str(own), *ONE_RUN)
    part = report(log, "--map", str(own), "--from", "ours", "--since", "2026-03-02", *ONE_RUN)

    assert (whole["input"]["format"], whole["requests"]) == ("ours", 3)
    assert part["requests"] == 2


def test_a_sample_and_a_limit_choose_what_is_served(tmp_path: Path) -> None:
    """``--sample`` leaves sessions out, ``--max-record-mb`` long records."""
    log = written(tmp_path / "log.jsonl", [{"token_ids": [1, 2, n], "session": f"s{n}"} for n in range(200)])
    long = written(tmp_path / "long.jsonl", [{"token_ids": [1, 2]}, {"token_ids": [1], "note": "x" * (1 << 20)}])

    assert 0 < report(log, "--sample", "20%", *ONE_RUN)["requests"] < 100
    assert report(long, "--max-record-mb", "1", "--lenient", *ONE_RUN)["requests"] == 1
    assert report(long, *ONE_RUN)["requests"] == 2


def test_a_packed_log_is_read(tmp_path: Path) -> None:
    """Gzip is told from the file, and the help says what else is read and why SGLang is the default."""
    path = tmp_path / "log.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"token_ids": [1, 2]}\n'))
    words = " ".join(run("--help").stdout.split())

    assert report(str(path), *ONE_RUN)["requests"] == 1
    assert "plain, gzip or zstd" in words
    assert "The engine is SGLang unless told otherwise" in words


def test_layout_and_template_make_other_tokens(tmp_path: Path) -> None:
    """The prompt is laid out as asked: a layout of the texts alone is shorter than the default, a template prints its own."""
    log = written(tmp_path / "log.jsonl", [{"messages": [{"role": "user", "content": "Hi"}]}])
    template = tmp_path / "chat.jinja"
    template.write_text("{% for m in messages %}{{ m.content }}{% endfor %}!", encoding="utf-8")
    plain, raw, printed = (
        report(log, "--tokenizer", "bytes", *options, *ONE_RUN)["prompt_tokens"]
        for options in ((), ("--layout", "raw"), ("--chat-template", str(template)))
    )

    assert plain > raw == len(b"Hi")
    assert printed == len(b"Hi!")


def test_requests_without_a_prompt_are_left_out_with_a_note(tmp_path: Path) -> None:
    """They are read, so the exit code is 0, but nothing can be replayed of them; the note counts them."""
    usage = {"messages": [{"role": "user", "content": "Hi"}], "usage": {"prompt_tokens": 5}}
    spend = {"call_type": "acompletion", "request_id": "r", "spend": 0.1, "messages": "{}", "prompt_tokens": 7, "model": "m"}
    log = written(tmp_path / "log.jsonl", [usage, spend])
    done = run(log, *ONE_RUN)

    assert "Left out 1 of 2 requests: their prompts are not in the log." in " ".join(done.stdout.split())
    assert "2 of 2 records read (100.0%)" in done.stdout
    assert report(log, *ONE_RUN)["requests"] == 1


def test_a_log_without_prompts_is_one_clear_error(tmp_path: Path) -> None:
    """Usage alone cannot be served: the error says so, and what shows it."""
    spend = {"call_type": "acompletion", "request_id": "r", "spend": 0.1, "messages": "{}", "prompt_tokens": 7, "model": "m"}
    log = written(tmp_path / "log.jsonl", [spend])

    with pytest.raises(LogError, match="no record holds its prompt") as caught:
        simulate_logs([log])
    assert "radixlint analyze" in str(caught.value.hint)


@pytest.mark.parametrize("name", ["VLLM", "SGLang"])
def test_a_size_in_gib_is_that_of_the_model(name: str, tmp_path: Path) -> None:
    """GiB become tokens of the model's KV cache, beside sizes in tokens; the engine's name is taken in any case."""
    log = written(tmp_path / "log.jsonl", [{"token_ids": [1, 2]}])
    sizes = ("--kv-tokens", "100", "--kv-gib", "1", "--kv-gib", "0.5", "--model", "llama-3.1-8b")
    runs = report(log, "--engine", name, "--policy", "fcfs", *sizes)["runs"]

    assert [one["kv_tokens"] for one in runs] == [100, 2**30 // 131_072, 2**29 // 131_072]
