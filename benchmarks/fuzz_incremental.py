"""Fuzz incremental encoding: ids from trees, memos and cut parts must be those of one full encode by tiktoken.

Run: ``python benchmarks/fuzz_incremental.py [cases] [seed]``. A case is one text, encoded by encoders that have seen the
texts before it; four in five share a random prefix with one of them. Each is encoded with room and with a budget that makes
the encoder forget all the time, every fourth also with special tokens read, every tenth also cut at each certain place. Both
vocabularies; with RADIXLINT_NO_FAST=1 tiktoken does all the encoding. Exit code 1 at the first difference.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

from radixlint.tokenizers import PieceEncoder, Tokenizer, open_tokenizer, piece_encoder
from radixlint.tokenizers._rank_tokenizer import without_surrogates

VOCABULARIES = ("cl100k_base", "o200k_base")
_LATIN = "the a I don't we'll it's they'RE 'S 'lL 'x HTTPServer iPhone camelCase snake_case caf\xe9 e\u0301"
_FOLDED = (
    "\u0130 i\u0307 \u01c5 \ufb01 \u212a \u017f '\u017f \u4e2d\u6587'\u017f'Sa \uac00'\u017f \xb2 \xbd \u0663\u0664 \u2167 \u3007"
)
_NUMBERS = "x1 1 22 333 4444 55555 10,000.50 3rd 0xff 1e9 -7 2026-11-29T10:00:00Z \u5e74\uff0c12 \xb2 \xbd \u0663 \u2167 \u3007"
_EAST = "\u4e2d\u6587 \u6f22\u5b57\u3002 \u3042\u3044\u3046 \u30ab\u30bf\u30ab\u30ca\u30fb \uff21\uff22"
_HANGUL = "\ud55c\uad6d\uc5b4 \u1112\u1161\u11ab \u0394\u03ad \u041f\u0440\u0438 \u0645\u0631\u062d \u05e9\u05b8\u05dc"
_MARKED = "\u0e44\u0e17\u0e22\u0e17\u0e35\u0e48 \u0928\u092e\u0938\u094d\u0924\u0947 \u200b \u200d \ufeff \x00 \x07 \ufffd"
_JOINED = "\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f44d\U0001f3fd \u2764\ufe0f \U0001f1e9\U0001f1ea"
WORDS = " ".join((_LATIN, _FOLDED, _NUMBERS, _EAST, _HANGUL, _MARKED, _JOINED)).split(" ")
_ASCII = ". , ; : ! ? ... -- ' \" '' `` ( ) [ ] { } <b> </b> // / /* */ \\n == != -> => && || ++ # @ $ % ^ & * _ ~ | < > <| |>"
_SPECIALS = "<|endoftext|> <|im_start|> <|endofprompt|> <|fim_prefix|> <|endof <|endoftext|"
_RICH = '{"k":[1,2],"a":"b"} http://a.b/c?d=1&e=%20 \u3002 \u3001 \uff1f \u2019 \u2019s \u2014 \u2026 \xab \xbf'
MARKS = " ".join((_ASCII, _SPECIALS, _RICH)).split(" ")
BLANKS = (
    " ", " ", " ", "  ", "   ", "\t", "\n", "\n", "\n\n", "\r\n", "\r\n\r\n", "\r", " \n", "\n ", "\n\t", "  \n  ", "\n/",
    "\n//", "!\n", "!\n/\n", "\xa0", "\u2003", "\u3000", "\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\x1f", "\u1680",
    "\u202f", " \u3000", "\n\u3000",
)  # fmt: skip


def fragment(draw: random.Random) -> str:
    """Return a word, a mark, white space, a random character or a run of one character."""
    kind = draw.random()
    if kind < 0.4:
        return draw.choice(WORDS)
    if kind < 0.6:
        return draw.choice(MARKS)
    if kind < 0.93:
        return draw.choice(BLANKS)
    if kind < 0.97:
        return chr(draw.choice((draw.randrange(0x250), draw.randrange(0xD800), draw.randrange(0xE000, 0x40000))))
    return draw.choice((draw.choice(WORDS), draw.choice(MARKS), draw.choice(BLANKS)))[:1] * draw.randrange(2, 9)


def texts(draw: random.Random, cases: int) -> Iterator[str]:
    """Yield random texts, four in five with a random prefix of one before them."""
    before = [""]
    for _ in range(cases):
        start = draw.choice(before) if draw.random() < 0.8 else ""
        parts = [fragment(draw) for _ in range(draw.randrange(1, 25))]
        text = "".join((start[: draw.randrange(len(start) + 1)], *parts))[:1500]
        if len(before) < 40:
            before.append(text)
        else:
            before[draw.randrange(40)] = text
        yield text


def cut_ids(tokenizer: Tokenizer, text: str) -> bytes:
    """Return the ids of the parts of ``text`` between its certain cuts, joined."""
    assert tokenizer.cuts is not None
    places = [0, *(at for at in range(1, len(text)) if tokenizer.cuts.is_cut(text, at)), len(text)]
    return b"".join(tokenizer.encode(text[a:b]) for a, b in pairwise(places))


def encoder(tokenizer: Tokenizer, budget_bytes: int) -> Callable[[str], bytes]:
    """Return an encoder that does not look short texts up whole."""
    made = PieceEncoder(tokenizer, budget_bytes=budget_bytes)
    made.long_characters = 0
    return made.encode_piece


def first_difference(name: str, draw: random.Random, cases: int) -> str | None:
    """Return the first text whose incremental ids are not those that tiktoken gives for all of it, or do not give it back."""
    tokenizer = open_tokenizer(name)
    encode: Callable[..., Any] = tokenizer._encoding.encode_to_numpy  # type: ignore[attr-defined]
    roomy, special = encoder(tokenizer, 1 << 25), encoder(tokenizer.reading_specials(), 1 << 25)
    cramped, memo = encoder(tokenizer, 60_000), piece_encoder(tokenizer).encode_piece
    for i, text in enumerate(texts(draw, cases)):
        ids = encode(text, disallowed_special=()).astype("<u4").tobytes()
        if not ids == roomy(text) == cramped(text) == memo(text):
            return text
        if tokenizer.decode(ids) != without_surrogates(text):
            return text
        if i % 10 == 0 and cut_ids(tokenizer, text) != ids:
            return text
        if i % 4 == 0 and special(text) != encode(text, allowed_special="all").astype("<u4").tobytes():
            return text
    return None


def main() -> int:
    """Fuzz both vocabularies."""
    cases = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    engine = "tiktoken" if os.environ.get("RADIXLINT_NO_FAST") else "fast where installed"
    for name in VOCABULARIES:
        begin = time.perf_counter()
        difference = first_difference(name, random.Random(seed), cases)
        seconds = time.perf_counter() - begin
        print(f"{name} ({engine}): {cases:,} cases, {'0 wrong' if difference is None else repr(difference)}, {seconds:.0f} s")
        if difference is not None:
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
