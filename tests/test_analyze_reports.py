"""The three forms of one measurement: text, JSON and one line a request."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from radixlint.api.analyze_options import AnalyzeOptions
from radixlint.api.measuring import measure
from radixlint.reports import TextStyle, analyze_json, analyze_text, per_request
from radixlint.result.breaks import Cleared
from radixlint.result.cause import Confidence
from radixlint.result.measurement import AnalyzeReport, Show, TreeLimits, UsageAgreement
from radixlint.traffic import LogRead, Message, Request, Usage

RULES = "\n".join(f"{n}. Rule number {n} of the house is not to be bent." for n in range(1, 20))
CANARY = "ONLY-ONCE-CANARY-7f3a"


def measured(count: int = 8, **options: object) -> AnalyzeReport:
    requests = tuple(
        Request(
            i,
            id=f"r{i}",
            model="gpt-4o",
            messages=(
                Message("system", f"You help.\x1b[31m\nNow: 2026-03-03T08:14:{i:02d}Z\n{RULES}"),
                Message("user", f"{CANARY} please" if i == 2 else f"Question {i}\x1b[31m"),
            ),
            usage=Usage(prompt_tokens=320, cached_tokens=0) if i % 2 else None,
        )
        for i in range(count)
    )
    read = LogRead("openai-chat", count + 1, requests, {"not JSON": 1}, ("A note.",))
    return measure(read, AnalyzeOptions(**options))  # type: ignore[arg-type]


def test_json_has_the_documented_fields() -> None:
    """Every field of the machine surface is there, and figures agree with the report's own."""
    report = measured()
    document = json.loads(analyze_json.render(report, TextStyle()))

    assert set(document) >= {
        *(
            "schema_version",
            "input",
            "requests",
            "prompt_tokens",
            "shareable_tokens",
            "engine_tokens",
            "reported_tokens",
            "hit_rate",
        ),
        *(
            "engine",
            "layout",
            "tokenizer",
            "waterfall",
            "unexplained_tokens",
            "breaks",
            "curve",
            "engine_blocks",
            "blocks",
            "groups",
        ),
    }
    assert document["schema_version"] == 1
    assert document["input"] == {"format": "openai-chat", "records": 9, "read": 8, "skipped": {"not JSON": 1}}
    assert set(document["hit_rate"]) == {"shareable", "engine", "reported"}
    assert document["engine"]["name"] == "vllm"
    assert document["engine"]["block_tokens"] == 16
    assert document["engine"]["kv_tokens"] is None
    assert document["waterfall"][0]["cause"] == "hit"
    assert sum(entry["tokens"] for entry in document["waterfall"]) == document["prompt_tokens"] == report.prompt_tokens
    assert document["curve"] is None
    assert document["groups"] == []
    assert {"cause", "requests", "lost_tokens", "where", "before", "after", "fix", "hit_rate_after"} <= set(document["breaks"][0])


def test_json_is_plain_ascii_and_ends_with_one_newline() -> None:
    """The bytes are the same in every locale."""
    text = analyze_json.render(measured(), TextStyle())

    assert text.isascii()
    assert text.endswith("}\n")


def test_per_request_has_one_line_a_request_in_file_order() -> None:
    """Each line holds exactly the documented fields; a missing counter is null."""
    rows = [json.loads(line) for line in per_request.render(measured().rows, TextStyle()).splitlines()]

    assert [row["index"] for row in rows] == list(range(8))
    assert set(rows[0]) == {"index", "id", "prompt_tokens", "shareable_tokens", "engine_tokens", "reported_tokens", "cause"}
    assert (rows[0]["reported_tokens"], rows[1]["reported_tokens"]) == (None, 0)


def test_text_says_formula_denominator_and_evidence() -> None:
    """The rates come with formula, denominator and evidence class, the head with what was read and skipped."""
    text = analyze_text.render(measured(), TextStyle())

    assert text.startswith("8 of 9 records read (88.9%) · openai-chat")
    assert "skipped 1: 1 not JSON" in text
    assert "Hit rate = matched tokens / prompt tokens over 8 requests, the cold first one included" in text
    assert "simulated, vllm, blocks of 16 (assumed)" in text
    assert "measured, told by 4 requests" in text
    assert "  new content " in text
    assert "clock · messages[0] system line 2" in text
    assert "unknown" not in text
    assert "partly filled last ones included" in text
    assert "<time, second>" in text
    assert "  - A note." in text


def test_text_of_one_request_says_not_enough_data() -> None:
    """No rate is printed where there is none."""
    text = analyze_text.render(measured(1), TextStyle())

    assert "not enough data" in text
    assert "reported  " not in text


def test_text_without_counters_says_unknown() -> None:
    """A log without cached tokens has an unknown reported rate, not 0 %."""
    text = analyze_text.render(replace(measured(), reported_tokens=None, unexplained_tokens=None), TextStyle())

    assert "unknown  the log reports no cached tokens" in text


@pytest.mark.parametrize("options", [{}, {"tree": TreeLimits(6, 20)}, {"tree": TreeLimits(6, 20), "top": 100}])
def test_text_seen_in_one_request_is_in_no_report(options: dict[str, object]) -> None:
    """The canary of one request is in no output, however much is asked for."""
    report = measured(**options)

    for render in (analyze_text.render, analyze_json.render):
        assert "CANARY" not in render(report, TextStyle(width=160))
    assert "CANARY" not in per_request.render(report.rows, TextStyle())


