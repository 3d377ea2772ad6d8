"""``check --log``: what was measured equals what a brute-force twin computes from the texts alone."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import jinja2
import pytest

from radixlint.api.analyze_options import AnalyzeOptions
from radixlint.api.check_measured import join_logs
from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_files, report_of
from radixlint.config import load_settings
from radixlint.errors import LogError
from radixlint.result.finding import CheckReport, Finding
from radixlint.tokenizers import open_tokenizer

Messages = list[dict[str, str]]

RULES = (
    "You are the harbour desk. Answer questions about moorings, fees and the tide in plain words.\n"
    "Rule 1: name the table that a number is from. Rule 2: a boat over twelve metres needs a pilot.\n"
    "Rule 3: never promise a berth, for only the harbour master gives them away.\n"
)
CLOCK = "It is now {{ now() }}, local time.\n" + RULES
PLAIN = RULES + "Close every answer with the telephone number of the desk.\n"


def write(folder: Path, templates: Mapping[str, str], log: Sequence[Messages]) -> None:
    """Write templates and a log of requests to one model."""
    for name, text in templates.items():
        (folder / name).write_text(text, encoding="utf-8")
    lines = [json.dumps({"model": "gpt-4o", "messages": messages}) for messages in log]
    (folder / "log.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def joined(folder: Path, *names: str, select: Sequence[str] = ()) -> CheckReport:
    """Check the templates in ``folder`` with its log."""
    settings = load_settings(folder, None, is_isolated=True)
    checked = check_files(CheckOptions(names, settings, folder, select=tuple(select)))
    prompts = [prompt for file in checked.files for prompt in file.prompts]
    log = str(folder / "log.jsonl")
    return join_logs(report_of(checked), prompts, [log], AnalyzeOptions(), stdin=io.BytesIO()).report


def asked(system: str, *turns: str) -> Messages:
    """Return a request: instructions, then turns of the user and the assistant by turns."""
    roles = ("user", "assistant")
    return [{"role": "system", "content": system}, *({"role": roles[i % 2], "content": t} for i, t in enumerate(turns))]


def laid_out(messages: Messages) -> str:
    """Lay a request out as the default layout does."""
    framed = (f"<|{message['role']}|>\n{message['content']}\n<|end|>\n" for message in messages)
    return "".join(framed) + "<|assistant|>\n"


def ids_of(text: str) -> list[int]:
    """Return the token ids of a text."""
    return memoryview(open_tokenizer("o200k_base").encode(text)).cast("I").tolist()


def shared(one: Sequence[object], other: Sequence[object]) -> int:
    """Count how many leading items are the same."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def twin(log: Sequence[Messages], place: Callable[[int], tuple[str, str]]) -> tuple[int, int]:
    """Return how many requests break at a value and the tokens they lose, by comparing each with all before it.

    ``place`` gives the value of a request and the text in front of it, from the start of the system text.
    """
    encode = ids_of
    whole = [laid_out(messages) for messages in log]
    bare, ahead = [], []
    for number, text in enumerate(whole):
        value, before = place(number)
        start = text.index(before) + len(before)
        assert text[start:].startswith(value)
        bare.append(encode(text[:start] + text[start + len(value) :]))
        front = [{"role": "system", "content": before}]
        ahead.append(shared(bare[-1], encode(laid_out(front))))
    broken = lost = 0
    for number, text in enumerate(whole):
        value, before = place(number)
        start = text.index(before) + len(before)
        parts = max((shared(text, earlier) for earlier in whole[:number]), default=0)
        if start <= parts <= start + len(value):
            gain = max(shared(bare[number], earlier) for earlier in bare[:number]) - ahead[number] if number else 0
            broken, lost = broken + (gain > 0), lost + max(gain, 0)
    return broken, lost


def only(report: CheckReport, rule: str) -> Finding:
    """Return the one finding of a rule."""
    (found,) = [finding for finding in report.findings if finding.rule == rule]
    return found


def test_a_clock_in_the_first_line_is_measured_as_the_twin_does(tmp_path: Path) -> None:
    """Conversations of several turns: share of requests and tokens lost are those of comparing every pair."""
    chance = random.Random(7)
    template = jinja2.Template(CLOCK, keep_trailing_newline=False)
    log, clocks = [], []
    for number in range(40):
        clocks.append(f"{chance.randrange(24):02d}:{chance.randrange(60):02d}:{number:02d}")
        turns = [f"Question {number % 4}: where do I moor?", "At the north pier.", "And the fee?"]
        log.append(asked(template.render(now=lambda at=clocks[-1]: at), *turns[: chance.choice((1, 3))]))
    write(tmp_path, {"desk.j2": CLOCK}, log)
    measured = only(joined(tmp_path, "desk.j2"), "RL201").measured
    broken, lost = twin(log, lambda number: (clocks[number], "It is now "))

    assert broken > 30
    assert measured is not None
    assert measured.requests == len(log)
    assert measured.broken_rate == pytest.approx(broken / len(log))
    assert measured.lost_tokens == lost


