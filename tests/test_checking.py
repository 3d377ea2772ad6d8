"""The check pipeline: files in, report out, nothing hidden and nothing opened that was not asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from radixlint.api import checking, file_findings
from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings, load_settings
from radixlint.errors import ConfigError, RadixlintError
from radixlint.prompt import Lifetime
from radixlint.result.finding import CheckReport, Severity
from radixlint.sources import SUFFIXES, source_plugins

RULES = "Answer in one sentence. Never invent a number. Quote the text you rely on, word for word, in quotation marks. " * 6
CLOCK = "It is {{ now() }}.\n" + RULES
TENANT = "For {{ customer }}.\n" + RULES
BROKEN = "{% if x %}\n" + RULES


def _write(root: Path, **texts: str) -> None:
    for name, text in texts.items():
        (root / f"{name}.j2").write_text(text, encoding="utf-8")


def _check(root: Path, *arguments: str, **changes: object) -> CheckReport:
    options = {"arguments": arguments or (".",), "settings": Settings(), "start": root, **changes}
    return check_paths(CheckOptions(**options))  # type: ignore[arg-type]


def _rules(report: CheckReport) -> list[tuple[str, str]]:
    return [(finding.span.path, finding.rule) for finding in report.findings]


def test_findings_of_all_files_in_order(tmp_path: Path) -> None:
    """Every prompt file of the folder is checked; findings come by path; lost tokens are counted."""
    _write(tmp_path, b=CLOCK, a=CLOCK, c=RULES)

    report = _check(tmp_path)

    assert _rules(report) == [("a.j2", "RL201"), ("b.j2", "RL201")]
    assert (report.files, report.prompts, report.suppressed, report.skipped) == (3, 3, 0, ())
    assert {finding.lost_tokens for finding in report.findings} == {report.findings[0].lost_tokens}
    assert report.findings[0].lost_tokens > 100


def test_a_file_that_does_not_parse_is_a_finding_and_the_others_go_on(tmp_path: Path) -> None:
    """RL001 stands beside the findings of other files."""
    _write(tmp_path, a=BROKEN, b=CLOCK)

    report = _check(tmp_path)

    assert _rules(report) == [("a.j2", "RL001"), ("b.j2", "RL201")]
    assert report.findings[0].severity is Severity.ERROR


def test_parse_errors_are_reported_under_any_selection_unless_ignored(tmp_path: Path) -> None:
    """--select of another rule keeps RL001; ignoring it leaves a note that the file was not checked."""
    _write(tmp_path, a=BROKEN)

    assert _rules(_check(tmp_path, select=("RL201",))) == [("a.j2", "RL001")]
    ignored = _check(tmp_path, ignore=("RL001",))
    assert ignored.findings == ()
    assert "does not parse" in ignored.skipped[0].reason


def test_bytes_that_are_not_text_are_a_parse_error_of_a_prompt(tmp_path: Path) -> None:
    """A template with a byte that is not UTF-8 is RL001 at that byte."""
    (tmp_path / "a.j2").write_bytes(b"ab\n \xff {{ x }}")

    finding = _check(tmp_path).findings[0]

    assert (finding.rule, finding.span.line, finding.span.column) == ("RL001", 2, 2)
    assert "UTF-8" in finding.message


def test_suppressed_findings_are_counted(tmp_path: Path) -> None:
    """A comment takes its finding out of the report and into the count, also for a file that does not parse."""
    _write(tmp_path, a=CLOCK.replace("\n", " {# radixlint: ignore[RL201] #}\n", 1), b="{# radixlint: ignore-file #}\n" + BROKEN)

    report = _check(tmp_path)

    assert (report.findings, report.suppressed) == ((), 2)


def test_select_replaces_and_ignore_adds(tmp_path: Path) -> None:
    """The command line's selection replaces the file's selection and ignores; its ignores come on top."""
    _write(tmp_path, a=CLOCK)
    settings = Settings(ignore=("RL201",))

    assert _rules(_check(tmp_path, settings=settings)) == []
    assert _rules(_check(tmp_path, settings=settings, select=("RL2",))) == [("a.j2", "RL201")]
    assert _rules(_check(tmp_path, ignore=("volatile-time-before-static",))) == []


def test_unknown_rules_name_their_place(tmp_path: Path) -> None:
    """A wrong code in the config file is told with file and key, one on the command line without."""
    _write(tmp_path, a=CLOCK)

    with pytest.raises(ConfigError) as caught:
        _check(tmp_path, settings=Settings(ignore=("RL99",), source="radixlint.toml"))
    assert caught.value.where == "radixlint.toml: ignore"
    with pytest.raises(ConfigError) as caught:
        _check(tmp_path, select=("RL99",))
    assert caught.value.where is None


def test_variables_of_the_settings_decide_lifetimes(tmp_path: Path) -> None:
    """A variable declared per tenant is RL951, the same one declared static is silent."""
    _write(tmp_path, a=TENANT)

    assert ("a.j2", "RL951") in _rules(_check(tmp_path, settings=Settings(variables={"customer": Lifetime.TENANT})))
    assert _rules(_check(tmp_path, settings=Settings(variables={"customer": Lifetime.STATIC}))) == []


def test_excludes_of_a_config_file_are_relative_to_it(tmp_path: Path) -> None:
    """A glob in a config file above the current folder is matched from the config file's folder."""
    (tmp_path / "sub").mkdir()
    _write(tmp_path / "sub", a=CLOCK, b=CLOCK)
    (tmp_path / "radixlint.toml").write_text('exclude = ["sub/a.j2"]\n', encoding="utf-8")
    settings = load_settings(tmp_path / "sub")

    assert _rules(_check(tmp_path / "sub", settings=settings)) == [("b.j2", "RL201")]
    assert _rules(_check(tmp_path / "sub", settings=settings, exclude=("b.j2",))) == []


