"""Two parts of traffic: how the rates changed, and whether prompt, engine or traffic mix changed them."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from radixlint.api.compare_options import CompareOptions
from radixlint.api.compared_advice import advice
from radixlint.api.compared_basis import Basis, measured_basis, simulated_basis
from radixlint.api.compared_breaks import BreakMatcher, Scale, cleared_changes
from radixlint.api.compared_effects import Mixture, Row, effects_of
from radixlint.api.compared_kinds import applications, kinds
from radixlint.api.compared_names import GroupNames
from radixlint.api.compared_part import MeasuredPart, Name, cold_positions, measured_part
from radixlint.api.compared_verdict import LEAST_REQUESTS, Evidences, verdict_of
from radixlint.api.measured_figures import hit_rates, usage_agreements
from radixlint.errors import LogError
from radixlint.result.comparison import ColdRequests, ComparedPart, LogComparison, Unit
from radixlint.result.evidence import Evidence
from radixlint.traffic import LogRead, Match, Request

_MOST_GROUPS: Final = 20
_MOST_BREAKS: Final = 20
_LEAST_SPAN_S: Final = 3_600


@dataclass(frozen=True, slots=True)
class _Side:
    """One part, prepared: its cold requests, those that count, and a row for each of these.

    ``broken`` and ``unmarked`` are what these lost to breaks and for want of a cache mark, by position among the measured ones,
    in the tokens that are compared.
    """

    part: MeasuredPart
    cold: Collection[int]
    cold_counts: ColdRequests
    counted: list[int]
    rows: list[Row]
    broken: dict[int, float]
    unmarked: dict[int, float]

    @property
    def prompt_tokens(self) -> int:
        return sum(row.prompt_tokens for row in self.rows)


def compare_logs(
    reads: tuple[LogRead, LogRead], options: CompareOptions, name: Name, *, are_of_one_log: bool = False
) -> LogComparison:
    """Compare the requests of two logs, the earlier first; ``name`` makes names of the log what may be shown.

    Where ``are_of_one_log``, requests without an id are numbered through.

    Raises:
        LogError: the two have no count of cached tokens in common.
        ConfigError, DataError, TokenizerError: an option is wrong.
    """
    parts = _parts(reads, options, name, are_of_one_log=are_of_one_log)
    served = _served(parts)
    bases = _bases(parts, served)
    each = zip(parts, bases, applications(parts), strict=True)
    one, other = (_side(part, basis, names, served, options) for part, basis, names in each)
    mixture = Mixture(one.rows, other.rows)
    evidence = _evidence((one, other), mixture, served, options, name)
    return replace(
        _report((one, other), evidence, mixture, served, options),
        notes=(*dict.fromkeys(_notes(reads, parts, evidence.names_note, served)),),
        records=sum(read.records for read in reads),
        read=sum(read.records_read for read in reads),
        alterations=(*dict.fromkeys((*reads[0].alterations, *reads[1].alterations)),),
    )


def _report(
    sides: tuple[_Side, _Side], evidence: Evidences, mixture: Mixture, served: Evidence, options: CompareOptions
) -> LogComparison:
    """Return the report but for what was read."""
    verdict = verdict_of(evidence)
    return LogComparison(
        before=evidence.before,
        after=evidence.after,
        served=served,
        blame=verdict.blame,
        is_worse=verdict.is_worse,
        is_better=verdict.is_better,
        is_sure=not (evidence.is_small or evidence.is_uncertain),
        is_reversed=_is_later(evidence.before, evidence.after),
        when_s=verdict.when_s,
        when_request=verdict.when_request,
        what=verdict.what,
        do=advice(verdict, evidence, options.show),
        effects=evidence.effects,
        unit=_unit(*sides),
        same_mix_rate=mixture.same_mix_rate(),
        margin_rate=evidence.margin_rate,
        tolerance_rate=options.tolerance_rate,
        grouped_by=mixture.fields,
        groups=tuple(evidence.groups[:_MOST_GROUPS]),
        breaks=tuple(evidence.breaks[:_MOST_BREAKS]),
        cleared=tuple(evidence.cleared),
        notes=(),
        records=0,
        read=0,
    )


def _parts(
    reads: tuple[LogRead, LogRead], options: CompareOptions, name: Name, *, are_of_one_log: bool
) -> tuple[MeasuredPart, MeasuredPart]:
    first_number = len(reads[0].requests) if are_of_one_log else 0
    return measured_part(reads[0], options, name, 0), measured_part(reads[1], options, name, first_number)


def _evidence(sides: tuple[_Side, _Side], mixture: Mixture, served: Evidence, options: CompareOptions, name: Name) -> Evidences:
    parts = sides[0].part, sides[1].part
    factors = _factors(*sides)
    scale = Scale(sides[0].prompt_tokens, sides[1].prompt_tokens, factors[1])
    broken = tuple((side.broken, side.unmarked) for side in sides)
    named = GroupNames(options.show, parts, name)
    groups = tuple(named.shown(group) for group in mixture.groups())
    return Evidences(
        before=_compared(sides[0]),
        after=_compared(sides[1]),
        effects=effects_of(mixture, factors),
        margin_rate=mixture.margin(within=False),
        within_rate=mixture.margin(within=True),
        tolerance_rate=options.tolerance_rate,
        breaks=BreakMatcher(parts, broken, scale, options.tolerance_rate).changes(),
        cleared=cleared_changes(parts, scale, options.tolerance_rate) if served is Evidence.MEASURED else (),
        groups=groups,
        names_note=named.note(groups[:_MOST_GROUPS]),
        has_prompts=all(part.tokens.measured for part in parts),
        has_texts=all(part.explained.explanation is not None for part in parts),
    )


def _served(parts: Sequence[MeasuredPart]) -> Evidence:
    """Return whose count of cached tokens both parts have for at least half of their requests: the server's, else ours."""
    told = [[_reported(request) is not None for request in part.requests] for part in parts]
    if all(2 * sum(one) >= len(one) > 0 for one in told):
        return Evidence.MEASURED
    if all(part.tokens.measured for part in parts):
        return Evidence.SIMULATED
    hint = "both need prompts, or usage with cached tokens for at least half of the requests"
    raise LogError("the two parts have nothing to compare in common", hint=hint)


