"""Write the page of each rule and their front page, ``docs/rules/``, anew: ``python tests/make_rule_pages.py``."""

from __future__ import annotations

from pathlib import Path

from radixlint.api.rule_book import every_rule
from radixlint.reports import TextStyle, rule_markdown, rules_markdown

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "rules"


def pages() -> dict[str, str]:
    """Return every page by its file name."""
    rules = every_rule()
    made = {f"{rule.id}-{rule.name}.md": rule_markdown.render(rule, TextStyle()) for rule in rules}
    return {"README.md": rules_markdown.render(rules, TextStyle()), **made}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    written = pages()
    for old in FOLDER.glob("*.md"):
        if old.name not in written:
            old.unlink()
    for name, text in written.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
