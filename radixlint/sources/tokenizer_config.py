"""Chat templates inside JSON: ``tokenizer_config.json`` and its like, one template or a list of named ones."""

from __future__ import annotations

from collections.abc import Iterator

from radixlint.errors import SourceError
from radixlint.prompt import Prompt, SourceText
from radixlint.sources import Includes, SourceRead
from radixlint.sources._tree import Leaf, Listing, Table, Tree

NAME = "tokenizer-config"
SUFFIXES = frozenset((".json",))
RANK = 30
_KEY = "chat_template"
_SURE = ("tokenizer_config.json", "chat_template.json")


def read(source: SourceText, includes: Includes) -> SourceRead | None:
    """Return one prompt a template; None if the file holds none.

    Raises:
        SourceError: a template does not parse, or a file named so is no JSON.
    """
    if f'"{_KEY}"' not in source.text:
        return None
    from radixlint.sources._chat_template import chat_template_of
    from radixlint.sources._documents import parse_documents
    from radixlint.sources._jinja_read import read_jinja

    try:
        documents = parse_documents(source)
    except SourceError:
        if source.path.lower().endswith(_SURE):
            raise
        return None
    (tree,) = documents.trees
    # A request to an engine may carry a template beside its messages.
    if not isinstance(tree, Table) or tree.get("messages") is not None:
        return None
    variables = tuple(_tokens(tree))
    prompts: list[Prompt] = []
    notes = list(documents.notes)
    for title, leaf in _templates(tree.get(_KEY)):
        found = read_jinja(leaf.passage, includes)
        notes.extend(found.notes)
        template = chat_template_of(leaf.passage, variables)
        name = source.path.replace("\\", "/").rsplit("/", 1)[-1] + (f":{title}" if title else "")
        prompts.append(Prompt(source.path, name, NAME, found.segments, chat_template=template))
    return SourceRead(NAME, tuple(prompts), tuple(dict.fromkeys(notes))) if prompts else None


def _templates(tree: Tree | None) -> Iterator[tuple[str, Leaf]]:
    if isinstance(tree, Leaf):
        if tree.is_text:
            yield "", tree
    elif isinstance(tree, Listing):
        for item in tree.items:
            template = item.get("template") if isinstance(item, Table) else None
            if isinstance(item, Table) and isinstance(template, Leaf):
                yield item.text("name") or "", template
    elif isinstance(tree, Table):
        yield from ((name, value) for name, value in tree.pairs if isinstance(value, Leaf) and value.is_text)


def _tokens(tree: Table) -> Iterator[tuple[str, str]]:
    """Yield the special tokens, which are strings or mappings with their text as ``content``."""
    for key, value in tree.pairs:
        text = tree.text(key) if isinstance(value, Leaf) else value.text("content") if isinstance(value, Table) else None
        if key.endswith("_token") and text is not None:
            yield key, text
