"""Request bodies as sent to OpenAI, Anthropic, Gemini or Bedrock, in JSON or YAML, alone or in the envelopes of batches."""

from __future__ import annotations

from radixlint.errors import SourceError
from radixlint.late_pattern import late_pattern
from radixlint.prompt import Prompt, SourceText
from radixlint.sources import Includes, SourceRead
from radixlint.sources._placeholders import Style, is_format, style_of
from radixlint.sources._tree import Leaf, leaves

NAME = "request-body"
SUFFIXES = frozenset((".json", ".yaml", ".yml"))
# Ahead of the plug-in for messages, which takes any list of them.
RANK = 45
# Other files are not parsed at all.
_LIKELY = late_pattern(r"\b(?:messages|contents|input|system_?[iI]nstruction)[\"']?\s*:")
_DOLLAR = late_pattern(r"\$\{([^\W\d][\w.]*)\}")


def read(source: SourceText, includes: Includes) -> SourceRead | None:
    """Return each body as one prompt; with placeholders in it it counts as a template, else as rendered."""
    if not _LIKELY.search(source.text):
        return None
    from radixlint.sources._conversation import Conversation
    from radixlint.sources._documents import parse_documents
    from radixlint.sources._request_facts import facts_of
    from radixlint.sources._request_layout import lay_out
    from radixlint.sources._request_shape import find_bodies, is_sent

    try:
        documents = parse_documents(source)
    except SourceError:
        # A broken file is reported by the plug-in for messages.
        return None
    is_json = source.path.lower().endswith(".json")
    bodies = [body for tree in documents.trees for body in find_bodies(tree) if is_json or is_sent(body)]
    name = source.path.replace("\\", "/").rsplit("/", 1)[-1]
    prompts: list[Prompt] = []
    notes = list(documents.notes)
    for number, body in enumerate(bodies, 1):
        talk = Conversation(documents.ground, includes, _style(tuple(leaves(body.tree))))
        lay_out(body, talk)
        facts = facts_of(body, talk)
        if facts is None:
            continue
        is_filled = any(parameter.expression is not None for parameter in facts.parameters)
        is_rendered = not is_filled and all(segment.is_literal for segment in talk.segments)
        label = name if len(bodies) == 1 else f"{name}:{number}"
        prompts.append(Prompt(source.path, label, NAME, tuple(talk.segments), is_rendered, talk.has_marks, facts))
        notes.extend(talk.notes)
    return SourceRead(NAME, tuple(prompts), tuple(dict.fromkeys(notes))) if prompts else None


def _style(known: tuple[Leaf, ...]) -> str:
    """Return the style of a body; braces among code are code, for no template engine would take that text."""
    slots = [leaf.passage.text for leaf in known if leaf.is_slot]
    if slots:
        return "handlebars" if any(text.startswith("{{{") for text in slots) else "jinja"
    texts = [leaf.passage.text for leaf in known]
    names = [name for text in texts for name in _DOLLAR.findall(text)]
    bare = [_DOLLAR.sub("", text) for text in texts]
    style = style_of(bare)
    if style is Style.SINGLE and any("```" in text or not is_format(text) for text in bare):
        style = Style.NONE
    if style is Style.NONE and names:
        # Names in upper case are variables of a shell.
        is_code = any("```" in text for text in texts) or any(name.isupper() for name in names)
        return "none" if is_code else "dollar"
    return style.value
