"""What each form of TypeScript and JavaScript is lowered to."""

from __future__ import annotations

import pytest
from script_nodes import body, lowered, nodes_in

from radixlint.flow.program import Function, Outer, Text
from radixlint.flow.script_lowering import read_script
from radixlint.passage import whole
from radixlint.prompt import SourceText

FORMS = [
    ('import type { A } from "a"; import { type B } from "b"', "Import(b)"),
    ('import D, { x as y } from "./m"', "Import(./m [[default, D], [x, y]])"),
    ('import * as ns from "m"', "Import(m ns)"),
    ('const m = await import("./m")', "Assign([Name(m)] Waited(Call(Name(require) [Argument('./m')])))"),
    ('export * from "./m"', "Import(./m [[*, *]])"),
    ('export { a as b } from "./m"', "Import(./m [[a, b]])"),
    ("export { a as b }", "Assign([Name(b)] Name(a))"),
    ("export default f(1)", "Assign([Name(default)] Call(Name(f) [Argument(Constant(1))]))"),
    ("export default () => 1", "Define(Function(default [Return(Constant(1))]))"),
    ("module.exports = { a, b: c }",
     "Assign([Name(b)] Name(c))\nAssign([Name(default)] Mapping([Entry('a' Name(a)), Entry('b' Name(c))]))"),
    ("exports.a = 1", "Assign([Name(a)] Constant(1))"),
    ("const f = (x: string, ...y: T[]) => x", "Define(Function(f [Parameter(x string), Parameter(y T[] *)] [Return(Name(x))]))"),
    ("const { a, b: { c } } = d", "Assign([Mapping([Entry('a' Name(a)), Entry('b' Mapping([Entry('c' Name(c))]))])] Name(d))"),
    ("const [, a] = d", "Assign([Display(list [Name(_), Name(a)])] Name(d))"),
    ("x ??= 1", "Assign([Name(x)] Either(?? [Name(x), Constant(1)]))"),
    ("x.y += 'a'", "Augment(Member(Name(x) y) + 'a')"),
    ("i++", "Assign([Name(i)] Binary(+ Name(i) Constant(1)))"),
    ("f(a as string, b!)", "Evaluate(Call(Name(f) [Argument(Name(a)), Argument(Name(b))]))"),
    ("a || b || c", "Evaluate(Either(or [Name(a), Name(b), Name(c)]))"),
    ("a - -1", "Evaluate(Other([Name(a), Constant(-1)] -))"),
    ("h.slice(-20)", "Evaluate(Cut(Name(h) Constant(-20)))"),
    ("h.slice(-max)", "Evaluate(Cut(Name(h) Other([Name(max)] -)))"),
    ("h.at(-1)", "Evaluate(Item(Name(h) Constant(-1)))"),
    ("tag`a${b}`", "Evaluate(Call(Name(tag) [Argument(Joined(['a', Printed(Name(b))]))]))"),
    (r"String.raw`a\n`", r"Evaluate(Call(Member(Name(String) raw) [Argument('a\\n')]))"),
    ("for (const k in o) f(k)",
     "For(Name(k) Call(Member(Name(Object) keys) [Argument(Name(o))]) [Evaluate(Call(Name(f) [Argument(Name(k))]))])"),
    ("for (;;) { break; }", "While(Constant(True) [Stop(break)])"),
    ("switch (x) { case 1: case 2: f(); break; default: g() }",
     "If(Either(or [Other([Name(x), Constant(1)] ===), Other([Name(x), Constant(2)] ===)]) [Evaluate(Call(Name(f)))] "
      "[Evaluate(Call(Name(g)))])"),
    ("switch (x) { case 1: f(); case 2: g(); }",
     "If(Other([Name(x), Constant(1)] ===) [Evaluate(Call(Name(f))), Evaluate(Call(Name(g)))] "
     "[If(Other([Name(x), Constant(2)] ===) [Evaluate(Call(Name(g)))])])"),
    ("enum E { A = 'a', B }", "Assign([Name(E)] Mapping([Entry('A' 'a'), Entry('B' Constant(1))]))"),
    ("interface I { a: string } type T = I; declare const z: T;", ""),
    ("class A extends b.C { #x = 1; static y = 2; get z() { return 1 } set z(v) {} }",
     "Class(A [b.C] [Assign([Name(x)] Constant(1)), Assign([Name(y)] Constant(2)), Define(Function(z "
      "[Return(Constant(1))] [get]))])"),
    ("class A { constructor(private a: B, c) {} }",
     "Class(A [Define(Function(constructor [Parameter(a B), Parameter(c)] [Assign([Member(Name(this) a)] Name(a))]))])"),
    ("const o = { get a() { return 1 }, b() {}, ...c }",
     "Assign([Name(o)] Mapping([Entry('a' Call(Function(a [Return(Constant(1))] [get]))), Entry('b' Function(b)), "
      "Entry(Name(c))]))"),
    ("const e = <A b='&lt;' c {...d}>x{f}</A>",
     "Assign([Name(e)] Element(A [Entry('b' '<'), Entry('c' Constant(True)), Entry(Name(d))] ['x', Name(f)]))"),
    ("function* g() { yield* h }", "Define(Function(g [For(Name(<item>) Name(h) [Return(Name(<item>) True)])]))"),
    ("const r = /a`b/g", "Assign([Name(r)] Other(/a`b/g))"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "expected"), FORMS, ids=[code for code, _ in FORMS])
