"""Processes that encode ahead change no id and no figure, and end with the process that asked."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from radixlint.api import encoding_pool
from radixlint.api.encoding_pool import EncodingPool
from radixlint.api.log_tokens import TokenOptions, tokenize
from radixlint.tokenizers import open_tokenizer
from radixlint.traffic import Message, Request, Usage

TEMPLATE = "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}"
SYSTEM = Message("system", "Answer in one sentence. " * 20)


def question(number: int) -> Message:
    """Return a long message, a few of which are equal."""
    return Message("user", f"{number % 170} then and now and again " * 12)


def mixed_log() -> list[Request]:
    """Return requests of two vocabularies, with repeats, rendered text, given ids and no prompt."""
    return [
        *(Request(i, model=("gpt-4", "gpt-4o")[i % 3 > 0], messages=(SYSTEM, question(i), question(i + 1))) for i in range(300)),
        *(Request(300 + i, rendered=f"<s>Hi\ud800<|endoftext|> number {i % 7} " * 30) for i in range(20)),
        Request(320, token_ids=b"\1\0\0\0\2\0\0\0"),
        Request(321, usage=Usage(prompt_tokens=1)),
        Request(322, messages=(Message("user", "short"),)),
    ]


@pytest.mark.parametrize("kind", ["tools-first", "anthropic", "template", "blocks"])
def test_the_number_of_processes_changes_no_id(kind: str, tmp_path: Path) -> None:
    """Two and three processes give what one gives, for messages, rendered text, several vocabularies and given ids."""
    template = tmp_path / "chat.jinja"
    template.write_text(TEMPLATE, encoding="utf-8")
    options = {
        "tools-first": TokenOptions(),
        "anthropic": TokenOptions(layout="anthropic"),
        "template": TokenOptions(chat_template=str(template)),
        "blocks": TokenOptions(with_blocks=True),
    }[kind]

    one, two, three = (tokenize(mixed_log(), replace(options, jobs=jobs)) for jobs in (1, 2, 3))

    assert list(one.requests) == list(two.requests) == list(three.requests)
    assert (one.tokenizer, one.evidence, one.layout_name) == (two.tokenizer, two.evidence, two.layout_name)


def test_texts_come_from_the_processes_that_began_alike_ones() -> None:
    """The pool gives the ids of all texts, and texts of one number go to one process until it has much more to do."""
    tokenizer = open_tokenizer("bytes")
    pool = EncodingPool(2)
    try:
        few = {f"text {i}": i % 3 for i in range(30)}
        found = pool.encode("bytes", few, reads_specials=False).ids()
        assert found == {text: tokenizer.encode(text) for text in few}

        many = {f"{i} " * 400_000: 7 for i in range(4)}
        coming = pool.encode("bytes", many, reads_specials=False)
        assert len(coming._parts) == 2
        assert coming.ids() == {text: tokenizer.encode(text) for text in many}
    finally:
        pool.close()


def test_one_process_does_it_where_others_cannot_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the right to start processes the ids come from this one."""

    def refuse() -> None:
        raise PermissionError("no processes here")

    monkeypatch.setattr(encoding_pool, "_Worker", refuse)

    assert list(tokenize(mixed_log(), TokenOptions(jobs=2)).requests) == list(tokenize(mixed_log()).requests)


def test_a_process_that_ended_gives_nothing_and_nothing_is_lost() -> None:
    """What a killed process was asked for is left out, for the process that asks to encode itself."""
    pool = EncodingPool(1)
    try:
        pool._workers[0]._process.kill()
        pool._workers[0]._process.join()
        assert pool.encode("bytes", {"text": 1}, reads_specials=False).ids() == {}
    finally:
        pool.close()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL], ids=["interrupted", "killed"])
def test_no_process_outlives_the_one_that_asked(number: signal.Signals, tmp_path: Path) -> None:
    """Interrupted from the keyboard, or killed, ``analyze`` leaves no process behind; interrupted, no traceback either."""
    log = tmp_path / "log.jsonl"
    body = {"model": "gpt-4o", "messages": [{"role": "user", "content": ""}]}
    with log.open("w", encoding="utf-8") as file:
        for i in range(3_000):
            body["messages"] = [{"role": "user", "content": f"{i} " * 3_000}]
            file.write(json.dumps(body) + "\n")
    command = [sys.executable, "-m", "radixlint", "analyze", str(log), "--jobs", "2"]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, text=True)
    workers = _wait_for_children(child.pid, 2)

    if number == signal.SIGINT:
        os.killpg(child.pid, number)
    else:
        child.kill()
    _, told = child.communicate(timeout=60)

    assert child.returncode != 0
    assert number == signal.SIGKILL or "Traceback" not in told
    deadline = time.monotonic() + 30
    while (left := [pid for pid in workers if _is_running(pid)]) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not left


def _wait_for_children(pid: int, count: int) -> list[int]:
    """Return the processes that encode, children of ``pid``, once there are ``count``."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
        found = [int(child) for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]
        if len(found) == count:
            return found
        time.sleep(0.02)
    raise AssertionError("no processes were started")


def _is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
