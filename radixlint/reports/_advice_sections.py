"""The sections of the go/no-go page as lines of Markdown; every figure with its evidence class."""

from __future__ import annotations

from typing import Final

from radixlint.reports._estimate_lines import workload_shape
from radixlint.reports._figures import binary_size, milliseconds
from radixlint.reports._markdown_escape import code, plain, quoted
from radixlint.result.advice import Advice, Fingerprint, LogBreak, OrderFault, RateLine, Rollout, RolloutStep
from radixlint.result.estimate import Estimate
from radixlint.result.evidence import Evidence

_SHOWN_NOTES: Final = 3


def percent(rate: float | None) -> str:
    """Return a rate as a percentage with one decimal, a dash for unknown.

    >>> percent(0.4), percent(None)
    ('40.0 %', '-')
    """
    return "-" if rate is None else f"{100 * rate:.1f} %"


def fingerprint_lines(advice: Advice) -> list[str]:
    """Return what the traffic looks like, or that nobody measured it."""
    work = advice.workload
    described = (
        f"- The workload file says ({Evidence.ASSUMED}): {work.tenants:,} tenants, {work.conversation_turns:g} turns a "
        f"conversation, retrieval {work.retrieval_pattern}, order {' > '.join(work.template_shape)}, engine today "
        f"{work.engine_today or 'not named'}."
    )
    if advice.fingerprint is None:
        return ["- Not measured: without a log neither the shared prefix nor its repetition is known.", described]
    return [*_measured_lines(advice, advice.fingerprint), described]


def _measured_lines(advice: Advice, found: Fingerprint) -> list[str]:
    output = "output length unknown"
    if found.output_tokens_mean is not None:
        output = f"mean output {found.output_tokens_mean:,.0f} tokens ({found.output_evidence})"
    memory = ""
    if advice.memory and found.shared_prefix_tokens:
        memory = f" One copy takes {binary_size(advice.memory.bytes)} of KV cache on {advice.memory.model} ({Evidence.STATIC})."
    lines = [
        f"- **{found.kind.capitalize()}.** {found.requests:,} requests, mean prompt {found.prompt_tokens_mean:,.0f} tokens "
        f"({found.evidence}; counted with {found.tokenizer}, {found.tokenizer_evidence}), {output}.",
        f"- **Shared prefix: {found.shared_prefix_tokens:,} tokens** are common to at least half of the requests "
        f"({found.evidence}).{memory}",
        f"- **Repetition: {percent(found.repetition_rate)} of the requests** begin with {found.repetition_tokens:,} tokens or "
        f"more of an earlier one; the median request with {found.median_match_tokens:,}, history included ({found.evidence}).",
    ]
    if found.notes:
        lines.append(f"- The log: {plain(' '.join(found.notes[:_SHOWN_NOTES]))}")
    return lines


def order_lines(advice: Advice) -> list[str]:
    """Return the places that break the prefix, worst first, and the order to use."""
    audit = advice.audit
    lines = [_fault(fault) for fault in audit.faults]
    if not audit.files:
        lines.append(
            "- No template was checked: " + ("none was given." if audit.files is None else "none was found where you said.")
        )
    elif not audit.faults:
        lines.append(f"- No fault in {audit.files:,} template files ({Evidence.STATIC}).")
    elif audit.more_faults:
        lines.append(
            f"- And {audit.more_faults:,} more in {audit.files:,} files ({Evidence.STATIC}): `radixlint check TEMPLATES`."
        )
    evidence = advice.fingerprint.evidence if advice.fingerprint else Evidence.SIMULATED
    lines += [_break(found, evidence) for found in audit.breaks]
    if audit.shape_fault:
        lines.append(f"- In the workload file ({Evidence.ASSUMED}): {audit.shape_fault}.")
    note = f" {audit.recommended_note}" if audit.recommended_note else ""
    lines.append(
        f"- **Order to use: {' > '.join(audit.recommended)}.** Within a part, what changes most rarely goes first.{note}"
    )
    return lines


def _fault(fault: OrderFault) -> str:
    stake = f"{fault.lost_tokens:,} tokens"
    tokens = f", {stake} behind it" if fault.lost_tokens and stake not in fault.message else ""
    return f"- {code(fault.place)} {fault.rule}{tokens}: {quoted(fault.message.rstrip('.'))} ({Evidence.STATIC})."


