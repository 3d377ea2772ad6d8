"""Sources of TypeScript and JavaScript made by chance, for laws that hold for all of them."""

from __future__ import annotations

import random

_CHARACTERS = (
    "a",
    "Be terse. ",
    "é",
    "日本",
    "🙂",
    "  ",
    "//",
    "\\n",
    "\\t",
    "\\x41",
    "\\u00e9",
    "\\u{1F600}",
    "\\\\",
    "\\\n",
    "\\'",
)
_NAMES = ("tone", "rows", "übung", "sender", "$guest", "_x")


class RandomScript:
    """Writes modules; equal seeds give equal modules."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def module(self) -> str:
        """Return the source of a module of some statements, of JSX and types, too."""
        return "\n".join(self._statement(3) for _ in range(self.chance.randint(1, 8))) + "\n"

    def _pick(self, *choices: str) -> str:
        return self.chance.choice(choices)

    def _name(self) -> str:
        return self.chance.choice(_NAMES)

    def _statement(self, depth: int) -> str:
        value = self.expression(depth)
        if depth == 0:
            return f"const {self._name()} = {value};"
        inner = self._statement(depth - 1)
        return self._pick(
            f"let {self._name()}: string | null = {value};",
            f"const {{ {self._name()}, ...rest }} = {value};",
            f"export async function build({{ a, b: [c] }}: P = {{}}, x?: string, ...more: T[]): Promise<string> {{ {inner} }}",
            f"class Builder extends Base<T> {{ private lines: string[] = [{value}]; get text() {{ {inner} return 1; }} }}",
            f"if ({self._name()}) {{ {inner} }} else {{ {self._name()} += {value}; }}",
            f"for (const [k, v] of {value}) {{ {inner} }}",
            f"switch ({self._name()}) {{ case 1: {inner} break; default: f({value}); }}",
            f"try {{ {inner} }} catch (error) {{ throw {value}; }}",
            f"enum Mode {{ A = 'é', B }} /* {self._name()} */",
            f"export default {value};",
        )

    def expression(self, depth: int) -> str:
        """Return an expression."""
        if depth == 0:
            return self._pick(self._name(), self.string(), "1_000", "null")
        one, two = self.expression(depth - 1), self.expression(depth - 1)
        return self._pick(
            self.string(),
            f"`{self.characters()}${{{one}}}{self.characters()}`",
            f"({one} + {two})",
            f"[{one}, ...{self._name()}]",
            f"({{ {self._name()}, key: {one}, [{self._name()}]: {two}, m() {{ return 1; }} }})",
            f"({self._name()}?.b[{one}] ?? {two})",
            f"((a, b = {one}) => {two})",
            f"f({one} as string, ...{self._name()})!",
            f"new Date({one}).toISOString()",
            f"(<div a='é' b={{{one}}}>  text &amp; é {{{two}}} <b/>\n  more </div>)",
            f"({self._name()} ? {one} : {two})",
        )

    def string(self) -> str:
        """Return a string in quotes."""
        return f'"{self.characters()}"'

    def characters(self) -> str:
        """Return characters and escapes that may stand in any string."""
        return "".join(self.chance.choice(_CHARACTERS) for _ in range(self.chance.randint(0, 5)))
