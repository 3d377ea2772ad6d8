"""Jinja in files of other names (``.txt``, ``.md``, ``.tmpl``, ``.prompt``): told by ``{% %}`` or more than bare names."""

from __future__ import annotations

from radixlint.errors import SourceError
from radixlint.late_pattern import late_pattern
from radixlint.passage import whole
from radixlint.prompt import Prompt, SourceText
from radixlint.sources import Includes, SourceRead
from radixlint.sources._fences import fenced_lines
from radixlint.sources._placeholders import Style, field_style, style_of
from radixlint.sources._prompt_signs import is_page, judge_template
from radixlint.sources._role_markers import has_marker_ahead, with_roles

NAME = "jinja-text"
SUFFIXES = frozenset((".txt", ".md", ".markdown", ".tmpl", ".tpl", ".prompt"))
RANK = 45

_STATEMENT = late_pattern(r"\{%[-+]?\s*(?:if|for|set|include|macro|import|from|extends|block|endif|endfor|with|raw)\b")
# Documents of a project by their usual names; tags in them are examples.
_DOCUMENTS = frozenset(
    ("readme", "changelog", "contributing", "license", "security", "code_of_conduct", "history", "requirements", "notice")
)
_INLINE_CODE = late_pattern(r"(?<!`)`[^`\n]+`(?!`)")
_BARE = late_pattern(r"\{\{\s*[\w.]+\s*\}\}")


def read(source: SourceText, includes: Includes) -> SourceRead | None:
    """Return the text as one prompt; None if it is no Jinja, or if all tags of a Markdown file stand in code.

    Raises:
        SourceError: it holds statements of Jinja and does not parse.
    """
    path = source.path.lower()
    name = source.path.replace("\\", "/").rsplit("/", 1)[-1]
    text = source.text
    if ("{{" not in text and "{%" not in text) or name.split(".", 1)[0].lower() in _DOCUMENTS:
        return None
    if path.endswith((".md", ".markdown")) and is_page(source):
        return None
    shown = _without_code(text) if path.endswith((".md", ".markdown")) else text
    has_statement = _STATEMENT.search(shown) is not None
    if not has_statement and not (path.endswith((".md", ".markdown", ".txt")) and _has_values(shown)):
        return None
    judged = judge_template(source)
    if judged.is_other:
        return None
    from radixlint.sources._jinja_read import read_jinja

    try:
        found = read_jinja(whole(source), includes)
    except SourceError:
        if has_statement:
            raise
        return None
    segments = with_roles(found.segments) if has_marker_ahead(text) else found.segments
    return SourceRead(NAME, judged.told((Prompt(source.path, name, NAME, segments),)), found.notes)


def _without_code(text: str) -> str:
    """Return Markdown without fenced and inline code."""
    lines = text.split("\n")
    fenced = fenced_lines(lines)
    return "\n".join(_INLINE_CODE.sub("", line) for index, line in enumerate(lines) if index not in fenced)


def _has_values(text: str) -> bool:
    """Whether ``text`` prints values of Jinja; bare names in double braces beside ``{name}`` are escapes of ``str.format``."""
    from radixlint.sources._handlebars_tags import is_handlebars

    if style_of([text]) is not Style.JINJA or is_handlebars(text):
        return False
    return field_style(text) is not Style.SINGLE or "{{" in _BARE.sub("", text)
