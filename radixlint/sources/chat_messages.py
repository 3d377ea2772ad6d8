"""Chat messages in YAML or JSON: a list of roles and contents, a mapping with ``messages``, or a ``template`` mapping."""

from __future__ import annotations

import re

from radixlint.errors import SourceError
from radixlint.prompt import Prompt, Role, SourceText
from radixlint.sources import Includes, SourceRead
from radixlint.sources._conversation import Conversation, is_body, is_message
from radixlint.sources._passage import Ground
from radixlint.sources._placeholders import Style, style_of
from radixlint.sources._tree import Leaf, Listing, Table, Tree, leaves

NAME = "chat-messages"
SUFFIXES = frozenset((".yaml", ".yml", ".json"))
# Files without any of these words are not parsed at all: most YAML and JSON is no prompt.
_LIKELY = re.compile(r"messages|\brole\b|template|\b(?:system|human|user)\b")
_ROLE, _CONTENT = re.compile(r"\brole\b[\"']?\s*:"), re.compile(r"\bcontent\b[\"']?\s*:")
_TEMPLATE = re.compile(r"\b_type\b[\"']?\s*:\s*[\"']?prompt|\binput_variables\b")
_FORMATS = {"f-string": Style.SINGLE, "jinja2": Style.JINJA, "mustache": Style.DOUBLE}


def read(source: SourceText, includes: Includes) -> SourceRead | None:
    """Return one prompt a document; None if no document holds messages or a template.

    Raises:
        SourceError: the file names roles and contents, or a prompt type, and does not parse.
    """
    if not _LIKELY.search(source.text):
        return None
    ground = Ground(source)
    is_json = source.path.lower().endswith(".json")
    try:
        documents, notes = _documents(ground, is_json)
    except SourceError:
        if _TEMPLATE.search(source.text) or (_ROLE.search(source.text) and _CONTENT.search(source.text)):
            raise
        return None
    prompts: list[Prompt] = []
    for tree in documents:
        if not (is_json and is_body(tree)):
            prompt, found = _prompt(tree, ground, includes, is_json)
            prompts.extend(prompt)
            notes += found
    return SourceRead(NAME, tuple(prompts), tuple(dict.fromkeys(notes))) if prompts else None


def _documents(ground: Ground, is_json: bool) -> tuple[tuple[Tree, ...], tuple[str, ...]]:
    if is_json:
        from radixlint.sources._json_tree import parse_json

        tree, notes = parse_json(ground)
        return (tree,), notes
    from radixlint.sources._yaml_tree import parse_yaml

    return parse_yaml(ground), ()


def _prompt(tree: Tree, ground: Ground, includes: Includes, is_json: bool) -> tuple[list[Prompt], tuple[str, ...]]:
    name = ground.path.replace("\\", "/").rsplit("/", 1)[-1]
    messages = tree.get("messages") if isinstance(tree, Table) else tree
    if isinstance(messages, Listing) and messages.items and is_message(messages.items[0]):
        style = style_of(leaf.passage.text for leaf in leaves(tree))
        talk = Conversation(ground, includes, style)
        talk.read(tree)
    elif isinstance(tree, Table) and _is_template(tree):
        template = tree.get("template")
        assert isinstance(template, Leaf)
        style = _FORMATS.get(tree.text("template_format") or "") or _template_style(tree, template)
        talk = Conversation(ground, includes, style)
        talk.text(template.passage, Role.TEXT)
    else:
        return [], ()
    is_rendered = is_json and all(segment.is_literal for segment in talk.segments)
    prompt = Prompt(ground.path, name, NAME, tuple(talk.segments), is_rendered, talk.has_marks)
    return [prompt], tuple(talk.notes)


def _is_template(tree: Table) -> bool:
    known = tree.text("_type") == "prompt" or tree.get("input_variables") is not None or tree.get("template_format") is not None
    return known and tree.text("template") is not None


def _template_style(tree: Table, template: Leaf) -> Style:
    # The format of a serialized prompt is f-string unless it says otherwise.
    return Style.SINGLE if tree.text("_type") == "prompt" else style_of([template.passage.text])
