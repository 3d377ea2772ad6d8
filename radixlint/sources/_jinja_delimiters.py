"""The delimiters of a Jinja template: the usual ones, those of the settings, or those that its first line names."""

from __future__ import annotations

from dataclasses import dataclass, fields

from radixlint.errors import SourceError
from radixlint.late_pattern import late_pattern
from radixlint.passage import Passage

# Ansible's header: #jinja2: variable_start_string:'[%', variable_end_string:'%]'
_HEADER = late_pattern(r"#jinja2:[ \t]*([^\n]*)(?:\n|\Z)")
_GIVEN = late_pattern(r"""(\w+)_string[ \t]*:[ \t]*(?:'([^'\n]*)'|"([^"\n]*)")""")


@dataclass(frozen=True, slots=True)
class Delimiters:
    """What opens and closes the tags of a template, by the names that Jinja gives them, less ``_string``."""

    variable_start: str = "{{"
    variable_end: str = "}}"
    block_start: str = "{%"
    block_end: str = "%}"
    comment_start: str = "{#"
    comment_end: str = "#}"

    def __post_init__(self) -> None:
        """Check that tags can be told apart.

        Raises:
            SourceError: a delimiter is empty, or two kinds of tags start alike.
        """
        if not all(getattr(self, field.name) for field in fields(self)):
            raise SourceError("a delimiter of the template is empty")
        if len({self.variable_start, self.block_start, self.comment_start}) < 3:
            raise SourceError("two kinds of tags start with the same delimiter")


USUAL = Delimiters()


def headed(passage: Passage, usual: Delimiters) -> tuple[Passage, Delimiters]:
    """Return the template without its header, and the delimiters that the header names on top of ``usual``.

    Raises:
        SourceError: the header's delimiters cannot be told apart.
    """
    header = _HEADER.match(passage.text)
    if header is None:
        return passage, usual
    known = {field.name for field in fields(Delimiters)}
    given = {match[1]: match[2] or match[3] or "" for match in _GIVEN.finditer(header[1]) if match[1] in known}
    named = Delimiters(**{**{name: getattr(usual, name) for name in known}, **given})
    return passage.part(header.end(), len(passage.text)), named
