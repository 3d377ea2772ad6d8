"""Incremental encoding against ``encode_ordinary`` of whole texts, with the fast engine and without; memory of vocabularies.

Run: ``python benchmarks/bench_encode.py [requests]``. Both sides encode the same texts and must give the same ids before a
time is printed. The plain side is tiktoken, one call a request; ours starts empty and encodes every request in turn. CPU
times of one process; ratios of one run on one machine, and no test depends on them.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from array import array
from collections.abc import Callable

from radixlint.tokenizers import open_tokenizer, piece_encoder

VOCABULARIES = ("cl100k_base", "o200k_base", "deepseek")
TURN_OFF = "RADIXLINT_NO_FAST"
WORDS = [
    f"{a}{b}"
    for a in ("order", "invoice", "carton", "road", "desk", "late", "refund", "Parcel", "the", "of", "customer's", "1,204", "GB")
    for b in ("", "s", "ly", ",", ".", ":", " and", " is", " 12")
]


def words(draw: random.Random, characters: int) -> str:
    """Return random words, about ``characters`` long, a line break now and then."""
    text = " ".join(draw.choices(WORDS, k=characters // 6))
    return text.replace(".", ".\n", len(text) // 400)


def shared_start(requests: int) -> list[str]:
    """Build requests of 64 kB whose first 97 % is one of three texts."""
    draw = random.Random(1)
    starts = [words(draw, 70_000)[:62_000] + "\n" for _ in range(3)]
    return [draw.choice(starts) + words(draw, 2200)[:1900] for _ in range(requests)]


def multi_turn(requests: int) -> list[str]:
    """Build rendered chats of twelve turns, eight of them open at a time."""
    draw, texts = random.Random(2), []
    system = "<|system|>\n" + words(draw, 4000) + "\n"
    while len(texts) < requests:
        chats = [system] * 8
        for _ in range(12):
            for i in range(8):
                chats[i] += f"<|user|>\n{words(draw, 300)}\n<|assistant|>\n"
                texts.append(chats[i])
                chats[i] += f"{words(draw, 900)}\n"
    return texts[:requests]


def single_turn(requests: int) -> list[str]:
    """Build questions on three of forty documents behind a common system text."""
    draw = random.Random(3)
    system, documents = words(draw, 2000), [words(draw, 2000) for _ in range(40)]
    return ["\n\n".join((system, *draw.sample(documents, 3), words(draw, 300))) for _ in range(requests)]


LOGS: dict[str, Callable[[int], list[str]]] = {
    "97 % shared, 64 kB": shared_start,
    "multi-turn": multi_turn,
    "single-turn, 3 of 40 documents": single_turn,
}


def cpu_s(encode: Callable[[str], object], texts: list[str]) -> float:
    """Return the CPU seconds of encoding ``texts`` one after the other, results dropped."""
    begin = time.process_time()
    for text in texts:
        encode(text)
    return time.process_time() - begin


def compare(name: str, texts: list[str]) -> str:
    """Return one line: the plain way against ours on ``texts``, equal ids asserted."""
    tokenizer = open_tokenizer(name)
    plain = tokenizer._encoding.encode_ordinary  # type: ignore[attr-defined]
    for text in texts[:: max(1, len(texts) // 20)]:
        plain(text), tokenizer.encode(text)
    encode = piece_encoder(tokenizer).encode_piece
    assert all(encode(text) == array("I", plain(text)).tobytes() for text in texts), "ids differ"
    plain_s = min(cpu_s(plain, texts) for _ in range(2))
    whole_s = min(cpu_s(tokenizer.encode, texts) for _ in range(2))
    ours_s = min(cpu_s(piece_encoder(tokenizer).encode_piece, texts) for _ in range(3))
    size = sum(map(len, texts)) / 1e6
    return (
        f"{size:6.0f} MB: encode_ordinary {size / plain_s:5.1f} MB/s, engine alone {plain_s / whole_s:5.1f}x, "
        f"incremental {plain_s / ours_s:6.1f}x ({size / ours_s:,.0f} MB/s)"
    )


def vocabulary_memory() -> None:
    """Print how much resident memory each vocabulary adds to a process, and the CPU time to open it (Linux only)."""
    probe = (
        "import sys, time; import radixlint.tokenizers as t; from pathlib import Path\n"
        "def peak(): return int(Path('/proc/self/status').read_text().split('VmHWM:')[1].split()[0])\n"
        "a, b = peak(), time.process_time(); t.open_tokenizer(sys.argv[1]).encode('a')\n"
        "print(f'  {sys.argv[1]:12} {(peak() - a) / 1024:4.0f} MiB at its peak, opened in {time.process_time() - b:.2f} s')"
    )
    for name in VOCABULARIES:
        subprocess.run([sys.executable, "-c", probe, name], check=False)


def main() -> None:
    """Print a line for each log and vocabulary; then once more without the fast engine."""
    requests = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    print("without the fast engine" if os.environ.get(TURN_OFF) else "with the fast engine, where installed", flush=True)
    for title, build in LOGS.items():
        texts = build(requests)
        for name in VOCABULARIES[:2]:
            print(f"  {title:30} {name:12} {compare(name, texts)}", flush=True)
    vocabulary_memory()
    if not os.environ.get(TURN_OFF):
        subprocess.run([sys.executable, *sys.argv], env=os.environ | {TURN_OFF: "1"}, check=True)


if __name__ == "__main__":
    main()