def test_forms(code: str, expected: str) -> None:
    """Each form gives the nodes that value flow knows, and nothing for types."""
    assert body(code) == expected


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        ("  a  ", ["  a  "]),
        ("\n   a\n   b  \n\n  c\n", ["a b c"]),
        ("\n  a {x} b\n", ["a ", " b"]),
        ("{x}\n  ", []),
        ("a &amp; b&nbsp;c &unknown; &#65;", ["a & b\N{NO-BREAK SPACE}c &unknown; A"]),
        ("a{/* note */}b", ["a", "b"]),
    ],
)
def test_text_between_tags_is_what_react_keeps(inner: str, expected: list[str]) -> None:
    """Blanks at line breaks go, lines are joined by a space, entities are characters."""
    found = [node.passage.text for node in nodes_in(lowered(f"f(<p>{inner}</p>)").body) if isinstance(node, Text)]
    assert found == expected


def test_assigned_names_of_others_are_told() -> None:
    """A function says which names it assigns that are not its own, so that they change where they belong."""
    code = "let count = 0; function next(a) { count++; let own = 1; own = 2; a = 3; [b.c, last] = [1, 2]; }"
    (outer,) = [node for node in nodes_in(lowered(code).body) if isinstance(node, Outer)]
    assert outer.names == ("count", "last")
    assert not outer.is_global


def test_fields_of_a_parameter_know_their_types() -> None:
    """The types of destructured fields are read from the annotation or from an interface of the file."""
    code = "interface P { a: Set<string> } const f = ({ a, b = 1 }: P) => a; function g({ c: d }: { c: number }) {}"
    first, second = [node for node in nodes_in(lowered(code).body) if isinstance(node, Function)]
    assert [(field.name, field.annotation) for field in first.parameters[0].fields] == [("a", "Set<string>"), ("b", "")]
    assert [(field.name, field.annotation) for field in second.parameters[0].fields] == [("c", "number")]


@pytest.mark.parametrize(
    ("path", "code", "place"),
    [
        ("a.ts", "const a = 1;\nconst b = (;\n", (2, 9)),
        ("a.js", "const a = 1;\nlet x = {]\n", (2, 1)),
        ("a.ts", "const a = 1;\nconst p = <div>hello</div>;\n", (2, 1)),
    ],
)
def test_what_does_not_parse_is_told_and_the_rest_is_read(path: str, code: str, place: tuple[int, int]) -> None:
    """A fault has its place, and the statements that parse are in the program."""
    found = read_script(whole(SourceText(path, code)), path)
    assert found.fault is not None
    assert (found.fault.line, found.fault.column) == place
    assert found.module.body


def test_types_in_javascript_are_read() -> None:
    """A file of JavaScript with annotations, as Flow has them, is no fault."""
    assert read_script(whole(SourceText("a.js", "const f = (x: string): string => x;")), "a.js").fault is None


def test_a_statement_ends_ahead_of_a_bracket_where_the_language_says_so() -> None:
    """A bracket on the line below an arrow's body starts a statement; all places stay as they are."""
    code = "const f = (x) => {\n  return x\n}\n\n[...rows].forEach(f)\n"
    found = read_script(whole(SourceText("a.js", code)), "a.js")
    assert found.fault is None
    assert [code[node.start : node.end] for node in found.module.body] == ["f = (x) => {\n  return x\n}", "[...rows].forEach(f)"]
