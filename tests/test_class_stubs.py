"""What a class only names is no empty text: classes below fill it in, and else its name and arguments say what it gives.

Each program sends one system text; ``@@`` stands ahead of the place that is to be found.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.config import Settings
from radixlint.result.finding import Severity

ACROSS_FILES: Final = "RL961"
"""Compares the prompts of two classes with each other."""
_LINES: Final = "\n".join(
    f"Parcels of kind {number} leave by door {number} and are signed for twice by a clerk." for number in range(12)
)
PYTHON: Final = f'''import openai
from abc import ABC, abstractmethod
from datetime import datetime
from typing import Protocol

client = openai.OpenAI()
RULES = """{_LINES}"""
'''
SCRIPT: Final = f"import OpenAI from 'openai';\nconst client = new OpenAI();\nconst RULES = `{_LINES}`;\n"
ASK: Final = """    def ask(self, q):
        system = SYSTEM
        return client.chat.completions.create(
            model="gpt-4.1", messages=[{"role": "system", "content": system}, {"role": "user", "content": q}]
        )
"""
SEND: Final = """  async ask(q: string) {
    const system = SYSTEM;
    return client.chat.completions.create({
      model: "gpt-4.1",
      messages: [{ role: "system", content: system }, { role: "user", content: q }],
    });
  }
