"""What functions, formats, sets and objects do to a value: what is put in is followed to the text that is sent.

A fixture holds small programs under ``### name rule``; ``@@`` stands ahead of the place that is to be found. The text is sent as
one message, so what varies counts only where fixed text is seen behind it.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from test_code_probes import CLOCK, RULES

from radixlint.api.check_options import CheckOptions
from radixlint.api.checking import check_paths
from radixlint.api.fixing import fix_paths
from radixlint.config import Settings
from radixlint.result.finding import Severity

FOLDER = Path(__file__).parent / "fixtures" / "value_flow"
KINDS = ("texts", "formats", "orders", "objects", "printed", "contents", "rewording", "classes")
SEND = "import openai\nopenai.OpenAI().chat.completions.create(messages=[{'role': 'user', 'content': text}])\n"
ACROSS_FILES = "RL961"
"""Compares the prompts of several files; here each file is a program of its own."""

Place = tuple[str, int, int]


def _cases(kind: str) -> dict[str, tuple[str, str]]:
    """Return the programs of a fixture by name, each with the rule that finds it, empty if none does."""
    found = {}
    for section in (FOLDER / f"{kind}.txt").read_text(encoding="utf-8").split("### ")[1:]:
        head, _, code = section.partition("\n")
        name, _, rule = head.partition(" ")
        found[name] = (rule, CLOCK + RULES + code.rstrip() + "\n" + SEND)
    return found


CASES = {f"{kind}-{name}": case for kind in (*KINDS, "silent") for name, case in _cases(kind).items()}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Place]]:
    """Return what is told of each program, all checked at once."""
    folder = tmp_path_factory.mktemp("programs")
    for name, (_, code) in CASES.items():
        (folder / f"{name}.py").write_text(code.replace("@@", ""), encoding="utf-8")
    report = check_paths(CheckOptions(arguments=(".",), settings=Settings(), start=folder))
    found: dict[str, list[Place]] = {name: [] for name in CASES}
    for each in report.findings:
        if each.severity is not Severity.INFO and each.rule != ACROSS_FILES:
            found[each.span.path.removesuffix(".py")].append((each.rule, each.span.line, each.span.column))
    return found


@pytest.mark.parametrize("name", [name for name, (rule, _) in CASES.items() if rule])
def test_what_varies_is_found_where_it_is_made(name: str, told: dict[str, list[Place]]) -> None:
    """The one finding is that of the rule named, at the source, whatever the value went through."""
    rule, code = CASES[name]
    ahead = code.partition("@@")[0]

    assert told[name] == [(rule, ahead.count("\n") + 1, len(ahead) - ahead.rfind("\n"))]


@pytest.mark.parametrize("name", [name for name, (rule, _) in CASES.items() if not rule])
def test_what_does_no_harm_is_silent(name: str, told: dict[str, list[Place]]) -> None:
    """A value behind the text, one that is not used, and an order that is fixed have no warning."""
    assert told[name] == []


def test_a_field_of_a_class_of_another_file_is_a_set(tmp_path: Path) -> None:
    """The annotation counts where the class is imported by its name, and where it is named through its module."""
    (tmp_path / "shapes.py").write_text(
        "import dataclasses\n\n@dataclasses.dataclass\nclass Desk:\n    tags: set[str]\n", encoding="utf-8"
    )
    ask = "def ask(desk: DESK, turns):\n    text = ', '.join(desk.tags) + RULES\n    return openai.OpenAI().chat.completions"
    ask += ".create(messages=[{'role': 'system', 'content': text}, *turns])\n"
    code = "import openai\nimport shapes\nfrom shapes import Desk\n" + RULES
    code += ask.replace("DESK", "Desk") + ask.replace("DESK", "shapes.Desk")
    (tmp_path / "probe.py").write_text(code, encoding="utf-8")

    report = check_paths(CheckOptions(arguments=(".",), settings=Settings(), start=tmp_path))
    first = (code.partition("    text")[0]).count("\n") + 1

    found = [(f.rule, f.span.line) for f in report.findings if f.severity is not Severity.INFO and f.rule != ACROSS_FILES]
    assert found == [("RL302", first), ("RL302", first + 3)]


def test_ties_are_fixed_below_the_sort_key(tmp_path: Path) -> None:
    """Where a length sorts a set, the fix sorts the set and leaves the order by length as it is."""
    code = f"{RULES}words = {{'aa', 'bb', 'c'}}\ntext = ' '.join(sorted(words, key=len)) + RULES\n{SEND}"
    (tmp_path / "probe.py").write_text(code, encoding="utf-8")

    fix_paths(CheckOptions(arguments=(".",), settings=Settings(), start=tmp_path), with_unsafe=False, is_dry=False)

    assert "sorted(sorted(words), key=len)" in (tmp_path / "probe.py").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "code",
    [
        "def build(desk: Desk):\n    return f'{desk}' + RULES\n\ntext = build(DESK)\n",
        "class Lake(Desk):\n    def head(self):\n        return f'{self}' + RULES\n\ntext = LAKE.head()\n",
    ],
    ids=["annotated", "self"],
)
def test_an_object_that_others_make_may_print_itself(code: str, tmp_path: Path) -> None:
    """Where only an annotation or a method names the class, one below it may have a text of its own: an info, no warning."""
    (tmp_path / "probe.py").write_text(f"{RULES}class Desk:\n    pass\n\n{code}{SEND}", encoding="utf-8")

    report = check_paths(CheckOptions(arguments=(".",), settings=Settings(), start=tmp_path))

    assert [(f.rule, f.severity) for f in report.findings] == [("RL304", Severity.INFO)]
