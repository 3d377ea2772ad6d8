"""The drawn prefix tree as lines with box characters, deep trees included: no recursion over the result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from radixlint.reports._figures import counted
from radixlint.result.measurement import TreeNode
from radixlint.safe_text import safe_line

if TYPE_CHECKING:
    from rich.text import Text


def tree_lines(root: TreeNode, width: int) -> Iterator[Text]:
    """Yield one line a node: requests through it, its tokens, its first words; then what is hidden below it."""
    from rich.text import Text

    yield Text().append(counted(root.requests, "request"), "bold")
    pending: list[tuple[str, str, TreeNode | str]] = _below(root, "")
    while pending:
        lead, branch, node = pending.pop()
        line = Text(f"{lead}{branch} ", "dim")
        if isinstance(node, str):
            yield line.append(node, "dim")
            continue
        line.append(f"{node.requests:,} ×", "bold").append(f" {node.tokens:,} token{'' if node.tokens == 1 else 's'}  ")  # noqa: RUF001 - the times sign is meant
        yield line.append(_fit(safe_line(node.label), width - len(line)), "cyan")
        pending.extend(_below(node, lead + ("   " if branch.startswith("└") else "│  ")))


def _below(node: TreeNode, lead: str) -> list[tuple[str, str, TreeNode | str]]:
    """Return what stands below ``node``, last line first."""
    entries: list[TreeNode | str] = list(node.children)
    if node.hidden_children:
        branches = "branch" if node.hidden_children == 1 else "branches"
        requests = "request" if node.hidden_requests == 1 else "requests"
        entries.append(
            f"{node.hidden_children:,} {'more ' if node.children else ''}{branches}, {node.hidden_requests:,} {requests}"
        )
    lines = [(lead, "├─", entry) for entry in entries[:-1]] + [(lead, "└─", entry) for entry in entries[-1:]]
    return lines[::-1]


def _fit(text: str, width: int) -> str:
    width = max(width, 20)
    return text if len(text) <= width else text[: width - 1] + "…"
