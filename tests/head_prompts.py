"""Prompts of fixed text for tests of nearly shared heads, counted by words."""

from __future__ import annotations

from collections.abc import Sequence

from radixlint.detectors import FolderHit, near_shared_head
from radixlint.prompt import Prompt, Segment, Span

SENTENCES = [f"Rule {n}: the shelf number {n * 37} holds books that came in week {n * 11}" for n in range(1, 31)]
PARAMS = near_shared_head.Params(64)


def count(text: str) -> int:
    """Return the number of words."""
    return len(text.split())


def prompts(*texts: str) -> list[Prompt]:
    """Return one prompt a text, in files ``00.j2``, ``01.j2``, ..."""
    return [
        Prompt(path, path, "jinja-template", (Segment(text, Span(path, 1, 1, 1, len(text) + 1)),))
        for path, text in ((f"{n:04d}.j2", text) for n, text in enumerate(texts))
    ]


def found(heads: Sequence[Prompt]) -> list[FolderHit]:
    """Return the hits among ``heads``."""
    return list(near_shared_head.find_across(heads, PARAMS, count))