"""
CLOCK_AHEAD: Final = 'f"{@@datetime.now()}\\n{self.rules}"'
SCRIPT_CLOCK: Final = "`${@@new Date().toISOString()}\\n${this.rules()}`"
STORE: Final = "class Desk:\n    def __init__(self, store: Store):\n        self.store = store\n"
FOUND_DOCS: Final = '"\\n".join(@@self.store.search(q)) + RULES'
HEAD: Final = 'f"{self.head()}\\n{RULES}"'

FAULTS: Final = {
    "protocol": ("RL901", "class Store(Protocol):\n    def search(self, q) -> list[str]: ...\n" + STORE, FOUND_DOCS, ""),
    "protocol-docstring": (
        "RL901",
        'class Store(Protocol):\n    def search(self, q):\n        """Return texts."""\n' + STORE,
        FOUND_DOCS,
        "",
    ),
    "abstract-raise": (
        "RL901",
        "class Store(ABC):\n    @abstractmethod\n    def search(self, q):\n        raise NotImplementedError\n" + STORE,
        FOUND_DOCS,
        "",
    ),
    "abstract-pass": (
        "RL901",
        "class Store(ABC):\n    @abstractmethod\n    def search(self, q):\n        pass\n" + STORE,
        FOUND_DOCS,
        "",
    ),
    "function": (
        "RL901",
        "def retrieve(q) -> list[str]: ...\nclass Desk:\n",
        '"\\n".join(@@retrieve(q)) + RULES',
        "",
    ),
    "filled-in-by-a-clock": (
        "RL201",
        "class Desk(ABC):\n    @abstractmethod\n    def head(self) -> str: ...\n",
        HEAD,
        "class Depot(Desk):\n    def head(self):\n        return f'{@@datetime.now()}'\n",
    ),
    "property": (
        "RL201",
        "class Desk(ABC):\n    @property\n    @abstractmethod\n    def rules(self) -> str: ...\n",
        CLOCK_AHEAD,
        "class Depot(Desk):\n    @property\n    def rules(self):\n        return RULES\n",
    ),
    "attribute": ("RL201", "class Desk:\n    rules = ''\n", CLOCK_AHEAD, "class Depot(Desk):\n    rules = RULES\n"),
    "attribute-two-below": (
        "RL201",
        "class Desk:\n    rules = ''\n",
        CLOCK_AHEAD,
        "class Hall(Desk):\n    pass\nclass Depot(Hall):\n    rules = RULES\n",
    ),
    "attribute-of-an-object": (
        "RL201",
        "class Desk:\n    rules: str\n",
        CLOCK_AHEAD,
        "class Depot(Desk):\n    def __init__(self):\n        self.rules = RULES\n",
    ),
    "handed-to-the-maker": (
        "RL201",
        "class Desk:\n    def __init__(self, words):\n        self.words = words\n",
        CLOCK_AHEAD.replace("rules", "words"),
        "class Depot(Desk):\n    def __init__(self):\n        super().__init__(RULES)\n",
    ),
    "method-through-a-method": (
        "RL201",
        "class Desk:\n    def rules(self):\n        return ''\n    def text(self):\n        return self.rules()\n",
        CLOCK_AHEAD.replace("rules", "text()"),
        "class Depot(Desk):\n    def rules(self):\n        return RULES\n",
    ),
}
SILENT: Final = {
    "filled-in-with-fixed-text": (
        "class Desk(ABC):\n    @abstractmethod\n    def head(self) -> str: ...\n",
        HEAD,
        "class Depot(Desk):\n    def head(self):\n        return 'You are the depot.'\n"
        "class Harbour(Desk):\n    def head(self):\n        return 'You are the harbour.'\n",
    ),
    "hook-that-gives-nothing": ("class Desk:\n    def context(self):\n        pass\n", 'f"{self.context() or str()}{RULES}"', ""),
    "method-that-gives-none": (
        "class Desk:\n    def context(self) -> None:\n        ...\n",
        'f"{self.context() or str()}{RULES}"',
        "",
    ),
    "replaced-method": (
        "class Desk:\n    rules = ''\n    def text(self):\n        return f'{datetime.now()}'\n",
        "self.rules",
        "class Depot(Desk):\n    rules = RULES\n    def text(self):\n        return ''\n",
    ),
}
SCRIPTS: Final = {
    "abstract": (
        "RL201",
        "abstract class Desk {\n  abstract rules(): string;\n",
        SCRIPT_CLOCK,
        "class Depot extends Desk {\n  rules() { return RULES; }\n}\n",
    ),
    "throws": (
        "RL201",
        "class Desk {\n  rules(): string { throw new Error('below'); }\n",
        SCRIPT_CLOCK,
        "class Depot extends Desk {\n  rules() { return RULES; }\n}\n",
    ),
    "field": (
        "RL201",
        "class Desk {\n  rules = '';\n",
        SCRIPT_CLOCK.replace("()}`", "}`"),
        "class Depot extends Desk {\n  rules = RULES;\n}\n",
    ),
    "getter": (
        "RL201",
        "abstract class Desk {\n  abstract get rules(): string;\n",
        SCRIPT_CLOCK.replace("()}`", "}`"),
        "class Depot extends Desk {\n  get rules() { return RULES; }\n}\n",
    ),
    "store": (
        "RL901",
        "abstract class Store { abstract search(q: string): Promise<string[]>; }\n"
        "class Desk {\n  constructor(private store: Store) {}\n",
        "(await @@this.store.search(q)).join() + RULES",
        "",
    ),
    "fixed": (
        "",
        "abstract class Desk {\n  abstract head(): string;\n",
        "`${this.head()}\\n${RULES}`",
        "class Depot extends Desk {\n  head() { return 'You are the depot.'; }\n}\n",
    ),
}


def _told(folder: Path, files: dict[str, str]) -> list[tuple[str, str, int, int]]:
    for name, code in files.items():
        (folder / name).write_text(code.replace("@@", ""), encoding="utf-8")
    report = check_paths(CheckOptions(arguments=(".",), settings=Settings(), start=folder))
    told = [f for f in report.findings if f.severity is not Severity.INFO and f.rule != ACROSS_FILES]
    return [(f.rule, f.span.path, f.span.line, f.span.column) for f in told]


def _place(rule: str, name: str, code: str) -> list[tuple[str, str, int, int]]:
    ahead = code.partition("@@")[0]
    return [(rule, name, ahead.count("\n") + 1, len(ahead) - ahead.rfind("\n"))] if rule else []


@pytest.mark.parametrize("name", FAULTS)
def test_what_a_class_only_names_is_followed(name: str, tmp_path: Path) -> None:
    """A method or attribute that classes below fill in is theirs; one that nobody fills in is told by its name."""
    rule, above, system, below = FAULTS[name]
    code = PYTHON + above + ASK.replace("SYSTEM", system) + below

    assert _told(tmp_path, {"desk.py": code}) == _place(rule, "desk.py", code)


@pytest.mark.parametrize("name", SILENT)
def test_what_is_filled_in_with_fixed_text_is_silent(name: str, tmp_path: Path) -> None:
    """Fixed text below is fixed text; a hook that is empty and not abstract gives nothing."""
    above, system, below = SILENT[name]

    assert _told(tmp_path, {"desk.py": PYTHON + above + ASK.replace("SYSTEM", system) + below}) == []


@pytest.mark.parametrize("name", SCRIPTS)
def test_classes_of_typescript_are_followed_alike(name: str, tmp_path: Path) -> None:
    """Abstract methods and getters, methods that throw, and fields are those of the class below."""
    rule, above, system, below = SCRIPTS[name]
    code = SCRIPT + above + SEND.replace("SYSTEM", system) + "}\n" + below

    assert _told(tmp_path, {"desk.ts": code}) == _place(rule, "desk.ts", code)


def test_a_class_of_another_file_is_filled_in(tmp_path: Path) -> None:
    """The clock of the class above is found, in its own file, for the rules of the class below."""
    above = SCRIPT + "export abstract class Desk {\n  abstract words(): string;\n"
    above += SEND.replace("SYSTEM", SCRIPT_CLOCK.replace("rules", "words")) + "}\n"
    below = SCRIPT + "import { Desk } from './desk';\nexport class Depot extends Desk {\n  words() { return RULES; }\n}\n"

    assert _told(tmp_path, {"desk.ts": above, "depot.ts": below}) == _place("RL201", "desk.ts", above)
