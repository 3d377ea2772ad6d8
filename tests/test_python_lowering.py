"""Laws of lowering Python: every node and every character of a text stands where the source says."""

from __future__ import annotations

import ast
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import pytest
from lowered_nodes import lowered, nodes_in, one
from random_python import RandomPython

from radixlint.errors import SourceError
from radixlint.flow.program import (
    Call,
    Joined,
    Printed,
    Text,
)


def parts(code: str) -> list[str]:
    """Return the parts of the only f-string, values as written in brackets."""
    joined = one(code, Joined)
    assert isinstance(joined, Joined)
    found = []
    for part in joined.parts:
        if isinstance(part, Text):
            found.append(part.passage.text)
        elif isinstance(part, Printed):
            found.append(f"[{code[part.value.start : part.value.end]}|{part.conversion}|{part.format}]")
    return found


def valid_modules(count: int) -> Iterator[str]:
    """Yield sources that this Python can parse."""
    for seed in range(count):
        code = RandomPython(seed).module()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                ast.parse(code)
        except SyntaxError:
            continue
        yield code


def assert_placed(code: str, text: Text) -> None:
    """Assert that each character of a text has its own place in its literal, and that verbatim ones stand there."""
    passage = text.passage
    places = [passage.offset(index) for index in range(len(passage.text) + 1)]
    assert all(before < after for before, after in pairwise(places)), text
    assert text.start <= places[0]
    assert places[-1] <= text.end
    for character, place in zip(passage.text, places, strict=False):
        assert code[place] == character or code[place] == "\\", (character, code[place])


def test_characters_of_texts_stand_in_their_literals() -> None:
    """Each code point of a text maps to its own place; verbatim ones are equal to the source, others start an escape."""
    seen = 0
    for code in valid_modules(500):
        for node in nodes_in(lowered(code).body):
            if isinstance(node, Text):
                assert_placed(code, node)
                seen += 1
    assert seen > 1500


def test_values_of_literals_are_those_of_the_parser() -> None:
    """The text of a literal without fields is the value that Python gives it."""
    seen = 0
    for code in valid_modules(500):
        module = lowered(code)
        found = Counter(node.passage.text for node in nodes_in(module.body) if isinstance(node, Text))
        tree = ast.parse(code)
        in_fields = {id(x) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for x in ast.walk(node)}
        for node in ast.walk(tree):
            if not isinstance(node, ast.Constant) or id(node) in in_fields:
                continue
            # An annotation in quotes is no text of the program.
            if isinstance(node.value, str) and node.value != "list[str]":
                assert found[node.value], (code, node.value)
                seen += 1
    assert seen > 500


def test_fields_of_f_strings_are_those_of_the_parser() -> None:
    """The value that a field prints stands at the source of the same expression, whatever place the parser gives it."""
    seen = 0
    for code in valid_modules(500):
        found = Counter(
            ast.dump(ast.parse(f"({code[node.value.start : node.value.end]})", mode="eval").body)
            for node in nodes_in(lowered(code).body)
            if isinstance(node, Printed)
        )
        wanted: Counter[str] = Counter()
        for tree in ast.walk(ast.parse(code)):
            if isinstance(tree, ast.JoinedStr):
                wanted.update(ast.dump(part.value) for part in tree.values if isinstance(part, ast.FormattedValue))
        widths = ast.dump(ast.parse("width", mode="eval").body)
        del wanted[widths], found[widths]
        assert found == wanted, code
        seen += found.total()
    assert seen > 300