def _reported(request: Request) -> tuple[int, int] | None:
    """Return the prompt tokens and the cached ones of them that the server tells."""
    usage = request.usage
    if usage is None or usage.cached_tokens is None or not usage.prompt_tokens:
        return None
    return (usage.prompt_tokens, usage.cached_tokens) if usage.cached_tokens <= usage.prompt_tokens else None


def _bases(parts: Sequence[MeasuredPart], served: Evidence) -> list[Basis]:
    """Return how what was served is counted in each part: by the server in both alike, else by the rules of its replay."""
    if served is Evidence.SIMULATED:
        return [simulated_basis(part.policy) for part in parts]
    counts = [told[1] for part in parts for request in part.requests if (told := _reported(request)) is not None]
    return [measured_basis(part.policy, counts) for part in parts]


def _side(part: MeasuredPart, basis: Basis, names: Sequence[str], served: Evidence, options: CompareOptions) -> _Side:
    cold, counts = cold_positions(part, names, options.cold_requests)
    side = _Side(part, cold, counts, [], [], {}, {})
    measured = itertools.count()
    each = zip(part.requests, part.matches, kinds(part, names), part.lost_tokens(), part.unmarked_tokens(), strict=True)
    for position, (request, match, kind, lost, unmarked) in enumerate(each):
        at = None if match is None else next(measured)
        told = _counts(request, match, served)
        if position in cold or told is None or (match is None and part.tokens.measured):
            continue
        prompt, cached = told
        scale = prompt / match.prompt_tokens if match is not None and match.prompt_tokens else 0.0
        shareable = match.shareable_tokens if match is not None else 0
        loss = basis.loss(prompt, cached, shareable * scale, lost * scale)
        # Marks are for the sender to set: what they lose is the prompt's.
        unset = min(loss.short_tokens, unmarked * scale)
        if at is not None:
            side.broken[at], side.unmarked[at] = loss.lost_tokens, unset
        owner = position if request.session is None else request.session
        side.counted.append(position)
        row = Row(kind, owner, prompt, prompt - cached, loss.lost_tokens + unset, loss.short_tokens - unset)
        side.rows.append(row)
    return side


