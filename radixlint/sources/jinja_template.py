"""Jinja templates: ``.j2``, ``.jinja``, ``.jinja2``; parsed, never compiled or rendered."""

from __future__ import annotations

from radixlint.passage import whole
from radixlint.prompt import Prompt, SourceText
from radixlint.sources import Includes, SourceRead
from radixlint.sources._chat_template import chat_template_of, is_chat_template
from radixlint.sources._jinja_delimiters import USUAL, Delimiters
from radixlint.sources._prompt_signs import SURE, judge_template

NAME = "jinja-template"
SUFFIXES = frozenset((".j2", ".jinja", ".jinja2"))
HAS_DELIMITERS = True


def read(source: SourceText, includes: Includes, usual: Delimiters = USUAL) -> SourceRead | None:
    """Return the template as one prompt; a file of macros only gives one prompt a macro. A model's chat template is told.

    None for a file that is a template of something else.

    Raises:
        SourceError: the template does not parse.
    """
    from radixlint.sources._jinja_read import read_jinja

    is_chat = is_chat_template(source.text)
    judged = SURE if is_chat else judge_template(source)
    if judged.is_other:
        return None
    passage = whole(source)
    found = read_jinja(passage, includes, usual)
    name = source.path.replace("\\", "/").rsplit("/", 1)[-1]
    template = chat_template_of(passage) if is_chat else None
    prompts = [Prompt(source.path, name, NAME, found.segments, chat_template=template)]
    if found.macros:
        prompts = [Prompt(source.path, f"{name}:{macro}", NAME, segments) for macro, segments in found.macros]
    return SourceRead(NAME, judged.told(prompts), found.notes)