def test_no_control_byte_reaches_the_terminal() -> None:
    """Text from input is escaped, also where the user asked to see it."""
    report = measured(tree=TreeLimits(6, 20), show=Show.TEXT)

    text = analyze_text.render(report, TextStyle())

    assert "\x1b" not in text
    assert "\\x1b" in text


def test_lines_fit_the_width_and_color_is_opt_in() -> None:
    """A report for 100 columns has no longer line; colour codes only come where wanted."""
    report = measured(tree=TreeLimits(6, 20))

    assert max(map(len, analyze_text.render(report, TextStyle(100)).splitlines())) <= 100
    assert "\x1b[" in analyze_text.render(report, TextStyle(100, color=True))


def test_tree_is_drawn_with_its_hidden_part() -> None:
    """The tree names requests and tokens of each stretch and counts what is not drawn."""
    text = analyze_text.render(measured(tree=TreeLimits(1, 2)), TextStyle())

    assert "8 requests\n└─ 8 ×" in text  # noqa: RUF001 - the times sign is meant
    assert "\n   └─ 8 branches, 8 requests\n" in text


def test_the_difference_to_the_counter_says_where_token_bases_differ() -> None:
    """How far the server's count is from the simulated one is said, and doubted when our tokens are not the server's only."""
    off = measured()
    near = replace(off, agreement=UsageAgreement(4, 1.0, 1.0))
    doubt = "but the server counts in tokens of its own: ours / reported"

    assert off.agreement is not None
    assert off.unexplained_tokens is not None
    assert f"the server reports {-off.unexplained_tokens:,} fewer cached tokens than simulated" in rendered(off)
    assert f"{doubt} median {off.agreement.median_ratio:.3f}" in rendered(off)
    assert doubt not in rendered(near)
    assert "7 more cached tokens" in rendered(replace(off, unexplained_tokens=7))
    assert "exactly as many cached tokens as simulated" in rendered(replace(off, unexplained_tokens=0, reported_tokens=64))
    both_none = rendered(replace(off, unexplained_tokens=0, reported_tokens=0))
    assert "the server reports no cached tokens, as simulated" in both_none
    assert doubt not in both_none


def test_breaks_that_lose_nothing_are_one_line() -> None:
    """Places behind which nothing comes again need no repair: one line says so, and no list."""
    report = measured()
    new = replace(report, breaks=tuple(replace(place, lost_tokens=0) for place in report.breaks))

    assert "most lost tokens first" in rendered(report)
    assert "nothing to move" not in rendered(report)
    assert "nothing to move" in rendered(new)
    assert "most lost tokens first" not in rendered(new)


def test_remedies_stand_best_first_with_what_they_bring() -> None:
    """The first remedy is the fix, half ones are named so, each with rates and tokens before and after and its price."""
    report = measured()
    fix, *others = report.breaks[0].remedies
    text = analyze_text.render(report, TextStyle(width=400))
    lines = [line.strip() for line in text.split("\n")]

    def line_of(title: str) -> str:
        return next(line for line in lines if title in line and not line.startswith("Fix "))

    assert line_of(fix.title).startswith("fix ")
    for other in others:
        assert line_of(other.title).startswith("half " if other.is_half else "or ")
        assert not other.freshness or any(line.endswith(other.freshness) for line in lines)
    assert f"{fix.before.uncached_tokens:,} -> {fix.after.uncached_tokens:,} tokens computed" in line_of(fix.title)
    assert report.breaks[0].fix == fix.title


def test_cleared_requests_are_told_apart_from_breaks() -> None:
    """What was intact and yet reported as computed stands under its own heading, with confidence and the provider's word."""
    found = Cleared("ttl", "", Confidence.MEDIUM, 2, 640, "2 requests came too late", ("r1", "r2"), agrees=False)
    text = analyze_text.render(replace(measured(), cleared=(found,)), TextStyle(width=400))

    assert "Not the prompt" not in analyze_text.render(replace(measured(), cleared=()), TextStyle())
    assert "ttl  2 requests, 640 tokens · 2 requests came too late (medium confidence) · r1, r2" in text
    assert "the provider's own word says otherwise" in text


def test_all_fixes_together_stand_behind_the_breaks() -> None:
    """What the best fixes bring together is one line, and one document."""
    report = measured()
    together = replace(report.breaks[0].remedies[0], id="together")
    both = replace(report, together=together)

    assert "All fixes together  " in rendered(both)
    assert "All fixes together" not in rendered(replace(report, together=None))
    assert json.loads(analyze_json.render(both, TextStyle()))["together"]["id"] == "together"


def rendered(report: AnalyzeReport) -> str:
    return analyze_text.render(report, TextStyle())


def test_hash_only_hides_the_ids_of_requests() -> None:
    """Under --hash-only an id is a hash, the same for the same id; else it is shown as logged."""
    shown = [row.id for row in measured().rows]
    hidden = [row.id for row in measured(show=Show.HASH).rows]

    assert shown == [f"r{i}" for i in range(8)]
    assert len(set(hidden)) == 8
    assert not set(shown) & set(hidden)
    assert hidden == [row.id for row in measured(show=Show.HASH).rows]
    assert all(id_ is not None and "r1" not in id_ for id_ in hidden)


def test_rows_without_an_id_stay_without_one() -> None:
    """A missing id is null, hashed or not."""
    read = LogRead("token-ids", 2, tuple(Request(i, token_ids=bytes(64)) for i in range(2)), {})

    assert [row.id for row in measure(read, AnalyzeOptions(show=Show.HASH)).rows] == [None, None]
