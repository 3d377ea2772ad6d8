"""Rules as they were read once: the same as read anew, and never older than their files."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from radixlint.catalog import load_rules, rules_folder
from radixlint.catalog.rule_file import read_rule
from radixlint.catalog.rules_as_read import KEPT_NAME, kept_form, kept_in, rule_in
from radixlint.errors import RuleError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with one packaged rule, and the rule as read."""
    path = min(rules_folder().glob("*.yaml"))
    shutil.copy(path, tmp_path)
    (tmp_path / KEPT_NAME).write_bytes(kept_form(tmp_path))
    return tmp_path


def rule_file(folder: Path) -> Path:
    return next(folder.glob("*.yaml"))


def test_kept_rules_are_those_of_the_files() -> None:
    """Run ``python tests/make_kept_rules.py`` if this fails: a rule file was edited since."""
    assert (rules_folder() / KEPT_NAME).read_bytes() == kept_form(rules_folder())


def test_kept_rules_equal_what_reading_gives() -> None:
    """Every packaged rule comes out of the kept form as the reader of rule files makes it, examples and params included."""
    kept = kept_in(rules_folder())

    assert [rule_in(path, kept) for path in sorted(rules_folder().glob("*.yaml"))] == [
        read_rule(path) for path in sorted(rules_folder().glob("*.yaml"))
    ]


def test_unchanged_file_is_not_parsed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file with the bytes it was read from is not parsed again."""
    monkeypatch.setattr("radixlint.catalog.rule_file.read_rule", lambda path: pytest.fail(f"parsed {path}"))

    assert load_rules(folder)[0].id in rule_file(folder).name


def test_edit_of_the_same_size_counts(folder: Path) -> None:
    """A file edited without a change of size is read anew."""
    path = rule_file(folder)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("severity: error", "severity: info "), encoding="utf-8")

    assert path.stat().st_size == len(text.encode())
    assert load_rules(folder)[0].severity == "info"


def test_fault_in_an_edited_file_is_told(folder: Path) -> None:
    """A kept rule hides no fault that came into its file later."""
    with rule_file(folder).open("a", encoding="utf-8") as stream:
        stream.write("wrong_key: 1\n")

    with pytest.raises(RuleError, match="wrong_key"):
        load_rules(folder)


@pytest.mark.parametrize("data", [b"", b"{", b'{"a.yaml": 1}', b"\xff"], ids=["empty", "cut", "other shape", "no text"])
def test_unusable_kept_rules_are_passed_over(folder: Path, data: bytes) -> None:
    """Where the kept form is damaged or of another version, the rule files are read."""
    (folder / KEPT_NAME).write_bytes(data)

    assert load_rules(folder) == (read_rule(rule_file(folder)),)


def test_rule_without_its_file_is_gone(folder: Path) -> None:
    """A kept rule whose file was deleted is no rule."""
    rule_file(folder).unlink()

    with pytest.raises(RuleError, match="no rule file"):
        load_rules(folder)
