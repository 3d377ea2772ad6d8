"""Ids from trees, memos, cut parts and the fast engine are those of one full encode by tiktoken."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from radixlint.errors import TokenizerError
from radixlint.tokenizers import PieceEncoder, is_certain_cut, open_tokenizer, piece_encoder
from radixlint.tokenizers import _fast_engine as fast_engine
from radixlint.tokenizers._certain_cuts import EVERY_CUT, PLAIN_CUTS, SLASH_CUTS
from radixlint.tokenizers._id_memo import IdMemo
from radixlint.tokenizers._openai_vocabulary import SAMPLE_DIGESTS
from radixlint.tokenizers._paragraph_memo import ParagraphMemo
from radixlint.tokenizers._text_tree import TextTree

ROOT = Path(__file__).resolve().parent.parent
ENCODINGS = ("cl100k_base", "o200k_base")


class Engine:
    """One token a character; remembers what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, text: str) -> bytes:
        self.asked.append(text)
        return text.encode("utf-32-le")

    @property
    def characters(self) -> int:
        """How many characters were encoded."""
        return sum(map(len, self.asked))


@pytest.mark.parametrize("turned_off", ["", "1"], ids=["fast", "tiktoken"])
def test_fuzz_finds_no_difference(turned_off: str) -> None:
    """20,000 texts that share prefixes, with the fast engine and without, in both vocabularies: equal ids."""
    done = subprocess.run(
        [sys.executable, "benchmarks/fuzz_incremental.py", "10000", "3"],
        env=os.environ | {"RADIXLINT_NO_FAST": turned_off}, cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("10,000 cases, 0 wrong") == len(ENCODINGS)


@pytest.mark.parametrize("name", ENCODINGS)
def test_every_character_has_the_ids_of_the_exact_engine(name: str) -> None:
    """Engines know different versions of Unicode; each character, in a word and before a quote, reads as tiktoken reads it."""
    tokenizer = open_tokenizer(name)
    exact = tokenizer._encode_exactly  # type: ignore[attr-defined]
    points = [*range(0x80, 0xD800), *range(0xF900, 0x33480), *range(0xE0000, 0xE0200)]
    differing = []
    for start in range(0, len(points), 64):
        text = "".join(f"{chr(point)}\u2019s 0 A{chr(point)}b 0 " for point in points[start : start + 64])
        if tokenizer.encode(text) != exact(text):
            differing.append(hex(points[start]))

    assert differing == []


def test_rules_of_the_two_families_differ_at_a_slash_only() -> None:
    """A line that starts with a slash may belong to the punctuation before it in the newer patterns."""
    pairs = [chr(a) + chr(b) for a in range(128) for b in range(128)]

    assert {pair for pair in pairs if PLAIN_CUTS.is_cut(pair, 1) != SLASH_CUTS.is_cut(pair, 1)} == {"\n/"}


@pytest.mark.parametrize("pair", [".a", ".\n", " a", " \n", "aB", "a'", "12", "e\u0301", "\n ", "\r\n", "\n/", "'s", "\n\x1c"])
def test_what_is_not_certain_is_no_cut(pair: str) -> None:
    """Punctuation before letters, blanks before text, inside numbers and at marks nothing is certain."""
    assert not is_certain_cut(pair[0], pair[1:])


def test_neither_end_is_a_cut() -> None:
    """A cut has text on either side."""
    assert not any(cuts.is_cut("a b", at) for cuts in (PLAIN_CUTS, EVERY_CUT) for at in (0, 3))


def test_a_growing_conversation_is_encoded_once() -> None:
    """Each turn costs its own text, whatever came before it: the multi-turn log that a tree without this re-encodes."""
    engine = Engine()
    tree = TextTree(engine, SLASH_CUTS, budget_bytes=1 << 24)
    turns = ["<turn>\n" + f"question {i} and some words. " * 20 + "\n" for i in range(30)]
    texts = ["".join(turns[: i + 1]) for i in range(30)]

    assert [tree.encode(text) for text in texts] == [Engine()(text) for text in texts]
    assert engine.characters == len(texts[-1])


def test_texts_that_part_share_what_is_before() -> None:
    """A text that leaves another midway costs its own tail and the shorter side of the cut, and a repeat costs nothing."""
    engine = Engine()
    tree = TextTree(engine, SLASH_CUTS, budget_bytes=1 << 24)
    shared = "one two three. " * 400
    texts = [f"{shared}ends {i}" for i in ("here", "there", "elsewhere", "here")]

    assert [tree.encode(text) for text in texts] == [Engine()(text) for text in texts]
    assert engine.characters < len(shared) + 200


@pytest.mark.parametrize("text", ["x" * 50_000, "\u4e2d" * 50_000, "\u0301" * 50_000])
def test_text_without_a_cut_is_one_edge(text: str) -> None:
    """Text in which nothing is certain is exact too, and linear: its parts are not looked for again and again."""
    engine = Engine()
    tree = TextTree(engine, SLASH_CUTS, budget_bytes=1 << 24)

    for whole in (text, text + " tail", text + " tail", "a " + text, "a " + text[1:] + "b"):
        assert tree.encode(whole) == Engine()(whole)
    assert engine.characters <= 4 * len(text) + 100


def test_the_tree_stays_within_its_budget_and_keeps_what_is_used() -> None:
    """Past the budget what was used longest ago goes; a prefix asked for all the time stays; ids are right throughout."""
    engine = Engine()
    tree = TextTree(engine, SLASH_CUTS, budget_bytes=200_000)
    shared = "stays " * 200

    for i in range(500):
        for text in (f"{i} goes " * 100, f"{shared}{i}"):
            assert tree.encode(text) == Engine()(text)
            assert tree._held_bytes < 250_000
    assert engine.characters < 500 * (900 + 30) + 10 * len(shared)


def test_the_memo_stays_within_its_budget_and_keeps_what_is_used() -> None:
    """Past the budget old texts are forgotten, one asked for all the time is not, and a giant one is not kept at all."""
    engine = Engine()
    memo = IdMemo(engine, budget_bytes=30_000)

    for i in range(500):
        memo.encode("<system>\n")
        memo.encode(f"<{i}>\n")
    memo.encode("x" * 30_000)
    held = {**memo._young, **memo._old}

    assert engine.asked.count("<system>\n") == 1
    assert sum(len(text) + len(ids) for text, ids in held.items()) <= 30_000
    assert "<499>\n" in held
    assert "x" * 30_000 not in held


def test_documents_in_another_order_are_encoded_once() -> None:
    """Retrieved documents come back beside others: what a tree of prefixes cannot share, paragraphs do."""
    engine = Engine()
    memo = ParagraphMemo(engine, budget_bytes=1 << 24)
    documents = [f"Document {i}: " + "words and words. " * 30 + "\n\n" for i in range(5)]
    texts = ["".join(documents[i:] + documents[:i]) + "end" for i in range(5)]

    assert [memo.encode(text) for text in texts] == [Engine()(text) for text in texts]
    assert engine.characters == sum(map(len, documents)) + len("end")


def test_paragraphs_are_passed_over_where_none_comes_back() -> None:
    """After a megabyte of text that is all new, text goes to the engine whole, and is tried again later."""
    engine = Engine()
    memo = ParagraphMemo(engine, budget_bytes=1 << 20)
    texts = [f"{i} " * 2000 + "\n\n" + f"{i} again" for i in range(1000)]
    sizes = []
    for text in texts:
        begin = len(engine.asked)
        memo.encode(text)
        sizes.append(len(engine.asked) - begin)

    assert sizes[0] == 2
    assert sizes.index(1) < sizes.index(2, sizes.index(1))


@pytest.mark.parametrize("name", ENCODINGS)
def test_special_tokens_count_in_rendered_prompts_only(name: str) -> None:
    """Where special tokens are read the ids are tiktoken's with all allowed; else they are ordinary text."""
    tokenizer = open_tokenizer(name)
    text = "<|endoftext|>\nWhat is <|endofprompt|>?<|endoftext|> <|endof"
    expected = tokenizer._encoding.encode_to_numpy(text, allowed_special="all").astype("<u4").tobytes()  # type: ignore[attr-defined]

    assert piece_encoder(tokenizer, reads_specials=True).encode_piece(text) == expected
    assert piece_encoder(tokenizer).encode_piece(text) == tokenizer.encode(text) != expected
    assert tokenizer.reading_specials().decode(expected) == text


@pytest.mark.parametrize("name", ENCODINGS)
def test_the_sample_of_engines_reads_as_tiktoken_reads_it(name: str) -> None:
    """The digest that an engine has to meet is that of tiktoken's own ids."""
    exact = open_tokenizer(name)._encode_exactly  # type: ignore[attr-defined]

    assert fast_engine.sample_digest(exact) == SAMPLE_DIGESTS[name]


def test_an_engine_that_differs_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another digest of the sample, a missing function or the environment variable, and the exact engine does the work."""
    exact = open_tokenizer("bytes").encode

    assert fast_engine.fast_engine("o200k_base", exact, SAMPLE_DIGESTS["cl100k_base"]) is None
    assert fast_engine.fast_engine("no such vocabulary", exact, SAMPLE_DIGESTS["cl100k_base"]) is None
    monkeypatch.setenv(fast_engine.TURN_OFF_VARIABLE, "1")
    assert fast_engine.fast_engine("o200k_base", exact, SAMPLE_DIGESTS["o200k_base"]) is None


def test_tiktoken_is_not_opened_where_the_fast_engine_does_the_work() -> None:
    """Its vocabulary takes a second and 90 MB: it is opened for a text that the fast engine does not read for certain."""
    pytest.importorskip("toktok")
    probe = (
        "import sys; from radixlint.tokenizers import open_tokenizer; t = open_tokenizer('o200k_base'); t.encode('Hi')\n"
        "assert 'tiktoken' not in sys.modules; t.encode('\u017f'); assert 'tiktoken' in sys.modules"
    )

    subprocess.run([sys.executable, "-c", probe], check=True)


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("text", ["a" + " " * 1_200_000 + "b", "\n" + " \u3000" * 600_000 + "b\n\n", "b\n" + "\t" * 1_200_000])
def test_long_runs_of_blanks_are_exact(name: str, text: str) -> None:
    """A run that tiktoken gives up on has the ids that its pattern means: those of the fast engine, which does not step back."""
    toktok = pytest.importorskip("toktok")
    tokenizer = open_tokenizer(name)

    assert tokenizer._encode_exactly(text) == toktok._encoding(name).encode_to_buffer(text)  # type: ignore[attr-defined]


def test_pieces_without_certain_cuts_are_joined_first() -> None:
    """A vocabulary whose split pattern is unknown is given the whole text, whatever pieces it came in."""
    engine = Engine()
    tokenizer = open_tokenizer("bytes")

    class Unknown(type(tokenizer)):  # type: ignore[misc]
        cuts = None

        def encode(self, text: str) -> bytes:
            return engine(text)

    PieceEncoder(Unknown()).encode(["one\n", "<two>\n", "three"])

    assert engine.asked == ["one\n<two>\nthree"]


def test_a_missing_file_is_named() -> None:
    """A path to nothing is one clear line."""
    with pytest.raises(TokenizerError, match=r"none/tokenizer\.json: no such tokenizer file"):
        open_tokenizer("none/tokenizer.json")


@pytest.mark.parametrize("name", ENCODINGS)
def test_unknown_ids_read_as_replacement_characters_with_every_engine(name: str) -> None:
    """Ids that no vocabulary has (beyond its end, or in the gap before its special tokens) read as U+FFFD."""
    tokenizer = open_tokenizer(name)
    gap = min(tokenizer.specials.values()) - 1
    ids = b"".join(value.to_bytes(4, "little") for value in (gap, 2**31))

    assert tokenizer.decode(tokenizer.encode("a") + ids) == "a" + 2 * "\N{REPLACEMENT CHARACTER}"
