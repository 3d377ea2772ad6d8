"""A late pattern does what a compiled one does, and compiles once, when it is first used."""

from __future__ import annotations

import copy
import pickle
import re

import pytest

from radixlint.late_pattern import late_pattern

WORD, TEXT = r"(\w+)-(\w+)", "one-two three-four"


@pytest.mark.parametrize(
    "arguments", [("match", TEXT), ("search", TEXT), ("fullmatch", "a-b"), ("findall", TEXT), ("split", TEXT)]
)
def test_methods_answer_as_those_of_a_compiled_pattern(arguments: tuple[str, str]) -> None:
    """Each method gives what the compiled pattern's gives."""
    method, text = arguments
    late, compiled = (getattr(pattern, method)(text) for pattern in (late_pattern(WORD), re.compile(WORD)))

    assert getattr(late, "groups", lambda: late)() == getattr(compiled, "groups", lambda: compiled)()


def test_substitution_and_flags() -> None:
    """Flags count, and what is written in place of a match is as usual."""
    assert late_pattern("ONE", re.IGNORECASE).sub("1", TEXT) == "1-two three-four"
    assert [found.group(2) for found in late_pattern(WORD).finditer(TEXT)] == ["two", "four"]
    assert late_pattern(WORD).groups == 2


def test_it_compiles_once_and_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """Naming a pattern compiles nothing; uses of several methods compile it once."""
    asked: list[str] = []
    compiled = re.compile
    monkeypatch.setattr("re.compile", lambda pattern, flags: asked.append(pattern) or compiled(pattern, flags))
    pattern = late_pattern(WORD)
    before = list(asked)
    for method in (pattern.match, pattern.search, pattern.match):
        method(TEXT)

    assert (before, asked) == ([], [WORD])


def test_copies_work() -> None:
    """A pattern, used or not, can be copied and sent to another process."""
    used = late_pattern(WORD)
    used.match(TEXT)
    for pattern in (late_pattern(WORD), used):
        assert copy.deepcopy(pattern).match(TEXT)
        assert pickle.loads(pickle.dumps(pattern)).match(TEXT)


def test_faulty_pattern_is_told_at_first_use() -> None:
    """A pattern that is none raises what ``re.compile`` raises, each time it is used."""
    pattern = late_pattern("(")
    for _ in range(2):
        with pytest.raises(re.error):
            pattern.match("")
