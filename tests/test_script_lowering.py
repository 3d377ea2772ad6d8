"""Laws of lowering scripts: every node and every character of a text stands where the source says."""

from __future__ import annotations

import json
import random
from itertools import pairwise

import pytest
from random_script import RandomScript
from script_nodes import lowered, nodes_in

from radixlint.errors import SourceError
from radixlint.flow.program import Joined, Module, Node, Text
from radixlint.flow.script_lowering import read_script
from radixlint.passage import whole
from radixlint.prompt import SourceText

MODULES = [RandomScript(seed).module() for seed in range(400)]


def assert_placed(code: str, text: Text) -> None:
    """Assert that each character of a text has its own place in its literal, and that verbatim ones stand there."""
    passage = text.passage
    places = [passage.offset(index) for index in range(len(passage.text) + 1)]
    assert all(before < after for before, after in pairwise(places)), text
    assert text.start <= places[0]
    assert places[-1] <= text.end
    for character, place in zip(passage.text, places, strict=False):
        assert code[place] == character or code[place] in "\\&\n", (character, code[place])


def test_sources_made_by_chance_parse() -> None:
    """The law tests see real programs: nearly all of the sources parse."""
    faults = [read_script(whole(SourceText("a.tsx", code)), "a.tsx").fault for code in MODULES]
    assert faults.count(None) == len(faults)


def test_characters_of_texts_stand_in_their_literals() -> None:
    """Each code point of a text maps to its own place; others than those of the source come of an escape or entity."""
    seen = 0
    for code in MODULES:
        for node in nodes_in(lowered(code).body):
            if isinstance(node, Text):
                assert_placed(code, node)
                seen += 1
    assert seen > 2000


def test_nodes_lie_in_the_source_and_parts_in_their_template() -> None:
    """Every range is one of the source, and the parts of a template follow each other without overlap."""
    for code in MODULES:
        for node in nodes_in(lowered(code).body):
            assert 0 <= node.start <= node.end <= len(code)
            if isinstance(node, Joined):
                assert all(one.end <= two.start for one, two in pairwise(node.parts))
                assert node.start < node.parts[0].start
                assert node.parts[-1].end < node.end


@pytest.mark.parametrize("is_ascii", [True, False])
def test_values_of_strings_are_those_of_json(is_ascii: bool) -> None:
    """A string of JSON is one of JavaScript with the same characters, pairs of surrogates included."""
    chance = random.Random(7)
    for _ in range(300):
        value = "".join(chance.choice("ab \n\t\"\\/é日🙂\x01'`${}") for _ in range(chance.randint(0, 12)))
        (node,) = [
            n for n in nodes_in(lowered(f"const é = {json.dumps(value, ensure_ascii=is_ascii)};").body) if isinstance(n, Text)
        ]
        assert node.passage.text == value


def outline(module: Module) -> list[tuple[str, str]]:
    """Return each node as its class and source."""
    text = module.passage.text
    return [(type(node).__name__, text[node.start : node.end]) for node in nodes_in(module.body)]


def test_letters_of_other_widths_change_no_range() -> None:
    """With each letter in a comment ahead taking more bytes, all nodes read the same source."""
    for code in MODULES[:100]:
        assert outline(lowered(f"/* e */ {code}")) == outline(lowered(f"/* 🙂é日 */ {code}"))


HOSTILE = {
    "sum": "const prompt = " + " + ".join(["x"] * 20_000) + ";",
    "brackets": "const prompt = " + "[" * 5_000 + "]" * 5_000 + ";",
    "parentheses": "const prompt = " + "(" * 5_000 + "1" + ")" * 5_000 + ";",
    "arrows": "const prompt = " + "() => " * 5_000 + "1",
    "chain": "const prompt = a" + ".b()" * 20_000 + ";",
    "else-if": "if (a) {b()} else " * 5_000 + "{}",
    "ternary": "const prompt = " + "a ? b : " * 20_000 + "c;",
    "templates": "const prompt = " + "`${" * 3_000 + "1" + "}`" * 3_000,
    "elements": "const prompt = " + "<a>" * 3_000 + "</a>" * 3_000,
    "nul": "const prompt = 'a\0b';\0\0",
    "signs": "prompt \x01 ]]]] {{{{ )( " * 1_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_odd_sources_end_in_a_program_or_a_clear_error(name: str) -> None:
    """Depth and length are either followed or refused with a place; nothing else is raised."""
    try:
        found: Module | SourceError = lowered(HOSTILE[name])
    except SourceError as error:
        found = error
    assert isinstance(found, Module) or (found.line >= 1 and found.message)


def test_a_sum_of_many_terms_is_followed() -> None:
    """Length alone is no reason to refuse a file."""
    module = lowered(HOSTILE["sum"])
    depth, node = 0, module.body[0].value  # type: ignore[attr-defined]
    while hasattr(node, "left"):
        depth, node = depth + 1, node.left
    assert depth == 19_999
    assert isinstance(node, Node)
