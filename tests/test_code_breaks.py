"""Ways through which a value came unseen, and right code that was reported: each a small program of its own."""

from __future__ import annotations

import sys
from importlib.abc import MetaPathFinder
from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.api.fixing import fix_paths
from radixlint.config import Settings
from radixlint.flow.script_lowering import is_installed
from radixlint.result.finding import Severity

RULES = '''RULES = """You keep the desk of a repair shop for bicycles near the station.
Say what a repair costs only from the list below, and never guess a date.
If a part is missing, offer to order it and to call when it has come.
Answer in three short sentences and thank the guest for the visit.
Ask for the frame number before any claim of warranty is written down.
The shop is open from nine to six and closed on Sundays and holidays."""
'''
SEND = (
    "    return client.chat.completions.create(model='m', messages=[{'role': 'system', 'content': text}, "
    "{'role': 'user', 'content': question}])\n"
)
IMPORTS = "import asyncio\nimport functools\nimport io\nimport itertools\nimport json\nimport random\nimport re\nimport time\n\n"
HEAD = f"from openai import OpenAI\n\n{IMPORTS}client = OpenAI()\n{RULES}"

FOUND = {
    "gathered": (
        "RL201",
        "async def head():\n    return @@time.ctime()\n\nasync def tail():\n    return RULES\n\nasync def ask(question):\n"
        "    first, last = await asyncio.gather(head(), tail())\n    text = first + last\n",
    ),
    "folded": (
        "RL201",
        "def ask(question):\n    text = functools.reduce(lambda a, b: a + b, [@@time.ctime(), RULES])\n",
    ),
    "word-replaced-by-pattern": (
        "RL201",
        "def ask(question):\n    text = re.sub(r'\\{now\\}', @@time.ctime(), 'At {now}. ' + RULES)\n",
    ),
    "blanks-replaced-by-pattern": (
        "RL201",
        "def ask(question):\n    text = re.sub(r'\\s+', ' ', f'At {@@time.ctime()}. {RULES}')\n",
    ),
    "buffer": (
        "RL201",
        "def ask(question):\n    out = io.StringIO()\n    out.write(f'At {@@time.ctime()}')\n    out.write(RULES)\n"
        "    text = out.getvalue()\n",
    ),
    "template-of-an-environment": (
        "RL201",
        "from jinja2 import Environment\nPAGE = Environment().from_string('At {{ now }}. ' + RULES)\n\n"
        "def ask(question):\n    text = PAGE.render(now=@@time.ctime())\n",
    ),
    "keys-from-a-set": (
        "RL302",
        "PARTS = {'bell', 'chain', 'brake'}\n\ndef ask(question):\n    text = ' '.join(@@dict.fromkeys(PARTS)) + RULES\n",
    ),
    "first-of-a-set": (
        "RL302",
        "PARTS = {'bell', 'chain', 'brake'}\n\ndef ask(question):\n    text = @@next(iter(PARTS)) + RULES\n",
    ),
    "count": ("RL206", "TURNS = @@itertools.count()\n\ndef ask(question):\n    text = f'Turn {next(TURNS)}. {RULES}'\n"),
    "seed-of-another-function": (
        "RL301",
        "random.seed(7)\nPARTS = ['bell', 'chain', 'brake']\n\ndef ask(question):\n"
        "    text = ' '.join(@@random.sample(PARTS, 2)) + RULES\n",
    ),
    "seed-not-fixed": (
        "RL301",
        "PARTS = ['bell', 'chain', 'brake']\n\ndef ask(question):\n    random.seed(3)\n    random.seed()\n"
        "    text = ' '.join(@@random.sample(PARTS, 2)) + RULES\n",
    ),
}
SILENT = {
    "shuffled-behind-a-fixed-seed": (
        "random.seed(7)\nPARTS = ['bell', 'chain', 'brake']\nrandom.shuffle(PARTS)\n\n"
        "def ask(question):\n    text = ' '.join(PARTS) + RULES\n"
    ),
    "drawn-behind-a-fixed-seed": (
        "PARTS = ['bell', 'chain', 'brake']\n\ndef ask(question):\n    random.seed(7)\n"
        "    text = ' '.join(random.sample(PARTS, 2)) + str(random.random()) + RULES\n"
    ),
    "docstring-of-a-function": (
        "def pump():\n    'Pump up.'\n\nSTEPS = [pump]\n\n"
        "def ask(question):\n    text = ' '.join(f'{step.__name__}: {step.__doc__}' for step in STEPS) + RULES\n"
    ),
}


