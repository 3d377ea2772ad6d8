"""Where the comments of code stand: of Python, also in notebooks, and of TypeScript and JavaScript."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from radixlint.errors import SourceError
from radixlint.prompt import SourceText

HASH_COMMENTED: Final = (".py", ".ipynb")
"""Suffixes of files whose comments start with ``#`` and end with their line."""
SLASH_COMMENTED: Final = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
"""Suffixes of files whose comments start with ``//`` or stand between ``/*`` and ``*/``."""


def hash_comments(source: SourceText) -> Iterator[tuple[int, int]]:
    """Yield the half-open range in ``source`` of each comment; none of a notebook that does not parse."""
    from radixlint.flow.python_scan import comments

    if source.path.lower().endswith(".py"):
        yield from comments(source.text)
        return
    from radixlint.flow.notebook_cells import read_notebook
    from radixlint.passage import Ground

    try:
        notebook = read_notebook(Ground(source))
    except SourceError:
        return
    if notebook is not None:
        for start, end in comments(notebook.passage.text):
            yield notebook.passage.offset(start), notebook.passage.offset(end)


def string_ahead(source: SourceText, at: int) -> int:
    """Return where the string over several lines starts that ends on the line of offset ``at``; ``at`` itself if none does."""
    if not source.path.lower().endswith(".py"):
        return at
    from radixlint.flow.python_scan import comments_and_literals

    line = source.text.rfind("\n", 0, at) + 1
    ending = [start for start, end in comments_and_literals(source.text) if start < line < end <= at]
    return min(ending, default=at)


def slash_comments(source: SourceText) -> Iterator[tuple[int, int]]:
    """Yield the half-open range in ``source`` of each comment; none without the parsers, as nothing is found there then."""
    from radixlint.flow.script_lowering import comments_of, is_installed

    if is_installed():
        yield from comments_of(source.text, source.path)
