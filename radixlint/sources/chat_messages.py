"""Chat messages in YAML or JSON: a list of roles and contents, or a mapping with ``messages``."""

from __future__ import annotations

from radixlint.errors import SourceError
from radixlint.late_pattern import late_pattern
from radixlint.passage import Ground, whole
from radixlint.prompt import Prompt, SourceText
from radixlint.sources import Includes, SourceRead
from radixlint.sources._placeholders import style_of_leaves
from radixlint.sources._tree import Listing, Table, Tree, leaves

NAME = "chat-messages"
SUFFIXES = frozenset((".yaml", ".yml", ".json"))
# Files without any of these words are not parsed at all: most YAML and JSON is no prompt.
_LIKELY = late_pattern(r"messages|\brole\b|\b(?:system|human|user)\b")
_ROLE, _CONTENT = late_pattern(r"\brole\b[\"']?\s*:"), late_pattern(r"\bcontent\b[\"']?\s*:")


def read(source: SourceText, includes: Includes) -> SourceRead | None:
    """Return one prompt a document; None if no document holds messages.

    Raises:
        SourceError: the file names roles and contents and does not parse.
    """
    if not _LIKELY.search(source.text):
        return None
    from radixlint.sources._documents import parse_documents

    is_json = source.path.lower().endswith(".json")
    try:
        documents = parse_documents(source)
    except SourceError:
        if not (_ROLE.search(source.text) and _CONTENT.search(source.text)):
            return None
        if is_json or "{%" not in source.text:
            raise
        return _as_text(source, includes)
    prompts: list[Prompt] = []
    notes = list(documents.notes)
    for tree in documents.trees:
        prompts.extend(_prompts(tree, documents.ground, includes, is_json, notes))
    return SourceRead(NAME, tuple(prompts), tuple(dict.fromkeys(notes))) if prompts else None


def _as_text(source: SourceText, includes: Includes) -> SourceRead:
    """Return a template that is no YAML even without its tags as one text: what changes where is told, but not who speaks.

    Raises:
        SourceError: it is no template either.
    """
    from radixlint.sources._jinja_read import read_jinja

    read = read_jinja(whole(source), includes)
    name = source.path.replace("\\", "/").rsplit("/", 1)[-1]
    note = "read as text, for it is no YAML before its tags are filled in"
    return SourceRead(NAME, (Prompt(source.path, name, NAME, read.segments),), (note, *read.notes))


def _prompts(tree: Tree, ground: Ground, includes: Includes, is_json: bool, notes: list[str]) -> list[Prompt]:
    from radixlint.sources._conversation import Conversation, is_message

    messages = tree.get("messages") if isinstance(tree, Table) else tree
    if not isinstance(messages, Listing) or not messages.items or not is_message(messages.items[0]):
        return []
    talk = Conversation(ground, includes, style_of_leaves(leaves(tree)))
    talk.read(tree)
    notes.extend(talk.notes)
    is_rendered = is_json and all(segment.is_literal for segment in talk.segments)
    name = ground.path.replace("\\", "/").rsplit("/", 1)[-1]
    return [Prompt(ground.path, name, NAME, tuple(talk.segments), is_rendered, talk.has_marks)]
