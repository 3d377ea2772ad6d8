"""From a log to the figures of a report."""

from __future__ import annotations

import math
from array import array
from pathlib import Path

import pytest

from radixlint.api.analyze_options import AnalyzeOptions, PolicyOptions
from radixlint.api.log_tokens import tokenize
from radixlint.api.measuring import analyze, measure, measure_each
from radixlint.errors import ConfigError, DataError, LogError, TokenizerError
from radixlint.layout import open_layout
from radixlint.result.evidence import Evidence
from radixlint.result.measurement import AnalyzeReport, Show
from radixlint.tokenizers import open_tokenizer
from radixlint.traffic import LogRead, Message, Request, Usage, has_too_many_bad_records

SYSTEM = "You answer questions about parcels. " * 20


def ids(*tokens: int) -> bytes:
    return array("I", tokens).tobytes()


def given_ids(*prompts: list[int], output: list[int] | None = None) -> list[Request]:
    return [Request(i, token_ids=ids(*p), output_ids=ids(*(output or []))) for i, p in enumerate(prompts)]


def chat(i: int, text: str, model: str | None = "gpt-4o", usage: Usage | None = None) -> Request:
    return Request(i, model=model, messages=(Message("system", SYSTEM), Message("user", text)), usage=usage)


def report(requests: list[Request], options: AnalyzeOptions | None = None, **read: object) -> AnalyzeReport:
    records = read.pop("records", len(requests))
    return measure(LogRead("test", records, tuple(requests), **({"skipped": {}} | read)), options)  # type: ignore[arg-type]


def test_waterfall_adds_up_and_rates_follow_from_it() -> None:
    """Hit, what was not sent before and block-floor sum to the prompt tokens; each rate is its tokens over the prompt tokens."""
    result = report(given_ids(list(range(40)), list(range(40)), [*range(33), 99]))

    assert [e.cause for e in result.waterfall] == ["hit", "new-content", "block-floor"]
    assert sum(e.tokens for e in result.waterfall) == result.prompt_tokens == 114
    assert (result.shareable_tokens, result.engine_tokens) == (40 + 33, 32 + 32)
    assert result.hit_rate.shareable == 73 / 114
    assert result.hit_rate.engine == 64 / 114
    assert result.distinct_tokens == 41
    assert (result.engine_blocks, result.blocks) == (4, 9)


def test_request_rate_is_the_unweighted_mean() -> None:
    """A long miss weighs as much as a short hit."""
    result = report(given_ids(list(range(1000)), [7, 8], [7, 8]))

    assert result.request_hit_rate.shareable == pytest.approx((0 + 0 + 1) / 3)
    assert result.hit_rate.shareable == 2 / 1004


def test_last_half_is_warmed_by_the_first() -> None:
    """The later half alone is counted, but matches what the first half left in the cache."""
    result = report(given_ids(list(range(20)), list(range(20)), list(range(20)), list(range(20))))

    assert result.last_half.shareable == 1.0
    assert result.hit_rate.shareable == 0.75


def test_output_enters_the_cache_without_the_last_sampled_token() -> None:
    """A follow-up that repeats the reply matches all of it but the last token."""
    requests = [
        Request(0, token_ids=ids(1, 2, 3), output_ids=ids(4, 5, 6)),
        Request(1, token_ids=ids(1, 2, 3, 4, 5, 6, 7)),
    ]

    assert report(requests, AnalyzeOptions(PolicyOptions(engine="sglang"))).shareable_tokens == 5


def test_reported_rate_covers_only_requests_that_report() -> None:
    """A missing counter is unknown, never zero; a note says over how many requests the rate is."""
    usage = Usage(prompt_tokens=200, cached_tokens=150)
    result = report([chat(0, "a"), chat(1, "b", usage=usage), chat(2, "c", usage=Usage(prompt_tokens=200))])

    assert result.hit_rate.reported == 0.75
    assert result.reported_tokens == 150
    assert [row.reported_tokens for row in result.rows] == [None, 150, None]
    assert any("1 of 3 requests" in note for note in result.notes)
    assert result.unexplained_tokens == 150 - result.rows[1].engine_tokens


def test_no_usage_means_unknown() -> None:
    """Without counters, reported figures are None."""
    result = report([chat(0, "a"), chat(1, "b")])

    assert (result.reported_tokens, result.hit_rate.reported, result.unexplained_tokens, result.agreement) == (None,) * 4


def test_one_request_has_no_rates() -> None:
    """One request can share with nobody: rates are unknown, not zero."""
    result = report([chat(0, "a")])

    assert (result.hit_rate.shareable, result.request_hit_rate.engine, result.last_half.engine) == (None, None, None)
    assert result.prompt_tokens > 0


@pytest.mark.parametrize(("factor", "is_off"), [(1.0, False), (1.04, False), (1.08, True), (0.9, True)])
def test_prompt_tokens_over_five_percent_off_are_assumed(factor: float, is_off: bool) -> None:
    """Where ours and the reported prompt tokens differ by more than 5 %, layout or tokenizer is doubted."""
    ours = [row.prompt_tokens for row in report([chat(0, "a"), chat(1, "b c d")]).rows]
    requests = [
        chat(i, t, usage=Usage(prompt_tokens=round(n / factor)))
        for i, (t, n) in enumerate(zip(("a", "b c d"), ours, strict=True))
    ]

    result = report(requests)

    assert result.agreement is not None
    assert math.isclose(result.agreement.median_ratio, factor, rel_tol=0.01)
    assert result.agreement.requests == 2
    assert any("over 5 % off" in note for note in result.notes) is is_off
    assert result.tokenizer_evidence is (Evidence.ASSUMED if is_off else Evidence.STATIC)


