"""From evidence to advice: refusals and hard rejects, thresholds, order, and what the page may say."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
import yaml

from radixlint.advise import LogEvidence, advise, parse_workload
from radixlint.errors import DataError
from radixlint.estimate import Server
from radixlint.hardware import load_gpu, load_model
from radixlint.prompt import Confidence, Span
from radixlint.reports import TextStyle
from radixlint.reports.advice_markdown import render
from radixlint.result.advice import Advice, Thresholds, TrafficKind, Verdict
from radixlint.result.evidence import Evidence
from radixlint.result.finding import CheckReport, Finding, Severity
from radixlint.result.measurement import AnalyzeReport, Break, EngineUsed, HitRates, RequestRow
from radixlint.result.workload import EngineToday, Part, RetrievalPattern, Workload

PROMPT_TOKENS = 1000
DESK = Workload(
    name="desk",
    template_shape=(Part.SYSTEM, Part.HISTORY, Part.RETRIEVAL, Part.USER),
    retrieval_pattern=RetrievalPattern.PER_TURN,
    conversation_turns=4,
    tenants=3,
    controls_template=True,
    engine_today=EngineToday.VLLM,
)
SERVER = Server(load_model("llama-3.1-8b"), load_gpu("h100"))


def measured(rate: float, requests: int = 200, **changes: Any) -> AnalyzeReport:
    """What ``analyze`` would say of a log whose every request matches ``rate`` of its prompt."""
    matched = round(rate * PROMPT_TOKENS)
    row = RequestRow(0, None, PROMPT_TOKENS, matched, matched, None, "hit")
    rates = HitRates(shareable=rate, engine=rate, reported=None)
    report = AnalyzeReport(
        input_format="openai-chat", records=requests, read=requests, skipped=(), notes=(), requests=requests,
        prompt_tokens=requests * PROMPT_TOKENS, output_tokens=None, shareable_tokens=requests * matched,
        engine_tokens=requests * matched, reported_tokens=None, hit_rate=rates, request_hit_rate=rates, last_half=rates,
        distinct_tokens=50_000, longest_shared_tokens=min(600, matched),
        engine=EngineUsed("vllm", 16, None, Evidence.SIMULATED, "test"), layout="tools-first", tokenizer="o200k_base",
        tokenizer_evidence=Evidence.STATIC, agreement=None, waterfall=(), unexplained_tokens=None, breaks=(),
        engine_blocks=0, blocks=0, tree=None, rows=tuple(replace(row, index=i) for i in range(requests)),
    )  # fmt: skip
    return replace(report, **changes)


def log_of(report: AnalyzeReport, page_rate: float | None = None, output_tokens_mean: float | None = 100.0) -> LogEvidence:
    """The same log for both engines; SGLang's hit rate is ``page_rate`` if given."""
    rate = report.hit_rate.engine if page_rate is None else page_rate
    rates = replace(report.hit_rate, engine=rate)
    sglang = replace(report, engine=replace(report.engine, name="sglang", block_tokens=1), hit_rate=rates, last_half=rates)
    return LogEvidence(report, sglang, output_tokens_mean)


def advice_for(
    report: AnalyzeReport | None, workload: Workload = DESK, check: CheckReport | None = None, server: Server | None = SERVER
) -> Advice:
    """Advice at the default thresholds."""
    log = log_of(report) if report else None
    return advise(workload, check, log, Thresholds(), model=server.model if server else None, server=server)


def page(advice: Advice) -> str:
    """The Markdown page."""
    return render(advice, TextStyle())


def finding(line: int, lost_tokens: int, severity: Severity = Severity.ERROR, message: str = "clock in front") -> Finding:
    """A finding in a template."""
    span = Span("templates/a.j2", line, 3, line, 9)
    return Finding("RL201", "volatile-time", span, severity, Confidence.HIGH, None, lost_tokens, message, "move it")


def checked(*findings: Finding) -> CheckReport:
    """A check report with these findings."""
    return CheckReport(findings, files=4, prompts=4, suppressed=0, skipped=(), tokenizer="o200k_base")