def test_a_value_that_never_differs_loses_nothing(tmp_path: Path) -> None:
    """A clock that stood still in the log, and a template without findings: 0 of all requests, no tokens."""
    log = [asked(jinja2.Template(CLOCK).render(now=lambda: "noon"), f"Question {number}") for number in range(9)]
    write(tmp_path, {"desk.j2": CLOCK}, log)
    measured = only(joined(tmp_path, "desk.j2"), "RL201").measured

    assert measured is not None
    assert (measured.requests, measured.broken_rate, measured.lost_tokens) == (9, 0.0, 0)


def test_of_two_similar_templates_the_one_with_more_text_in_the_request_counts(tmp_path: Path) -> None:
    """Requests of the longer template are its own, though the shorter one's text is in them too; none counts twice."""
    longer = CLOCK + "Answer in Danish, and write numbers out as words, please.\n"
    rendered = [jinja2.Template(text) for text in (CLOCK, longer)]
    log = [asked(rendered[number % 3 == 0].render(now=lambda n=number: f"12:00:{n:02d}"), "Hi") for number in range(12)]
    write(tmp_path, {"one.j2": CLOCK, "two.j2": longer}, log)
    report = joined(tmp_path, "one.j2", "two.j2", select=["RL201"])
    counts = {finding.span.path: finding.measured and finding.measured.requests for finding in report.findings}

    assert counts == {"one.j2": 8, "two.j2": 4}


def test_copies_of_a_template_count_for_none(tmp_path: Path) -> None:
    """Two templates with the same text: nobody can tell whose the requests are, and a note says so."""
    log = [asked(jinja2.Template(CLOCK).render(now=lambda n=number: f"12:00:{n:02d}"), "Hi") for number in range(5)]
    write(tmp_path, {"one.j2": CLOCK, "two.j2": CLOCK}, log)
    report = joined(tmp_path, "one.j2", "two.j2", select=["RL201"])

    assert [finding.measured for finding in report.findings] == [None, None]
    assert "In 5 requests several templates fit equally well; there none of them counts." in report.notes


def test_loops_and_conditions_do_not_hide_a_template(tmp_path: Path) -> None:
    """Whatever branch was taken and however many items were listed, the requests are found, and a loop's losses are its own."""
    text = (
        "{% if is_member %}\nThe caller is a member of the sailing club and pays half.\n{% endif %}\n"
        "Pages of the handbook that may help:\n{% for page in documents %}\n- {{ page.text }}\n{% endfor %}\n" + RULES
    )
    template = jinja2.Template(text, trim_blocks=True, lstrip_blocks=True)
    log = []
    for number in range(20):
        pages = [{"text": f"page {number}.{i} on knots"} for i in range(number % 4)]
        log.append(asked(template.render(is_member=number % 2, documents=pages), "Hi"))
    write(tmp_path, {"book.j2": text}, log)
    report = joined(tmp_path, "book.j2")
    measured = only(report, "RL901").measured

    assert measured is not None
    assert measured.requests == 20
    assert 0.5 < measured.broken_rate < 1
    assert measured.lost_tokens > 0


def test_losses_of_several_findings_never_count_a_token_twice(tmp_path: Path) -> None:
    """With a clock and a retrieved text behind it, a request loses at the first that differs, and all losses fit into the log."""
    text = CLOCK + "Notes: {{ context }}\nKeep these notes to yourself unless the caller asks for them by name.\n" + RULES
    template = jinja2.Template(text)
    log = [
        asked(template.render(now=lambda n=n: "noon" if n % 2 else f"12:00:{n:02d}", context=f"note {n % 5}"), "Hi")
        for n in range(30)
    ]
    write(tmp_path, {"notes.j2": text}, log)
    report = joined(tmp_path, "notes.j2")
    found = [finding.measured for finding in report.findings if finding.measured is not None]
    count = open_tokenizer("o200k_base").count

    assert len(found) > 1
    assert sum(one.broken_rate for one in found) <= 1
    assert all(one.lost_tokens > 0 for one in found)
    assert sum(one.lost_tokens for one in found) < sum(count(laid_out(messages)) for messages in log)


