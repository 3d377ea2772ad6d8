"""``check --log``: what findings cost in the requests that the templates made.

A request breaks at the first place at which its value differs from that of the earlier request it shares most with. What
it loses there is what it would share more, in a replay without the values at the places, than it shares with them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import BinaryIO, Final

import msgspec

from radixlint.api.analyze_options import AnalyzeOptions
from radixlint.api.joined_matches import Matcher
from radixlint.api.joined_notes import notes_of
from radixlint.api.joined_request import JoinedRequest, joined_request
from radixlint.api.joined_template import Template, template_of
from radixlint.api.joined_units import parting
from radixlint.api.log_tokens import LogTokens, tokenize
from radixlint.api.measured_policy import policy_for
from radixlint.api.measuring import opened, token_options
from radixlint.api.why import common_tokens
from radixlint.layout import TOOLS_FIRST, open_layout
from radixlint.logs import Progress
from radixlint.prompt import Prompt, Span
from radixlint.replay import Replayed, replay
from radixlint.result.finding import CheckReport, Finding, Measured
from radixlint.rewrites.message_edits import MessageEdits
from radixlint.traffic import CachePolicy, LogRead

_UNLIMITED: Final = CachePolicy("unlimited", 1)


@dataclass(frozen=True, slots=True)
class JoinedReport:
    """The report with what was measured, and what was read of the logs (see ``LogRead``)."""

    report: CheckReport
    records: int
    read: int
    alterations: tuple[str, ...]


def join_logs(
    report: CheckReport,
    prompts: Sequence[Prompt],
    paths: Sequence[str],
    options: AnalyzeOptions,
    *,
    stdin: BinaryIO | None = None,
    progress: Progress | None = None,
) -> JoinedReport:
    """Return ``report`` with what the logs ``paths`` say about the findings in ``prompts``, and notes on the requests.

    Raises:
        LogError, ConfigError, DataError, TokenizerError: as ``analyze`` does.
    """
    with opened(paths, options, stdin=stdin, progress=progress) as read:
        findings, notes = measured_findings(report.findings, prompts, read, options)
        joined = msgspec.structs.replace(report, findings=findings, notes=(*report.notes, *notes))
        return JoinedReport(joined, read.records, read.records_read, read.alterations)


def measured_findings(
    findings: Sequence[Finding], prompts: Sequence[Prompt], read: LogRead, options: AnalyzeOptions
) -> tuple[tuple[Finding, ...], tuple[str, ...]]:
    """Return the findings, those on a break in a template of which there are requests with what was measured; and notes."""
    templates = [template_of(prompt, spans) for prompt, spans in _by_prompt(findings, prompts)]
    asked = replace(token_options(options, [policy_for(options.policy, read, None)]), with_blocks=False)
    layout = open_layout(asked.layout or TOOLS_FIRST, template=asked.chat_template)
    matcher = Matcher(templates)
    # Ahead of the tokens, which take the place of long texts.
    every = [joined_request(request, layout, matcher) for request in read.requests]
    tokens = tokenize(read.requests, asked)
    joined = [every[position] for position in tokens.positions]
    measure = _Measure(tokens, joined, templates)
    measure.add_losses()
    told = tuple(msgspec.structs.replace(finding, measured=measure.of(number)) for number, finding in enumerate(findings))
    made = sum(bool(one.made) for one in joined)
    return told, notes_of(read, tokens, templates, measure.requests, matcher.ambiguous, made)


def _by_prompt(findings: Sequence[Finding], prompts: Sequence[Prompt]) -> list[tuple[Prompt, Mapping[int, Span]]]:
    """Return the templates, each with the places of its findings that end the prefix; of several at one place the costliest."""
    own = [prompt for prompt in prompts if prompt.chat_template is None]
    costliest: dict[tuple[str, str], dict[Span, int]] = {}
    for number, finding in enumerate(findings):
        if finding.strip is not None and finding.strip.break_index is not None:
            places = costliest.setdefault((finding.strip.path, finding.strip.name), {})
            rival = places.get(finding.span)
            if rival is None or findings[rival].lost_tokens < finding.lost_tokens:
                places[finding.span] = number
    found: list[tuple[Prompt, Mapping[int, Span]]] = []
    for prompt in own:
        places = costliest.pop((prompt.path, prompt.name), {})
        found.append((prompt, {number: span for span, number in places.items()}))
    return found


@dataclass(slots=True)
class _Measure:
    """Sums up breaks and losses by finding; ``requests`` counts them by template."""

    tokens: LogTokens
    joined: Sequence[JoinedRequest]
    templates: Sequence[Template]
    requests: list[int] = field(init=False)
    _template_of: dict[int, int] = field(init=False)
    _located: set[int] = field(init=False)
    _lost: dict[int, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        made = Counter(number for one in self.joined for number in {made.template for made in one.made})
        self.requests = [made[number] for number in range(len(self.templates))]
        self._template_of = {place.finding: n for n, template in enumerate(self.templates) for place in template.places}
        self._located = {region.finding for one in self.joined for region in one.regions}

    def of(self, finding: int) -> Measured | None:
        """Return what was measured of a finding by its number; None if its place was found in no request."""
        if finding not in self._located:
            return None
        requests, lost = self.requests[self._template_of[finding]], self._lost.get(finding, [])
        return Measured(requests, len(lost) / requests, sum(lost))

    def add_losses(self) -> None:
        """Replay the requests as they are, and without the values."""
        edits = MessageEdits()
        replayed = replay(self.tokens.requests, _UNLIMITED)
        broken = dict(self._breaks(replayed))
        if not broken:
            return
        without = self.tokens.again([one.without_values(edits) for one in self.joined])
        shared = replay(without, _UNLIMITED).matches
        ahead = self.tokens.again([self.joined[position].ahead_of(number, edits) for position, number in broken.items()])
        for at, (position, number) in enumerate(broken.items()):
            lost = shared[position].shareable_tokens - common_tokens(ahead[at], without[position])
            if lost > 0:
                self._lost.setdefault(self.joined[position].regions[number].finding, []).append(lost)

    def _breaks(self, replayed: Replayed) -> Iterator[tuple[int, int]]:
        """Yield each request that breaks in a region, by position, with the number of the region."""
        for position, one in enumerate(self.joined):
            match = replayed.matches[position]
            if one.regions and match.shareable_tokens < match.prompt_tokens:
                partner = replayed.partners[position]
                earlier = None if partner is None else self.joined[partner]
                number = one.broken_at(parting(one.units(), earlier.units() if earlier else ()), earlier)
                if number is not None:
                    yield position, number