def test_ranges_are_the_source_of_each_call() -> None:
    """A call outside of f-strings has exactly the range that the parser's own lookup gives."""
    seen = 0
    for code in valid_modules(500):
        tree = ast.parse(code)
        ignored = {id(x) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for x in ast.walk(node)}
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and id(node) not in ignored]
        found = Counter(code[node.start : node.end] for node in nodes_in(lowered(code).body) if isinstance(node, Call))
        wanted = Counter(ast.get_source_segment(code, node) or "" for node in calls)
        assert wanted <= found, code
        seen += len(calls)
    assert seen > 300


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ('f"a{x}b{y!r:>{w}}c"', ["a", "[x||]", "b", "[y|r|>{w}]", "c"]),
        ('f"{{{x}}}"', ["{", "[x||]", "}"]),
        ("f'''\n{a}\n{a}{ b }'''", ["\n", "[a||]", "\n", "[a||]", "[b||]"]),
        ('f"{a = } {a==b}"', ["a = ", "[a|r|]", " ", "[a==b||]"]),
        ("f\"{now:%H:%M} {d['k']}\"", ["[now||%H:%M]", " ", "[d['k']||]"]),
        ('(f"a {x} "\n   "b {y}" f"{x}")', ["a ", "[x||]", " ", "b {y}", "[x||]"]),
        ('f"{(lambda q: q)(1)!s}é{(x)}"', ["[(lambda q: q)(1)|s|]", "é", "[x||]"]),
        ('rf"\\d{x}\\{y}"', ["\\d", "[x||]", "\\", "[y||]"]),
        ('f"\\N{BULLET} {x}\\n"', ["• ", "[x||]", "\n"]),
        ('f"日{x.y.z}日{f(x)}"', ["日", "[x.y.z||]", "日", "[f(x)||]"]),
    ],
)
def test_f_strings_in_parts(code: str, expected: list[str]) -> None:
    """Fixed pieces and fields come in order, each value at the place where it is written in this f-string."""
    assert parts(code) == expected


@pytest.mark.skipif(sys.version_info < (3, 12), reason="Python 3.12 allows the quotes of an f-string in its fields")
def test_f_string_with_its_own_quotes_in_a_field() -> None:
    """A field may hold the quotes around it, a comment, and f-strings again."""
    assert parts('f"a{d["k"]}b"') == ["a", '[d["k"]||]', "b"]
    assert parts('f"{x  # why\n}z"') == ["[x||]", "z"]


def test_a_plain_f_string_is_a_text() -> None:
    """An f-string without fields is fixed text, its doubled braces are single."""
    text = one('f"a {{b}}"', Text)
    assert isinstance(text, Text)
    assert text.passage.text == "a {b}"
    assert [text.passage.offset(i) for i in range(6)] == [2, 3, 4, 6, 7, 9]


def test_halves_of_surrogate_pairs_are_no_characters() -> None:
    """What could not be encoded stands as the replacement character."""
    text = one('"a\\ud800b"', Text)
    assert isinstance(text, Text)
    assert text.passage.text == "a\ufffdb"


@pytest.mark.parametrize(
    ("code", "line", "message"),
    [
        ("x = 1\ndef f(:\n", 2, "not Python 3"),
        ("x = (\n", 1, "not Python 3"),
        ("x = 'a\n", 1, "not Python 3"),
        ("x = 1\n" + "y = " + "(" * 300 + ")" * 300, 2, "too deeply nested"),
        ("a = 1\nx = " + "-" * 100_000 + "1", 2, "too deeply nested"),
        ("a = 1\nx = " + " + ".join(["a"] * 100_000), 2, "too deeply nested"),
        ("x = " + "9" * 5000, 1, "not Python"),
        ("x = 1\ny\0 = 2", 2, "null bytes"),
    ],
)
def test_what_does_not_parse_is_told_with_its_place(code: str, line: int, message: str) -> None:
    """Every way in which the parser fails is an error with a line, never a traceback."""
    with pytest.raises(SourceError, match=message) as caught:
        lowered(code)
    assert caught.value.line == line
    assert caught.value.column >= 1


def test_column_of_a_fault_counts_code_points() -> None:
    """The place of a fault behind wide characters is theirs in code points."""
    with pytest.raises(SourceError) as caught:
        lowered('日本 = "🙂" 5\n')
    assert (caught.value.line, caught.value.column) in ((1, 6), (1, 10))


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="Python 3.14 reads t-strings")
def test_t_strings_need_a_newer_python() -> None:
    """A t-string is told as what it is, with what to do."""
    with pytest.raises(SourceError, match=r"t-strings need Python 3\.14 to be read") as caught:
        lowered('a = 1\nx = t"Hello {name}"\n')
    assert (caught.value.line, caught.value.column) == (2, 5)
    assert caught.value.hint is not None


@pytest.mark.skipif(sys.version_info < (3, 14), reason="t-strings are new in Python 3.14")
def test_t_strings_are_read_as_f_strings() -> None:
    """A t-string has the same parts as an f-string."""
    assert parts('t"Hello {name!r}"') == ["Hello ", "[name|r|]"]
