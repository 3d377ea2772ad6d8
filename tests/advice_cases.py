"""Hand-made evidence for the tests of advice: a workload, a server, what ``check`` and ``analyze`` would say."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from radixlint.advise import LogEvidence, advise
from radixlint.estimate import Server
from radixlint.hardware import load_gpu, load_model
from radixlint.prompt import Confidence, Span
from radixlint.reports import TextStyle
from radixlint.reports.advice_markdown import render
from radixlint.result.advice import Advice, Thresholds
from radixlint.result.evidence import Evidence
from radixlint.result.finding import CheckReport, Finding, Severity
from radixlint.result.hit_rates import HitRates
from radixlint.result.measurement import AnalyzeReport, EngineUsed, RequestRow
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
        measured_requests=requests, prompt_tokens=requests * PROMPT_TOKENS, output_tokens=None,
        shareable_tokens=requests * matched, engine_tokens=requests * matched, reported_tokens=None,
        hit_rate=rates, request_hit_rate=rates, last_half=rates,
        distinct_tokens=50_000, longest_shared_tokens=min(600, matched),
        engine=EngineUsed("vllm", 16, None, Evidence.SIMULATED, "test"), layout="tools-first", tokenizer="o200k_base",
        tokenizer_evidence=Evidence.STATIC, agreement=None, waterfall=(), unexplained_tokens=None, breaks=(),
        engine_blocks=0, blocks=0, tree=None, rows=tuple(replace(row, index=i) for i in range(requests)),
    )  # fmt: skip
    return replace(report, **changes)


def counted_by_server(rate: float, reported_rate: float, reporting: int = 200, **changes: Any) -> AnalyzeReport:
    """The same, where the server says of ``reporting`` requests how many tokens it had cached."""
    report = measured(rate, **changes)
    cached = round(reported_rate * PROMPT_TOKENS)
    rows = tuple(replace(row, reported_tokens=cached if row.index < reporting else None) for row in report.rows)
    return replace(report, rows=rows, hit_rate=HitRates(rate, rate, reported_rate), reported_tokens=cached * reporting)


def log_of(report: AnalyzeReport, page_rate: float | None = None, output_tokens: int | None = 100) -> LogEvidence:
    """The same log for both engines; SGLang's hit rate is ``page_rate`` if given, each output ``output_tokens`` long."""
    if output_tokens is not None:
        report = replace(report, output_tokens=output_tokens * report.requests, output_requests=report.requests)
    rate = report.hit_rate.engine if page_rate is None else page_rate
    rates = replace(report.hit_rate, engine=rate)
    sglang = replace(report, engine=replace(report.engine, name="sglang", block_tokens=1), hit_rate=rates, last_half=rates)
    return LogEvidence(report, sglang)


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