def _counts(request: Request, match: Match | None, served: Evidence) -> tuple[int, int] | None:
    if served is Evidence.MEASURED:
        return _reported(request)
    return None if match is None else (match.prompt_tokens, match.engine_tokens)


def _unit(one: _Side, other: _Side) -> Unit:
    """Return a day only for parts that show about what a day is like."""
    if min(len(one.rows), len(other.rows)) < LEAST_REQUESTS:
        return Unit.REQUEST
    is_long = all(side.part.days is not None and _span_s(side.part) >= _LEAST_SPAN_S for side in (one, other))
    return Unit.DAY if is_long else Unit.THOUSAND


def _span_s(part: MeasuredPart) -> float:
    return max(part.times_s) - min(part.times_s)


def _factors(one: _Side, other: _Side) -> tuple[float, float]:
    """Return what makes tokens of each part those of the unit."""
    unit = _unit(one, other)
    if unit is Unit.DAY:
        return 1 / (one.part.days or 1.0), 1 / (other.part.days or 1.0)
    size = 1000 if unit is Unit.THOUSAND else 1
    return size / max(len(one.rows), 1), size / max(len(other.rows), 1)


def _compared(side: _Side) -> ComparedPart:
    part = side.part
    requests, matches = part.requests, part.matches
    times_s = part.times_s
    return ComparedPart(
        requests=len(requests),
        counted_requests=len(side.rows),
        cold=side.cold_counts,
        prompt_tokens=side.prompt_tokens,
        uncached_tokens=sum(row.uncached_tokens for row in side.rows),
        hit_rate=hit_rates([requests[i] for i in side.counted], [matches[i] for i in side.counted]),
        whole_hit_rate=hit_rates(requests, matches),
        first_s=min(times_s, default=None),
        last_s=max(times_s, default=None),
        days=part.days,
    )


def _notes(reads: Sequence[LogRead], parts: Sequence[MeasuredPart], names_note: str | None, served: Evidence) -> Iterator[str]:
    for read, part in zip(reads, parts, strict=True):
        yield from read.notes
        yield from part.tokens.notes
        yield from part.explained.notes
    if names_note is not None:
        yield names_note
    engines = [part.policy.name for part in parts]
    if engines[0] != engines[1]:
        yield f"Each part is replayed by the rules of its own engine: {engines[0]} before, {engines[1]} after."
    if served is Evidence.SIMULATED:
        yield "No count of cached tokens in both parts: what an engine served is simulated, so a fault of it cannot be seen."
    if any(part.tokens.measured and part.explained.explanation is None for part in parts):
        yield "The prompts are known as ids alone: what began to change in them has no place and no cause."
    yield from _doubts(parts, served)


def _doubts(parts: Sequence[MeasuredPart], served: Evidence) -> Iterator[str]:
    """Say where the split of reported counts rests on tokens that are not the server's."""
    for name, part in zip(("earlier", "later"), parts, strict=True):
        agreements = usage_agreements(part.requests, part.matches)
        if served is Evidence.MEASURED and agreements and agreements[0].is_off:
            ratio = f"median {agreements[0].median_ratio:.3f}, 95th percentile {agreements[0].p95_ratio:.3f}"
            yield (
                f"Our prompt tokens of the {name} part are over 5 % off the reported ones (ours / reported: {ratio}): what is "
                "lost to breaks, or not served, is ours in proportion."
            )


def _is_later(before: ComparedPart, after: ComparedPart) -> bool:
    """Whether the part that should be the earlier one was sent later."""
    if before.first_s is None or before.last_s is None or after.first_s is None or after.last_s is None:
        return False
    return before.first_s > after.first_s and before.last_s > after.last_s
