"""Formats that are a tree with roles and strings somewhere: one plug-in that reads them all by a declarative description."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from radixlint.errors import SourceError
from radixlint.prompt import Prompt, SourceText
from radixlint.sources import Includes, SourceRead

if TYPE_CHECKING:
    from radixlint.sources._described_schema import Book, Format

NAME = "described-format"
SUFFIXES = frozenset((".yaml", ".yml", ".json"))
RANK = 40
_TITLE_MAX = 60


def read(source: SourceText, includes: Includes) -> SourceRead | None:
    """Return the prompts of the documents that fit a described format; None if none does.

    Raises:
        SourceError: the file is surely of a described format and does not parse.
    """
    from radixlint.sources._described_prompt import Layout
    from radixlint.sources._described_schema import load_book
    from radixlint.sources._documents import parse_documents
    from radixlint.sources._tree_paths import found_at, holds, text_at

    book = load_book()
    likely = _likely(book, source)
    if not likely:
        return None
    try:
        documents = parse_documents(source)
    except SourceError:
        if any(form.sure and re.search(form.sure, source.text, re.MULTILINE) for form in likely):
            raise
        return None
    notes = list(documents.notes)
    layout = Layout(book, documents.ground, includes, notes)
    prompts: list[Prompt] = []
    known = [(tree, form) for tree in documents.trees if (form := next((f for f in likely if holds(tree, f.where)), None))]
    for document, form in known:
        notes.extend([form.note] if form.note else [])
        for tree in (found for at in form.at for found in found_at(document, at) if holds(found, form.prompt)):
            segments = layout.segments(form, tree)
            title = text_at(tree, form.title) if form.title else None
            if segments:
                prompts.append(Prompt(source.path, _named(source.path, title), NAME, segments))
    return SourceRead(NAME, tuple(prompts), tuple(dict.fromkeys(notes))) if known else None


def _likely(book: Book, source: SourceText) -> list[Format]:
    """Return the formats that the file's name and words allow; a word of several formats is looked for once."""
    words = {word for word in book.words if word in source.text}
    if not words:
        return []
    path = source.path.lower()
    named = (form for form in book.formats if not form.files or path.endswith(tuple(form.files)))
    return [form for form in named if not words.isdisjoint(form.look)]


def _named(path: str, title: str | None) -> str:
    name = path.replace("\\", "/").rsplit("/", 1)[-1]
    is_short = title is not None and len(title) <= _TITLE_MAX and "\n" not in title
    return f"{name}:{title}" if is_short else name
