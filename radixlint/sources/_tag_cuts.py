"""Read in the tags of Go, Handlebars and Liquid which items of a list are taken, by the names of functions and filters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from radixlint.late_pattern import late_pattern
from radixlint.prompt import Cut
from radixlint.sources._jinja_values import NO_FACTS, Facts, union
from radixlint.sources._tag_tokens import Token
from radixlint.sources._turn_cuts import compared, less, marked, negated, taken, turned, undecided

Said = tuple[Facts, float | None]
"""The facts of an argument, and its number if that is written."""
FactsOf = Callable[[Token], Facts]
_Tree = Token | list["_Tree"]

_LESS: Final = frozenset(("sub", "subtract", "minus", "subf"))
_SIZE: Final = frozenset(("len", "length", "size", "count"))
_STEPPING: Final = frozenset(("mod", "modulo", "div", "divide", "divided_by", "floor", "ceil", "round"))
_REVERSING: Final = frozenset(("reverse", "reversed", "sortreverse"))
_FIRST: Final = frozenset(("first", "firstn", "take", "limit", "head"))
_OPERATORS: Final = {
    word: name
    for name, words in {"lt": "lt <", "lteq": "le lte <=", "gt": "gt >", "gteq": "ge gte >="}.items()
    for word in words.split()
}
_TESTS: Final = frozenset(("not", "or"))
# ``last``, ``takeLast``, ``recentTurns``: what takes the newest of a list by their number.
_NEWEST: Final = late_pattern(
    r"(?i)^(?:get|take|keep)?_?(?:last|latest|recent|newest|tail)_?(?:n|few|turns|messages|msgs|items|exchanges|entries)?$|^takeright$"
)
_DEPTH_MAX: Final = 40
_KNOWN: Final = frozenset((*_LESS, *_STEPPING, *_REVERSING, *_FIRST, *_OPERATORS, *_TESTS, "slice"))


def function_cuts(tokens: Sequence[Token], facts_of: FactsOf) -> tuple[Cut, ...]:
    """Return what a pipeline of functions with arguments, as in Go and Handlebars, takes of a list or asks of its items."""
    if not any(token.kind == "path" and _cuts(_called(token)) for token in tokens):
        return ()
    return _among(_evaluated(_nested(tokens), facts_of)[0])


def listed(facts: Facts) -> str | None:
    """Return the name of the list that functions without a say of their own were given, with its size perhaps; else None."""
    base = facts.names[0] if facts.names and set(facts.calls) <= _SIZE else None
    return base if all(name == base or name.startswith(f"{base}.") for name in facts.names) else None


def filter_cuts(tokens: Sequence[Token], facts_of: FactsOf) -> tuple[Cut, ...]:
    """Return what Liquid's filters take of the value that stands ahead of them."""
    value, *steps = _split(tokens, ("|",))
    if not any(step and _cuts(step[0].text) for step in steps):
        return ()
    said = _said(value[0], facts_of) if len(value) == 1 else (NO_FACTS, None)
    for step in steps:
        arguments = [_said(token, facts_of) for token in step[1:] if token.kind != "sign"]
        if step and step[0].text == "slice" and len(arguments) > 1 and arguments[0][1] != 0:
            # Its second argument is a length.
            arguments = arguments[:1]
        said = (_applied(step[0].text, [said, *arguments]), None) if step else said
    return _among(said[0])


def test_cuts(tokens: Sequence[Token], facts_of: FactsOf) -> tuple[Cut, ...]:
    """Return which items of a loop pass a test of Liquid."""
    if any(token.text == "or" for token in tokens):
        return ()
    found = []
    for part in _split(tokens, ("and",)):
        if len(part) == 3 and part[1].text in _OPERATORS:
            found.append(compared(_OPERATORS[part[1].text], _said(part[0], facts_of), _said(part[2], facts_of)))
    return tuple(cut for cut in found if cut is not None)


def loop_cuts(tokens: Sequence[Token], base: Facts, facts_of: FactsOf) -> tuple[Cut, ...]:
    """Return what ``limit``, ``offset`` and ``reversed`` take of the list ``base`` of a loop of Liquid.

    A moving offset with a limit is a window. The list is reversed when it is cut already.
    """
    if len(tokens) < 2:
        return ()
    if any(token.text == "|" for token in tokens):
        return filter_cuts(tokens, facts_of)
    given = {t.text: tokens[i + 2] for i, t in enumerate(tokens[:-2]) if tokens[i + 1].text == ":"}
    limit, offset = (_said(given[name], facts_of) if name in given else None for name in ("limit", "offset"))
    is_moving = offset is not None and bool(offset[0].names) and Cut.STEPPED not in offset[0].filters
    is_newest = offset is not None and Cut.FROM_END in offset[0].filters
    is_newest = is_newest or (is_moving and limit is not None and given["offset"].text != "continue")
    is_newest = is_newest or (limit is not None and taken(base, None, limit) is not None)
    found = (Cut.NEWEST if is_newest else None, Cut.REVERSED if any(token.text == "reversed" for token in tokens) else None)
    return tuple(cut for cut in found if cut is not None)


