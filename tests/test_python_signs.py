"""Code without a trace of a prompt is left early; nothing that could hold one is."""

from __future__ import annotations

from importlib.resources import files

import pytest
import yaml

from radixlint.flow.python_signs import may_hold_prompts


@pytest.mark.parametrize(
    "code",
    [
        "def build_prompt(x): return x",
        "def system_text(): ...",
        "x = [{'role': 'user'}]",
        "client.responses.create(input=x)",
        "lines.append('You must answer guests of a small hotel.')\n" * 6,
        "x = dedent(\n    '''\n" + "Answer in a few plain words.\n" * 8 + "    ''')",
        "x = {'k':\n    '''" + "Answer in a few plain words.\n" * 8 + "'''}",
    ],
)
def test_traces_of_prompts(code: str) -> None:
    """Words of prompts anywhere and sentences in literals are traces."""
    assert may_hold_prompts(code)


@pytest.mark.parametrize(
    "code",
    [
        "import contextlib\n@contextlib.contextmanager\ndef f(): yield",
        "import os\nos.system('ls')\nroot = filesystem.root",
        "def f(x):\n    '''" + "Return the sum of all values.\n" * 20 + "'''\n    return x",
        "# " + "Answer in a few plain words. " * 20,
        "raise ValueError('the value of the number is too great here')\n" * 20,
        "log.info('the value of the number is too great here')\n" * 20,
        "import itertools, functools\nheaders = {'User-Agent': personal}",
        "x = 'The sum of all values that were read from the file and the name of the file.'\n" * 4,
        "class A(models.Model):\n    name = CharField()",
    ],
)
def test_other_code_has_no_trace(code: str) -> None:
    """Docstrings, comments, what is logged or raised, and other senses of the words are none."""
    assert not may_hold_prompts(code)


def test_every_call_that_sends_a_prompt_is_a_trace() -> None:
    """A call of the table, in a file that imports its library, is a word that is looked for; a post names the API."""
    sinks = yaml.safe_load(files("radixlint.flow").joinpath("sinks.yaml").read_text(encoding="utf-8"))["sinks"]
    of_python = [sink for sink in sinks if not sink.get("is_post") and not sink["name"].startswith("Vercel")]
    assert len(of_python) > 20
    for sink in of_python:
        for call in sink["calls"]:
            for library in sink.get("libraries", ("",)):
                assert may_hold_prompts(f"import {library}\n{call}({', '.join(map(str, sink['needs']))})"), (sink["name"], call)
