"""Notebooks are read as the Python of their code cells, each character at its place in the JSON."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest

from radixlint.errors import SourceError
from radixlint.flow.notebook_cells import Notebook, lower_notebook, read_notebook
from radixlint.flow.program import Assign, Evaluate, Text
from radixlint.passage import Ground
from radixlint.prompt import SourceText


def code(*lines: str) -> dict[str, Any]:
    """Return a code cell of these lines."""
    source = [f"{line}\n" for line in lines[:-1]] + list(lines[-1:])
    return {"cell_type": "code", "metadata": {}, "outputs": [{"text": ["x = 1\n"], "source": "no"}], "source": source}


def written(*cells: dict[str, Any], language: str = "python", **options: Any) -> str:
    """Return a notebook as a file."""
    document = {"cells": list(cells), "metadata": {"language_info": {"name": language}}, "nbformat": 4}
    return json.dumps(document, indent=1, **options)


def read(text: str) -> Notebook:
    """Return the code of a notebook."""
    found = read_notebook(Ground(SourceText("a.ipynb", text)))
    assert found is not None
    return found


def test_code_of_all_code_cells_in_order() -> None:
    """Code cells follow each other, text cells and outputs are left out; a source may be one string."""
    markdown = {"cell_type": "markdown", "metadata": {}, "source": ["# A prompt\n"]}
    last = {"source": "c = 3", "cell_type": "code", "metadata": {}}
    found = read(written(code("a = 1", "b = 2"), markdown, last))
    assert found.passage.text == "a = 1\nb = 2\nc = 3\n"
    assert [found.passage.text[start:end] for start, end in found.cells] == ["a = 1\nb = 2", "c = 3"]


@pytest.mark.parametrize("is_ascii", [True, False])
def test_each_character_maps_to_its_place_in_the_json(is_ascii: bool) -> None:
    """Verbatim characters stand at their place, escaped ones at their backslash."""
    text = written(code('p = "é 🙂\\n"', "\tq"), code("r"), ensure_ascii=is_ascii)
    passage = read(text).passage
    places = [passage.offset(index) for index in range(len(passage.text))]
    assert all(before <= after for before, after in pairwise(places))
    for character, place in zip(passage.text, places, strict=True):
        assert text[place] in (character, "\\", '"')
    assert text[passage.offset(passage.text.index("q"))] == "q"
    assert text[passage.offset(passage.text.index("r"))] == "r"


def test_texts_of_literals_map_to_the_json() -> None:
    """A literal knows its place in the file through both kinds of escapes."""
    text = written(code("x = 1", 'prompt = """Be "terse".\\n', 'Now."""'))
    module, faults = lower_notebook(read(text), "a.ipynb")
    statement = module.body[1]
    assert isinstance(statement, Assign)
    literal = statement.value
    assert isinstance(literal, Text)
    assert not faults
    assert literal.passage.text == 'Be "terse".\n\nNow.'
    line, column = literal.passage.place(literal.passage.text.index("Now"))
    assert text.split("\n")[line - 1][column - 1 :].startswith("Now")
    assert module.passage.text[statement.start :].startswith("prompt")


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("%pip install openai", "a = 1"), "_                  \na = 1\n"),
        (("!ls -l \\", "  *.py", "a = 1"), "_       \n      \na = 1\n"),
        (("files = !ls", "a = 1"), "files = _  \na = 1\n"),
        (("%%bash", "echo $(date)"), "      \n            \n"),
        (("%%time", "a = 1"), "      \na = 1\n"),
        (("client?", "a = 1"), "_      \na = 1\n"),
        (("if a:", "    %matplotlib inline"), "if a:\n    _                 \n"),
        (("a = (b", "     %c)"), "a = (b\n     %c)\n"),
        (('p = """', "!important", '"""', "%time f()"), 'p = """\n!important\n"""\n_        \n'),
        (("a != b", "c = a if b else d"), "a != b\nc = a if b else d\n"),
    ],
)
def test_commands_of_ipython_are_blanked_out(lines: tuple[str, ...], expected: str) -> None:
    """A command leaves an unknown value and blanks of its length; operators and text in literals stay."""
    assert read(written(code(*lines))).passage.text == expected


def test_a_cell_that_does_not_parse_is_told_and_others_go_on() -> None:
    """The fault is at its place in the file, the cells around it are lowered."""
    text = written(code("a = 1"), code("b = ("), code("c"))
    module, faults = lower_notebook(read(text), "a.ipynb")
    assert [type(node) for node in module.body] == [Assign, Evaluate]
    (fault,) = faults
    line, column = fault.line, fault.column
    assert text.split("\n")[line - 1][column - 1 :].startswith("(")


def test_notebooks_of_other_languages_are_left_alone() -> None:
    """Only Python is read; what is no notebook is none."""
    assert read_notebook(Ground(SourceText("a.ipynb", written(code("x"), language="R")))) is None
    assert read_notebook(Ground(SourceText("a.ipynb", "[1]"))) is None


@pytest.mark.parametrize("text", ['{"cells": [', "", '{"a": 1}}', "[" * 100_000])
def test_broken_json_is_an_error_with_a_place(text: str) -> None:
    """A file that is no JSON is told, however it is broken."""
    with pytest.raises(SourceError) as caught:
        read_notebook(Ground(SourceText("a.ipynb", text)))
    assert caught.value.line == 1


def test_old_notebooks_keep_their_cells_in_worksheets() -> None:
    """Format 3 has the source under ``input``, and its cells one level deeper."""
    cell = {"cell_type": "code", "input": ["a = 1"], "language": "python"}
    text = json.dumps({"worksheets": [{"cells": [cell]}], "metadata": {"name": ""}, "nbformat": 3})
    assert read(text).passage.text == "a = 1\n"