@pytest.mark.parametrize(
    ("rate", "verdict"),
    [
        (0.0, Verdict.NO_GO),
        (0.299, Verdict.NO_GO),
        (0.30, Verdict.RUN_BOTH),
        (0.40, Verdict.RUN_BOTH),
        (0.401, Verdict.GO),
        (0.97, Verdict.GO),
    ],
)
def test_thresholds(rate: float, verdict: Verdict) -> None:
    """Above 40 % is go, below 30 % no-go, the borders and between them run both."""
    decision = advice_for(measured(rate)).decision

    assert decision.verdict is verdict
    assert decision.engine == {Verdict.GO: "SGLang", Verdict.NO_GO: "vLLM"}.get(verdict)


def test_no_verdict_without_measured_sharing() -> None:
    """Without a log no engine is named, whatever the customary band for such a workload says."""
    advice = advice_for(None)
    text = page(advice)

    assert advice.decision.verdict is Verdict.NOT_ENOUGH_DATA
    assert advice.decision.engine is None
    assert "No engine is recommended without sharing measured in real traffic" in text
    assert "Not measured" in text
    assert "sglang.launch_server" not in text


def test_no_verdict_from_too_few_requests() -> None:
    """A log under the least number of requests gives no verdict, however much it shares."""
    thresholds = Thresholds()
    few = advice_for(measured(0.9, requests=thresholds.least_requests - 1))
    enough = advice_for(measured(0.9, requests=thresholds.least_requests))

    assert few.decision.verdict is Verdict.NOT_ENOUGH_DATA
    assert enough.decision.verdict is Verdict.GO


def test_single_shot_traffic_gets_vllm() -> None:
    """A workload without repeated preamble is sent to vLLM; if the log contradicts that, the page says so."""
    advice = advice_for(measured(0.9), replace(DESK, single_shot=True))

    assert (advice.decision.verdict, advice.decision.engine) == (Verdict.NO_GO, "vLLM")
    assert "one of them is wrong" in page(advice)
    assert "one of them is wrong" not in page(advice_for(measured(0.1), replace(DESK, single_shot=True)))


def test_no_control_of_the_template_gets_a_proxy_first() -> None:
    """A team that cannot order its prompts is told to normalise at a proxy, whatever the log shares."""
    advice = advice_for(measured(0.9), replace(DESK, controls_template=False))
    text = page(advice)

    assert (advice.decision.verdict, advice.decision.engine) == (Verdict.NO_GO, None)
    assert "proxy first" in text
    assert "sglang.launch_server" not in text


def test_separate_pools_get_the_warning() -> None:
    """Tenants with separate pools: namespaces exist, but leaf eviction can starve the small; budgets are advised."""
    text = page(advice_for(measured(0.9), replace(DESK, separate_kv_pools=True)))

    assert "extra_key" in text
    assert "starve small tenants" in text
    assert "budget" in text
    assert "starve" not in page(advice_for(measured(0.9)))


def test_partial_log_cannot_prove_a_no() -> None:
    """With many unreadable records the rates are lower bounds: a high one still means go, a low one means nothing."""
    low = advice_for(measured(0.1, records=300))
    high = advice_for(measured(0.9, records=300))

    assert low.decision.verdict is Verdict.NOT_ENOUGH_DATA
    assert high.decision.verdict is Verdict.GO
    assert "lower bound" in page(low)
    assert "lower bound" in page(high)
    assert "lower bound" not in page(advice_for(measured(0.9, records=201)))


def test_a_multiple_never_stands_without_its_workload() -> None:
    """Every multiple on a page is in a sentence that names workload, lengths, model and GPU."""
    text = page(advice_for(measured(0.9)))
    with_multiple = [line for line in text.splitlines() if re.search(r"\d(\.\d+)?x\b", line)]

    assert len(with_multiple) == 1
    assert (
        "workload 'desk' (200 requests, mean prompt 1,000 tokens, mean output 100 tokens, llama-3.1-8b on h100)"
        in with_multiple[0]
    )
    assert with_multiple[0].endswith(f"({Evidence.ASSUMED}).")
    assert "6.4x" not in text


@pytest.mark.parametrize(
    ("server", "output_tokens_mean", "lacks"),
    [(None, 100.0, "model and GPU"), (SERVER, None, "output tokens per request")],
)
def test_no_multiple_if_something_is_unknown(server: Server | None, output_tokens_mean: float | None, lacks: str) -> None:
    """Without model, GPU or output lengths there is no multiple, and the page says what is missing."""
    log = log_of(measured(0.9), output_tokens_mean=output_tokens_mean)
    text = page(advise(DESK, None, log, Thresholds(), model=None, server=server))

    assert not re.search(r"\d(\.\d+)?x\b", text)
    assert f"no multiple is given, because this is not known: {lacks}" in text


