"""Request bodies in JSON as sent to OpenAI chat or Anthropic Messages: tools, then system, then messages."""

from __future__ import annotations

from radixlint.errors import SourceError
from radixlint.prompt import Prompt, SourceText
from radixlint.sources import Includes, SourceRead
from radixlint.sources._conversation import Conversation, is_body
from radixlint.sources._passage import Ground
from radixlint.sources._placeholders import Style, is_format, style_of
from radixlint.sources._tree import leaves

NAME = "request-body"
SUFFIXES = frozenset((".json",))


def read(source: SourceText, includes: Includes) -> SourceRead | None:
    """Return the body as one prompt; with placeholders in its text it counts as a template, else as rendered."""
    if '"messages"' not in source.text:
        return None
    from radixlint.sources._json_tree import parse_json

    ground = Ground(source)
    try:
        tree, notes = parse_json(ground)
    except SourceError:
        # A broken file is reported by the plug-in for messages, which is asked first.
        return None
    if not is_body(tree):
        return None
    talk = Conversation(ground, includes, _style([leaf.passage.text for leaf in leaves(tree)]))
    talk.read(tree)
    name = source.path.replace("\\", "/").rsplit("/", 1)[-1]
    is_rendered = all(segment.is_literal for segment in talk.segments)
    prompt = Prompt(source.path, name, NAME, tuple(talk.segments), is_rendered, talk.has_marks)
    return SourceRead(NAME, (prompt,), (*notes, *talk.notes))


def _style(texts: list[str]) -> Style:
    """Return the style of a body; braces among code are code, for no template engine would take that text."""
    style = style_of(texts)
    is_code = style is Style.SINGLE and any("```" in text or not is_format(text) for text in texts)
    return Style.NONE if is_code else style
