"""Maps of records that hold a system text and a question in place of a list of messages."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from radixlint.cli.command_group import cli
from radixlint.errors import ConfigError, LogError
from radixlint.logs import ReadOptions, read_logs
from radixlint.traffic import Message, Request

PAGE = (Path(__file__).parent.parent / "docs" / "log-maps.md").read_text(encoding="utf-8")
START = "name: a\naccepts: b\ndetect: {all: [q]}\n"
BOTH = START + "paths: {system: s, messages: q}\n"


def read_with(text: str, folder: Path, record: object) -> Request:
    """Return the request that a map makes of one record."""
    (folder / "own.yaml").write_text(text, encoding="utf-8")
    (folder / "log.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")
    return read_logs([str(folder / "log.jsonl")], ReadOptions(maps=(str(folder / "own.yaml"),))).requests[0]


def test_the_pages_example_of_two_texts(tmp_path: Path) -> None:
    """The record on the page becomes a system message and one of the user."""
    text = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)[1]
    record = json.loads(re.findall(r"`(\{\"rules\".*?\})`", PAGE)[0])

    request = read_with(text, tmp_path, record)

    assert request.messages == (Message("system", record["rules"]), Message("user", record["question"]))


@pytest.mark.parametrize("kind", ["auto", "chat", "anthropic", "converse"])
def test_system_stands_in_front_whatever_the_messages_are(kind: str, tmp_path: Path) -> None:
    """A text or a list, read as any body with a place for it: the system text is the first message, never lost."""
    text = BOTH + f"body: {{as: {kind}}}\n"
    listed = [{"role": "user", "content": [{"text": "Q"}] if kind == "converse" else "Q"}]
    as_text = None if kind == "converse" else read_with(text, tmp_path, {"s": "S", "q": "Q"})
    as_list, in_json = (read_with(text, tmp_path, {"s": "S", "q": q}) for q in (listed, json.dumps(listed)))

    for request in filter(None, (as_text, as_list, in_json)):
        assert [(m.role, m.text) for m in request.messages] == [("system", "S"), ("user", "Q")]


def test_a_question_alone_is_one_message(tmp_path: Path) -> None:
    """Without a system text, or with an empty one, the question stands alone."""
    for record in ({"q": "Q"}, {"q": "Q", "s": ""}, {"q": "Q", "s": None}):
        assert read_with(BOTH, tmp_path, record).messages == (Message("user", "Q"),)


@pytest.mark.parametrize("cut", ['[{"role": "user", "content": "so f', '{"role": "user"', "", " "])
def test_cut_json_is_no_question(cut: str, tmp_path: Path) -> None:
    """A list of messages that was cut, or nothing, is refused as before: it is not what the model read."""
    with pytest.raises(LogError, match="no records could be read"):
        read_with(BOTH, tmp_path, {"q": cut, "s": "S"})


def test_a_stored_conversation_is_never_one_text(tmp_path: Path) -> None:
    """With ``expand`` messages are a list; a text is left out."""
    with pytest.raises(LogError, match="no records could be read"):
        read_with(BOTH + "expand: replies\n", tmp_path, {"q": "Q"})


@pytest.mark.parametrize(
    ("paths", "words"),
    [
        ("paths: {system: s, prompt: q}", "system and prompt exclude each other"),
        ("paths: {system: s, token_ids: q}", "system and token_ids exclude each other"),
        ("paths: {system: s}\nbody: {as: gemini}", "a body read as gemini has its own place for system"),
        ("paths: {system: s}\nbody: {as: responses}", "a body read as responses has its own place for system"),
    ],
)
def test_what_system_does_not_go_with_is_told(paths: str, words: str, tmp_path: Path) -> None:
    """A system text that would be lost is an error with its line and what to write."""
    with pytest.raises(ConfigError) as caught:
        read_with(f"{START}{paths}\n", tmp_path, {"q": "Q"})

    assert words in str(caught.value)
    assert ":4: " in str(caught.value)
    assert caught.value.hint


def test_the_pages_first_example_prints_no_doubts(tmp_path: Path) -> None:
    """The example's counts are those of its prompt, so the report has no warning on tokens; nothing is said on stderr."""
    record, text = (re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)[0] for language in ("json", "yaml"))
    log, own = tmp_path / "gateway.jsonl", tmp_path / "our-gateway.yaml"
    log.write_text(record, encoding="utf-8")
    own.write_text(text, encoding="utf-8")
    done = CliRunner().invoke(cli, ["analyze", str(log), "--map", str(own), "--format", "json"])
    report = json.loads(done.stdout)

    assert done.exit_code == 0
    assert done.stderr == ""
    assert not any("off the reported" in note for note in report["notes"])
    assert f"the prompt has {report['prompt_tokens']} tokens" in " ".join(PAGE.split())
