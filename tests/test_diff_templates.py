"""Two revisions of a template: what static text changed, how long the stable head is, which findings are new or gone."""

from __future__ import annotations

from pathlib import Path

import pytest

from radixlint.api.compare_options import CompareOptions
from radixlint.api.comparing import compare
from radixlint.errors import SourceError
from radixlint.result.pair_comparison import TemplateComparison
from radixlint.tokenizers import open_tokenizer

RULES = "\n".join(f"{i}. Keep answers short, name the source, and never guess a price." for i in range(40))
GOOD = f"You help with orders.\n{RULES}\nQuestion: {{{{ question }}}}\n"
BAD = f"You help with orders.\nNow: {{{{ now() }}}}\n{RULES}\nQuestion: {{{{ question }}}}\n"


def compared(folder: Path, before: str, after: str, suffix: str = ".j2") -> TemplateComparison:
    """Write both revisions and compare them."""
    paths = [folder / f"before{suffix}", folder / f"after{suffix}"]
    for path, text in zip(paths, (before, after), strict=True):
        path.write_text(text, encoding="utf-8")
    found = compare([str(path) for path in paths], CompareOptions(start=folder))
    assert isinstance(found, TemplateComparison)
    return found


def test_a_clock_that_came_in(tmp_path: Path) -> None:
    """The stable head ends at the clock, the finding is new, and the later one is worse."""
    found = compared(tmp_path, GOOD, BAD)
    (prompt,) = found.prompts
    count = open_tokenizer("o200k_base").count

    assert prompt.head_before_tokens == count(GOOD.partition("{{")[0])
    assert prompt.head_after_tokens == count(BAD.partition("{{")[0])
    assert [finding.rule for finding in found.new] == ["RL201"]
    assert (found.gone, found.is_worse) == ((), True)


def test_a_clock_that_went(tmp_path: Path) -> None:
    """The other way round the finding is gone, and nothing is worse."""
    found = compared(tmp_path, BAD, GOOD)

    assert [finding.rule for finding in found.gone] == ["RL201"]
    assert (found.new, found.is_worse) == ((), False)


@pytest.mark.parametrize("text", [GOOD, BAD])
def test_a_template_against_itself(text: str, tmp_path: Path) -> None:
    """Nothing changed, and findings that were there before are no new ones."""
    found = compared(tmp_path, text, text)

    assert (found.new, found.gone, found.is_worse) == ((), (), False)
    assert [prompt.changes for prompt in found.prompts] == [()]


def test_changed_static_text_is_shown_with_its_lines(tmp_path: Path) -> None:
    """A changed line stands with its number, both texts and their tokens; a moved finding is not new."""
    after = BAD.replace("7. Keep answers short", "7. Keep answers very short", 1).replace("You help", "Hello.\nYou help")
    found = compared(tmp_path, BAD, after)
    (prompt,) = found.prompts
    changes = {(one.line_before, one.line_after): one for one in prompt.changes}

    assert found.new == ()
    assert changes[10, 11].before.startswith("7. Keep answers short")
    assert changes[10, 11].after.startswith("7. Keep answers very short")
    assert changes[10, 11].tokens_after > changes[10, 11].tokens_before
    assert any(one.after == "Hello." and one.line_after == 1 for one in prompt.changes)


def test_text_files_are_templates_if_they_are_no_logs(tmp_path: Path) -> None:
    """Markdown and text with fields are compared as templates."""
    found = compared(tmp_path, "Answer {question}\n", "Hello. Answer {question}\n", ".txt")

    assert found.prompts[0].changes


def test_a_file_that_is_neither(tmp_path: Path) -> None:
    """What no reader knows is told with its name."""
    for name in ("one.yaml", "other.yaml"):
        (tmp_path / name).write_text("colour: red\n")

    with pytest.raises(SourceError, match="neither a template nor a log"):
        compare([str(tmp_path / "one.yaml"), str(tmp_path / "other.yaml")], CompareOptions(start=tmp_path))
