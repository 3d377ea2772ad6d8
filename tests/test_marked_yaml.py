"""Strict YAML: plain values with their lines, every trap of the format refused by name, in no time."""

from __future__ import annotations

import itertools
import time

import pytest

from radixlint.marked_yaml import MAX_DEPTH, MarkedYamlError, read_marked_yaml

_NAMES = "abcdefghi"
BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{name}: &{name} [{','.join(['*' + before] * 9)}]\n" for before, name in itertools.pairwise(_NAMES)
)


def _refusal(text: str) -> MarkedYamlError:
    with pytest.raises(MarkedYamlError) as caught:
        read_marked_yaml(text)
    return caught.value


def test_values_and_places() -> None:
    """Keys and items know their line and column; text, numbers, truth values, null and blocks are read."""
    found = read_marked_yaml("a: 1\nb:\n  - x\n  - {c: no, d: ~}\ne: |\n  two\n  lines\n")

    assert found.value == {"a": 1, "b": ["x", {"c": False, "d": None}], "e": "two\nlines\n"}
    assert found.place(("b",)) == (2, 1)
    assert found.place(("b", 1, "d")) == (4, 13)
    assert found.place(("b", 1, "no", "such")) == (4, 5)


def test_an_empty_text_holds_nothing() -> None:
    """No document is no value."""
    assert read_marked_yaml("# only a comment\n").value is None


@pytest.mark.parametrize(
    ("text", "place", "word"),
    [
        (BOMB, (1, 4), "anchors"),
        ("a: 1\nb: *a\n", (2, 4), "aliases"),
        ("x:\n- !!python/object/apply:os.system ['touch X']\n", (2, 3), "!!python/object/apply:os.system"),
        ("a: !Secret x\n", (1, 4), "!Secret"),
        ("a: 1\nb: 2\na: 3\n", (3, 1), "first on line 1"),
        ("- a\n---\nb: 1\n", (2, 1), "second document"),
        ("a:\n\tb: 1\n", (2, 1), "not valid YAML"),
        ("[a]: 1\n", (1, 1), "must be text"),
        ("a: " + "- " * (MAX_DEPTH + 5) + "x\n", (1, 4), "not valid YAML"),
        ("a:\n" + "".join(f"{' ' * i}-\n" for i in range(MAX_DEPTH + 5)), (MAX_DEPTH + 1, MAX_DEPTH), "deeply"),
        ("a: b\0\n", (1, 1), "not valid YAML"),
    ],
)  # fmt: skip
def test_traps_are_refused_with_their_place(text: str, place: tuple[int, int], word: str) -> None:
    """Aliases, tags, repeated keys, more documents, depth and broken text name line and column."""
    error = _refusal(text)

    assert (error.line, error.column) == place
    assert word in str(error)


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("016", "is 14, an octal number"),
        ("12:30:45", "base 60"),
        ("2026-11-29", "is a date"),
        ("1e3", "write 1000"),
        ("3.10", "the number 3.1"),
    ],
)
def test_words_that_yaml_reads_otherwise_are_told_with_what_to_write(word: str, told: str) -> None:
    """A plain word that is a trap is refused; the same in quotation marks is text."""
    message = str(_refusal(f"a: x\nb: {word}\n"))

    assert told in message
    assert f'write "{word}"' in message or f'or "{word}"' in message
    assert read_marked_yaml(f'b: "{word}"\n').value == {"b": word}


def test_all_such_words_are_told_at_once() -> None:
    """The first gives the place, the others their lines, a key that is a number among them."""
    error = _refusal("a: on\nb: 1e3\n1: x\nc: 016\n")

    assert error.line == 2
    assert 'line 3: the key `1` is not text to YAML: write "1"' in str(error)
    assert "line 4: `016`" in str(error)


@pytest.mark.parametrize(
    "text", [BOMB, "rules: " + "[" * 5000 + "]" * 5000, "a: " + "9" * 100_000], ids=["bomb", "deep", "number"]
)
def test_nothing_takes_long(text: str) -> None:
    """What would grow, nest or compute without end is refused in well under a second."""
    start = time.perf_counter()
    _refusal(text)

    assert time.perf_counter() - start < 1
