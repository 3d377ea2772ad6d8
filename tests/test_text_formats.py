"""Every text format, through the whole check: planted faults are found on their line, healthy prompts are silent."""

from __future__ import annotations

import time
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest
from format_syntaxes import RULES, SYNTAXES, Syntax
from template_reading import Shelf, cut

from radixlint import sources
from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings
from radixlint.errors import SourceError
from radixlint.prompt import Role, SourceText
from radixlint.result.finding import CheckReport
from radixlint.sources import read_prompts

every_syntax = pytest.mark.parametrize("syntax", SYNTAXES, ids=lambda syntax: syntax.path)


def _check(folder: Path, syntax: Syntax, text: str) -> CheckReport:
    (folder / syntax.path).write_text(text, encoding="utf-8")
    return check_paths(CheckOptions(arguments=(".",), settings=Settings(), start=folder))


@every_syntax
@pytest.mark.parametrize(
    ("planted", "rule"), [("clock", "RL201"), ("request_id", "RL202"), ("user", "RL101"), ("history", "RL103")]
)
def test_a_planted_fault_is_found_on_its_line(tmp_path: Path, syntax: Syntax, planted: str, rule: str) -> None:
    """A folder with the file is checked: the fault is reported by its rule, at the tag, and nothing else is."""
    text, line = syntax.prompt(getattr(syntax, planted))

    report = _check(tmp_path, syntax, text)

    assert [(finding.rule, finding.span.line) for finding in report.findings] == [(rule, line)]
    assert report.findings[0].lost_tokens > 100
    assert text.split("\n")[line - 1][report.findings[0].span.column - 1] in "{["


@every_syntax
@pytest.mark.parametrize("planted", ["clock", "request_id", "user", "history"])
def test_a_healthy_prompt_is_silent(tmp_path: Path, syntax: Syntax, planted: str) -> None:
    """The same value behind all fixed text is no fault, and nothing is noted or skipped."""
    report = _check(tmp_path, syntax, syntax.healthy(getattr(syntax, planted)))

    assert (report.prompts, report.findings, report.notes, report.skipped) == (1, (), (), ())


@every_syntax
def test_comments_and_raw_text_are_silent(tmp_path: Path, syntax: Syntax) -> None:
    """What stands in a comment or is escaped is no value, wherever it stands."""
    text, _ = syntax.prompt(f"{syntax.comment} {syntax.raw or ''}")

    assert _check(tmp_path, syntax, text).findings == ()


@every_syntax
def test_places_are_exact(syntax: Syntax) -> None:
    """Each part stands in the source at its span, the parts come in order, and roles are as the format says."""
    text, _ = syntax.prompt(f"\U0001f600 é {syntax.user} {syntax.clock} {syntax.history}")
    found = read_prompts(SourceText(syntax.path, text), Shelf({}))

    assert found is not None
    (prompt,) = found.prompts
    assert all(cut(text, part) == part.text for part in prompt.segments if part.text)
    assert sum(part.expression is not None for part in prompt.segments) >= 4
    assert all(a.span <= b.span for a, b in pairwise(prompt.segments))
    # Dotprompt's history ends the message that it stands in.
    if syntax.turn and syntax.history != "{{history}}":
        assert [part.role for part in prompt.segments if RULES[:20] in part.text] == [Role.SYSTEM]
        assert prompt.segments[-1].role is Role.USER


@every_syntax
def test_many_values_take_linear_time(syntax: Syntax) -> None:
    """Eight times the values take less than 24 times the time: reading is linear, not quadratic (64)."""
    spent: list[float] = []
    for number in (1_000, 8_000):
        text, _ = syntax.prompt(f"{'x' * 80} {syntax.user}\n" * number)
        start = time.process_time()
        found = read_prompts(SourceText(syntax.path, text), Shelf({}))
        spent.append(time.process_time() - start)
        assert found is not None
        assert sum(part.expression is not None for part in found.prompts[0].segments) >= number

    assert spent[1] < 24 * spent[0]


_DEEP = {
    ".hbs": ("{{#if x}}", "{{/if}}"),
    ".prompt": ("{{#if x}}", "{{/if}}"),
    ".mustache": ("{{#x}}", "{{/x}}"),
    ".tmpl": ("{{if .x}}", "{{end}}"),
    ".liquid": ("{% if x %}", "{% endif %}"),
    ".txt": ("{% if x %}", "{% endif %}"),
    ".prompty": ("{% if x %}", "{% endif %}"),
}


@pytest.mark.parametrize("suffix", _DEEP)
def test_too_deep_blocks_are_one_error(suffix: str) -> None:
    """Blocks that nest 5,000 deep are refused in one line."""
    opened, closed = _DEEP[suffix]

    with pytest.raises(SourceError, match="too deeply nested, not checked"):
        read_prompts(SourceText(f"p{suffix}", opened * 5_000 + "y" + closed * 5_000), Shelf({}))


_UNCLOSED = {
    "{{#if x}}\ny": (".hbs", 2, 1),
    "{{#if x}}{{/each}}": (".hbs", 2, 10),
    "ab {{ x": (".mustache", 2, 4),
    "{{!-- x": (".hbs", 2, 1),
    "{{/if}}": (".handlebars", 2, 1),
    "a {{ if .x }}": (".tmpl", 2, 3),
    '{{ "x }}': (".tmpl", 2, 1),
    "{{ end }}": (".gotmpl", 2, 1),
    "{{/* x": (".tpl", 2, 1),
    "{% if x %}": (".liquid", 2, 1),
    "a {% raw %}{{": (".liquid", 2, 3),
    "{% comment %}": (".liquid", 2, 1),
    "{% if x %}{% endfor %}": (".liquid", 2, 11),
    "a {{ x": (".liquid", 2, 3),
    "{% if x %}y": (".md", 2, 1),
    "{% for x %}": (".txt", 2, 10),
    'function F() -> X { prompt #"abc': (".baml", 2, 28),
}


@pytest.mark.parametrize("text", _UNCLOSED)
def test_a_syntax_error_has_its_place(text: str) -> None:
    """What is not closed, or closed without being open, is an error at its line and column."""
    suffix, line, column = _UNCLOSED[text]

    with pytest.raises(SourceError) as caught:
        read_prompts(SourceText(f"p{suffix}", f"First line.\n{text}"), Shelf({}))

    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize(
    "part", ["{{", "{{{", "{{{{", "{{!", "{{!--", "{{#", "{%", "{#", '#"', '{{ "', "`", "```x\n", "---\n", "system:\n", "\\{{"]
)
@pytest.mark.parametrize("suffix", sorted({Path(syntax.path).suffix for syntax in SYNTAXES}))
def test_repeated_openers_take_no_time(part: str, suffix: str) -> None:
    """200 kB of what opens something are read or refused in under 2 s; no pattern runs over them again and again."""
    start = time.process_time()
    with suppress(SourceError):
        read_prompts(SourceText(f"p{suffix}", "{{ x.y }}\n" + part * (200_000 // len(part))), Shelf({}))

    assert time.process_time() - start < 2


def test_a_folder_takes_every_format() -> None:
    """The suffixes that a walk looks for are those that the plug-ins read."""
    assert {Path(syntax.path).suffix for syntax in SYNTAXES} <= sources.SUFFIXES