def test_stdin_is_read_once_under_its_name(tmp_path: Path) -> None:
    """Two dashes read standard input once; the given name decides format and path."""
    calls: list[int] = []

    def read(most_bytes: int) -> bytes:
        calls.append(most_bytes)
        return CLOCK.encode()

    report = _check(tmp_path, "-", "-", read_stdin=read, stdin_name="x/y.j2")

    assert (_rules(report), len(calls)) == ([("x/y.j2", "RL201")], 1)


def test_unknown_files_are_told_only_if_named(tmp_path: Path) -> None:
    """A file that is no prompt is passed over in silence when walking, and skipped with a reason when named."""
    (tmp_path / "x.rb").write_text("print()", encoding="utf-8")
    (tmp_path / "package.json").write_text('{"name": "x", "version": "1"}', encoding="utf-8")

    assert _check(tmp_path).skipped == ()
    named = _check(tmp_path, "x.rb", "package.json").skipped
    assert [(item.path, item.is_fault) for item in named] == [("package.json", True), ("x.rb", True)]
    of_json = [plugin.NAME for plugin in source_plugins() if ".json" in plugin.SUFFIXES]
    assert all(name in named[0].reason for name in of_json)
    assert all(suffix in named[1].reason for suffix in SUFFIXES)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.yaml", "system: Be brief.\nuser: '{{ question }}'\n"),
        ("a.yaml", "prompts:\n  greet:\n    template: 'Hello {{ user.name }}'\n"),
    ],
)
def test_layouts_that_are_not_read_are_no_clean_prompts(tmp_path: Path, name: str, text: str) -> None:
    """Prompts in a layout that no reader knows are told as unknown when named, and never counted as checked."""
    (tmp_path / name).write_text(text, encoding="utf-8")
    report = _check(tmp_path, name)

    assert (report.files, report.prompts) == (0, 0)
    assert "not a prompt file that radixlint knows" in report.skipped[0].reason


def test_idle_suppressions_are_told(tmp_path: Path) -> None:
    """A comment that suppresses nothing is RL002; in a file that does not parse none is judged."""
    _write(tmp_path, a=RULES + "\n{# radixlint: ignore[RL201] #}\n", b="{# radixlint: ignore[RL201] #}\n" + BROKEN)

    assert _rules(_check(tmp_path)) == [("a.j2", "RL002"), ("b.j2", "RL001")]


def test_a_suppression_is_judged_only_if_its_rules_ran(tmp_path: Path) -> None:
    """Under a selection, a comment for another rule is no RL002, nor is one for all rules; a broken one is a note then."""
    _write(tmp_path, a=RULES + "\n{# radixlint: ignore[RL201] #}\n{# radixlint: ignore #}\n{# radixlint: ignore[RL77] #}\n")

    whole = _check(tmp_path)
    part = _check(tmp_path, select=("RL1", "RL002"))

    assert [(f.rule, f.span.line) for f in whole.findings] == [("RL002", 2), ("RL002", 3), ("RL004", 4)]
    assert part.findings == ()
    assert whole.notes == ()
    assert [note.partition(" (")[0] for note in part.notes] == ["a.j2:4: in a suppression: unknown rule 'RL77'"]


