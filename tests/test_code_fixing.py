"""Fixes of programs: what is left to chance is gone when the program runs, and nothing else of the file is touched."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.fixing import fix_paths
from radixlint.config import Settings

RULES = '''RULES = """You answer questions for the city library in short and friendly words.
Loans last four weeks and can be renewed twice unless someone waits."""
'''
SENT = "    return client.responses.create(model='gpt-5-mini', instructions=system, input=question)\n"
# A stand-in for the client: what is sent is printed, byte by byte as the model would read it.
CLIENT = """

class Client:
    class responses:
        @staticmethod
        def create(**request):
            return request["instructions"]
"""
HEAD = f"import json\nimport os\nfrom pathlib import Path\n\nimport openai\n\nclient = openai.OpenAI()\n{RULES}"

BODIES = {
    "set-joined": (
        'TOPICS = {"loans", "rooms", "fines", "maps", "films"}\n\n\ndef ask(question):\n'
        "    system = ', '.join(TOPICS) + RULES  # topics, as they come\n" + SENT,
        "', '.join(sorted(TOPICS))",
    ),
    "set-looped": (
        'TOPICS = {"loans", 7, "fines", "maps", "films"}\n\n\ndef ask(question):\n    lines = []\n'
        "    for topic in TOPICS :\n        lines.append(f'- {topic}')\n    system = '\\n'.join(lines) + RULES\n" + SENT,
        "in sorted(TOPICS, key=str) :",
    ),
    "set-in-json": (
        'TOPICS = {"loans", "rooms", "fines", "maps", "films"}\n\n\ndef ask(question):\n'
        "    system = json.dumps(list( TOPICS ), sort_keys=True) + RULES\n" + SENT,
        "list( sorted(TOPICS) )",
    ),
    "set-in-a-comprehension": (
        'TOPICS = frozenset(["loans", "rooms", "fines", "maps"])\n\n\ndef ask(question):\n'
        "    system = ' '.join(t.upper() for t in TOPICS) + RULES\n" + SENT,
        "in sorted(TOPICS, key=str))",
    ),
    "keys-of-a-given-value": (
        "def ask(question, schema=json.loads(os.environ.get('SCHEMA', '{}'))):\n"
        "    system = json.dumps(schema, indent=2) + RULES\n" + SENT,
        "json.dumps(schema, indent=2, sort_keys=True)",
    ),
    "folder": (
        "def ask(question):\n    system = ', '.join(os.listdir('.')) + RULES\n" + SENT,
        "sorted(os.listdir('.'))",
    ),
}


def fixed(folder: Path, name: str, text: str, *, with_unsafe: bool = False) -> str:
    """Return the text of a file after its fixes."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    options = CheckOptions(arguments=(name,), settings=Settings(), start=folder)
    fix_paths(options, with_unsafe=with_unsafe, is_dry=False)
    return path.read_text(encoding="utf-8")


def sent_under(folder: Path, text: str, seed: str) -> str:
    """Return what our own builder sends when it runs with a hash seed."""
    code = text.replace("import openai\n", "").replace("client = openai.OpenAI()", f"{CLIENT}\n\nclient = Client()")
    code += "\n\nprint(repr(ask('open?')))\n"
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.parametrize(("body", "written"), BODIES.values(), ids=BODIES)
def test_a_fixed_builder_sends_the_same_bytes_under_any_hash_seed(tmp_path: Path, body: str, written: str) -> None:
    """The fix stands where the order is taken, all else is as it was, a second run changes nothing, and two seeds agree."""
    before = f"{HEAD}{body}"
    after = fixed(tmp_path, "desk.py", before)

    assert written in after
    assert [line for line in after.split("\n") if line not in before.split("\n")] == [
        line for line in after.split("\n") if "sorted(" in line or ("sort_keys=True)" in line and line not in before.split("\n"))
    ]
    assert fixed(tmp_path, "desk.py", after) == after
    ast.parse(after)
    assert sent_under(tmp_path, after, "1") == sent_under(tmp_path, after, "2")


def test_the_seeds_of_these_tests_do_tell_orders_apart(tmp_path: Path) -> None:
    """Without the fix the two seeds give different bytes, so that the test above can fail."""
    before = f"{HEAD}{BODIES['set-joined'][0]}"

    assert len({sent_under(tmp_path, before, seed) for seed in ("1", "2", "3", "4")}) > 1


