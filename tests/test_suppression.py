"""Suppression comments: every syntax, every reach, read from source text that need not parse."""

from __future__ import annotations

import pytest

from radixlint.errors import ConfigError
from radixlint.files.suppression import Suppressions, read_suppressions
from radixlint.prompt import Confidence, SourceText, Span
from radixlint.result.finding import Finding, Severity

CODES = {"RL101": "dynamic-before-static", "RL201": "volatile-time-before-static", "RL202": "volatile-id-before-static"}


def _resolve(word: str) -> frozenset[str]:
    found = frozenset(code for code, name in CODES.items() if code.startswith(word) or name == word)
    if not found:
        raise ConfigError(f"unknown rule {word!r}", hint="did you mean RL201?")
    return found


def _read(text: str, path: str = "a.j2") -> Suppressions:
    return read_suppressions(SourceText(path, text), _resolve)


def _finding(line: int, rule: str = "RL201", end_line: int | None = None) -> Finding:
    span = Span("a.j2", line, 1, end_line or line, 5)
    return Finding(rule, CODES[rule], span, Severity.ERROR, Confidence.HIGH, None, 0, "m", "h")


@pytest.mark.parametrize(
    "comment",
    [
        "# radixlint: ignore[RL201]",
        "// radixlint: ignore[RL201]",
        "{# radixlint: ignore[RL201] #}",
        "{#- radixlint: ignore[RL201] -#}",
        "{{!-- radixlint: ignore[RL201] --}}",
        "{{~!-- radixlint: ignore[RL201] --~}}",
        "{{! radixlint: ignore[RL201] }}",
        "{{- /* radixlint: ignore[RL201] */ -}}",
        "/* radixlint: ignore[RL201] */",
        "/// radixlint: ignore[RL201]",
        "## radixlint: ignore[RL201]",
        "{% comment %} radixlint: ignore[RL201] {% endcomment %}",
        "{%- comment -%}radixlint: ignore[RL201]{%- endcomment -%}",
        "{% # radixlint: ignore[RL201] %}",
        "{{/* radixlint: ignore[RL201] */}}",
        "<!-- radixlint: ignore[RL201] the clock is wanted -->",
        "{#radixlint:ignore[ RL201 , RL101 ]#}",
    ],
)
def test_every_comment_syntax_covers_its_line(comment: str) -> None:
    """A comment at the end of a line suppresses the named rule on that line, and nothing else."""
    found = _read(f"a\n{{{{ now() }}}} {comment}\nb")

    assert found.covers(_finding(2))
    assert not found.covers(_finding(1))
    assert not found.covers(_finding(3))
    assert not found.covers(_finding(2, "RL202"))


@pytest.mark.parametrize(("selector", "covered"), [("RL2", True), ("volatile-time-before-static", True), ("RL101", False)])
def test_selectors(selector: str, covered: bool) -> None:
    """Codes, names and prefixes are accepted as on the command line."""
    assert _read(f"{{{{ now() }}}} {{# radixlint: ignore[{selector}] #}}").covers(_finding(1)) is covered


def test_without_a_list_all_rules_are_meant() -> None:
    """A bare ignore covers every rule on its line."""
    found = _read("x {# radixlint: ignore #}")

    assert all(found.covers(_finding(1, rule)) for rule in CODES)


def test_next_line_passes_over_blank_lines_and_other_directives() -> None:
    """ignore-next reaches the next line that holds something; two of them may stand above one line."""
    found = _read("{# radixlint: ignore-next[RL201] #}\n\n{# radixlint: ignore-next[RL101] #}\n{{ now() }}\n{{ now() }}")

    assert found.covers(_finding(4, "RL201"))
    assert found.covers(_finding(4, "RL101"))
    assert not found.covers(_finding(5, "RL201"))
    assert not found.covers(_finding(1, "RL201"))


def test_file_directive_covers_the_file() -> None:
    """ignore-file covers every line, before and after it."""
    found = _read("a\nb\n<!-- radixlint: ignore-file[RL2] -->\nc", "a.md")

    assert all(found.covers(_finding(line)) for line in (1, 3, 400))
    assert not found.covers(_finding(1, "RL101"))


