"""The parts of the go/no-go page around its decision, as lines of Markdown; every figure with its evidence class."""

from __future__ import annotations

from collections.abc import Sequence

from radixlint.reports._figures import binary_size, counted
from radixlint.reports._markdown_escape import code, plain
from radixlint.result.advice import Advice, Fingerprint, RateLine, ReportedUse, Rollout, RolloutStep, Verdict
from radixlint.result.evidence import Evidence
from radixlint.result.order_audit import LogBreak, OrderFault
from radixlint.result.workload import EngineToday


def percent(rate: float | None) -> str:
    """Return a rate as a percentage with one decimal, a dash for unknown.

    >>> percent(0.4), percent(None)
    ('40.0 %', '-')
    """
    return "-" if rate is None else f"{100 * rate:.1f} %"


def fingerprint_lines(advice: Advice) -> list[str]:
    """Return what the traffic looks like, or that nobody measured it."""
    work = advice.workload
    turns = "1 turn" if work.conversation_turns == 1 else f"{work.conversation_turns:g} turns"
    described = (
        f"- Described ({Evidence.ASSUMED}): {counted(work.tenants, 'tenant')}, {turns} a conversation, retrieval "
        f"{work.retrieval_pattern}, order {', '.join(work.template_shape)}, today {work.engine_today or 'an engine not named'}."
    )
    if advice.reported is not None:
        return [*_reported_lines(advice.reported), described]
    if advice.fingerprint is None:
        return ["- Not measured: without a log neither the shared prefix nor its repetition is known.", described]
    return [*_measured_lines(advice, advice.fingerprint), described]


def _measured_lines(advice: Advice, found: Fingerprint) -> list[str]:
    output = "output length unknown"
    if found.output_tokens_mean is not None:
        output = f"mean output {found.output_tokens_mean:,.0f} tokens ({found.output_evidence})"
    memory = ""
    if advice.memory and found.shared_prefix_tokens:
        memory = f"; one copy takes {binary_size(advice.memory.bytes)} on {advice.memory.model} ({Evidence.STATIC})"
    lines = [
        f"- **{found.kind.capitalize()}.** {counted(found.requests, 'request')}, mean prompt {found.prompt_tokens_mean:,.0f} "
        f"tokens ({found.evidence}; {found.tokenizer}, {found.tokenizer_evidence}), {output}.",
        f"- **Shared prefix: {counted(found.shared_prefix_tokens, 'token')}** in at least half of the requests "
        f"({found.evidence}){memory}.",
        f"- **Repetition: {percent(found.repetition_rate)} of the requests** begin with "
        f"{counted(found.repetition_tokens, 'token')} or more of an earlier one; "
        f"the median with {found.median_match_tokens:,} ({found.evidence}).",
    ]
    return lines + _note(found.notes)


def _note(notes: Sequence[str]) -> list[str]:
    if not notes:
        return []
    more = len(notes) - 1
    rest = f" And {counted(more, 'more note')}: `radixlint analyze LOG`." if more else ""
    return [f"- The log: {plain(notes[0])}{rest}"]


def _reported_lines(found: ReportedUse) -> list[str]:
    """Return what the server counted where no prompt is known, and what to log to know more."""
    lengths = [
        f"mean {what} {mean:,.0f} tokens"
        for what, mean in (("prompt", found.prompt_tokens_mean), ("output", found.output_tokens_mean))
        if mean is not None
    ]
    about = f"{counted(found.requests, 'request')}{''.join(f', {length}' for length in lengths)} ({Evidence.MEASURED})."
    if not found.requests:
        about = "No requests, only the engine's statistics lines."
    cached = "- **No cached tokens are reported**, so what was served from cache is not known either."
    if found.hit_rate is not None and found.cached_tokens is not None:
        over = f"told by {counted(found.reporting_requests, 'request')}" if found.requests else "over all lines"
        cached = (
            f"- **Reported: {percent(found.hit_rate)} of the prompt tokens** were served from cache: "
            f"{counted(found.cached_tokens, 'token')}, {over} ({Evidence.MEASURED})."
        )
    elif found.window_hit_rate is not None:
        cached = (
            f"- **Reported: {percent(found.window_hit_rate)} of the prompt tokens** of the engine's newest requests were served "
            f"from cache, as its last statistics line says ({Evidence.MEASURED})."
        )
    return [
        f"- **No prompts in the log.** {about}",
        cached,
        "- Not known: the shared prefix, its repetition, and what more could be shared. Log each request's body (tools, "
        "messages) with its usage, time and session: then they are simulated.",
        *_note(found.notes),
    ]


