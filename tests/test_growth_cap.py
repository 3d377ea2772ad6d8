"""A template that repeats itself is given up early; one that is only long is read whole."""

from __future__ import annotations

from pathlib import Path

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings
from radixlint.prompt import SourceText
from radixlint.result.finding import CheckReport
from radixlint.sources import read_prompts

LINES = 20_000


class Doubling:
    """Files that include the next one twice; counts how often one is opened."""

    def __init__(self, depth: int) -> None:
        self.texts = {f"i{i}.j2": f"{{% include 'i{i + 1}.j2' %}}text " * 2 for i in range(depth)}
        self.texts[f"i{depth}.j2"] = "{{ now() }} x"
        self.opened: list[tuple[str, str]] = []

    def open(self, name: str, from_path: str) -> SourceText | None:
        self.opened.append((name, from_path))
        return SourceText(name, self.texts[name])


def _check(root: Path, text: str) -> CheckReport:
    (root / "a.j2").write_text(text, encoding="utf-8")
    return check_paths(CheckOptions(("a.j2",), Settings(), root))


def test_a_file_is_looked_for_once_by_each_that_includes_it() -> None:
    """Including a file twice opens it once: looking for it costs more than walking it."""
    files = Doubling(6)

    found = read_prompts(SourceText("i0.j2", files.texts["i0.j2"]), files)

    assert found is not None
    assert len(found.prompts[0].segments) > 2**6
    assert len(files.opened) == len(set(files.opened)) == 6


def test_growth_counts_and_length_does_not(tmp_path: Path) -> None:
    """A long file of its own is checked; one that is short but grows as much by a macro is not."""
    long = "\n".join(f"text number {i} {{{{ v{i} }}}}" for i in range(LINES))
    body = "{% for x in xs %}" + "text {{ v }} " * 100 + "{% endfor %}"
    grown = "{% macro m() %}" + body + "{% endmacro %}" + "{{ m() }}" * (LINES // 100)

    assert [finding.rule for finding in _check(tmp_path, long).findings] == ["RL101"]
    assert [finding.rule for finding in _check(tmp_path, grown).findings] == ["RL001"]


def test_tests_on_unknown_names_are_one_guess(tmp_path: Path) -> None:
    """Of many conditions that nothing is known about the first is reported, with the number of the others."""
    tests = "\n".join(f"{{% if a{i} %}}text number {i}{{% endif %}}" for i in range(40))
    known = "{% if user.is_staff %}You may name shelf numbers.{% endif %}"
    rules = "Answer in one sentence. Never invent a number. " * 20

    report = _check(tmp_path, f"{tests}\n{known}\n{rules}")

    assert [(f.rule, f.span.line, f.severity) for f in report.findings] == [("RL104", 1, "info"), ("RL104", 41, "warning")]
    assert "39 more" in report.findings[0].message
