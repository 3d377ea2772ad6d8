"""Instructions of equal words and values that are written otherwise from request to request: named as that, and mended."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from made_logs import MODEL, START_S, instructions, numbered, prose, question

from radixlint.api.analyze_options import AnalyzeOptions, PolicyOptions
from radixlint.api.measuring import measure
from radixlint.json_spans import json_spans
from radixlint.result.breaks import Break
from radixlint.result.cause import Cause, Confidence
from radixlint.result.measurement import AnalyzeReport
from radixlint.rewrites import first_seen_json, plain_form, sorted_keys
from radixlint.traffic import LogRead, Message, Request
from radixlint.written_forms import bare_text, line_form, plain_text

BASE = instructions(random.Random(2), 900, "z")
SETTINGS = {f"key_{at}": {"limit": at, "text": prose(random.Random(at), 12)} for at in range(12)}
QUOTED = 'Say "yes" - and don\'t wait.'
TYPOGRAPHIC = "Say \u201cyes\u201d \u2013 and don\u2019t wait."


def reordered(value: Any, draw: random.Random) -> Any:
    """Return ``value`` with the keys of all objects in another order."""
    if not isinstance(value, dict):
        return value
    keys = draw.sample(sorted(value), len(value))
    return {key: reordered(value[key], draw) for key in keys}


def with_line(line: str) -> str:
    first, *rest = BASE.split("\n")
    return "\n".join([first, line, *rest])


def report(system: Callable[[random.Random], str], turns: int) -> AnalyzeReport:
    """Return what is said of conversations of ``turns`` under what ``system`` makes of each request."""
    draw = random.Random(5)
    made: list[Request] = []
    for session in range(60 // turns):
        history: list[Message] = []
        for _ in range(turns):
            history.append(Message("user", question(draw, 25)))
            messages = (Message("system", system(draw)), *history)
            made.append(Request(0, session=f"s{session}", model=MODEL, time_s=START_S + 30 * len(made), messages=messages))
            history.append(Message("assistant", prose(draw, 60)))
    log = LogRead("made", len(made), tuple(numbered(made)), {})
    return measure(log, AnalyzeOptions(PolicyOptions(), top=5))


def only_break(found: AnalyzeReport) -> Break:
    (only,) = found.breaks
    return only


def ideal(system: str, turns: int) -> float | None:
    """Return the rate of the same log with one text for all."""
    return report(lambda draw: system, turns).hit_rate.shareable


@pytest.mark.parametrize("turns", [1, 6])
@pytest.mark.parametrize("indent", [2, 4, None])
def test_shuffled_json_in_instructions_is_key_order(indent: int | None, turns: int) -> None:
    """JSON of equal value in other orders, on one line or many, is key order; sorted keys bring what one text would."""
    found = report(lambda draw: with_line("Settings: " + json.dumps(reordered(SETTINGS, draw), indent=indent)), turns)

    only = only_break(found)
    fixes = {remedy.id: remedy for remedy in only.remedies}

    assert (only.cause, only.confidence) == (Cause.KEY_ORDER, Confidence.HIGH)
    assert only.where.startswith("messages[0] system line")
    best = ideal(with_line("Settings: " + json.dumps(SETTINGS, indent=indent)), turns)
    assert fixes["sorted-keys"].after.shareable_rate == pytest.approx(best, abs=0.01)
    assert fixes["first-bytes"].after.shareable_rate == pytest.approx(best, abs=0.01)
    assert not fixes["sorted-keys"].is_half


@pytest.mark.parametrize(
    ("odd", "plain", "form"),
    [
        (BASE.replace("\n", "\r\n"), BASE, "line ends"),
        (BASE.replace("\n", " \n"), BASE, "trailing blanks"),
        (BASE.replace(" the ", "\u00a0the "), BASE, "unicode form"),
        (with_line(TYPOGRAPHIC), with_line(QUOTED), "quotes and dashes"),
    ],
    ids=["crlf", "trailing", "nbsp", "quotes"],
)
def test_words_written_otherwise_are_text_form(odd: str, plain: str, form: str) -> None:
    """One text in two forms is no side call and no new text; in one form it is shared as one text is."""
    only = only_break(report(lambda draw: draw.choice([odd, plain]), 6))
    (fix, *_) = only.remedies

    assert (only.cause, only.confidence) == (Cause.TEXT_FORM, Confidence.HIGH)
    assert form in only.what
    assert fix.id == "one-form"
    assert fix.after.shareable_rate == pytest.approx(ideal(plain_text(plain), 6), abs=0.001)
    assert bool(fix.freshness) == ("quotes" in form or "unicode" in form)


def test_line_ends_that_change_line_by_line_are_text_form() -> None:
    """Single questions under lines that end now so, now so, share nothing, and all of it once they end alike."""
    lines = BASE.split("\n")
    only = only_break(report(lambda draw: "".join(line + draw.choice(["\n", "\r\n"]) for line in lines), 1))

    assert (only.cause, only.where) == (Cause.TEXT_FORM, "messages[0] system line 1")
    assert only.remedies[0].after.shareable_rate == pytest.approx(ideal(BASE + "\n", 1), abs=0.001)


def test_blanks_of_other_number_take_a_bare_form() -> None:
    """Where plain signs are not enough, the form without layout stands beside it as a half fix and says what it takes."""
    wide = BASE.replace(". ", ".  ")
    only = only_break(report(lambda draw: draw.choice([BASE, wide]), 6))

    assert only.cause == Cause.TEXT_FORM
    assert [(fix.id, fix.is_half, bool(fix.freshness)) for fix in only.remedies] == [("bare-form", True, True)]


def test_a_value_that_changes_in_json_is_no_key_order() -> None:
    """JSON of many lines in which a clock runs is a clock at its line."""
    seen = [0]

    def system(draw: random.Random) -> str:
        seen[0] += 1
        now = f"2026-03-02 10:{seen[0] // 60:02}:{seen[0] % 60:02}"
        return with_line(json.dumps({"a": SETTINGS["key_1"], "now": now, "z": SETTINGS}, indent=2))

    only = only_break(report(system, 6))

    assert (only.cause, only.where) == (Cause.CLOCK, "messages[0] system line 7")


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ('a {"b": [1, {"c": 2}]} d', ['{"b": [1, {"c": 2}]}']),
        ('{\n  "b": 1\n}\n[\n"x"]', ['{\n  "b": 1\n}', '[\n"x"]']),
        ("{} [] {a} [link](there) [1, 2]", []),
        ('{"open": 1', []),
        ('{"open": {"in": 1}', ['{"in": 1}']),
        ('["' * 5_000, []),
    ],
)
def test_json_is_found_in_a_text(text: str, spans: list[str]) -> None:
    """Whole values with keys or texts are found, outermost ones, whatever stands around them; nothing else is."""
    assert [text[start:end] for start, end in json_spans(text)] == spans


def test_json_in_texts_is_rewritten_only_where_asked() -> None:
    """Equal values in texts and content blocks become the first bytes, or sorted ones laid out as before; the rest stays."""
    texts = ['Use {"b": 1, "a": 2}!', 'Use {"a": 2, "b": 1}!', 'Use {\n  "b": 1,\n  "a": 2\n}!']
    made = [Request(i, messages=(Message("user", f"{text}\nso", parts=(text, "so")),)) for i, text in enumerate(texts)]

    first, ordered = first_seen_json(made, in_texts=True), sorted_keys(made, in_texts=True)

    assert first_seen_json(made) == sorted_keys(made) == tuple(made)
    assert {one.messages[0].text for one in first} == {f"{texts[0]}\nso"}
    assert [one.messages[0].parts[0] for one in ordered] == [texts[1], texts[1], 'Use {\n  "a": 2,\n  "b": 1\n}!']
    assert all(one.messages[0].text == "\n".join(one.messages[0].parts) for one in (*first, *ordered))


def test_forms_keep_what_they_do_not_name() -> None:
    """The plain form leaves layout and code alone, the bare one leaves words and indents; both are forms of themselves."""
    code = "if x:\n\treturn  `a`\n\n# \u00e9 \u00b2"
    request = Request(0, messages=(Message("user", code),))

    assert plain_text(code) == code
    assert plain_form([request])[0] is request
    assert bare_text(code) == "if x:\n    return `a`\n# \u00e9 2" == bare_text(bare_text(code))
    assert line_form("  a \r") == "  a"
