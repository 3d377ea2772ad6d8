"""promptfoo configurations: prompts as text, as chat messages inside a string, or in files; the tests say what varies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from radixlint.errors import SourceError
from radixlint.late_pattern import late_pattern
from radixlint.passage import Passage
from radixlint.prompt import Prompt, Segment, SourceText
from radixlint.sources import Includes, SourceRead
from radixlint.sources._tree import Leaf, Listing, Table, Tree

if TYPE_CHECKING:
    from radixlint.sources._given_values import GivenValues

NAME = "promptfoo"
SUFFIXES = frozenset((".yaml", ".yml", ".json"))
RANK = 40
_NAMED = late_pattern(r"(?:^|/)promptfooconfig(?:\.[\w-]+)*\.(?:ya?ml|json)$", re.IGNORECASE)
_SCHEMA = late_pattern(r"^#\s*yaml-language-server:.*promptfoo", re.MULTILINE)
_PARTS = late_pattern(r"^[\"' ]*(?:providers|targets|tests|defaultTest|redteam)\b[\"']?\s*:", re.MULTILINE)
_PROMPTS = late_pattern(r"^[\"' ]*prompts\b[\"']?\s*:", re.MULTILINE)
_FILE = late_pattern(r"(?:file://)?(?P<path>[^\s{}*?]+\.(?:txt|md|json|ya?ml|j2|jinja|jinja2))")
_CODE = late_pattern(r"(?:file://|exec:|https?://|langfuse://|python:)\S+|\S+\.(?:py|[cm]?[jt]s)(?::\w+)?")


def read(source: SourceText, includes: Includes) -> SourceRead | None:
    """Return the prompts of a configuration; None if this is none.

    Raises:
        SourceError: a file of promptfoo's name does not parse.
    """
    is_sure = bool(_NAMED.search(source.path.replace("\\", "/")) or _SCHEMA.search(source.text))
    if not _PROMPTS.search(source.text) or not (is_sure or _PARTS.search(source.text)):
        return None
    from radixlint.sources._documents import parse_documents

    try:
        documents = parse_documents(source)
    except SourceError:
        if is_sure:
            raise
        return None
    tree = documents.trees[0] if documents.trees else None
    if not isinstance(tree, Table) or not (is_sure or _is_config(tree)):
        return None
    reader = _Reader(includes, list(documents.notes))
    values = _values(tree)
    texts = list(reader.prompts(tree.get("prompts")))
    name = source.path.replace("\\", "/").rsplit("/", 1)[-1]
    prompts = [
        Prompt(source.path, f"{name}:{number}" if len(texts) > 1 else name, NAME, tuple(values.fill(segments)))
        for number, segments in enumerate(texts, 1)
    ]
    return SourceRead(NAME, tuple(prompts), tuple(dict.fromkeys(reader.notes)))


def _is_config(tree: Table) -> bool:
    has_tests = any(tree.get(key) is not None for key in ("tests", "defaultTest"))
    return tree.get("prompts") is not None and has_tests and any(tree.get(key) is not None for key in ("providers", "targets"))


def _values(tree: Table) -> GivenValues:
    from radixlint.sources._given_values import given_values

    default = _vars(tree.get("defaultTest"))
    tests = tree.get("tests")
    cases = tests.items if isinstance(tests, Listing) else ()
    return given_values([{**default, **_vars(case)} for case in cases])


def _vars(case: Tree | None) -> dict[str, Passage | None]:
    given = case.get("vars") if isinstance(case, Table) else None
    return {key: _plain(value) for key, value in given.pairs} if isinstance(given, Table) else {}


def _plain(value: Tree) -> Passage | None:
    is_plain = isinstance(value, Leaf) and not value.passage.text.startswith("file://")
    return value.passage if isinstance(value, Leaf) and is_plain else None


class _Reader:
    """Reads the prompts of a configuration one by one."""

    def __init__(self, includes: Includes, notes: list[str]) -> None:
        self.includes = includes
        self.notes = notes

    def prompts(self, tree: Tree | None) -> Iterator[list[Segment]]:
        """Yield the segments of each prompt that has any."""
        for item in tree.items if isinstance(tree, Listing) else (tree,):
            text = next((found for key in ("raw", "id") if (found := item.get(key))), None) if isinstance(item, Table) else item
            segments = self._segments(text.passage) if isinstance(text, Leaf) and text.is_text else []
            if segments:
                yield segments

    def _segments(self, passage: Passage) -> list[Segment]:
        text = passage.text.strip()
        file = _FILE.fullmatch(text)
        if file is not None:
            from radixlint.sources._filed_text import read_filed

            return read_filed(passage, file["path"], self.includes, self.notes)
        if _CODE.fullmatch(text):
            self.notes.append(f"line {passage.place(0)[0]}: '{text}' is not read, it names code, many files or a service")
            return []
        messages = self._messages(passage)
        if messages is not None:
            return messages
        from radixlint.sources._styled_text import read_styled

        return list(read_styled(passage, "jinja", self.includes, self.notes))

    def _messages(self, passage: Passage) -> list[Segment] | None:
        """Return what a string says that holds a list of messages; None if it holds none."""
        from radixlint.sources._conversation import Conversation, is_message
        from radixlint.sources._inner_document import parse_inner
        from radixlint.sources._placeholders import Style

        tree = parse_inner(passage)
        if not isinstance(tree, Listing) or not tree.items or not is_message(tree.items[0]):
            return None
        talk = Conversation(passage.ground, self.includes, Style.JINJA)
        talk.read(tree)
        self.notes.extend(talk.notes)
        return talk.segments