def order_lines(advice: Advice) -> list[str]:
    """Return the places that break the prefix, worst first, and the order to use."""
    audit = advice.audit
    lines = [_fault(fault) for fault in audit.faults]
    if not audit.files:
        lines.append(
            "- No template was checked: " + ("none was given." if audit.files is None else "none was found where you said.")
        )
    elif not audit.faults:
        lines.append(f"- No fault in {counted(audit.files, 'template file')} ({Evidence.STATIC}).")
    else:
        more = f"And {audit.more_faults:,} more" if audit.more_faults else "Reasons"
        lines.append(f"- {more} ({counted(audit.files, 'file')}, {Evidence.STATIC}): `radixlint check TEMPLATES`.")
    evidence = advice.fingerprint.evidence if advice.fingerprint else Evidence.SIMULATED
    lines += [_break(found, evidence) for found in audit.breaks]
    if audit.shape_fault:
        lines.append(f"- In the workload file ({Evidence.ASSUMED}): {audit.shape_fault}.")
    note = f" {audit.recommended_note}" if audit.recommended_note else ""
    lines.append(f"- **Order to use: {' > '.join(audit.recommended)}.**{note}")
    return lines


def _fault(fault: OrderFault) -> str:
    tokens = f", {counted(fault.lost_tokens, 'token')} behind it" if fault.lost_tokens else ""
    return f"- {code(fault.place)} {fault.rule} {plain(fault.name)}{tokens} ({Evidence.STATIC})."


def _break(found: LogBreak, evidence: Evidence) -> str:
    return (
        f"- In the log {counted(found.requests, 'request')} part at {code(found.where)} ({found.cause}), {code(found.label)}; "
        f"{percent(found.repeated_rate)} of all tokens are computed again behind it ({evidence}).{_fix(found)}"
    )


def _fix(found: LogBreak) -> str:
    if found.fix is None or found.gain_rate is None:
        return ""
    return f" {found.fix}: {100 * found.gain_rate:+.1f} points of hit rate ({Evidence.SIMULATED}, by a replay)."


def mended_basis(evidence: Evidence | None) -> str:
    """Return where the rate with a break mended is from."""
    is_replayed = evidence is Evidence.SIMULATED
    return f"{Evidence.SIMULATED}, by a replay" if is_replayed else f"{Evidence.ASSUMED}: its repeated tokens added, not replayed"


def rate_lines(advice: Advice) -> list[str]:
    """Return the measured rates as a table, with the customary band beside them."""
    prior = advice.prior
    band = (
        f"Prior for {prior.label}: {100 * prior.low_rate:.0f} to {100 * prior.high_rate:.0f} % ({Evidence.ASSUMED}, decides "
        "nothing)."
    )
    if advice.rates is None:
        return ["Not measured.", band]
    bounds = ""
    if advice.rates.is_lower_bound:
        bounds += " **All rates are lower bounds: the log is partial.**"
    if advice.rates.is_upper_bound:
        bounds += " **All simulated rates are upper bounds: the log does not tell tenants apart.**"
    return [
        "| matched / prompt tokens, ample room | whole log | last half | evidence |",
        "|---|---|---|---|",
        *(_rate(line) for line in advice.rates.lines),
        "",
        f"{band}{bounds}",
    ]


def _rate(line: RateLine) -> str:
    return f"| {line.label} | {percent(line.whole_log)} | {percent(line.last_half)} | {line.evidence} |"


def rollout_lines(advice: Advice) -> list[str]:
    """Return the steps with their commands, and when to ship."""
    lines = [_step(number, step) for number, step in enumerate(advice.rollout.steps, start=1)]
    return [*lines, "", f"**Ship when:** {' '.join(_goals(advice, advice.rollout))}"]


def _goals(advice: Advice, rollout: Rollout) -> list[str]:
    if rollout.target_rate is None or rollout.throughput_gain_rate is None:
        when = "on the new log" if advice.decision.verdict is Verdict.NOT_ENOUGH_DATA else "when traffic or template change"
        return [f"nothing ships yet. Run this report again {when}."]
    is_on_sglang = advice.workload.engine_today is EngineToday.SGLANG
    new, old = ("vLLM", "SGLang") if is_on_sglang else ("SGLang", "today's engine")
    goal = f"the warm server's own hit rate reaches {percent(rollout.target_rate)} ({rollout.target_evidence}) in step 2"
    if rollout.mended_rate is not None:
        goal += (
            f" and more in step 4 (at least about {percent(rollout.mended_rate)} with the log's first break mended; "
            f"{mended_basis(rollout.mended_evidence)})"
        )
    gain = f"{100 * rollout.throughput_gain_rate:g} % more throughput ({Evidence.ASSUMED})"
    return [
        f"{goal};",
        f"{new} has {gain} at equal load and no worse p95 time to first token, else {old} stays;",
        "the fixed template passes your quality checks.",
    ]


def _step(number: int, step: RolloutStep) -> str:
    commands = " and ".join(code(command) for command in step.commands)
    return f"{number}. Hours {step.hours}: {step.title}{' ' if commands else ''}{commands}"


def reading_lines(advice: Advice) -> list[str]:
    """Return the one pointer."""
    return [f"Biggest gap: {advice.reading.gap}. {advice.reading.text} <{advice.reading.link}>"]
