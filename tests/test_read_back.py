"""Prompts of token ids alone: read back with a named tokenizer, else told apart without fixes."""

from __future__ import annotations

import json
from pathlib import Path

from radixlint.api.analyze_options import AnalyzeOptions
from radixlint.api.measuring import analyze
from radixlint.api.read_back import read_back
from radixlint.tokenizers import open_tokenizer
from radixlint.traffic import TOKEN_BYTES, Request

NAME = "o200k_base"
RULES = "\n".join(f"Rule {n}: answer question {n} in at most {n + 2} words." for n in range(40))


def ids_of(text: str) -> bytes:
    return open_tokenizer(NAME).reading_specials().encode(text)


def clock_log(path: Path) -> str:
    """Write ids of prompts with a time in front of rules, and return the path."""
    with path.open("w", encoding="utf-8") as out:
        for n in range(8):
            system = f"It is 2026-03-01T10:{n:02}:07Z.\n{RULES}"
            text = f"<|im_start|>system\n{system}<|im_end|>\n<|im_start|>user\nWhat about {n}?<|im_end|>\n<|im_start|>assistant\n"
            ids = memoryview(ids_of(text)).cast("I").tolist()
            out.write(json.dumps({"token_ids": ids, "timestamp": 1772359207.0 + 60 * n}) + "\n")
    return str(path)


def test_ids_with_a_named_tokenizer_get_cause_and_fix(tmp_path: Path) -> None:
    """Read back, the clock is named, and moving it is replayed against the ids that were sent."""
    log = clock_log(tmp_path / "ids.jsonl")

    plain, read = analyze([log]), analyze([log], AnalyzeOptions(tokenizer=NAME))

    (place,) = read.breaks
    assert place.cause == "clock"
    assert (read.prompt_tokens, read.shareable_tokens) == (plain.prompt_tokens, plain.shareable_tokens)
    assert place.remedies[0].before.shareable_tokens == plain.shareable_tokens
    assert place.remedies[0].regained_tokens > 0.8 * place.lost_tokens


def test_ids_without_a_tokenizer_get_no_fix_and_a_line(tmp_path: Path) -> None:
    """Nothing is proposed that was not replayed, and the report says how the text could be read."""
    report = analyze([clock_log(tmp_path / "ids.jsonl")])

    assert report.breaks
    assert not any(place.remedies for place in report.breaks)
    assert sum("--tokenizer" in note for note in report.notes) == 1


def test_ids_that_are_not_given_again_are_left_alone() -> None:
    """A text cut elsewhere than the tokenizer cuts is not taken, for its fix would be compared with other tokens."""
    cut = b"".join(ids_of(letter) for letter in "Hello")
    requests = [Request(0, token_ids=cut)]

    assert len(ids_of("Hello")) < TOKEN_BYTES * len("Hello")
    assert read_back(requests, open_tokenizer(NAME)) is requests