def test_described_output_length_is_assumed() -> None:
    """The workload file's output length stands in for a log that has none, and is marked assumed."""
    workload = replace(DESK, output_tokens=80)
    log = log_of(measured(0.9), output_tokens_mean=None)
    advice = advise(workload, None, log, Thresholds(), model=SERVER.model, server=SERVER)

    assert advice.fingerprint is not None
    assert (advice.fingerprint.output_tokens_mean, advice.fingerprint.output_evidence) == (80, Evidence.ASSUMED)
    assert advice.estimate is not None
    assert advice.estimate.speedup is not None


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
    """The five faults with most tokens behind them are shown, the others counted, and info findings left out."""
    findings = [finding(line, lost_tokens=line * 10) for line in range(1, 9)] + [finding(9, 10_000, Severity.INFO)]
    advice = advice_for(measured(0.9), check=checked(*findings))

    assert [fault.lost_tokens for fault in advice.audit.faults] == [80, 70, 60, 50, 40]
    assert advice.audit.more_faults == 3
    assert "And 3 more in 4 files" in page(advice)
    assert "the template is the cache key" in page(advice)


def test_clean_templates_are_said_to_be_clean() -> None:
    """No findings, no files and no templates given are three different sentences."""
    clean = page(advice_for(measured(0.9), check=checked()))
    nothing_found = page(advice_for(measured(0.9), check=replace(checked(), files=0)))

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


def test_order_that_hides_the_sharing_is_told_apart_from_traffic_without_any() -> None:
    """A no-go whose worst break would lift the rate over the threshold says that order is the gap."""
    lost = Break("clock", "messages[0] system line 1", 5, 200, 100_000, 80_000, 200, "", "<time>", "<time>")
    hidden = advice_for(measured(0.02, breaks=(lost,)))
    plain = advice_for(measured(0.02))

    assert hidden.decision.verdict is plain.decision.verdict is Verdict.NO_GO
    assert "it is the order that keeps the rate low" in hidden.decision.reason
    assert "42 % (simulated)" in hidden.decision.reason
    assert "order" not in plain.decision.reason
    assert hidden.reading.gap == "order"


def test_the_verdict_names_the_difference_it_rests_on() -> None:
    """Page size, pressure on the cache, and replicas are each named where they matter, and none where none does."""
    thresholds = Thresholds()

    def basis(page_rate: float = 0.9, replicas: int = 1, distinct_tokens: int = 50_000) -> str:
        log = log_of(measured(0.9, distinct_tokens=distinct_tokens), page_rate)
        workload = replace(DESK, hardware=replace(DESK.hardware, replicas=replicas))
        found = advise(workload, None, log, thresholds, model=SERVER.model, server=SERVER).decision.basis
        assert found is not None
        return found

    assert "a tie means: change nothing" in basis()
    assert "the unit of reuse" in basis(page_rate=0.95)
    assert "order and eviction" in basis(distinct_tokens=10_000_000)
    assert "routing" in basis(replicas=4)


def test_server_counter_far_below_the_log_is_a_warning() -> None:
    """If the server serves much less from cache than the log allows, the page says to find out why first."""
    served = measured(0.9, hit_rate=HitRates(0.9, 0.9, 0.3))
    text = page(advice_for(served))

    assert "| the server's own counter | 30.0 % |" in text
    assert "The server counts 30 % (measured) where the log allows 90 % (simulated)" in text


def test_target_allows_for_concurrency() -> None:
    """The rate to reach is the warm half less three points, and never under the go threshold."""
    assert advice_for(measured(0.9)).rollout.target_rate == pytest.approx(0.87)
    assert advice_for(measured(0.35)).rollout.target_rate == Thresholds().go_rate
    assert advice_for(measured(0.1)).rollout.target_rate is None