def test_what_tokenized_is_told_with_its_evidence() -> None:
    """Given ids are measured, a known model static, an unknown one assumed; a named vocabulary is used as named."""
    cases = [
        (report(given_ids([1], [1])), "ids given", Evidence.MEASURED),
        (report([chat(0, "a"), chat(1, "b")]), "o200k_base", Evidence.STATIC),
        (report([chat(0, "a", model=None), chat(1, "b")]), "o200k_base", Evidence.ASSUMED),
        (report([chat(0, "a", model="gpt-4")]), "cl100k_base", Evidence.STATIC),
        (report([chat(0, "a", model=None)], AnalyzeOptions(tokenizer="cl100k_base")), "cl100k_base", Evidence.STATIC),
    ]

    assert [(r.tokenizer, r.tokenizer_evidence) for r, _, _ in cases] == [(name, evidence) for _, name, evidence in cases]


def test_engine_is_vllm_assumed_unless_named() -> None:
    """The default engine is marked assumed; a named one is simulated, with the block size asked for."""
    default = report(given_ids([1], [1])).engine
    named = report(given_ids([1], [1]), AnalyzeOptions(PolicyOptions(engine="sglang", block_tokens=64))).engine

    assert (default.name, default.block_tokens, default.evidence) == ("vllm", 16, Evidence.ASSUMED)
    assert (named.name, named.block_tokens, named.evidence) == ("sglang", 64, Evidence.SIMULATED)


def test_rows_stand_in_file_order_whatever_the_time_order() -> None:
    """Requests are replayed in time order and reported in file order."""
    later, earlier = given_ids([1, 2, 3], [1, 2, 3])

    result = report([earlier, later], AnalyzeOptions(PolicyOptions(engine="sglang")))

    assert [(row.index, row.shareable_tokens) for row in result.rows] == [(0, 3), (1, 0)]


def test_row_causes_name_the_larger_loss() -> None:
    """A request that computes little but a cut block lost it to the block border; a new one is new."""
    result = report(given_ids(list(range(40)), [*range(31), 99]))

    assert [row.cause for row in result.rows] == ["new-content", "block-floor"]


@pytest.mark.parametrize(("records", "too_many"), [(20, False), (21, False), (22, True)])
def test_over_five_percent_bad_records_is_too_many(records: int, too_many: bool) -> None:
    """One of 20 is not over 5 %; two of 22 are."""
    assert has_too_many_bad_records(records, 20) is too_many


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (AnalyzeOptions(PolicyOptions(engine="vlm")), DataError),
        (AnalyzeOptions(layout="chatml2"), ConfigError),
        (AnalyzeOptions(tokenizer="nonesuch"), TokenizerError),
    ],
)
def test_unknown_names_are_errors(options: AnalyzeOptions, error: type[Exception]) -> None:
    """A wrong engine, layout or tokenizer is one clear error."""
    with pytest.raises(error):
        report([chat(0, "a")], options)


def test_log_without_a_readable_record_is_an_error(tmp_path: Path) -> None:
    """Nothing to measure is an error that names the file."""
    path = tmp_path / "bad.jsonl"
    path.write_text("not json\n")

    with pytest.raises(LogError, match=r"bad\.jsonl"):
        analyze([str(path)])


def test_tokens_are_those_of_the_laid_out_text() -> None:
    """Piecewise, memoised encoding equals encoding the whole prompt at once."""
    requests = [chat(i, f"{SYSTEM}\nquestion {i}\n\n{SYSTEM}") for i in range(3)]

    tokens = tokenize(requests)

    for request, tokenized in zip(requests, tokens.requests, strict=True):
        assert tokenized.tokens == open_tokenizer("o200k_base").encode("".join(p.text for p in open_layout().lay_out(request)))


def test_namespaces_are_counted_in_all_and_a_model() -> None:
    """Two models make two namespaces, but within each the log tells nobody apart."""
    one_each = [Request(0, model="a", namespace="a", token_ids=ids(1)), Request(1, model="b", namespace="b", token_ids=ids(1))]
    two_tenants = [*one_each, Request(2, model="b", namespace="b salt=x", token_ids=ids(1))]

    assert (report(one_each).namespaces, report(one_each).namespaces_per_model) == (2, 1)
    assert (report(two_tenants).namespaces, report(two_tenants).namespaces_per_model) == (3, 2)


def test_each_engine_is_measured_as_if_alone() -> None:
    """Measuring several engines at once gives each report as measuring it by itself would."""
    requests = tuple(given_ids(list(range(40)), list(range(40)), [*range(33), 99]))
    variants = [AnalyzeOptions(PolicyOptions(engine=engine)) for engine in ("vllm", "sglang")]
    read = LogRead("test", len(requests), requests, {})

    assert measure_each(read, variants) == tuple(measure(read, variant) for variant in variants)


def test_too_few_conversations_are_named_as_the_reason_for_hidden_texts() -> None:
    """A log of few conversations says why its texts are hidden and what helps; enough of them, or shown texts, need no word."""
    few = [chat(i, "a") for i in range(8)]

    told = [note for note in report(few).notes if "could be told apart" in note]

    assert told == [
        "Only 1 conversation could be told apart in 8 requests, so texts appear as their shapes: a session id in the log "
        "tells more apart, --show-text shows them."
    ]
    assert not any("told apart" in note for note in report(few, options=AnalyzeOptions(show=Show.TEXT)).notes)
