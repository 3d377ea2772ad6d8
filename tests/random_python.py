"""Sources of Python made by chance, for laws that hold for all of them: strings of every kind in statements of every kind."""

from __future__ import annotations

import random

_CHARACTERS = (
    "a",
    "Be terse. ",
    "é",
    "日本",
    "🙂",
    "  ",
    "#",
    "%s",
    "{{",
    "}}",
    "\\n",
    "\\t",
    "\\x41",
    "\\u00e9",
    "\\N{BULLET}",
    "\\101",
    "\\\\",
)
_FIELDS = (
    "name",
    "user.name",
    " spaced ",
    "f(1)",
    "rows[0]",
    "(a + b)",
    "a if b else c",
    "x!r",
    "x:>10",
    "x!s:{width}",
    "x = ",
    "*a,",
    "日",
)


class RandomPython:
    """Writes modules; equal seeds give equal modules."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def module(self) -> str:
        """Return the source of a module of some statements."""
        return "\n".join(self._statement("") for _ in range(self.chance.randint(1, 8))) + "\n"

    def _statement(self, indent: str) -> str:
        pick = self.chance.randrange(9)
        if pick < 4 or len(indent) > 8:
            return f"{indent}text = {self.expression(2)}"
        inner = self._statement(indent + "    ")
        heads = (
            f"def build(user: str = {self.literal()}, *rest, **more) -> 'list[str]':",
            "class Prompt(Base):",
            f"if {self.expression(1)}:",
            f"for é, row in {self.expression(1)}:",
            f"with open({self.literal()}) as file:",
        )
        return f"{indent}{heads[pick - 4]}\n{inner}"

    def expression(self, depth: int) -> str:
        """Return an expression of at most ``depth`` levels."""
        if depth == 0:
            return self.chance.choice(("name", "日本.wert", "7", "-1", self.literal(), self.literal()))
        one, two = self.expression(depth - 1), self.expression(depth - 1)
        forms = (
            f"call({one}, key={two}, **more)",
            f"({one}).join([{two}, *rest])",
            f"({one} + {two})",
            f"{{{self.literal()}: {one}, **other}}",
            f"[{one} for row in {two} if row]",
            f"({one} if {two} else None)",
            f"rows[{one}:{two}]",
            f"({one} or {two} == 3)",
            f"(lambda é, *, key={one}: {two})",
        )
        return self.chance.choice(forms)

    def literal(self) -> str:
        """Return one literal, or two side by side in parentheses."""
        if self.chance.random() < 0.2:
            between = self.chance.choice((" ", "\n  ", "  # why\n    ", " \\\n "))
            return f"({self._one()}{between}{self._one()})"
        return self._one()

    def _one(self) -> str:
        prefix = self.chance.choice(("", "", "", "r", "f", "f", "F", "rf", "R", "u"))
        quote = self.chance.choice(("'", '"', "'''", '"""'))
        is_raw, is_formatted = "r" in prefix.lower(), "f" in prefix.lower()
        pieces = []
        for _ in range(self.chance.randint(0, 5)):
            if is_formatted and self.chance.random() < 0.4:
                pieces.append("{" + self.chance.choice(_FIELDS) + "}")
            else:
                pieces.append(self._characters(quote, is_raw=is_raw))
        return f"{prefix}{quote}{''.join(pieces)}{quote}"

    def _characters(self, quote: str, *, is_raw: bool) -> str:
        if len(quote) == 3 and self.chance.random() < 0.3:
            return "\n"
        if self.chance.random() < 0.1:
            return "\\\n" if not is_raw else "\\d"
        if self.chance.random() < 0.1:
            return '"' if quote[0] == "'" else "'"
        found = self.chance.choice(_CHARACTERS)
        return found if not is_raw or "{" not in found[2:] else "x"
