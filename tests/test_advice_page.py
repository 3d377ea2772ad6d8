"""What the advice page may say: figures with workload and evidence, faults by loss, order, and nothing obeyed from input."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import msgspec
import pytest
import yaml
from advice_cases import DESK, SERVER, advice_for, checked, counted_by_server, finding, log_of, measured, page

from radixlint.advise import advise
from radixlint.estimate import Server
from radixlint.reports import TextStyle
from radixlint.reports.advice_json import render as render_json
from radixlint.result.advice import Thresholds, TrafficKind
from radixlint.result.evidence import Evidence
from radixlint.result.finding import Severity
from radixlint.result.measurement import AnalyzeReport, Break
from radixlint.result.remedy import Remedy, Totals
from radixlint.result.workload import Part, RetrievalPattern, WorkloadKind


def test_a_multiple_never_stands_without_its_workload() -> None:
    """Every multiple on a page is in a sentence that names workload, lengths, model and GPU."""
    text = page(advice_for(measured(0.9)))
    with_multiple = [line for line in text.splitlines() if re.search(r"\d(\.\d+)?x\b", line)]

    assert len(with_multiple) == 1
    assert (
        "workload 'desk' (200 requests, mean prompt 1,000 tokens, mean output 100 tokens, llama-3.1-8b on h100)"
        in with_multiple[0]
    )
    assert f"of the time ({Evidence.ASSUMED}: prefill 50 % of peak FLOPs" in with_multiple[0]
    assert "decode batch 32" in with_multiple[0]
    assert "6.4x" not in text


@pytest.mark.parametrize(
    ("server", "output_tokens", "lacks"),
    [(None, 100, "model and GPU"), (SERVER, None, "output tokens per request")],
)
def test_no_multiple_if_something_is_unknown(server: Server | None, output_tokens: int | None, lacks: str) -> None:
    """Without model, GPU or output lengths there is no multiple, and the page says what is missing."""
    log = log_of(measured(0.9), output_tokens=output_tokens)
    text = page(advise(DESK, None, log, Thresholds(), model=None, server=server))

    assert not re.search(r"\d(\.\d+)?x\b", text)
    assert f"no multiple is given, because this is not known: {lacks}" in text


def test_described_output_length_is_assumed() -> None:
    """The workload file's output length stands in for a log that has none, and is marked assumed."""
    workload = replace(DESK, output_tokens=80)
    log = log_of(measured(0.9), output_tokens=None)
    advice = advise(workload, None, log, Thresholds(), model=SERVER.model, server=SERVER)

    assert advice.fingerprint is not None
    assert (advice.fingerprint.output_tokens_mean, advice.fingerprint.output_evidence) == (80, Evidence.ASSUMED)
    assert advice.estimate is not None
    assert advice.estimate.speedup is not None
    assert "output 80 tokens a request" in page(advice)


def test_fingerprint_names_length_and_repetition() -> None:
    """The fingerprint gives the kind of traffic, the shared prefix in tokens, and how many requests repeat it."""
    cold = replace(measured(0.8).rows[0], shareable_tokens=0, engine_tokens=0)
    report = measured(0.8, requests=100)
    advice = advice_for(replace(report, rows=(cold, *report.rows[1:])))
    text = page(advice)

    assert advice.fingerprint is not None
    assert advice.fingerprint.kind is TrafficKind.PREFIX_HEAVY
    assert advice.fingerprint.repetition_rate == 0.99
    assert "**Shared prefix: 600 tokens**" in text
    assert "**Repetition: 99.0 % of the requests**" in text


def test_faults_are_listed_by_loss_and_counted() -> None:
    """The three faults with most tokens behind them are shown, the others counted, and info findings left out."""
    findings = [finding(line, lost_tokens=line * 10) for line in range(1, 9)] + [finding(9, 10_000, Severity.INFO)]
    advice = advice_for(measured(0.9), check=checked(*findings))

    assert [fault.lost_tokens for fault in advice.audit.faults] == [80, 70, 60]
    assert advice.audit.more_faults == 5
    assert "And 5 more (4 files, static)" in page(advice)
    assert "the template is the cache key" in page(advice)


