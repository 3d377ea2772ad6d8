"""Text and Markdown with ``{name}`` fields of ``str.format``; a file without a field is no prompt."""

from __future__ import annotations

from radixlint.prompt import Prompt, SourceText
from radixlint.sources import Includes, SourceRead
from radixlint.sources._passage import whole
from radixlint.sources._placeholders import Style, field_style, read_fields

NAME = "field-text"
SUFFIXES = frozenset((".md", ".markdown", ".txt"))
# Documents of a project by their usual names; braces in them are examples.
_DOCUMENTS = frozenset(
    ("readme", "changelog", "contributing", "license", "security", "code_of_conduct", "history", "requirements", "notice")
)


def read(source: SourceText, includes: Includes) -> SourceRead | None:
    """Return the text as one prompt if it holds a field; never fails."""
    name = source.path.replace("\\", "/").rsplit("/", 1)[-1]
    style = field_style(source.text)
    if style is Style.NONE or name.split(".", 1)[0].lower() in _DOCUMENTS:
        return None
    return SourceRead(NAME, (Prompt(source.path, name, NAME, read_fields(whole(source), style)),))