def _checked(path: Path, code: str) -> list[tuple[str, int, int]]:
    path.write_text(code, encoding="utf-8")
    report = check_paths(CheckOptions(arguments=(path.name,), settings=Settings(), start=path.parent))
    return [(f.rule, f.span.line, f.span.column) for f in report.findings if f.severity is not Severity.INFO]


@pytest.mark.parametrize("name", FOUND)
def test_a_way_of_a_value_is_followed(name: str, tmp_path: Path) -> None:
    """The value is found in the line in which it comes in, by its rule."""
    rule, body = FOUND[name]
    code = HEAD + body + SEND
    line = code[: code.index("@@")].count("\n") + 1
    found = _checked(tmp_path / "ask.py", code.replace("@@", ""))
    assert (rule, line) in {(each, at) for each, at, _ in found}


@pytest.mark.parametrize("name", SILENT)
def test_right_code_is_not_reported(name: str, tmp_path: Path) -> None:
    """Nothing at warning or error is said about a prompt that stays the same."""
    assert _checked(tmp_path / "ask.py", HEAD + SILENT[name] + SEND) == []


def test_what_was_in_a_set_has_no_keys(tmp_path: Path) -> None:
    """The order of a set is told, that of keys is not: what can be hashed has none."""
    path = tmp_path / "ask.py"
    path.write_text(
        HEAD + "def ask(question, terms):\n    text = json.dumps(list(set(terms))) + RULES\n" + SEND, encoding="utf-8"
    )
    found = check_paths(CheckOptions(arguments=(path.name,), settings=Settings(), start=tmp_path)).findings
    rules = {finding.rule for finding in found}
    assert "RL302" in rules
    assert "RL401" not in rules


NOT_FIXED = {
    "pairs": "def ask(question):\n    text = ' '.join(f'{a}{b}' for a, b in zip('ab', {'x', 'y'})) + RULES\n",
    "a chain": "def ask(question):\n    text = ' '.join(itertools.chain(['Parts:'], {'x', 'y'})) + RULES\n",
    "objects": "def ask(question, parts):\n    text = ' '.join(part.name for part in set(parts)) + RULES\n",
    "a name of its own": "def ask(question, sorted=True):\n    text = ' '.join({'x', 'y'}) + RULES\n",
    "keys of two kinds": "def ask(question, terms):\n    text = json.dumps({1: 'one', 'terms': terms}) + RULES\n",
    "another dumps": "import orjson as json\n\ndef ask(question, terms):\n    text = json.dumps(terms).decode() + RULES\n",
}


@pytest.mark.parametrize("name", NOT_FIXED)
def test_a_fix_that_would_not_repair_or_would_fail_is_not_made(name: str, tmp_path: Path) -> None:
    """The file stays as it is, and the finding stays in the report."""
    path, code = tmp_path / "ask.py", HEAD + NOT_FIXED[name] + SEND
    path.write_text(code, encoding="utf-8")
    report = fix_paths(CheckOptions(arguments=(path.name,), settings=Settings(), start=tmp_path), with_unsafe=False, is_dry=False)
    assert path.read_text(encoding="utf-8") == code
    assert {f.rule for f in report.report.findings} & {"RL302", "RL401"}


def test_a_parser_that_may_not_be_imported_is_a_parser_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """An importer that raises for the parser makes it missing; it is no fault of ours."""

    class Refusing(MetaPathFinder):
        def find_spec(self, name: str, path: object = None, target: object = None) -> None:
            if name.startswith("tree_sitter"):
                raise ModuleNotFoundError(name)

    for name in [name for name in sys.modules if name.startswith("tree_sitter")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [Refusing(), *sys.meta_path])
    assert not is_installed()