def test_unreadable_file_ends_the_run_if_named_and_is_skipped_if_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No permission is exit 2 for a named file, a note for a walked one."""
    _write(tmp_path, a=CLOCK)

    def refuse(path: Path, shown: str) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(checking, "read_file", refuse)

    assert _check(tmp_path).skipped[0].reason == "cannot be read: permission denied"
    with pytest.raises(RadixlintError, match=r"^a\.j2: cannot be read: permission denied"):
        _check(tmp_path, "a.j2")


def test_includes_stay_in_the_folders_checked(tmp_path: Path) -> None:
    """A clock in an included file is found; an include that climbs out is noted and not opened."""
    (tmp_path / "in").mkdir()
    (tmp_path / "secret.j2").write_text("{{ now() }}", encoding="utf-8")
    _write(
        tmp_path / "in", head="{{ now() }}\n", main="{% include 'head.j2' %}" + RULES, out="{% include '../secret.j2' %}" + RULES
    )

    report = _check(tmp_path / "in", "main.j2", "out.j2")

    assert _rules(report) == [("main.j2", "RL201"), ("out.j2", "RL003")]
    assert report.findings[1].message == "Include of '../secret.j2' refused: it leaves the folders checked, read without it"
    assert report.notes == ()
    left_out = _check(tmp_path / "in", "out.j2", ignore=("RL003",)).notes
    assert left_out == ("out.j2: line 1: include of '../secret.j2' refused: it leaves the folders checked, read without it",)


def test_a_crash_in_a_rule_is_not_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception that is not about the input reaches the caller."""
    _write(tmp_path, a=CLOCK)
    monkeypatch.setattr(file_findings, "lint_prompt", lambda *args: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        _check(tmp_path)


def test_no_vocabulary_is_opened_without_a_prompt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder without prompts costs no tokenizer."""
    monkeypatch.setattr(file_findings, "open_tokenizer", lambda name: pytest.fail("opened"))

    assert _check(tmp_path).files == 0


@pytest.mark.parametrize(
    ("name", "text", "place"), [("x.json", "{\n", (2, 1)), ("x.json", '{"a" 1}', (1, 6)), ("x.yaml", "a: [1\nb: 2\n", (2, 2))]
)
def test_a_named_file_that_does_not_parse_at_all_is_a_finding(
    tmp_path: Path, name: str, text: str, place: tuple[int, int]
) -> None:
    """Named, a broken JSON or YAML file is RL001 at the broken place; in a folder, without a sign of a prompt, it is silent."""
    (tmp_path / name).write_text(text, encoding="utf-8")

    report = _check(tmp_path, name)

    assert _rules(report) == [(name, "RL001")]
    assert (report.findings[0].span.line, report.findings[0].span.column) == place
    assert _check(tmp_path).findings == ()


def test_broken_json_on_standard_input_is_a_finding(tmp_path: Path) -> None:
    """Text given on standard input counts as a named file."""
    report = _check(tmp_path, "-", stdin_name="x.json", read_stdin=lambda most_bytes: b"{\n")

    assert _rules(report) == [("x.json", "RL001")]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("tsconfig.json", '{\n  // strict\n  "strict": true,\n}'),
        ("commas.json", '{\n "a": [1, 2,],\n}'),
        ("notes.json", '{"a": "x, // no", /* t */ "b": {"c": true} } // end\n'),
        ("cookiecutter.json", '{"n": {{ x }}}'),
        ("rows.json", '{"a": 1}\n{"a": 2}\n'),
        ("empty.json", ""),
        ("deep.json", "[" * 200 + "]" * 200),
        ("chart.yaml", "{{ if .x }}\na: {{ .y }}\n"),
        ("alias.yaml", "a: &x 1\nb: *x\n"),
    ],
)
def test_a_named_file_of_another_format_is_passed_over(tmp_path: Path, name: str, text: str) -> None:
    """JSON with comments, one value a line, a template of YAML, an alias: not ours, and not broken."""
    (tmp_path / name).write_text(text, encoding="utf-8")

    report = _check(tmp_path, name)

    assert (report.findings, [skip.path for skip in report.skipped]) == ((), [name])
