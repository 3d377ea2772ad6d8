"""Fixes in notebooks: the JSON string that holds the line is edited, every other byte stays."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.fixing import fix_paths
from radixlint.config import Settings

RULES = "You answer questions for the city library in short and friendly words. Loans last four weeks and can be renewed twice."
HEAD = f'import json\nfrom datetime import datetime\n\nimport openai\n\nRULES = "{RULES}"\nclient = openai.OpenAI()\n'
SENT = '    return client.responses.create(model="gpt-5-mini", instructions=system, input=question)\n'


def notebook(code: str, *, is_one_string: bool = False, is_ascii: bool = True) -> str:
    """Return a notebook of a cell of commands and one of code, whose output is a program, too."""
    lines: object = code if is_one_string else code.splitlines(keepends=True)
    output = {"output_type": "stream", "name": "stdout", "text": [code]}
    cells = [
        {"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": [], "source": ["%pip install openai\n", "!ls"]},
        {
            "cell_type": "code",
            "execution_count": 2,
            "metadata": {},
            "outputs": [],
            "source": ["%%bash\n", 'echo "{set(topics)}"'],
        },
        {"cell_type": "code", "execution_count": 3, "metadata": {}, "outputs": [output], "source": lines},
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1, ensure_ascii=is_ascii)


def fixed(folder: Path, text: str, *, with_unsafe: bool = False) -> str:
    """Return a notebook after its fixes."""
    (folder / "desk.ipynb").write_text(text, encoding="utf-8")
    fix_paths(CheckOptions(("desk.ipynb",), Settings(jobs=1), folder), with_unsafe=with_unsafe, is_dry=False)
    return (folder / "desk.ipynb").read_text(encoding="utf-8")


CASES = [
    ('    system = ", ".join({"loans", "rooms"}) + RULES\n', '", ".join(sorted({"loans", "rooms"}))'),
    (
        '    system = ", ".join({"l\u00f6an", "r\u00f6om"}) + RULES  # ""\n',
        '", ".join(sorted({"l\u00f6an", "r\u00f6om"}))',
    ),
    ('    system = json.dumps(list({"a\\tb", "c"})) + RULES\n', 'json.dumps(list(sorted({"a\\tb", "c"})))'),
    (
        '    names = set(topics)\n    system = ", ".join(\n        names\n    ) + RULES\n',
        "(\n        sorted(names, key=str)\n    )",
    ),
    ("    system = json.dumps(\n        options,\n        indent=2) + RULES\n", "options,\n        indent=2, sort_keys=True)"),
    ('    system = " ".join(t.upper() for t in {"loans", "rooms"}) + RULES\n', 'for t in sorted({"loans", "rooms"}))'),
]


@pytest.mark.parametrize("is_one_string", [False, True])
@pytest.mark.parametrize("is_ascii", [False, True])
@pytest.mark.parametrize(("line", "written"), CASES)
def test_an_expression_with_quotes_is_sorted(
    line: str, written: str, is_one_string: bool, is_ascii: bool, tmp_path: Path
) -> None:
    """Escaped quotes, tabs and letters ahead of the place count as they stand in the file; nothing else is changed."""
    code = f"{HEAD}\n\ndef ask(question):\n{line}{SENT}"
    before = notebook(code, is_one_string=is_one_string, is_ascii=is_ascii)
    after = fixed(tmp_path, before)
    cell = json.loads(after)["cells"][2]

    assert written in "".join(cell["source"])
    assert cell["outputs"] == json.loads(before)["cells"][2]["outputs"]
    old, new = before.split("\n"), after.split("\n")
    assert sum(a != b for a, b in zip(old, new, strict=True)) == 1
    assert fixed(tmp_path, after) == after


def test_a_format_with_escapes_around_it_loses_its_time(tmp_path: Path) -> None:
    """The format stands between escaped quotes, and its place in the JSON is that of the file."""
    line = '    system = "\\u2026 \u2026" + RULES + datetime.now().strftime("%d %B, %H:%M")\n'
    sent = (
        '    return client.chat.completions.create(model="m", messages=[{"role": "system", "content": system}, '
        '{"role": "user", "content": question}])\n'
    )
    before = notebook(f"{HEAD}\n\ndef ask(question):\n{line}{sent}")
    after = fixed(tmp_path, before, with_unsafe=True)

    assert fixed(tmp_path, before) == before
    assert 'strftime("%d %B")' in "".join(json.loads(after)["cells"][2]["source"])
