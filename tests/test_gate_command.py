"""``radixlint check-log`` as CI would see it: exit codes, streams, files."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from gated_logs import faulty, healthy, usage_only, written


def run(*args: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "radixlint", "check-log", *args]
    return subprocess.run(command, input=stdin, capture_output=True, encoding="utf-8", timeout=60, check=False)


@pytest.fixture
def good(tmp_path: Path) -> str:
    return written(tmp_path / "good.jsonl", healthy())


@pytest.fixture
def bad(tmp_path: Path) -> str:
    return written(tmp_path / "bad.jsonl", faulty("clock-second"))


def test_all_passed_is_0_and_silent_on_stderr(good: str) -> None:
    """One line a check on stdout, with figure, limit and evidence; percent signs are understood."""
    result = run(good, "--min-hit-rate", "50%", "--max-breaks", "0")

    assert (result.returncode, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0].startswith("passed           hit-rate")
    assert "at least 50.00%" in lines[0]
    assert lines[1].startswith("passed           breaks           0 breaks, at most 0 breaks")


def test_a_failure_is_1_with_cause_place_cost_and_requests(bad: str) -> None:
    """Below a failed check stand the cause, the place, the lost tokens and requests to look at; once in full."""
    result = run(bad, "--min-hit-rate", "0.5", "--max-breaks", "0")

    assert result.returncode == 1
    assert result.stdout.count("failed ") == 2
    assert result.stdout.count("clock at messages[0] system line 1: ") == 2
    assert result.stdout.count("r-1, r-2, r-3") == 2
    assert result.stdout.count("high confidence") == 1


def test_a_failure_names_the_next_command(good: str, bad: str) -> None:
    """A run that failed says which command tells the fixes, with the log and a request to look at; one that passed does not."""
    failed, passed = run(bad, "--min-hit-rate", "0.5"), run(good, "--min-hit-rate", "0.5")
    told = " ".join(failed.stdout.split())

    assert f"Next radixlint analyze {bad} tells the fixes" in told
    assert f"radixlint why {bad} --request r-1 explains one request" in told
    assert "Next" not in passed.stdout


def test_a_baseline_beside_a_failure_is_not_called_passed(bad: str, tmp_path: Path) -> None:
    """What was not written did not pass: the reason is the other check."""
    result = run(bad, "--min-hit-rate", "0.9", "--write-baseline", str(tmp_path / "base.json"))

    assert result.returncode == 1
    assert "could not check  write-baseline   not written: another check did not pass" in result.stdout
    assert "passed" not in result.stdout.replace("did not pass", "")
    assert not (tmp_path / "base.json").exists()


def test_a_failure_outweighs_what_could_not_be_checked(tmp_path: Path) -> None:
    """A check that failed has failed, whatever else is open: 1."""
    log = usage_only(tmp_path / "usage.jsonl", [100, 100])

    result = run(log, "--min-hit-rate", "0.5", "--max-breaks", "0", "--format", "json")

    assert result.returncode == 1
    document = json.loads(result.stdout)
    assert document["status"] == "failed"
    assert [check["status"] for check in document["checks"]] == ["failed", "could-not-check"]


@pytest.mark.parametrize("text", ["", "not json\n", '{"model": "m", "messages": [{"role": "user", "content": "Hi"}]}\n'])
def test_what_could_not_be_checked_is_2_with_the_report(text: str) -> None:
    """Nothing, rubbish, one request: in words the reason stands once, in the report; beside JSON in one line on stderr."""
    flags = ("-", "--min-hit-rate", "0.1", "--max-breaks", "5")
    shown, parsed = run(*flags, stdin=text), run(*flags, "--format", "json", stdin=text)

    assert (shown.returncode, parsed.returncode) == (2, 2)
    assert shown.stdout.count("could not check  ") == 2
    assert shown.stdout.splitlines()[0] != shown.stdout.splitlines()[1]
    assert shown.stdout.count("for the same reason") == 1
    assert shown.stderr.splitlines()[-1] == "error: 2 of 2 checks not made"
    assert parsed.stderr.splitlines()[-1].startswith("error: 2 of 2 checks not made: ")
    assert [check["status"] for check in json.loads(parsed.stdout)["checks"]] == ["could-not-check"] * 2


@pytest.mark.parametrize(
    ("flags", "word"),
    [
        ((), "--min-hit-rate, --max-breaks"),
        (("--min-hit-rate", "0"), "no rate that could be missed"),
        (("--min-hit-rate", "80"), "did you mean 80%?"),
        (("--min-hit-rate", "180%"), "180% is more than 100%"),
        (("--max-breaks", "0", "--min-lost-rate", "5"), "did you mean 5%?"),
        (("--min-hit-rate", "nan"), "nan is no share"),
        (("--max-breaks", "0", "--cause", "ttl"), "'ttl'"),
        (("--min-hit-rate", "0.5", "--cause", "clock"), "go with --max-breaks"),
        (("--min-hit-rate", "0.5", "--tolerance", "0.1"), "goes with --baseline"),
        (("--max-breaks", "0", "--rate", "reported"), "go with --min-hit-rate"),
        (("--max-breaks", "0", "--warm"), "go with --min-hit-rate"),
        (("--max-breaks", "0", "--engine", "nobody"), "nobody"),
    ],
)
def test_a_run_that_could_not_fail_is_2_with_a_hint(good: str, flags: tuple[str, ...], word: str) -> None:
    """No check, a limit that nothing misses, options without their check: one line says what to write, nothing on stdout."""
    result = run(good, *flags)

    assert (result.returncode, result.stdout) == (2, "")
    assert word in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_baseline_is_written_compared_and_never_lowered(tmp_path: Path, good: str, bad: str) -> None:
    """The file is written by a run that passes alone; a worse log fails against it and does not replace it."""
    base, next_one = tmp_path / "base.json", tmp_path / "next.json"

    assert run(good, "--write-baseline", str(base)).returncode == 0
    worse = run(bad, "--baseline", str(base), "--write-baseline", str(next_one))
    same = run(good, "--baseline", str(base), "--write-baseline", str(next_one))

    assert worse.returncode == 1
    assert "was not written" in worse.stderr
    assert same.returncode == 0
    assert next_one.read_bytes() == base.read_bytes()


def test_inputs_are_not_overwritten(tmp_path: Path, good: str) -> None:
    """A baseline that is compared with, or the log, is no place for the new one."""
    base = tmp_path / "base.json"
    run(good, "--write-baseline", str(base))
    before = base.read_bytes()

    assert run(good, "--baseline", str(base), "--write-baseline", str(base)).returncode == 2
    assert run(good, "--max-breaks", "0", "--write-baseline", good).returncode == 2
    assert base.read_bytes() == before


def test_bad_records_are_told_once(tmp_path: Path, good: str) -> None:
    """Over 5 % unreadable records: 2, the reason in one line of the checks; with --lenient the figures count."""
    log = tmp_path / "log.jsonl"
    log.write_text(Path(good).read_text(encoding="utf-8") + "not json\n" * 9, encoding="utf-8")

    refused = run(str(log), "--min-hit-rate", "0.5")

    assert refused.returncode == 2
    assert refused.stderr.count("error: ") == 1
    assert run(str(log), "--min-hit-rate", "0.5", "--lenient").returncode == 0


def test_a_size_in_gib_needs_its_model(good: str) -> None:
    """The cache of the replay can be as small as the server's: with little room the rate falls below the limit."""
    flags = ("--min-hit-rate", "0.5", "--rate", "engine")

    assert run(good, *flags, "--kv-gib", "100", "--model", "llama-3.1-8b").returncode == 0
    assert run(good, *flags, "--kv-tokens", "512").returncode == 1
    assert run(good, *flags, "--kv-gib", "100").returncode == 2


