"""The two texts of a break: from the break on, whole characters, no secret in any mode."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from log_records import read_bytes

from radixlint.api.analyze_options import AnalyzeOptions
from radixlint.api.measuring import measure
from radixlint.reports import TextStyle, analyze_json, analyze_text
from radixlint.result.breaks import Break
from radixlint.result.measurement import AnalyzeReport, Show, TreeLimits

SECRETS = (
    "sk-" + "proj-" + "A1b2C3d4" * 6,
    "AKIA" + "IOSFODNN7" + "EXAMPLE",
    "eyJ" + "hbGciOiJub25lIn0.eyJzdWIiOiJ4In0.",
    "ghp_" + "x" * 36,
    "-----BEGIN " + "PRIVATE KEY-----\nMIIB\n-----END " + "PRIVATE KEY-----",
    "jane@example.invalid",
)
# Characters of one to four bytes, a mark that combines with the letter before it, a joined emoji.
RULES = "\n".join(f"{n}. Rule number {n} of the house is not to be bent by anyone." for n in range(9))
ASKED = {"role": "user", "content": "Hello?"}
ODD = "aé\u0301日🙂\u200d👩 "


def report_of(texts: list[str], show: Show, session: str = "s{}") -> AnalyzeReport:
    """Return the report on instructions that begin with ``texts``, and go on alike."""
    records = [
        {"model": "gpt-4o", "session": session.format(i), "messages": [{"role": "system", "content": f"{text}\n{RULES}"}, ASKED]}
        for i, text in enumerate(texts)
    ]
    log = read_bytes("\n".join(json.dumps(r, ensure_ascii=False) for r in records).encode())
    return measure(log, AnalyzeOptions(show=show, tree=TreeLimits()))


def first_break(*texts: str) -> Break:
    # Within one conversation a single change of the instructions is a break, between two it may be a new version.
    return report_of(list(texts), Show.TEXT, "one").breaks[0]


@given(head=st.text(ODD, max_size=20), one=st.sampled_from(ODD[:-1]), other=st.sampled_from(ODD[:-1]))
def test_values_start_where_the_texts_part(head: str, one: str, other: str) -> None:
    """Both sides start at the value that holds the first difference, what is shared ends there, and no character is cut."""
    if one == other:
        return
    before, after = (f"Rules of the house.\n{head}{value} behind" for value in (one, other))
    start = next(i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b)
    while before[start - 1] not in " \n":
        start -= 1

    place = first_break(before, after)

    for shown, text in ((place.before, before), (place.after, after)):
        assert shown
        assert f"{text}\n{RULES}"[start:].startswith(shown)
    assert before[:start].rstrip().endswith(place.shared.rstrip())


def test_a_value_that_moved_is_shown_from_the_break_on() -> None:
    """Where a piece moved, one side starts with the piece and the other with what stands there without it."""
    clock, rules = "Now: 08:14:09\n", "Be kind to all who ask.\n"

    place = first_break(f"Desk.\n{rules}{clock}", f"Desk.\n{clock}{rules}")

    assert place.before.startswith(rules)
    assert place.after.startswith(clock)


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("show", list(Show))
@pytest.mark.parametrize("lead", ["", "my key is ", "word " * 14])
def test_no_report_holds_a_secret(secret: str, show: Show, lead: str) -> None:
    """Secrets are masked where texts are opted in as well, in front of the break, at it and behind it, in either report."""
    texts = [f"Desk {lead}{secret} {i} {lead}{secret[:-1]}{i} {lead}{secret}" for i in range(6)]

    report = report_of(texts, show)

    for rendered in (analyze_text.render(report, TextStyle()), analyze_json.render(report, TextStyle())):
        assert secret.split("\n")[0] not in rendered
        assert secret[8:20] not in rendered
