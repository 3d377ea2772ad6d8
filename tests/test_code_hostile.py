"""Programs made to exhaust a reader end in seconds, with a result or a notice, and the files beside them are read as ever."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings

SECONDS = 20.0
RULES = (
    "RULES = '''You are the desk of a rental company.\n"
    + "Always answer in plain words and never invent a price.\n" * 8
    + "'''\n"
)
BAD = f"import time\nimport openai\n{RULES}openai.OpenAI().responses.create(instructions=f'{{time.time()}} {{RULES}}')\n"
SEND = "import openai\nopenai.OpenAI().responses.create(instructions=prompt)\n"


def _chain(depth: int) -> str:
    body = "".join(f"def f{n}(x):\n    return f{n + 1}(x) + f{n + 1}(x + 'b')\n\n" for n in range(depth))
    return f"{RULES}{body}def f{depth}(x):\n    return x + RULES\n\nprompt = f0('a')\n{SEND}"


HOSTILE = {
    "sum-of-100000-terms": f"{RULES}prompt = RULES" + " + 'a'" * 100_000 + f"\n{SEND}",
    "nested-calls": f"{RULES}prompt = {'str(' * 2_000}RULES{')' * 2_000}\n{SEND}",
    "nested-lists": f"{RULES}prompt = {'[' * 150}RULES{']' * 150}\n{SEND}",
    "nul-bytes": f"{RULES}prompt = RULES\0\n{SEND}",
    "20-megabytes": f"{RULES}prompt = RULES\n{SEND}" + "# filler of a line that says nothing at all\n" * 480_000,
    "calls-itself": f"{RULES}def prompt_of(x):\n    return prompt_of(x + RULES) + x\n\nprompt = prompt_of('a')\n{SEND}",
    "5000-functions": RULES + "".join(f"def prompt_{n}(user):\n    return f'{{RULES}} {{user}} {n}'\n\n" for n in range(5_000)),
    "10000-entries": f"{RULES}prompts = {{{', '.join(f'{n!r}: RULES' for n in range(10_000))}}}\nprompt = str(prompts)\n{SEND}",
    "doubling-chain": _chain(30),
    "doubling-text": f"{RULES}prompt = RULES\n" + "prompt = prompt + prompt\n" * 60 + SEND,
    "doubling-format": f"{RULES}prompt = RULES\n" + "prompt = f'{prompt}{prompt}'\n" * 60 + SEND,
    "many-branches": f"{RULES}prompt = RULES\n" + "if a:\n    prompt += 'a'\nelse:\n    prompt += 'b'\n" * 400 + SEND,
    "nested-loops": f"{RULES}prompt = RULES\n"
    + "".join(f"{' ' * n}for x{n} in y:\n" for n in range(60))
    + " " * 60
    + f"prompt += x1\n{SEND}",
    "huge-repeat": f"{RULES}prompt = RULES * 10 ** 9\n{SEND}",
    "huge-power": f"{RULES}prompt = RULES + str(9 ** 9 ** 9)\n{SEND}",
    "chain-of-elif": f"{RULES}prompt = RULES\nif a == 0:\n    pass\n"
    + "".join(f"elif a == {n}:\n    prompt += '{n}'\n" for n in range(2_000))
    + SEND,
    "nested-classes": RULES + "".join(f"{' ' * n}class C{n}:\n" for n in range(80)) + " " * 80 + "prompt = RULES\n",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_programs_end_soon(kind: str, tmp_path: Path) -> None:
    """The run ends in time, without a traceback, and finds the fault of the file beside it."""
    (tmp_path / "a_hostile.py").write_text(HOSTILE[kind], encoding="utf-8")
    (tmp_path / "b_plain.py").write_text(BAD, encoding="utf-8")
    began = time.process_time()
    report = check_paths(CheckOptions(arguments=(".",), settings=Settings(), start=tmp_path))

    assert time.process_time() - began < SECONDS
    assert [f.rule for f in report.findings if f.span.path == "b_plain.py"] == ["RL201"]


def test_modules_that_import_each_other(tmp_path: Path) -> None:
    """Two files that import each other are both read; what the one takes from the other is followed."""
    (tmp_path / "one.py").write_text(
        f"from two import stamp\n{RULES}{SEND.replace('prompt', 'stamp() + RULES')}", encoding="utf-8"
    )
    (tmp_path / "two.py").write_text(
        "import time\nfrom one import RULES\n\ndef stamp():\n    return time.ctime() + RULES\n", encoding="utf-8"
    )
    report = check_paths(CheckOptions(arguments=(".",), settings=Settings(), start=tmp_path))

    assert {(f.rule, f.span.path, f.span.line) for f in report.findings} == {("RL201", "two.py", 5)}
