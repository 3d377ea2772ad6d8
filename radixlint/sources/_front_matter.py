"""Split a file into its YAML front matter and the text behind it."""

from __future__ import annotations

import re

from radixlint.errors import SourceError
from radixlint.late_pattern import late_pattern
from radixlint.passage import Ground, Passage
from radixlint.prompt import SourceText
from radixlint.sources._tree import Table

# Lines of comment (a licence) and blank lines may stand ahead of the front matter.
_HEAD = late_pattern(r"(?:[ \t]*(?:#[^\n]*)?\n)*---[ \t]*\n")
_TAIL = late_pattern(r"^---[ \t]*(?:\n|\Z)", re.MULTILINE)


def split_front_matter(source: SourceText) -> tuple[Table | None, Passage]:
    """Return the front matter, None if there is none, and the body as a passage.

    Raises:
        SourceError: the front matter is not closed, does not parse, or is no mapping.
    """
    ground, text = Ground(source), source.text
    head = _HEAD.match(text)
    if head is None:
        return None, Passage(text, ground)
    tail = _TAIL.search(text, head.end())
    if tail is None:
        line = text.count("\n", 0, head.end())
        raise SourceError("the front matter is opened here and never closed: a line '---' is missing", line=line)
    body = Passage(text[tail.end() :], ground, tail.end())
    return _parsed(ground, head.end(), tail.start()), body


def _parsed(ground: Ground, start: int, end: int) -> Table | None:
    from radixlint.sources._yaml_tree import parse_yaml

    # Blanks ahead of the front matter keep every place in it what it is in the file.
    blank = re.sub(r"[^\n]", " ", ground.text[:start])
    try:
        documents = parse_yaml(Ground(SourceText(ground.path, blank + ground.text[start:end])))
    except SourceError as error:
        raise SourceError(f"front matter: {error.message}", line=error.line, column=error.column, hint=error.hint) from error
    tree = documents[0] if documents else None
    if tree is not None and not isinstance(tree, Table):
        raise SourceError("the front matter is no mapping", line=ground.place(start)[0])
    return tree
