"""Statements and expressions of Python as nodes of a program."""

from __future__ import annotations

from collections.abc import Iterator

from lowered_nodes import lowered, nodes_in, one

from radixlint.flow.program import (
    Argument,
    Assign,
    Binary,
    Bound,
    Call,
    Class,
    Cut,
    Declare,
    Define,
    Evaluate,
    For,
    If,
    Import,
    Member,
    Name,
    Node,
    Outer,
    Return,
    Try,
)


def test_long_sums_and_long_chains_of_conditions_lower() -> None:
    """A sum and an ``elif`` chain as deep as the parser allows are no recursion here."""
    code = "x = " + " + ".join(["a"] * 900) + "\nif a: b\n" + "".join(f"elif a == {n}: b\n" for n in range(900))
    found = list(lowered(code).body)
    assert sum(1 for node in _sum_links(found[0])) == 899
    assert isinstance(found[1], If)


def _sum_links(statement: Node) -> Iterator[Binary]:
    assert isinstance(statement, Assign)
    node = statement.value
    while isinstance(node, Binary):
        yield node
        node = node.left


def test_docstrings_are_kept_as_doc() -> None:
    """A docstring of a function or class is bound to ``__doc__``; one of a module stays a value nobody uses."""
    module = lowered(
        '"""Top."""\nclass A(dspy.Signature):\n    """Answer."""\n    q: str = f()\n    b: int\ndef g():\n    "Do."\n'
    )
    assert isinstance(module.body[0], Evaluate)
    cls, function = module.body[1], module.body[2]
    assert isinstance(cls, Class)
    assert cls.bases == ("dspy.Signature",)
    assert [type(node) for node in cls.body] == [Assign, Assign, Declare]
    assert isinstance(function, Define)
    for first in (cls.body[0], function.function.body[0]):
        assert isinstance(first, Assign)
        assert isinstance(first.targets[0], Name)
        assert first.targets[0].name == "__doc__"


def test_functions_keep_annotations_decorators_and_defaults() -> None:
    """Annotations stand as written, decorators as dotted names, parameters in order with their kind."""
    code = '@agent.tool(retries=2)\n@cached\nasync def f(a: "set[str]", /, b: int = 1, *c, d=2, **e) -> str: return a\n'
    (define,) = lowered(code).body
    assert isinstance(define, Define)
    function = define.function
    assert function.decorators == ("agent.tool", "cached")
    assert function.returns == "str"
    assert [(p.name, p.annotation, p.kind, p.default is not None) for p in function.parameters] == [
        ("a", "set[str]", "", False),
        ("b", "int", "", True),
        ("c", "", "*", False),
        ("d", "", "", True),
        ("e", "", "**", False),
    ]


def test_imports_say_what_is_bound() -> None:
    """A dotted import binds its first name; dots of relative imports stay."""
    body = lowered("import a.b\nimport a.b as c\nimport os\nfrom ..x.y import z as w, *\n".replace(", *", "")).body
    assert [(n.module, n.names, n.alias) for n in body if isinstance(n, Import)] == [
        ("a", (), "a"),
        ("a.b", (), ""),
        ("a.b", (), "c"),
        ("os", (), "os"),
        ("..x.y", (("z", "w"),), ""),
    ]


def test_match_is_a_chain_of_conditions_that_bind() -> None:
    """Captures are bound to the part of the subject they take; the last case without a test is the rest."""
    code = 'match m:\n  case {"role": r, "content": [first, *more]} if r: x\n  case Msg(text=t): y\n  case other: z\n'
    (chain,) = lowered(code).body
    assert isinstance(chain, If)
    bound = {
        node.target.name: node.value for node in nodes_in(chain.test) if isinstance(node, Bound) and isinstance(node.target, Name)
    }
    assert set(bound) == {"r", "first", "more"}
    assert isinstance(bound["more"], Cut)
    (second,) = chain.no
    assert isinstance(second, If)
    (capture,) = [node for node in nodes_in(second.test) if isinstance(node, Bound)]
    assert isinstance(capture.value, Member)
    assert capture.value.name == "text"
    assert isinstance(second.no[0], Assign)
    assert isinstance(second.no[1], Evaluate)


def test_deleting_is_what_it_does_to_a_list() -> None:
    """``del`` of a cut assigns nothing to it, ``del`` of an item pops it, ``del`` of a name is left out."""
    cut, popped = lowered("del history[:-20], rows[0], name").body
    assert isinstance(cut, Assign)
    assert isinstance(cut.targets[0], Cut)
    assert isinstance(popped, Evaluate)
    assert isinstance(popped.value, Call)
    assert isinstance(popped.value.callee, Member)
    assert popped.value.callee.name == "pop"


def test_generators_outer_names_and_handlers() -> None:
    """``yield from`` yields each item; ``global`` is kept; what is caught is bound."""
    code = "def f():\n  global n\n  yield 1\n  yield from g()\n  try: a()\n  except E as e: b(e)\n  else: c()\n  finally: d()\n"
    (define,) = lowered(code).body
    assert isinstance(define, Define)
    outer, first, loop, attempt = define.function.body
    assert isinstance(outer, Outer)
    assert outer.names == ("n",)
    assert isinstance(first, Return)
    assert first.is_yield
    assert isinstance(loop, For)
    assert isinstance(loop.body[0], Return)
    assert isinstance(attempt, Try)
    assert len(attempt.body) == 2
    assert len(attempt.finally_) == 1
    assert isinstance(attempt.handlers[0][0], Assign)


def test_arguments_say_how_they_are_given() -> None:
    """Arguments come as written: by position, by name, spread."""
    call = one("f(a, *b, c=d, **e)", Call)
    assert isinstance(call, Call)
    assert [(a.name, a.is_spread) for a in call.arguments if isinstance(a, Argument)] == [
        (None, False),
        (None, True),
        ("c", False),
        ("**", True),
    ]
