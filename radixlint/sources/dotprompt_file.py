"""Dotprompt files (``.prompt``): front matter, then Handlebars with helpers for roles, history and media."""

from __future__ import annotations

from radixlint.late_pattern import late_pattern
from radixlint.prompt import Prompt, SourceText
from radixlint.sources import Includes, SourceRead
from radixlint.sources._front_matter import split_front_matter
from radixlint.sources._placeholders import Style, field_style, read_fields
from radixlint.sources._role_markers import has_marker_ahead

NAME = "dotprompt"
SUFFIXES = frozenset((".prompt",))
RANK = 60

_JINJA = late_pattern(r"\{%[-+]?\s*[a-z]+")
_HELPER = late_pattern(r"\{\{~?\s*(?:role|history|media|section)\b")


def read(source: SourceText, includes: Includes) -> SourceRead | None:
    """Return the file as one prompt; None if it is written in Jinja.

    Raises:
        SourceError: front matter or template do not parse.
    """
    from radixlint.sources._handlebars_tags import is_handlebars

    text = source.text
    if not is_handlebars(text) and not _HELPER.search(text) and (_JINJA.search(text) or has_marker_ahead(text)):
        return None
    _, body = split_front_matter(source)
    name = source.path.replace("\\", "/").rsplit("/", 1)[-1]
    if "{{" not in body.text and field_style(body.text) is Style.SINGLE:
        return SourceRead(NAME, (Prompt(source.path, name, NAME, read_fields(body, Style.SINGLE)),))
    from radixlint.sources._dotprompt_read import read_dotprompt

    segments, notes = read_dotprompt(body, includes)
    return SourceRead(NAME, (Prompt(source.path, name, NAME, segments),), notes)
