"""A deploy that comes once is no break, and no screen says that what stands in both versions had not been sent before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pytest
from made_faults import with_text
from made_logs import KINDS
from msgspec import structs

from radixlint.api.analyze_options import AnalyzeOptions
from radixlint.api.measuring import measure
from radixlint.api.why import explain_one
from radixlint.reports import TextStyle, analyze_text, why_text
from radixlint.traffic import LogRead, Request

DEPLOY: Final = 60


def read(requests: Sequence[Request]) -> LogRead:
    """Return a log of ``requests``."""
    return LogRead("", len(requests), tuple(requests), {})


def other_order(request: Request) -> Request:
    """Return ``request`` with the later half of its tools first."""
    half = len(request.tools) // 2
    return structs.replace(request, tools=(*request.tools[half:], *request.tools[:half]))


def new_version(request: Request) -> Request:
    """Return ``request`` with another first line of its instructions."""
    _, _, rest = request.messages[0].text.partition("\n")
    return with_text(request, 0, f"Answer as the second edition of the handbook says, and briefly.\n{rest}")


def deployed(change: str) -> list[Request]:
    """Return the requests of healthy agents, from the 60th on as a deploy changed them."""
    made = {"tools": other_order, "text": new_version}[change]
    return [one if number < DEPLOY else made(one) for number, one in enumerate(KINDS["agent"](120, 2))]


@pytest.mark.parametrize(("change", "cause"), [("tools", "tool-order"), ("text", "new-version")])
def test_one_quiet_line_and_no_break(change: str, cause: str) -> None:
    """The log has no break; one line names the change, its first request and what it cost, and so does the waterfall."""
    report = measure(read(deployed(change)))
    text = " ".join(analyze_text.render(report, TextStyle()).split())

    assert report.breaks == ()
    assert report.tells_breaks
    [once] = report.one_time
    assert (once.cause, once.first_request) == (cause, f"r-{DEPLOY}")
    assert once.lost_tokens == sum(entry.tokens for entry in report.waterfall if entry.cause == "one-time")
    assert sum(entry.tokens for entry in report.waterfall) == report.prompt_tokens
    assert f"One-time changes {cause} · " in text
    assert f"since r-{DEPLOY}" in text
    assert "had not been sent before" not in text


@pytest.mark.parametrize("change", ["tools", "text"])
def test_the_first_request_after_a_deploy_is_told_what_changed(change: str) -> None:
    """Its conclusion names the place, that it came once, and the tokens that stand in both; most of it is not new."""
    report = explain_one(read(deployed(change)), f"r-{DEPLOY}", AnalyzeOptions())
    text = " ".join(why_text.render(report, TextStyle()).split())

    assert report.broken is None
    assert report.is_prompt is None
    assert report.once is not None
    parts = {part.cause: part.tokens for part in report.parts}
    assert parts["one-time"] == report.once.lost_tokens > parts["new-content"]
    assert report.once.where in report.conclusion
    assert "once" in report.conclusion
    assert "goes on from an earlier request" not in text


def test_a_hit_on_another_request_than_the_partner_is_named() -> None:
    """A conversation that goes on after the deploy shares the new head with one that came first: that one is named."""
    log = deployed("tools")
    first = log[DEPLOY]
    late = next(i for i in range(DEPLOY + 1, 120) if log[i].session != first.session and explained(log, i).once is not None)
    report = explained(log, late)

    assert report.partner is not None
    assert report.hit_from is not None
    assert report.hit_from.shared_tokens >= report.engine_tokens > report.partner.shared_tokens
    assert "Its hit is on" in why_text.render(report, TextStyle())


def explained(log: Sequence[Request], number: int):
    """Return what is said of one request."""
    return explain_one(read(log), f"r-{number}", AnalyzeOptions())


@pytest.mark.parametrize("kind", KINDS)
def test_healthy_logs_have_no_such_line(kind: str) -> None:
    """Nothing is deployed, so nothing changed once."""
    report = measure(read(KINDS[kind](150, 4)))

    assert report.one_time == ()
    assert "One-time" not in analyze_text.render(report, TextStyle())