def _break(found: LogBreak, evidence: Evidence) -> str:
    return (
        f"- In the log {found.requests:,} requests part at {code(found.where)}, {code(found.label)}. Behind it "
        f"{percent(found.repeated_rate)} of all prompt tokens repeat what was there before, and are computed again "
        f"({evidence})."
    )


def rate_lines(advice: Advice) -> list[str]:
    """Return the measured rates as a table, with the customary band beside them."""
    prior = advice.prior
    band = (
        f"Prior for {prior.label}: {100 * prior.low_rate:.0f} to {100 * prior.high_rate:.0f} % ({Evidence.ASSUMED}, a rule of "
        "thumb without a source). It stands here for comparison and decides nothing."
    )
    if advice.rates is None:
        return ["Not measured.", band]
    bound = " **All rates are lower bounds, because the log is partial.**" if advice.rates.is_lower_bound else ""
    return [
        "| matched / prompt tokens, with room for everything | whole log | last half | evidence |",
        "|---|---|---|---|",
        *(_rate(line) for line in advice.rates.lines),
        "",
        f"{band}{bound}",
    ]


def _rate(line: RateLine) -> str:
    return f"| {line.label} | {percent(line.whole_log)} | {percent(line.last_half)} | {line.evidence} |"


def decision_lines(advice: Advice) -> list[str]:
    """Return verdict, reason, differences, what reuse is worth, cautions."""
    decision, limits = advice.decision, advice.thresholds
    lines = [
        f"- **{decision.verdict}{f', {decision.engine}' if decision.engine else ''}.** {decision.reason} (Thresholds: go above "
        f"{100 * limits.go_rate:g} %, no-go below {100 * limits.no_go_rate:g} %, from {limits.least_requests:,} requests on; "
        f"{Evidence.ASSUMED}.)"
    ]
    if decision.basis:
        lines.append(f"- **It rests on** {decision.basis}")
    lines += [f"- {sentence}" for sentence in decision.differences]
    if advice.estimate:
        lines.append(f"- {_worth(advice.estimate)}")
    lines += [f"- **Caution:** {sentence}" for sentence in decision.cautions]
    return lines


def _worth(estimate: Estimate) -> str:
    text = f"**What reuse is worth**, on either engine and against no reuse, for {plain(workload_shape(estimate))}:"
    if estimate.ttft_without_s is not None and estimate.ttft_with_s is not None:
        text += (
            f" {percent(estimate.saved_rate)} of prefill FLOPs saved ({estimate.match_evidence}); first token after "
            f"{milliseconds(estimate.ttft_with_s)} instead of {milliseconds(estimate.ttft_without_s)} on an idle server "
            f"({estimate.evidence});"
        )
    if estimate.speedup is None or estimate.prefill_share_rate is None:
        return f"{text} no multiple is given, because this is not known: {', '.join(estimate.missing)}."
    return (
        f"{text} {estimate.speedup:.1f}x throughput at equal batch, with prefill at {percent(estimate.prefill_share_rate)} of "
        f"the time ({estimate.evidence}: {', '.join(f'{a.name} {a.value}' for a in estimate.assumptions)})."
    )


def rollout_lines(advice: Advice) -> list[str]:
    """Return the steps with their commands, and when to ship."""
    rollout = advice.rollout
    lines = [_step(number, step) for number, step in enumerate(rollout.steps, start=1)]
    goals = list(rollout.ship_when)
    if rollout.target_rate is not None:
        goals.insert(0, f"Once warm, the server's own hit rate reaches {_target(rollout)}.")
    return [*lines, "", f"**Ship when:** {' '.join(goals)}"]


def _target(rollout: Rollout) -> str:
    target = f"{percent(rollout.target_rate)} ({rollout.target_evidence})"
    if rollout.mended_target_rate is None:
        return target
    mended = percent(rollout.mended_target_rate)
    return (
        f"{target} in step 2, and about {mended} in step 4 (assumed: the repeated tokens of the first break added, not replayed)"
    )


def _step(number: int, step: RolloutStep) -> str:
    commands = " and ".join(code(command) for command in step.commands)
    return f"{number}. Hours {step.hours}: {step.title}{' ' if commands else ''}{commands}"


def reading_lines(advice: Advice) -> list[str]:
    """Return the one pointer."""
    return [f"Biggest gap: {advice.reading.gap}. {advice.reading.text} <{advice.reading.link}>"]
