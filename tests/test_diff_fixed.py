"""Checking a fix: the loss that a clock made has ended, or begun, and the prompt is named, however the counts were made."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from made_faults import with_line
from made_logs import KINDS, write_jsonl
from msgspec import structs

from radixlint.api.analyze_options import AnalyzeOptions, PolicyOptions
from radixlint.api.compare_options import CompareOptions
from radixlint.api.compared_basis import Basis, measured_basis
from radixlint.api.comparing import compare
from radixlint.api.measuring import measure
from radixlint.providers import load_policy
from radixlint.reports import TextStyle, diff_text
from radixlint.result.comparison import Blame, LogComparison, Turn
from radixlint.traffic import LogRead, Request, Usage

Log = Sequence[Request]
COUNTS = ("replayed", "estimated", "none")
STEP, LEAST = 128, 1_024


def with_clock(log: Log) -> list[Request]:
    """Put the time of each request in front of its instructions."""
    return [with_line(one, f"Now: {datetime.fromtimestamp(one.time_s or 0.0, UTC):%Y-%m-%d %H:%M:%S}", 1) for one in log]


def counted(log: Log, how: str) -> list[Request]:
    """Return ``log`` with the counts of a server: those of a replay in steps of 128, or of one that counts 9 % more, or none."""
    if how == "none":
        return list(log)
    policy = PolicyOptions(engine="openai-legacy")
    rows = measure(LogRead("", len(log), tuple(log), {}), AnalyzeOptions(policy=policy, top=0)).measured_rows
    if how == "replayed":
        return [
            structs.replace(one, usage=Usage(row.prompt_tokens, row.engine_tokens)) for one, row in zip(log, rows, strict=True)
        ]
    draw, told = random.Random(4), []
    for one, row in zip(log, rows, strict=True):
        scale = draw.uniform(1.075, 1.105)
        shared = int(row.shareable_tokens * scale) // STEP * STEP
        told.append(structs.replace(one, usage=Usage(int(row.prompt_tokens * scale), shared if shared >= LEAST else 0)))
    return told


def compared(folder: Path, before: Log, after: Log, options: CompareOptions | None = None) -> LogComparison:
    """Write both logs and compare them."""
    paths = [folder / "before.jsonl", folder / "after.jsonl"]
    for path, log in zip(paths, (before, after), strict=True):
        write_jsonl(path, log)
    found = compare([str(path) for path in paths], options or CompareOptions())
    assert isinstance(found, LogComparison)
    return found


@pytest.mark.parametrize("engine", [None, "openai-legacy"])
@pytest.mark.parametrize("how", COUNTS)
def test_a_clock_that_was_taken_out_is_the_prompts_gain(how: str, engine: str | None, tmp_path: Path) -> None:
    """The same chats without their clock: the break ended, the prompt is named, and steps and minimum change no engine."""
    log = KINDS["chat"](80, 3)
    options = CompareOptions(policy=PolicyOptions(engine=engine))
    found = compared(tmp_path, counted(with_clock(log), how), counted(log, how), options)

    assert (found.blame, found.is_better, found.is_worse) == (Blame.PROMPT, True, False)
    assert abs(found.effects.engine_rate) <= found.tolerance_rate
    assert found.effects.prompt_rate < -0.8 * abs(found.effects.lost_rate)
    assert [(one.turn, one.cause) for one in found.breaks] == [(Turn.ENDED, "clock")]
    assert "clock, ended" in found.what
    assert found.do == "nothing"
    assert "prompt, improved" in diff_text.render(found, TextStyle())


@pytest.mark.parametrize("how", COUNTS)
def test_a_clock_that_was_put_in_loses_no_more_than_there_is(how: str, tmp_path: Path) -> None:
    """No break loses more than the whole change, nor over 100 % of the prompt tokens; kinds that are missing are no clock."""
    log = KINDS["chat"](100, 3)
    found = compared(tmp_path, counted(log, how), counted(with_clock(log)[:80], how))

    assert (found.blame, found.is_better, found.is_worse) == (Blame.PROMPT, False, True)
    began = found.breaks[0]
    assert (began.turn, began.cause) == (Turn.BEGAN, "clock")
    assert began.lost_after_rate <= 1.0
    assert began.change_tokens <= found.effects.prompt_tokens * 1.02
    assert found.effects.prompt_rate > 0.8 * found.effects.lost_rate
    assert ("over 5 % off" in " ".join(found.notes)) is (how == "estimated")


def test_few_requests_show_that_a_break_ended(tmp_path: Path) -> None:
    """Nine requests a side: the verdict is the prompt, as far as so few show."""
    log = KINDS["chat"](10, 3)
    found = compared(tmp_path, with_clock(log), log)

    assert (found.blame, found.is_better, found.is_sure) == (Blame.PROMPT, True, False)


def test_an_engine_that_stops_serving_is_still_the_engine(tmp_path: Path) -> None:
    """Prompts as before, and nothing cached any more: steps excuse no server."""
    log = KINDS["chat"](80, 3)
    before = counted(log, "replayed")
    after = [structs.replace(one, usage=Usage((one.usage or Usage()).prompt_tokens, 0)) for one in before]
    found = compared(tmp_path, before, after)

    assert (found.blame, found.is_worse) == (Blame.ENGINE, True)


def test_ids_alone_blame_nobody(tmp_path: Path) -> None:
    """A rate that fell, or rose, for want of what was shared: of ids nobody can say why, and no hint names a line not printed."""
    draw = random.Random(5)
    head = [draw.randrange(50_000) for _ in range(900)]
    tails = [[draw.randrange(50_000) for _ in range(60)] for _ in range(60)]
    paths = [str(tmp_path / f"{name}.jsonl") for name in ("healthy", "clock")]
    for number, path in enumerate(paths):
        own = [[60_000 + i, *head, *tail] if number else [*head, *tail] for i, tail in enumerate(tails[30 * number :][:30])]
        Path(path).write_text("".join(f'{{"token_ids": {one}}}\n' for one in own))
    for asked in (paths, paths[::-1]):
        found = compare(asked, CompareOptions())

        assert isinstance(found, LogComparison)
        assert found.blame is Blame.UNKNOWN
        assert found.is_worse is (asked is paths)
        assert "below" not in found.do


def test_steps_are_those_of_the_counts() -> None:
    """All counts are multiples of 128: such a server owes whole steps from the least count on, and no step is a loss."""
    basis = measured_basis(load_policy("openai-legacy"), [0, 1_024, 1_152, 1_408])

    assert (basis.step_tokens, basis.min_tokens) == (STEP, LEAST)
    assert basis.loss(1_300, 1_152, 1_270.0, 0.0).short_tokens == 0
    assert basis.loss(1_300, 0, 13.0, 1_200.0).lost_tokens == 1_152
    assert basis.loss(1_300, 0, 1_270.0, 0.0).short_tokens == 1_152
    assert Basis(16, 0, 1).loss(33, 16, 32.0, 0.0).short_tokens == 16