def test_a_finding_over_several_lines_is_covered_at_either_end() -> None:
    """A tag that spans lines can be silenced on its first or its last line."""
    assert _read("{{ now(\n) }} {# radixlint: ignore #}").covers(_finding(1, end_line=2))


def test_a_comment_over_several_lines_covers_all_of_them() -> None:
    """The lines of the comment are one place; ignore-next counts from its end."""
    assert _read("{{ now() }} {# radixlint: ignore[RL201]\nbecause #}").covers(_finding(1))
    assert _read("{# radixlint: ignore-next[RL201]\nbecause\n#}\n{{ now() }}").covers(_finding(4))


def test_works_in_text_that_does_not_parse() -> None:
    """The text is never parsed: an open tag around the comment does not matter."""
    assert _read("{% if {{ \n{# radixlint: ignore-file[RL201] #}").covers(_finding(1))


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("see http://radixlint: ignore", "a.md"),
        ("x# radixlint: ignore", "a.j2"),
        ("# radixlint: ignore-nothing", "a.j2"),
        ("radixlint: ignore", "a.j2"),
        ('{"content": "\n# radixlint: ignore\n"}', "a.json"),
        ("{# radixlint: ignored #}", "a.j2"),
    ],
)
def test_what_is_no_suppression(text: str, path: str) -> None:
    """Prose, other words, glued marks, and line comments in JSON suppress nothing."""
    assert _read(text, path).directives == ()


def _advice(found: Suppressions, findings: list[Finding], run: set[str]) -> list[tuple[int, str]]:
    return [(d.span.line, d.written + d.advice(findings)) for d in found.idle(findings, run, set(CODES))]


def test_unknown_code_is_a_mistake_and_the_known_ones_count() -> None:
    """A wrong code in a list is told with its place and the nearest code, and does not widen the suppression."""
    found = _read("\n{{ now() }} {# radixlint: ignore[RL101,RL999] #}")

    assert found.mistakes == ((Span("a.j2", 2, 16, 2, 46), "unknown rule 'RL999' (did you mean RL201?)"),)
    assert found.covers(_finding(2, "RL101"))
    assert not found.covers(_finding(2, "RL201"))


def test_open_bracket_suppresses_nothing() -> None:
    """A list that is never closed is told, and is not taken for a bare ignore."""
    found = _read("{{ now() }} # radixlint: ignore[RL201")

    assert not found.covers(_finding(1))
    assert "closing bracket" in found.mistakes[0][1]


def test_what_suppresses_nothing_is_told() -> None:
    """A comment whose rules all ran and found nothing there is idle; one for a rule that did not run is not judged."""
    found = _read("{{ now() }} {# radixlint: ignore[RL201] #}\nx {# radixlint: ignore[RL202] #}\ny {# radixlint: ignore #}")

    assert _advice(found, [_finding(1)], set(CODES)) == [(2, "ignore[RL202]"), (3, "ignore")]
    assert _advice(found, [_finding(1)], {"RL201"}) == []


def test_a_comment_alone_above_its_finding_is_told_the_right_verb() -> None:
    """A comment for its own line only, with nothing else on it, above a finding of its rule, is told ignore-next."""
    alone = _read("a\n{# radixlint: ignore[RL201] #}\n\n{{ now() }}")
    told = "ignore[RL201] on its own line; for line 4 write `ignore-next[RL201]`"

    assert not alone.covers(_finding(4))
    assert _advice(alone, [_finding(4)], set(CODES)) == [(2, told)]
    assert _advice(alone, [_finding(4, "RL202")], set(CODES)) == [(2, "ignore[RL201]")]
    used = _read("{# radixlint: ignore-next[RL201] #}\n{{ now() }}")
    assert _advice(used, [_finding(2)], set(CODES)) == []


def test_comments_of_the_users_own_delimiters() -> None:
    """Where the settings name other delimiters, their comments count too."""
    source = SourceText("a.j2", "[[ now() ]] [# radixlint: ignore[RL201] #]")

    assert read_suppressions(source, _resolve, ("[#", "#]")).covers(_finding(1))
    assert not read_suppressions(source, _resolve).covers(_finding(1))
