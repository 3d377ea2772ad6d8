"""The reports of check: what stands where, what is escaped, and that text and JSON say the same."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest
from rich.cells import cell_len

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings
from radixlint.prompt import Confidence, Lifetime, Span
from radixlint.reports import TextStyle, check_json, check_text
from radixlint.reports._code_frame import FrameStyle, code_frame
from radixlint.reports._prompt_strip import BREAK, legend, strip_line
from radixlint.result.finding import CheckReport, Finding, PromptStrip, Related, Severity, Skipped, StripPart

PARTS = (
    StripPart("static", Lifetime.STATIC, 40),
    StripPart("now()", Lifetime.CALL, None),
    StripPart("static", Lifetime.STATIC, 160),
    StripPart("question", Lifetime.TURN, None),
)
STRIP = PromptStrip("t/a.j2", "a.j2", PARTS, 1, 160, 200)
CLOCK = Finding(
    "RL201",
    "volatile-time-before-static",
    Span("t/a.j2", 2, 7, 2, 18),
    Severity.ERROR,
    Confidence.HIGH,
    Lifetime.CALL,
    160,
    "`now()` stands before 160 static tokens",
    "move it to the end",
    related=(Related(Span("t/a.j2", 1, 1, 1, 4), "set here"),),
    frame=("Rules.", "It is {{ now() }}.", "More"),
    frame_line=1,
    mark="differs on every call",
    strip=STRIP,
)


def _report(*findings: Finding, **changes: object) -> CheckReport:
    report = CheckReport(findings, 3, 2, 0, (), "o200k_base")
    return msgspec.structs.replace(report, **changes)  # type: ignore[arg-type]


def _text(*findings: Finding, width: int = 100, color: bool = False) -> str:
    return check_text.render(_report(*findings), TextStyle(width, color))


def _caret_column(line: str, mark: str = "^") -> int:
    return cell_len(line[: line.index(mark)])


def test_block_of_a_finding() -> None:
    """A block has place, code, severity and name on one line, then message, frame with carets, note, help and strip."""
    lines = _text(CLOCK).split("\n")

    assert lines[0] == "t/a.j2:2:7 RL201 error volatile-time-before-static"
    assert lines[1].strip() == CLOCK.message
    assert lines[3] == "  2 │ It is {{ now() }}."
    assert lines[4] == "    │       ^^^^^^^^^^^ differs on every call"
    assert lines[6] == "  note: t/a.j2:1:1 set here"
    assert lines[7] == "  help: move it to the end"
    assert BREAK in lines[9]
    assert lines[9].endswith("160 of 200 tokens behind the break")


def test_summary_line() -> None:
    """The last line counts files, prompts, findings by severity, what was left out, and names evidence and tokenizer."""
    note = msgspec.structs.replace(CLOCK, severity=Severity.INFO)
    text = check_text.render(_report(CLOCK, note, suppressed=2, skipped=(Skipped("x", "y"),)), TextStyle())

    assert text.endswith(
        "\n3 files, 2 prompts: 1 error, 1 note, 2 suppressed, 1 skipped; 160 tokens at stake (static, o200k_base)\n"
    )
    assert check_text.render(_report(), TextStyle()) == "3 files, 2 prompts: no findings (static, o200k_base)\n"


def test_strip_is_shown_once_a_prompt_and_counted_once() -> None:
    """Two findings of one prompt share a strip, that of the earlier break; its tokens are not added up twice."""
    later = msgspec.structs.replace(
        CLOCK, rule="RL202", span=Span("t/a.j2", 3, 1, 3, 4), strip=msgspec.structs.replace(STRIP, break_index=3)
    )
    text = _text(CLOCK, later)

    assert text.count("behind the break\n") == 1
    assert "; 160 tokens at stake" in text
    assert text.index("RL202") < text.index("behind the break\n")


def test_a_break_ahead_of_a_long_value_names_it() -> None:
    """Where no literal is lost, the strip names the first part behind the break that lives longer; a lone token is one."""
    parts = (PARTS[1], StripPart("system_prompt", Lifetime.RELEASE, None), PARTS[3])
    strip = PromptStrip("t/a.j2", "a.j2", parts, 0, 0, 0)
    one = msgspec.structs.replace(strip, lost_tokens=1, total_tokens=1)

    assert "system_prompt behind the break\n" in _text(msgspec.structs.replace(CLOCK, lost_tokens=0, strip=strip))
    assert "1 of 1 token behind the break\n" in _text(msgspec.structs.replace(CLOCK, lost_tokens=1, strip=one))
    assert "; 1 token at stake" in _text(msgspec.structs.replace(CLOCK, lost_tokens=1, strip=one))


def test_legend_explains_what_occurs() -> None:
    """The key names the letters and the break mark only if a strip shows them."""
    whole = msgspec.structs.replace(STRIP, break_index=None)

    one_line = f"S█ static  Q▂ turn  C▁ call  {BREAK} the prefix ends here"
    assert legend([STRIP], len(one_line)).plain == one_line
    assert legend([STRIP], len(one_line) - 1).plain == f"S█ static  Q▂ turn  C▁ call\n{BREAK} the prefix ends here"
    assert legend([whole], 50).plain == "S█ static  Q▂ turn  C▁ call"


def test_a_strip_without_a_break_names_the_costliest_finding() -> None:
    """Where order, not a value, is the fault, the strip has no mark, and the largest loss of the findings is shown."""
    whole = msgspec.structs.replace(STRIP, break_index=None, lost_tokens=0)
    text = _text(*(msgspec.structs.replace(CLOCK, rule=f"RL30{n}", lost_tokens=n, strip=whole) for n in (1, 7, 3)))

    assert "7 of 200 tokens at stake\n" in text
    assert "; 7 tokens at stake" in text
    assert BREAK not in text.splitlines()[-4]


def test_notes_are_quiet() -> None:
    """An info finding shows place, message and help, but no frame and no strip."""
    text = _text(msgspec.structs.replace(CLOCK, severity=Severity.INFO, confidence=Confidence.LOW))

    assert "RL201 info volatile-time-before-static (low confidence)" in text
    assert "│" not in text
    assert "behind" not in text.replace(CLOCK.message, "")


def test_a_flood_of_notes_is_cut_and_counted() -> None:
    """Of many notes on one prompt the first ten are shown, the rest counted; no warning or error is left out."""
    note = msgspec.structs.replace(CLOCK, severity=Severity.INFO)
    notes = [msgspec.structs.replace(note, span=Span("t/a.j2", line, 1, line, 2)) for line in range(10, 40)]
    text = _text(CLOCK, *notes, msgspec.structs.replace(CLOCK, span=Span("t/a.j2", 99, 1, 99, 2)))

    assert text.count(" info ") == 10
    assert text.count(" error ") == 2
    assert "\n20 more notes on this prompt; --format json shows all\n" in text


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ("It is {{ now() }}", 7),
        ("\t\t{{ now() }}", 3),
        ("漢字👍 {{ now() }}", 5),
        ("e\u0301\x1b[2J {{ now() }}", 8),
        ("x" * 900 + "{{ now() }}", 901),
    ],
)
def test_carets_stand_under_the_place(line: str, column: int) -> None:
    """Carets begin in the cell where the tag begins, also after tabs, wide characters, escapes, and in cut lines."""
    span = Span("a", 1, column, 1, column + len("{{ now() }}"))
    shown, marks = (part.plain for part in code_frame([line], 1, span, FrameStyle(80, "red", "")))

    assert _caret_column(marks) == _caret_column(shown, "{{ now")
    assert marks.count("^") == len("{{ now() }}")
    assert cell_len(shown) <= 80


def test_frame_of_a_place_outside_it_is_empty() -> None:
    """A span that is not among the lines gives no frame rather than a wrong one."""
    assert code_frame(["a"], 5, Span("a", 9, 1, 9, 2), FrameStyle(80, "red", "")) == []


@pytest.mark.parametrize("width", [10, 25, 60, 150])
@pytest.mark.parametrize("count", [1, 4, 40, 4000])
def test_strip_keeps_its_width_and_shows_the_break(width: int, count: int) -> None:
    """Whatever the number of parts, the strip is one line of exactly the width at most, with one break mark."""
    strip = PromptStrip("p", "n", PARTS * count, 4 * count - 3, 0, 0)
    line = strip_line(strip, width).plain

    assert cell_len(line) <= width
    assert line.count(BREAK) == 1
    assert "\n" not in line


def test_strip_widths_follow_tokens() -> None:
    """Text takes cells by its tokens, values a fixed few; bars are higher the longer a part lives."""
    line = strip_line(STRIP, 60).plain
    before, after = line.split(BREAK)

    assert len(line) == 60
    assert after.startswith("C▁S")
    assert after.endswith("Q▂")
    assert 3.5 <= after.count("█") / before.count("█") <= 4.5


def test_json_shape() -> None:
    """The keys of the machine surface are there with their types, edits empty and so by hand while no fix is computed."""
    document = json.loads(
        check_json.render(
            _report(msgspec.structs.replace(CLOCK, fix_safety="safe"), skipped=(Skipped("b", "binary"),), notes=("n",)),
            TextStyle(),
        )
    )
    finding = document["findings"][0]

    assert {"schema_version": 1, "files": 3, "skipped": [{"path": "b", "reason": "binary"}]}.items() <= document.items()
    assert {
        "rule": "RL201", "name": "volatile-time-before-static", "path": "t/a.j2", "line": 2, "column": 7, "end_line": 2,
        "end_column": 18, "severity": "error", "confidence": "high", "lifetime": "call", "lost_tokens": 160,
        "message": CLOCK.message, "help": CLOCK.help, "fix": {"safety": "manual", "edits": []},
    }.items() <= finding.items()  # fmt: skip
    assert (document["counts"], document["notes"]) == ({"error": 1, "warning": 0, "info": 0}, ["n"])
    assert (document["evidence"], document["tokenizer"]) == ("static", "o200k_base")


def test_hostile_text_is_escaped_everywhere() -> None:
    """No control or bidi character from path, message, help, frame or note reaches text or JSON; the text stays visible."""
    bad = "\x1b]52;c;eA==\x07[/b]\u202e:smile:\x9b\udcff"
    hostile = msgspec.structs.replace(
        CLOCK,
        span=Span(f"{bad}\n.j2", 1, 3, 1, 9),
        message=bad,
        help=bad,
        frame=(bad,),
        related=(Related(Span(bad, 1, 1, 1, 2), bad),),
        strip=msgspec.structs.replace(STRIP, path=bad, name=bad, parts=(StripPart(bad, Lifetime.CALL, None),), break_index=0),
    )
    report = _report(hostile, skipped=(Skipped(bad, bad),), notes=(bad,))
    text = check_text.render(report, TextStyle(120, color=False))
    encoded = check_json.render(report, TextStyle())

    assert re.findall("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]", text + encoded) == []
    assert "\\x1b]52;c;eA==\\x07[/b]\\u202e:smile:" in text
    assert "\\n.j2" in text.split("\n")[0]
    assert not re.search(r"(?<!\\)\\ud[89a-f]", encoded)
    json.loads(encoded)


def test_colour_changes_no_letter() -> None:
    """With colours the same characters are printed; without, there is no escape code at all."""
    plain, colored = _text(CLOCK), _text(CLOCK, color=True)

    assert "\x1b" not in plain
    assert "\x1b[" in colored
    assert re.sub("\x1b\\[[0-9;]*m", "", colored) == plain


@pytest.mark.parametrize("width", [40, 60, 100, 160])
def test_lines_keep_to_the_width(width: int) -> None:
    """Frame, message, help, strip and legend fit the width; place and summary are one line each, for tools to read."""
    wordy = msgspec.structs.replace(CLOCK, message="word " * 60, help="word " * 60, frame=("R", "x" * 500, ""))
    lines = _text(wordy, width=width).splitlines()

    assert [line for line in lines[1:-1] if cell_len(line) > width] == []
    assert lines[0].endswith(CLOCK.name)
    assert lines[-1].startswith("3 files")
    assert sum(BREAK in line for line in lines) == 2


def test_help_is_told_once_a_file(tmp_path: Path) -> None:
    """What to do about findings of one kind is printed below the first of them in each file, and JSON has it at each."""
    text = (
        "It is {{ now() }}.\nIt is still {{ utcnow() }}.\n"
        + "Name the source of each answer, and say so if you are not sure.\n" * 8
    )
    for name in ("a.j2", "b.j2"):
        (tmp_path / name).write_text(text)
    report = check_paths(CheckOptions((".",), Settings(), tmp_path))
    helps = [finding.help for finding in report.findings]

    assert len(helps) == 4
    assert len(set(helps)) == 1
    assert check_text.render(report, TextStyle(100)).count("help: ") == 2
    assert check_json.render(report, TextStyle()).count('"help"') == 4