def test_roles_keep_a_template_to_its_messages(tmp_path: Path) -> None:
    """A chat file matches requests whose system text and whose user text hold its lines, each in its role."""
    chat = (
        "messages:\n  - role: system\n    content: |\n      Today is {{ now }}.\n"
        + "".join(f"      {line}\n" for line in RULES.splitlines())
        + "  - role: user\n    content: |\n      The caller wants to know: {{ question }}\n"
    )
    turn = "The caller wants to know: why?"
    fits = [asked(f"Today is 2026-01-01T00:00:{n:02d}Z.\n{RULES}", turn) for n in range(6)]
    swapped = [asked(turn, f"Today is noon.\n{RULES}")]
    write(tmp_path, {"chat.yaml": chat}, [*fits, *swapped])
    report = joined(tmp_path, "chat.yaml")
    measured = [finding.measured for finding in report.findings if finding.measured is not None]

    assert {one.requests for one in measured} == {6}
    assert max(one.broken_rate for one in measured) == pytest.approx(5 / 6)


def test_a_log_of_other_prompts_is_said_to_be_one(tmp_path: Path) -> None:
    """No request of the template: nothing is measured, and the notes name the template and count the requests."""
    write(tmp_path, {"desk.j2": CLOCK}, [asked("You sort letters.", f"Letter {n}") for n in range(3)])
    report = joined(tmp_path, "desk.j2")

    assert {finding.measured for finding in report.findings} == {None}
    assert any(note.startswith("Of 3 requests in the log none was made by the template (") for note in report.notes)
    assert "No request in the log is recognised as made by desk.j2." in report.notes


def test_a_log_of_ids_is_said_to_be_one(tmp_path: Path) -> None:
    """Token ids cannot be matched with text; one clear note says so."""
    write(tmp_path, {"desk.j2": CLOCK}, [])
    (tmp_path / "log.jsonl").write_text('{"token_ids": [1, 2, 3]}\n{"token_ids": [1, 2, 4]}\n')
    report = joined(tmp_path, "desk.j2")

    assert only(report, "RL201").measured is None
    assert [note for note in report.notes if "ids" in note] == [
        "The log has ids or usage alone, for all 2 requests: templates are found by their text, so nothing is measured."
    ]


def test_a_healthy_template_has_requests_and_no_findings(tmp_path: Path) -> None:
    """Nothing to measure, and the note counts the requests as made by it."""
    write(tmp_path, {"plain.j2": PLAIN}, [asked(PLAIN, f"Question {n}") for n in range(4)])
    report = joined(tmp_path, "plain.j2")

    assert report.findings == ()
    assert any(note.startswith("Of 4 requests in the log all were made by the template (") for note in report.notes)


def test_instructions_and_question_may_have_templates_of_their_own(tmp_path: Path) -> None:
    """One request is made by two files, each of another message of it."""
    question = "The caller says the following, in the caller's own words:\n{{ text }}\n"
    log = [
        asked(jinja2.Template(CLOCK).render(now=lambda n=n: f"12:00:{n:02d}"), jinja2.Template(question).render(text=f"hi {n}"))
        for n in range(4)
    ]
    write(tmp_path, {"system.j2": CLOCK, "user.j2": question}, log)
    report = joined(tmp_path, "system.j2", "user.j2")
    measured = only(report, "RL201").measured

    assert measured is not None
    assert measured.requests == 4
    assert any("all were made by 2 of 2 templates" in note for note in report.notes)


def test_a_body_as_sent_is_found_by_its_instructions(tmp_path: Path) -> None:
    """The literal time in a request body is what its other requests have another time for."""
    times = [f"2026-03-02T10:{n:02d}:11Z" for n in range(8)]
    log = [asked(f"Time: {at}\n{RULES}", f"Question {at}") for at in times]
    (tmp_path / "body.json").write_text(json.dumps({"model": "gpt-4o", "messages": log[3]}, indent=1))
    write(tmp_path, {}, log)
    report = joined(tmp_path, "body.json")
    measured = [finding.measured for finding in report.findings if finding.measured is not None]
    broken, lost = twin(log, lambda number: (times[number], "Time: "))

    assert [(one.requests, one.lost_tokens) for one in measured] == [(8, lost)]
    assert measured[0].broken_rate == pytest.approx(broken / 8)


def test_a_log_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    """As ``analyze`` refuses it."""
    write(tmp_path, {"desk.j2": CLOCK}, [])
    (tmp_path / "log.jsonl").write_text("no log\n")

    with pytest.raises(LogError):
        joined(tmp_path, "desk.j2")