@pytest.mark.parametrize(
    ("body", "written"),
    [
        ("    system = f'{RULES}\\nIt is {datetime.now().isoformat()}'\n", "datetime.now().date().isoformat()"),
        ("    system = f'{RULES}\\nIt is {datetime.now():%Y-%m-%d %H:%M}'\n", "{datetime.now():%Y-%m-%d}"),
        ("    system = RULES + datetime.now().strftime(' %d %B %Y, %H:%M')\n", "strftime(' %d %B %Y')"),
        ("    system = f'{RULES} {datetime.now()}'\n", "{datetime.now().date()}"),
    ],
)
def test_a_clock_prints_its_date_where_unsafe_fixes_are_wanted(tmp_path: Path, body: str, written: str) -> None:
    """A clock at the end of the system text loses its time under unsafe fixes, and stays as it is without."""
    text = f"from datetime import datetime\n\n{HEAD}\n\ndef ask(question):\n{body}" + (
        "    return client.chat.completions.create(model='gpt-5-mini', messages=[\n"
        "        {'role': 'system', 'content': system}, {'role': 'user', 'content': question}])\n"
    )

    assert fixed(tmp_path, "desk.py", text) == text
    assert written in fixed(tmp_path, "desk.py", text, with_unsafe=True)


@pytest.mark.parametrize(
    "body",
    [
        "    call['function']['arguments'] = json.dumps(json.loads(call['function']['arguments']))\n    return [call]\n",
        "    system = f'{ {topic for topic in question} } {RULES}'\n" + SENT,
        "    with os.scandir('.') as found:\n        system = ' '.join(e.name for e in found) + RULES\n" + SENT,
        "    first = next(Path('.').glob('*.md'))\n    system = first.name + RULES\n" + SENT,
        "    system = json.dumps(question, **{'indent': 2}) + RULES\n" + SENT,
    ],
)
def test_what_no_edit_is_sure_to_repair_stays(tmp_path: Path, body: str) -> None:
    """Arguments as the model wrote them, a printed set, a scan, one file of many and options not seen are left to a person."""
    text = f"{HEAD}\n\ndef ask(question, call=None):\n{body}"

    assert fixed(tmp_path, "desk.py", text, with_unsafe=True) == text


def test_a_time_that_other_code_may_read_stays_what_it_is(tmp_path: Path) -> None:
    """What a module keeps under a name is not cut to a date; what it prints into its text is."""
    kept = f"{HEAD}\nfrom datetime import datetime\nSTARTED = datetime.now().isoformat()\n\n\ndef ask(question):\n"
    kept += "    system = f'{STARTED} {RULES}'\n" + SENT
    printed = kept.replace("datetime.now().isoformat()", "f'{datetime.now().isoformat()}'")

    assert fixed(tmp_path, "desk.py", kept, with_unsafe=True) == kept
    assert ".date().isoformat()" in fixed(tmp_path, "other.py", printed, with_unsafe=True)


def test_code_of_a_notebook_is_edited_in_its_json(tmp_path: Path) -> None:
    """The cell is repaired in place, quotes escaped, and the rest of the notebook stays byte for byte."""
    lines = [line + "\n" for line in f"{HEAD}{BODIES['set-joined'][0]}".split("\n")]
    cells = [
        {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": ["%pip install openai\n"]},
        {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": lines},
    ]
    before = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)
    after = fixed(tmp_path, "desk.ipynb", before)

    source = "".join(json.loads(after)["cells"][1]["source"])
    assert "', '.join(sorted(TOPICS, key=str))" in source
    assert json.loads(after)["cells"][0] == cells[0]
    assert after.replace("sorted(TOPICS, key=str)", "TOPICS") == before


def test_tools_of_a_registry_are_sorted_by_name_where_the_form_is_known(tmp_path: Path) -> None:
    """``["function"]["name"]`` in the file says where the name stands; without it nothing is edited."""
    known = (
        f"{HEAD}\n\ndef names(tools):\n    return [tool['function']['name'] for tool in tools]\n\n\n"
        "def ask(registry: dict, question):\n    tools = list(registry.values())\n"
        "    return client.chat.completions.create(model='gpt-5-mini', tools=tools, messages=[\n"
        "        {'role': 'system', 'content': RULES}, {'role': 'user', 'content': question}])\n"
    )
    unknown = known.replace("['function']['name']", ".name")

    assert 'sorted(registry.values(), key=lambda tool: tool["function"]["name"])' in fixed(tmp_path, "desk.py", known)
    assert fixed(tmp_path, "desk.py", unknown) == unknown
