"""One request explained: partner, break, parts that add up, and what follows."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner
from made_faults import FAULTS
from made_logs import KINDS
from msgspec import structs

from radixlint.api.analyze_options import AnalyzeOptions
from radixlint.api.why import explain_one
from radixlint.cli.command_group import cli
from radixlint.errors import ConfigError
from radixlint.result.measurement import Show
from radixlint.traffic import LogRead, Request, Usage

BUGS = Path(__file__).parent / "fixtures" / "bugs"
CASES = (
    ("01-clock-in-system-header", "r3", "clock", "system line 2"),
    ("02-tool-order-shuffle", "r3", "tool-order", "tools[0]"),
    ("03-rag-before-history", "r3", "retrieval-before-history", "system line"),
    ("05-args-key-order", "r4", "key-order", "messages[2] assistant call 1"),
    ("06-sliding-window", "r6", "history-rewritten", "messages[1] user"),
)


def read(*requests: Request) -> LogRead:
    """Return a log of ``requests``, with ids."""
    named = tuple(structs.replace(request, id=f"q-{request.index}") for request in requests)
    return LogRead("made", len(named), named, {})


@pytest.mark.parametrize(("case", "request_id", "cause", "where"), CASES)
def test_known_bugs_are_explained(case: str, request_id: str, cause: str, where: str) -> None:
    """The command names cause and place of the recorded request; the parts add up to its prompt, and the prompt is to blame."""
    log = str(BUGS / case / "requests.jsonl")
    done = CliRunner().invoke(cli, ["why", log, "--request", request_id, "--format", "json"])
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)

    assert (report["broken"]["cause"], report["is_prompt"]) == (cause, True)
    assert where in report["broken"]["where"]
    assert sum(part["tokens"] for part in report["parts"]) == report["prompt_tokens"]
    assert report["name"] == request_id
    assert cause in {part["cause"] for part in report["parts"]}


def test_the_text_says_what_where_and_compared_with_whom() -> None:
    """The report for people names the conclusion, the partner and the place, within 100 columns."""
    done = CliRunner().invoke(cli, ["why", str(BUGS / CASES[4][0] / "requests.jsonl"), "--request", "r6"])

    assert done.exit_code == 0
    for words in ("The prompt breaks at messages[1] user line 1", "Compared with r5 of the same conversation", "45 s before"):
        assert words in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 100


@pytest.mark.parametrize("kind", KINDS)
def test_healthy_requests_are_not_blamed(kind: str) -> None:
    """Every fortieth request of a healthy log: no break, and the prompt is not to blame."""
    requests = KINDS[kind](200, 5)
    for position in range(0, 200, 40):
        report = explain_one(read(*requests), f"q-{position}", AnalyzeOptions())
        assert report.broken is None
        assert report.is_prompt is not True
        assert sum(part.tokens for part in report.parts) == report.prompt_tokens


def test_the_first_request_is_new() -> None:
    """Nothing was sent before it: all new, no partner, nothing concluded."""
    report = explain_one(read(*KINDS["rag"](3, 1)), "q-0", AnalyzeOptions())

    assert (report.partner, report.broken, report.is_prompt) == (None, None, None)
    assert "all of it is new" in report.conclusion


def test_a_miss_that_only_the_server_reports_is_not_the_prompt() -> None:
    """One request reported uncached in a log whose others hit as simulated: the prompt is intact."""
    requests = list(KINDS["chat"](60, 2))
    replayed = [explain_one(read(*requests), f"q-{i}", AnalyzeOptions()).engine_tokens for i in range(60)]
    late = max(i for i in range(60) if replayed[i] > 1_000)
    told = [
        structs.replace(request, usage=Usage(cached_tokens=0 if i == late else replayed[i])) for i, request in enumerate(requests)
    ]
    report = explain_one(read(*told), f"q-{late}", AnalyzeOptions())

    assert report.is_prompt is False
    assert "intact as far as the log shows" in report.conclusion


def test_requests_are_found_by_id_and_by_number() -> None:
    """An id comes first, then the number in the order of sending; anything else is an error with what to do."""
    log = read(*KINDS["rag"](4, 1))

    assert explain_one(log, "q-2", AnalyzeOptions()).name == "q-2"
    assert explain_one(log, "2", AnalyzeOptions()).name == explain_one(log, "request 2", AnalyzeOptions()).name == "q-2"
    with pytest.raises(ConfigError, match="none of the 4 requests is 'q-9'"):
        explain_one(log, "q-9", AnalyzeOptions())
    bare = read(Request(0, usage=Usage(5, 0)), *KINDS["rag"](4, 1)[1:])
    with pytest.raises(ConfigError, match="not in the log"):
        explain_one(bare, "q-0", AnalyzeOptions())


def test_hashes_stand_for_names_where_no_text_may_be_shown() -> None:
    """With hashes only, neither ids nor texts of the log occur in the report."""
    fault = next(fault for fault in FAULTS if fault.name == "clock-second")
    requests = fault.inject(KINDS["rag"](30, 1), 1.0, random.Random(1)).requests
    report = explain_one(read(*requests), "q-7", AnalyzeOptions(show=Show.HASH))

    assert report.broken is not None
    assert "q-" not in repr(report).replace("seq-", "")
    assert report.broken.after.startswith("<hash ")