def test_quiet_says_nothing_of_what_passed(good: str, bad: str) -> None:
    """With -q a run that passes prints nothing at all; one that fails prints its report."""
    passed, failed = run(good, "--max-breaks", "0", "-q"), run(bad, "--max-breaks", "0", "-q")

    assert (passed.returncode, passed.stdout, passed.stderr) == (0, "", "")
    assert (failed.returncode, failed.stdout.startswith("failed ")) == (1, True)


def test_texts_are_shown_as_asked(bad: str) -> None:
    """What a note says of --show-text holds: it shows the values, and --hash-only not even their kind."""
    default, shown, hidden = (run(bad, "--max-breaks", "0", *flags).stdout for flags in ((), ("--show-text",), ("--hash-only",)))

    assert "<time, second>" in default
    assert "<time, second>" not in shown
    assert "<hash " in hidden


@pytest.mark.parametrize(("flag", "word", "nearest"), [("--cause", "clocks", "clock"), ("--rate", "enginee", "engine")])
def test_a_mistyped_word_is_answered_with_the_nearest(good: str, flag: str, word: str, nearest: str) -> None:
    """The error names the word that was likely meant, and all there are."""
    result = run(good, "--max-breaks", "0", flag, word)

    assert result.returncode == 2
    assert f"did you mean {nearest}? known: " in result.stderr


def test_nothing_is_told_of_no_requests() -> None:
    """A log of statistics lines alone could not be checked; no rate over no request and no count of nothing stands below."""
    line = "INFO 03-02 09:00:00 [loggers.py:111] Engine 000: Avg prompt throughput: 10.0 tokens/s, "
    line += "Avg generation throughput: 1.0 tokens/s, Running: 0 reqs, Waiting: 0 reqs, "
    line += "GPU KV cache usage: 0.1%, Prefix cache hit rate: 12.5%\n"
    result = run("-", "--min-hit-rate", "0.5", stdin=line)

    assert result.returncode == 2
    assert "of 0 requests" not in result.stdout
    assert "0 of 0" not in result.stdout
    assert "no request read, vllm-log" in result.stdout
