"""Values followed through TypeScript and JavaScript."""

from __future__ import annotations

import posixpath

import pytest
from flow_fakes import Notes, shape

from radixlint.flow.evaluator import evaluate
from radixlint.flow.models import library_models
from radixlint.flow.program import Module
from radixlint.passage import whole
from radixlint.prompt import SourceText

pytest.importorskip("tree_sitter_typescript")


def _module(path: str, code: str) -> Module:
    from radixlint.flow.script_lowering import read_script

    return read_script(whole(SourceText(path, code)), path).module


def _run(code: str) -> Notes:
    def load(name: str, from_path: str) -> Module | None:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(from_path), name))
        return _module(path, TREE[path]) if path in TREE else None

    notes = Notes()
    evaluate(_module("src/app.ts", code), library_models("script"), notes, load)
    return notes


TREE = {
    "src/parts.ts": 'export const RULES = "rules"; export function stamp() { return Date.now(); }',
    "lib/index.ts": 'export default function help() { return "help"; }\nexport const Z = "z";',
    "src/cfg.js": "module.exports = { x: 'cx' };",
}
FLOWS = {
    "a text repeated often": ("function f(q) { send(q + 'Be brief. '.repeat(80)); }", ["{q}" + "Be brief. " * 80]),
    "a template": ("function f(q) { send(`a ${q.b} c`); }", ["a {q.b} c"]),
    "an arrow": ('const f = (a, b = "B") => a + b;\nsend(f("A"));', ["AB"]),
    "push": ("function f(q) { const l = []; l.push('a'); l.push(q.b); send(l); }", ["list(a, {q.b})"]),
    "a branch": ("function f(q) { let s = 'a'; if (q.x) { s += 'b'; } send(s); }", ["a[cond q.x: b]"]),
    "for of": ("function f(q) { let s = ''; for (const x of q) { s += x.n; } send(s); }", ["[loop q: {q.n}]"]),
    "forEach": ("function f(q) { let s = ''; q.forEach((x) => { s += x.n; }); send(s); }", ["[loop q: {q.n}]"]),
    "a default by ??": ("function f(q) { send(`${q.n ?? 'none'}`); }", ["[cond q.n: {q.n}][cond q.n/1: none]"]),
    "a destructured parameter": ("function f({ user, topic }) { send(`${user.name} ${topic}`); }", ["{user.name} {topic}"]),
    "a destructured value": ("function f(q) { const { name } = q; send(name); }", ["{q.name}"]),
    "a spread of an object": ("const A = { x: '1' };\nsend({ ...A, y: '2' });", ["<x: 1, y: 2>"]),
    "a method of an object": ("const o = { m(x) { return x + this.k; }, k: 'k' };\nsend(o.m('x'));", ["xk"]),
    "a builder": (
        "class A { p = []; constructor(t) { this.t = t; } add(x) { this.p.push(x); return this; } "
        "build() { return [...this.p, this.t]; } }\n"
        "class B extends A { constructor() { super('b'); } }\nsend(new B().add('1').build());\nsend(new B().build());",
        ["list(1, b)", "list(b)"],
    ),
    "a getter": ("class A { get g() { return 'g'; } }\nsend(new A().g);", ["g"]),
    "an import": ('import { RULES as R } from "./parts";\nsend(R);', ["rules"]),
    "a default import": ('import help, * as lib from "../lib";\nsend(help() + lib.Z);', ["helpz"]),
    "require": ('const cfg = require("./cfg");\nsend(cfg.x);', ["cx"]),
    "a handler": ("app.post('/x', async (req, res) => { send(req.body.prompt); });", ["{req.body.prompt}"]),
}


@pytest.mark.parametrize(("code", "wanted"), FLOWS.values(), ids=FLOWS.keys())
def test_value_is_followed_to_where_it_is_sent(code: str, wanted: list[str]) -> None:
    """What is sent is known as far as the program tells it."""
    assert [shape(value) for value in _run(code).sent()] == wanted


def test_object_of_a_library_is_named_by_its_import() -> None:
    """The client is the class of the package, and the receiver of the call that sends."""
    notes = _run('import OpenAI from "openai";\nconst c = new OpenAI();\nc.chat.completions.create({ model: "m" });')
    site = next(site for site, _ in notes.calls if site.name.endswith("create"))
    assert site.name == "openai.OpenAI().chat.completions.create"
    assert shape(site.receiver) == "@openai.OpenAI"