def _cuts(name: str) -> bool:
    return name.lower() in _KNOWN or bool(_NEWEST.search(name))


def _called(token: Token) -> str:
    return token.text.rpartition(".")[2]


def _among(facts: Facts) -> tuple[Cut, ...]:
    return tuple(Cut(name) for name in facts.filters if isinstance(name, Cut))


def _split(tokens: Sequence[Token], at: tuple[str, ...]) -> list[list[Token]]:
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token.text in at and token.kind != "string":
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _nested(tokens: Sequence[Token]) -> list[_Tree]:
    """Return the tokens with what stands in parentheses as lists of their own; names of arguments are left out."""
    stack: list[list[_Tree]] = [[]]
    for index, token in enumerate(tokens):
        if token.text == "(" and token.kind == "sign" and len(stack) < _DEPTH_MAX:
            stack.append([])
        elif token.text == ")" and token.kind == "sign" and len(stack) > 1:
            inner = stack.pop()
            stack[-1].append(inner)
        elif token.text != "=" and not (index + 1 < len(tokens) and tokens[index + 1].text == "="):
            stack[-1].append(token)
    while len(stack) > 1:
        inner = stack.pop()
        stack[-1].append(inner)
    return stack[0]


def _evaluated(tree: list[_Tree], facts_of: FactsOf) -> Said:
    """Return what a pipeline gives: each command takes what stands ahead of its pipe as its last argument."""
    said: Said | None = None
    command: list[_Tree] = []
    for node in [*tree, None]:
        if node is None or (isinstance(node, Token) and node.text == "|"):
            said = _commanded(command, said, facts_of)
            command = []
        else:
            command.append(node)
    return said or (NO_FACTS, None)


def _commanded(command: list[_Tree], piped: Said | None, facts_of: FactsOf) -> Said:
    if not command:
        return piped or (NO_FACTS, None)
    head, *rest = command
    if isinstance(head, list):
        return _evaluated(head, facts_of)
    arguments = [_evaluated(node, facts_of) if isinstance(node, list) else _said(node, facts_of) for node in rest]
    arguments += [piped] if piped is not None else []
    if not arguments:
        return _said(head, facts_of)
    if "." in head.text.strip(".$"):
        # A method's receiver is what it works on.
        receiver = Token("path", head.text.rpartition(".")[0], head.at)
        arguments = [_said(receiver, facts_of), *arguments]
    return _applied(_called(head), arguments), None


def _said(token: Token, facts_of: FactsOf) -> Said:
    if token.kind == "number":
        return NO_FACTS, float(token.text)
    return (facts_of(token) if token.kind == "path" else NO_FACTS), None


def _applied(name: str, arguments: list[Said]) -> Facts:
    """Return the facts of a call, with what it takes of a list or asks of the items of a loop."""
    facts, key = union([said[0] for said in arguments]), name.lower()
    is_pair = len(arguments) > 1
    if key in _LESS:
        return marked(facts, less(arguments[0][0], *arguments[1]) if is_pair else None)
    if key in _SIZE:
        return Facts(facts.names, facts.calls, (*facts.filters, "length"), facts.constants)
    if key in _STEPPING:
        return marked(facts, Cut.STEPPED)
    if key in _REVERSING:
        return turned(facts)
    if key == "slice":
        return marked(facts, taken(arguments[0][0], arguments[1] if is_pair else None, _third(arguments)))
    if key in _OPERATORS:
        return marked(undecided(facts), compared(_OPERATORS[key], arguments[0], arguments[1]) if is_pair else None)
    if key in _TESTS:
        return negated(facts) if key == "not" else undecided(facts)
    is_newest = bool(_NEWEST.search(name)) or (key in _FIRST and Cut.REVERSED in facts.filters)
    return marked(facts, Cut.NEWEST if is_newest and _is_many(arguments) else None)


def _third(arguments: list[Said]) -> Said | None:
    return arguments[2] if len(arguments) > 2 else None


def _is_many(arguments: list[Said]) -> bool:
    """Whether more than one item is asked for: by a number, or by a name beside the list."""
    numbers = [number for _, number in arguments if number is not None]
    return any(number > 1 for number in numbers) if numbers else sum(1 for facts, _ in arguments if facts.names) > 1
