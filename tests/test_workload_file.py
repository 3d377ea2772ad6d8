"""Reading a workload description: strict keys and values, each mistake one clear error."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from advice_cases import DESK

from radixlint.advise import parse_workload
from radixlint.advise.workload_file import HARDWARE_KEYS, KEYS, REQUIRED
from radixlint.cli.advise_command import advise
from radixlint.errors import DataError
from radixlint.result.workload import WorkloadKind

ROOT = Path(__file__).resolve().parent.parent
DOCS = (ROOT / "docs" / "workload.md").read_text(encoding="utf-8")
WORKLOAD_TEXT = """
name: desk
template_shape: [system, history, retrieval, user]
retrieval_pattern: per-turn
conversation_length: 4
tenants: 3
controls_template: true
engine_today: vllm
"""


def test_workload_file_is_read() -> None:
    """The required keys make the description; hardware and flags have defaults."""
    assert parse_workload(WORKLOAD_TEXT, "w.yaml") == DESK


def test_workload_shape_as_one_line() -> None:
    """A shape written with arrows or commas is the same list."""
    arrows = WORKLOAD_TEXT.replace("[system, history, retrieval, user]", "system -> history -> retrieval -> user")

    assert parse_workload(arrows, "w.yaml") == DESK


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("tenants: 3", "tenant: 3", r"w\.yaml: unknown key 'tenant' \(did you mean 'tenants'\? keys: name, "),
        ("tenants: 3", "", r"w\.yaml: key 'tenants' is missing \(tenants: how many"),
        ("name: desk\ntemplate_shape", "output_tokens: 5\nkind", r"keys 'name', 'template_shape' are missing \(name: what"),
        ("tenants: 3", "tenants: 3\ntenants: 4", r"w\.yaml:7: key 'tenants' stands twice \(first in line 6; keep one\)"),
        ("tenants: 3", "tenants: 3\nhardware: {gpu: h100, gpu: a100}", r"w\.yaml:7: key 'gpu' stands twice"),
        ("tenants: 3", "tenants: 3\nkind: voices", r"'kind' has the unknown value 'voices', did you mean 'voice'"),
        ("tenants: 3", "tenants: 3\nhardware: {replicas: 0}", r"hardware: 'replicas' must be a whole .*\(copies of"),
        ("tenants: 3", "tenants: 0", r"'tenants' must be a whole number of 1 or more"),
        ("tenants: 3", "tenants: true", r"'tenants' must be a whole number"),
        ("per-turn", "per-turns", r"unknown value 'per-turns', did you mean 'per-turn' \(known: none, fixed"),
        ("[system, history, retrieval, user]", "[system, historie]", r"did you mean 'history'"),
        ("[system, history, retrieval, user]", "[system, system]", r"names each part once"),
        ("[system, history, retrieval, user]", "[]", r"must be a list of parts"),
        ("controls_template: true", "controls_template: perhaps", r"'controls_template' must be true or false"),
        ("conversation_length: 4", "conversation_length: .nan", r"'conversation_length' must be a number of 1 or more"),
        ("name: desk", "name: '<b>'", r"'name' must be a name of"),
        ("name: desk", "name: desk\nhardware: {gpus: h100}", r"w\.yaml: hardware: unknown key 'gpus' \(did you mean 'gpu'"),
        ("name: desk", "name: desk\nhardware: h100", r"'hardware' must be a mapping"),
        ("per-turn", "[[per-turn]]", r"'retrieval_pattern' must be made of these words: none, fixed"),
        ("name: desk", "name: desk\n? [a]\n: 1", r"not YAML"),
        ("name: desk", "name: desk\n" + "k" * 999 + ": 1", r"unknown key 'k{60}\.\.\.'"),
        ("name: desk", "name: [desk", r"w\.yaml:\d+: not YAML"),
        ("name: desk", "name: 2024-99-99", r"not YAML that can be read"),
        ("name: desk", "name: " + "[" * 5000, r"not YAML"),
    ],
)
def test_a_wrong_workload_file_is_one_clear_error(old: str, new: str, message: str) -> None:
    """Each mistake names the file, the key, and what is allowed or nearest."""
    with pytest.raises(DataError, match=message):
        parse_workload(WORKLOAD_TEXT.replace(old, new), "w.yaml")


@pytest.mark.parametrize("text", ["", "- a\n", "just words\n"])
def test_a_file_that_is_no_mapping_is_refused(text: str) -> None:
    """An empty file, a list and plain text are told what a description is."""
    with pytest.raises(DataError, match="must be a mapping of keys"):
        parse_workload(text, "w.yaml")


def test_a_duplicate_in_one_line_is_refused_too() -> None:
    """Two equal keys in one flow mapping are told apart by their place, not by their line."""
    with pytest.raises(DataError, match="key 'gpu' stands twice"):
        parse_workload(WORKLOAD_TEXT + "hardware: {gpu: h100, gpu: h100}\n", "w.yaml")


def test_the_kind_is_read() -> None:
    """A kind of application is one of four words."""
    assert parse_workload(WORKLOAD_TEXT + "kind: voice\n", "w.yaml").kind is WorkloadKind.VOICE


def test_the_page_of_keys_says_what_the_reader_says() -> None:
    """docs/workload.md has one row a key, in the reader's own words, and no row for anything else."""
    rows = [
        f"| `{key}` | {'yes' if key in REQUIRED else 'no'} | {meaning} |" for key, meaning in {**KEYS, **HARDWARE_KEYS}.items()
    ]

    assert re.findall(r"^\| `.*$", DOCS, re.MULTILINE) == rows


def test_the_example_of_the_page_is_a_description() -> None:
    """The example in docs/workload.md can be used as it stands."""
    example = re.search(r"```yaml\n(.*?)```", DOCS, re.DOTALL)

    assert example is not None
    assert parse_workload(example[1], "docs").hardware.gpu == "h100"


def test_the_help_names_required_keys_page_and_sample() -> None:
    """``advise --help`` says what the workload file needs and where to read on."""
    told = " ".join((advise.help or "").split())

    assert all(key in told for key in REQUIRED)
    for path in ("docs/workload.md", "radixlint/samples/support_desk.workload.yaml"):
        assert path in told
        assert (ROOT / path).is_file()
