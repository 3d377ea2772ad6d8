"""Reading a workload description: strict keys and values, each mistake one clear error."""

from __future__ import annotations

import pytest
from advice_cases import DESK

from radixlint.advise import parse_workload
from radixlint.errors import DataError

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