def test_clean_templates_are_said_to_be_clean() -> None:
    """No findings, no files and no templates given are three different sentences."""
    clean = page(advice_for(measured(0.9), check=checked()))
    nothing_found = page(advice_for(measured(0.9), check=msgspec.structs.replace(checked(), files=0)))

    assert "No fault in 4 template files (static)" in clean
    assert "none was found where you said" in nothing_found
    assert "none was given" in page(advice_for(measured(0.9)))


def test_history_stands_before_retrieval_of_each_turn() -> None:
    """Fresh retrieval goes behind the history, retrieval fixed for the conversation before it; a wrong order is named."""
    shape = (Part.SYSTEM, Part.TOOLS, Part.RETRIEVAL, Part.HISTORY, Part.USER)
    fresh = advice_for(None, replace(DESK, template_shape=shape)).audit
    fixed = advice_for(None, replace(DESK, template_shape=shape, retrieval_pattern=RetrievalPattern.PER_CONVERSATION)).audit

    assert fresh.recommended == ("tools", "system", "history", "retrieval", "user")
    assert fresh.shape_fault is not None
    assert "before history" in fresh.shape_fault
    assert fixed.recommended == ("tools", "system", "retrieval", "history", "user")
    assert fixed.shape_fault is None


@pytest.mark.parametrize(
    "shape", [(Part.USER, Part.SYSTEM), (Part.RETRIEVAL, Part.SYSTEM, Part.USER), (Part.SYSTEM, Part.USER, Part.HISTORY)]
)
def test_what_changes_in_front_is_a_fault(shape: tuple[Part, ...]) -> None:
    """A part that changes with every request in front of a fixed one is named."""
    assert advice_for(None, replace(DESK, template_shape=shape)).audit.shape_fault is not None


def test_server_counter_far_below_the_log_is_a_warning() -> None:
    """If the server serves much less from cache than the log allows, the page says to find out why first."""
    text = page(advice_for(counted_by_server(0.9, 0.3)))

    assert "| the server's own counter | 30.0 % |" in text
    assert "The server counts 30.0 % (measured), the log allows 90.0 % (simulated): find what loses the rest" in text


def test_target_allows_for_concurrency() -> None:
    """The rate to reach is the warm half less three points, and never under the go threshold."""
    assert advice_for(measured(0.9)).rollout.target_rate == pytest.approx(0.87)
    assert advice_for(measured(0.35)).rollout.target_rate == Thresholds().go_rate
    assert advice_for(measured(0.1)).rollout.target_rate is None


def test_a_mended_order_is_expected_to_do_better_by_an_unreplayed_amount() -> None:
    """What another order would share is an expectation, said to be assumed and at least about right; the gate is: more."""
    lost = Break("clock", "messages[0] system line 1", 5, 200, 60_000, 40_000, 200, "", "<time>", "<time>")
    rollout = advice_for(measured(0.6, breaks=(lost,))).rollout

    assert rollout.target_rate == pytest.approx(0.57)
    assert rollout.mended_rate == pytest.approx(0.77)
    assert (
        "reaches 57.0 % (simulated) in step 2 and more in step 4 (at least about 77.0 % with the log's first break mended; "
        "assumed: its repeated tokens added, not replayed)"
    ) in page(advice_for(measured(0.6, breaks=(lost,))))


def test_a_replayed_fix_tells_what_mending_brings() -> None:
    """Where the fix was replayed, its gain takes the place of the repeated tokens, simulated."""
    fixed = Remedy("newest-end", "Move it", Totals(200_000, 120_000, 120_000), Totals(200_000, 150_000, 150_000), 200)
    lost = Break("clock", "messages[0] system line 1", 5, 200, 60_000, 40_000, 200, "", "<time>", "<time>", remedies=(fixed,))
    lost = replace(lost, fix=fixed.title)
    text = page(advice_for(measured(0.6, breaks=(lost,))))

    assert advice_for(measured(0.6, breaks=(lost,))).rollout.mended_rate == pytest.approx(0.72)
    assert "72.0 % with the log's first break mended; simulated, by a replay" in text
    assert "Move it: +15.0 points of hit rate (simulated, by a replay)" in text


