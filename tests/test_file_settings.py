"""Settings for some files: rules left out, lifetimes, delimiters, sizes, and one user or tenant for all."""

from __future__ import annotations

from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import settings_of
from radixlint.errors import ConfigError
from radixlint.result.finding import CheckReport

RULES = ("Answer in one sentence. Never invent a number. Quote the text you rely on, word for word. " * 6).strip()
CLOCK = f"It is {{{{ now() }}}}.\n{RULES}\n"
USER = f"For {{{{ user_name }}}}.\n{RULES}\n"
TENANT = f"For {{{{ tenant }}}}.\n{RULES}\n"


def _check(root: Path, config: str, **changes: object) -> CheckReport:
    options = {"arguments": (".",), "settings": settings_of(config, "radixlint.toml"), "start": root, **changes}
    return check_paths(CheckOptions(**options))  # type: ignore[arg-type]


def _rules(root: Path, config: str = "", **changes: object) -> list[tuple[str, str]]:
    return [(f.span.path, f.rule) for f in _check(root, config, **changes).findings if f.severity != "info"]


def _write(root: Path, **texts: str) -> None:
    for name, text in texts.items():
        path = root / f"{name.replace('__', '/')}.j2"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder that is the current one, which globs of settings without a file are relative to."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_per_file_ignores(root: Path) -> None:
    """Selectors are left out in the files of their glob, whatever the command line selects, and nowhere else."""
    _write(root, a=CLOCK, drafts__a=CLOCK)
    config = 'per-file-ignores = {"drafts/**" = ["volatile-time-before-static"]}\n'

    assert _rules(root, config) == [("a.j2", "RL201")]
    assert _rules(root, config, select=("RL201",)) == [("a.j2", "RL201")]


def test_per_file_ignores_of_files_that_do_not_parse(root: Path) -> None:
    """Where RL001 is left out, a file that does not parse is told as skipped, never as clean."""
    _write(root, drafts__a="{% if x %}")
    report = _check(root, 'per-file-ignores = {"drafts/**" = ["RL001"]}\n')

    assert report.findings == ()
    assert "does not parse" in report.skipped[0].reason


def test_a_suppression_is_not_judged_where_its_rule_is_left_out(root: Path) -> None:
    """A comment for a rule that the settings leave out in a file is no unused one."""
    _write(root, a=f"{RULES} {{# radixlint: ignore[RL201] #}}\n")

    assert _rules(root) == [("a.j2", "RL002")]
    assert _rules(root, 'per-file-ignores = {"*.j2" = ["RL201"]}\n') == []


def test_unknown_rules_in_settings_name_the_line(root: Path) -> None:
    """A wrong code in a table by glob, or in a rule's settings, is told with the line of its key."""
    _write(root, a=CLOCK)
    for config, place in (
        ('\nper-file-ignores = {"*" = ["RL77"]}\n', "radixlint.toml:2: unknown rule"),
        ("\n\n[rule.RL77]\nmin-tokens = 3\n", "radixlint.toml:3: unknown rule"),
        ("[rule.RL001]\nmin-tokens = 3\n", "radixlint.toml:1: RL001 has no min-tokens"),
        ('select = ["RL77"]\n', "radixlint.toml:1: unknown rule 'RL77'"),
    ):
        with pytest.raises(ConfigError) as caught:
            _check(root, config)
        assert str(caught.value).startswith(place)


def test_lifetimes_of_variables_by_path(root: Path) -> None:
    """A variable is fixed in the files of a glob and varies elsewhere; of two globs the later one counts."""
    _write(root, a=USER, batch__a=USER, batch__live__a=USER)
    config = '[per-file-variables]\n"batch/**" = {user_name = "static"}\n"batch/live/**" = {user_name = "user"}\n'

    assert _rules(root, config) == [("a.j2", "RL101"), ("batch/live/a.j2", "RL101")]


def test_one_user_or_tenant(root: Path) -> None:
    """Where there is one only, its data are fixed text; the other level still varies."""
    _write(root, a=USER, b=TENANT)

    assert _rules(root) == [("a.j2", "RL101"), ("b.j2", "RL951")]
    assert _rules(root, "one-user = true\n") == [("b.j2", "RL951")]
    assert _rules(root, "one-tenant = true\n") == [("a.j2", "RL101")]
    assert _rules(root, "one-user = true\none-tenant = true\n") == []


def test_sizes_of_rules(root: Path) -> None:
    """The tokens from which on a rule reports can be raised, by code or name."""
    _write(root, a=USER)

    assert _rules(root, "rule.RL101.min-tokens = 100\n") == [("a.j2", "RL101")]
    assert _rules(root, "rule.RL101.min-tokens = 1000\n") == []
    assert _rules(root, "rule.dynamic-before-static.min-tokens = 1000\n") == []


def test_delimiters_of_the_settings(root: Path) -> None:
    """Tags, comments and suppressions of one's own delimiters are read; the usual ones are text then."""
    config = 'jinja = {variable-start = "[[", variable-end = "]]", comment-start = "[#", comment-end = "#]"}\n'
    _write(root, a=f"It is [[ now() ]].\n{RULES}\n", b=CLOCK, c=f"[[ now() ]] [# radixlint: ignore #]\n{RULES}\n")

    assert _rules(root, config) == [("a.j2", "RL201")]
    with pytest.raises(ConfigError, match=r"radixlint\.toml:1: two kinds of tags"):
        _check(root, 'jinja = {variable-start = "{%"}\n')


RECORD = '{"model": "m", "messages": [{"role": "user", "content": "hi"}]}\n'


@pytest.mark.parametrize(("name", "text"), [("log.jsonl", RECORD), ("log.json", RECORD * 3), ("big.jsonl", RECORD * 40_000)])
def test_a_request_log_that_is_named_does_not_pass_in_silence(root: Path, name: str, text: str) -> None:
    """A log given to the linter is a fault that names the command for it, whatever its size."""
    (root / name).write_text(text, encoding="utf-8")
    (item,) = _check(root, "", arguments=(name,)).skipped

    assert (item.path, item.is_fault) == (name, True)
    assert item.reason.startswith("this is a request log, not a prompt: `radixlint analyze` reads it")


def test_a_request_log_beside_prompts_is_skipped_with_its_name(root: Path) -> None:
    """Named beside a prompt, a log is told; one request body in a file is no log."""
    _write(root, a=CLOCK)
    (root / "log.jsonl").write_text(RECORD, encoding="utf-8")
    (root / "body.json").write_text(RECORD, encoding="utf-8")
    report = _check(root, "", arguments=("a.j2", "log.jsonl", "body.json"))

    assert [(item.path, "request log" in item.reason) for item in report.skipped] == [("log.jsonl", True)]
    assert report.files == 2
    assert _check(root, "").skipped == ()