@pytest.mark.parametrize("report", [None, measured(0.1), measured(0.35), measured(0.9)], ids=["no log", "low", "between", "high"])
def test_the_page_is_one_page_with_all_parts_and_valid_frontmatter(report: AnalyzeReport | None) -> None:
    """Each verdict gives the five parts and the pointer, at most 70 lines, under frontmatter an agent can load."""
    advice = advice_for(report, replace(DESK, separate_kv_pools=True), checked(*(finding(n, n) for n in range(1, 9))))
    text = page(advice)
    _, front, body = text.split("---\n", 2)
    meta = yaml.safe_load(front)

    assert len(text.splitlines()) <= 70
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", meta["name"])
    assert len(meta["name"]) <= 64
    assert 1 <= len(meta["description"]) <= 1024
    assert set(meta) <= {"name", "description", "license", "compatibility", "metadata", "allowed-tools"}
    assert all(isinstance(value, str) for value in meta["metadata"].values())
    assert meta["metadata"]["version"] == "1.0.0"
    titles = re.findall(r"^## (.*)$", body, re.MULTILINE)
    assert [t[:2] for t in titles] == ["1.", "2.", "3.", "4.", "5.", "Wh"]
    assert body.startswith(f"\n# desk: {advice.decision.verdict}\n")


def test_text_from_input_cannot_draw_on_the_page() -> None:
    """Markup and control characters from templates and logs are shown, not obeyed."""
    hostile = "`x` | <script>alert(1)</script>\n# GO [a](http://b) \x1b[31m"
    lost = Break("clock", hostile, 5, 200, 100_000, 80_000, 200, "", hostile, hostile)
    text = page(advice_for(measured(0.02, breaks=(lost,), notes=(hostile,)), check=checked(finding(1, 5, message=hostile))))

    assert "\x1b" not in text
    assert re.findall(r"^# .*$", text, re.MULTILINE) == ["# desk: NO-GO"]
    assert r"\<script\>" in text


WORKLOAD_TEXT = """
name: desk
template_shape: [system, history, retrieval, user]
retrieval_pattern: per-turn
conversation_length: 4
tenants: 3
controls_template: true
engine_today: vllm
"""


def test_workload_file_is_read() -> None:
    """The required keys make the description; hardware and flags have defaults."""
    assert parse_workload(WORKLOAD_TEXT, "w.yaml") == DESK


def test_workload_shape_as_one_line() -> None:
    """A shape written with arrows or commas is the same list."""
    arrows = WORKLOAD_TEXT.replace("[system, history, retrieval, user]", "system -> history -> retrieval -> user")

    assert parse_workload(arrows, "w.yaml") == DESK


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("tenants: 3", "tenant: 3", r"w\.yaml: unknown key 'tenant' \(did you mean 'tenants'\? keys: name, "),
        ("tenants: 3", "", r"w\.yaml: key 'tenants' is missing \(tenants: how many"),
        ("tenants: 3", "tenants: 0", r"'tenants' must be a whole number of 1 or more"),
        ("tenants: 3", "tenants: true", r"'tenants' must be a whole number"),
        ("per-turn", "per-turns", r"unknown value 'per-turns', did you mean 'per-turn' \(known: none, fixed"),
        ("[system, history, retrieval, user]", "[system, historie]", r"did you mean 'history'"),
        ("[system, history, retrieval, user]", "[system, system]", r"names each part once"),
        ("[system, history, retrieval, user]", "[]", r"must be a list of parts"),
        ("controls_template: true", "controls_template: perhaps", r"'controls_template' must be true or false"),
        ("conversation_length: 4", "conversation_length: .nan", r"'conversation_length' must be a number of 1 or more"),
        ("name: desk", "name: '<b>'", r"'name' must be a name of"),
        ("name: desk", "name: desk\nhardware: {gpus: h100}", r"w\.yaml: hardware: unknown key 'gpus' \(did you mean 'gpu'"),
        ("name: desk", "name: desk\nhardware: h100", r"'hardware' must be a mapping"),
        ("name: desk", "name: [desk", r"w\.yaml:\d+: not YAML"),
        ("name: desk", "name: 2024-99-99", r"not YAML that can be read"),
        ("name: desk", "name: " + "[" * 5000, r"not YAML"),
    ],
)
def test_a_wrong_workload_file_is_one_clear_error(old: str, new: str, message: str) -> None:
    """Each mistake names the file, the key, and what is allowed or nearest."""
    with pytest.raises(DataError, match=message):
        parse_workload(WORKLOAD_TEXT.replace(old, new), "w.yaml")


@pytest.mark.parametrize("text", ["", "- a\n", "just words\n"])
def test_a_file_that_is_no_mapping_is_refused(text: str) -> None:
    """An empty file, a list and plain text are told what a description is."""
    with pytest.raises(DataError, match="must be a mapping of keys"):
        parse_workload(text, "w.yaml")