@pytest.mark.parametrize("report", [None, measured(0.1), measured(0.35), measured(0.9)], ids=["no log", "low", "between", "high"])
def test_the_page_is_one_page_with_all_parts_and_valid_frontmatter(report: AnalyzeReport | None) -> None:
    """Each verdict gives the five parts and the pointer on one page, under frontmatter an agent can load."""
    advice = advice_for(report, replace(DESK, separate_kv_pools=True), checked(*(finding(n, n) for n in range(1, 9))))
    text = page(advice)
    _, front, body = text.split("---\n", 2)
    meta = yaml.safe_load(front)

    assert len(text.splitlines()) <= 62
    assert len(text.split()) <= 800
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", meta["name"])
    assert len(meta["name"]) <= 64
    assert 1 <= len(meta["description"]) <= 1024
    assert set(meta) <= {"name", "description", "license", "compatibility", "metadata", "allowed-tools"}
    assert all(isinstance(value, str) for value in meta["metadata"].values())
    assert meta["metadata"]["version"] == "1.0.0"
    titles = re.findall(r"^## (.*)$", body, re.MULTILINE)
    assert [t[:2] for t in titles] == ["1.", "2.", "3.", "4.", "5.", "Wh"]
    assert body.startswith(f"\n# Radix scheduler advice, desk: {advice.decision.verdict}\n")


def test_text_from_input_cannot_draw_on_the_page() -> None:
    """Markup and control characters from templates and logs are shown, not obeyed."""
    hostile = "`x` | <script>alert(1)</script>\n# GO [a](http://b) \x1b[31m"
    lost = Break("clock", hostile, 5, 200, 100_000, 80_000, 200, "", hostile, hostile)
    hostile_finding = msgspec.structs.replace(
        finding(1, 5), name=hostile, span=msgspec.structs.replace(finding(1, 5).span, path=hostile)
    )
    text = page(advice_for(measured(0.02, breaks=(lost,), notes=(hostile,)), check=checked(hostile_finding)))

    assert "\x1b" not in text
    assert re.findall(r"^# .*$", text, re.MULTILINE) == ["# Radix scheduler advice, desk: NO-GO"]
    assert r"\<script\>" in text


def test_one_of_a_kind_is_said_in_the_singular() -> None:
    """One tenant, one turn and one file are not plural."""
    text = page(
        advice_for(measured(0.9), replace(DESK, tenants=1, conversation_turns=1), msgspec.structs.replace(checked(), files=1))
    )

    assert "1 tenant, 1 turn a conversation" in text
    assert "No fault in 1 template file (static)" in text


@pytest.mark.parametrize(
    ("kind", "retrieval", "band"),
    [
        (None, RetrievalPattern.NONE, "general chat: 10 to 30 %"),
        (None, RetrievalPattern.FIXED, "RAG with a consistent template: 60 to 85 %"),
        (WorkloadKind.CHAT, RetrievalPattern.FIXED, "general chat: 10 to 30 %"),
        (WorkloadKind.VOICE, RetrievalPattern.NONE, "voice with a fixed preamble: 80 to 95 %"),
        (WorkloadKind.VISION, RetrievalPattern.NONE, "vision with a fixed preamble: 80 to 95 %"),
    ],
)
def test_the_kind_of_application_chooses_the_prior(kind: WorkloadKind | None, retrieval: RetrievalPattern, band: str) -> None:
    """A named kind decides the customary band, else retrieval does; it is assumed and decides nothing."""
    workload = replace(DESK, kind=kind, retrieval_pattern=retrieval)

    assert f"Prior for {band} (assumed, decides nothing)" in page(advice_for(measured(0.9), workload))


def test_every_number_of_the_decision_is_a_field() -> None:
    """JSON carries kinds and figures, no sentences for a page: words are the report's."""
    told = json.loads(render_json(advice_for(counted_by_server(0.9, 0.3)), TextStyle()))

    assert told["decision"]["reason"] == "counter-disagrees"
    assert told["decision"]["reported_rate"] == 0.3
    assert told["decision"]["differences"]["replicas"] == 1
    assert told["decision"]["cautions"] == ["counter-below-log"]
    assert "**" not in json.dumps(told)
