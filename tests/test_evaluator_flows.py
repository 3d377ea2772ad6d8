"""Values followed inside of one module: each way from where a value is made to where it is sent."""

from __future__ import annotations

import pytest
from flow_fakes import run, shape

_NOW = "from datetime import datetime as dt\n"

FLOWS = {
    "a name": ("def f(q):\n    a = q.name\n    b = a\n    send(b)", ["{q.name}"]),
    "targets in a row": ("a = b = 'x'\nsend(a + b)", ["xx"]),
    "a tuple": ("def f(q):\n    a, (b, c) = q.a, ('b', q.c)\n    send(a + b + c)", ["{q.a}b{q.c}"]),
    "a starred target": ("a, *b, c = '1', '2', '3', '4'\nsend(b)\nsend(c)", ["list(2, 3)", "4"]),
    "a walrus": ("def f(q):\n    if (n := q.n):\n        send(n)", ["{q.n}"]),
    "a sum": ("def f(q):\n    send('a' + q.b + 'c')", ["a{q.b}c"]),
    "a growing text": ("def f(q):\n    s = 'a'\n    s += q.b\n    send(s)", ["a{q.b}"]),
    "an f-string": ("def f(q):\n    send(f'a {q.b!r} {q.c:>3}')", ["a {q.b} {q.c}"]),
    "a repeated text": ("send('-' * 3)", ["---"]),
    "a text repeated often": ("RULE = 'Be brief. ' * 80\ndef f(q):\n    send(q + RULE)", ["{q}" + "Be brief. " * 80]),
    "a text repeated too often": ("send('12345' * 1000000000)", ["12345" * 20000]),
    "a text with a value repeated often": ("def f(q):\n    send(f'a{q}' * 80)", ["a{q}"]),
    "a text repeated by a variable": ("def f(n):\n    send('ab' * n)", ["{n}"]),
    "percent": ("def f(q):\n    send('a %s' % q)", ["a %s{q}"]),
    "a constant of the module": ("RULES = 'r'\ndef f():\n    send(RULES)", ["r"]),
    "a constant of a class": ("class C:\n    X = 'x'\n    class D:\n        Y = 'y'\ndef f():\n    send(C.X + C.D.Y)", ["xy"]),
    "an attribute set by __init__": (
        "class A:\n    def __init__(self, t):\n        self.t = t\n    def go(self):\n        send(self.t)",
        ["{t}"],
    ),
    "an attribute set by another method": (
        "class A:\n    def late(self):\n        self.t = clock()\n    def go(self):\n        send(self.t)",
        ["{clock}"],
    ),
    "an attribute nobody sets": ("class A:\n    def go(self):\n        send(self.t)", ["{self.t}"]),
    "a list that other methods grow": (
        "class A:\n    def __init__(self):\n        self.turns = ['s']\n    def add(self, x):\n        self.turns.append(x)\n"
        "    def go(self):\n        send(self.turns)",
        ["list(s, *{self.turns})"],
    ),
    "a list of the module that functions grow": (
        "LOG = []\ndef add(x):\n    LOG.append(x)\n    send(LOG)",
        ["list(*{LOG}, {x})"],
    ),
    "a counter of the module": ("N = 0\ndef f():\n    global N\n    N += 1\n    send(N)", ["{N}"]),
    "a global": ("G = 'a'\ndef f(q):\n    global G\n    G = q\n    g()\ndef g():\n    send(G)", ["{q}", "a"]),
    "a default": ("def g(a, b='B'):\n    return a + b\nsend(g('a'))", ["aB"]),
    "a long default of an entry": (f"def f(a={'w ' * 50!r}):\n    send(a)", ["w " * 50]),
    "a short default of an entry": ("def f(a='word'):\n    send(a)", ["{a}"]),
    "star arguments": ("def g(*a, **k):\n    send(a)\n    send(k)\ng('1', x='2')", ["tuple(1)", "<x: 2>", "{a}", "{k}"]),
    "spread arguments": ("def g(a, b, c):\n    return a + b + c\nsend(g(*['1', '2'], **{'c': '3'}))", ["123"]),
    "a return": (_NOW + "def now():\n    return dt.now()\ndef f():\n    send(f'{now()}')", ["{datetime.datetime.now}"]),
    "a closure": ("def f(q):\n    a = 'a' + q\n    def g(r):\n        send(a + r)\n    return g", ["a{q}{r}"]),
    "nonlocal": ("def f():\n    a = 'a'\n    def g(t):\n        nonlocal a\n        a += t\n    g('b')\n    send(a)", ["ab"]),
    "a lambda": ("f = lambda k: k + '!'\nsend(f('a'))", ["a!"]),
    "a partial": (
        "import functools\ndef g(a, b, c):\n    return a + b + c\np = functools.partial(g, 'A', c='C')\nsend(p('B'))",
        ["ABC"],
    ),
    "a callback": ("def f(q):\n    send(list(map(lambda v: v + '!', q)))", ["list({q}!)"]),
    "a comprehension": (
        "def f(q):\n    send([x.name for x in q.all if x.ok])",
        ["list([loop q.all: [cond x.ok: {q.all.name}]])"],
    ),
    "a generator": ("def f(q):\n    send(', '.join(x.name for x in q))", ["[loop q: {q.name}]"]),
    "a dict comprehension": ("def f(q):\n    send({x.k: x.v for x in q})", ["<[loop q: None: {q.v}]>"]),
    "a generator function": (
        "def g(q):\n    yield 'a'\n    for x in q:\n        yield x\ndef f(q):\n    send(list(g(q)))",
        ["list(a, [loop q: {q}])"],
    ),
    "append": ("def f(q):\n    s = []\n    s.append('a')\n    s.append(q)\n    send('|'.join(s))", ["a|{q}"]),
    "extend": ("def f(q):\n    s = ['a']\n    s.extend(['b', q])\n    send(s)", ["list(a, b, {q})"]),
    "insert": ("def f(q):\n    s = ['a']\n    s.insert(0, q)\n    send(s)", ["list({q}, a)"]),
    "a list that a function fills": (
        "def add(s, x):\n    s.append(x)\ndef f(q):\n    lines = ['a']\n    add(lines, q)\n    send(lines)",
        ["list(a, {q})"],
    ),
    "a list of two names": ("def f(q):\n    a = []\n    b = a\n    b.append(q)\n    send(a)", ["list({q})"]),
    "a list that grows by a sum": ("def f(q):\n    a = b = ['x']\n    a += [q]\n    send(b)", ["list(x, {q})"]),
    "a message under construction": (
        "def f(q):\n    m = {'role': 'user'}\n    all = [m]\n    m['content'] = q\n    send(all)",
        ["list(<role: user, content: {q}>)"],
    ),
    "an item": (
        "def f(q):\n    m = [{'role': 'system', 'content': 'x'}]\n    m[0]['content'] += q\n    send(m)",
        ["list(<role: system, content: x{q}>)"],
    ),
    "an entry under an unknown key": ("def f(q):\n    d = {}\n    d[q] = 'v'\n    send(d)", ["<None: v>"]),
    "a merge of dicts": ("A = {'x': '1'}\ndef f(q):\n    send({**A, 'y': q} | {'x': '2'})", ["<x: 2, y: {q}>"]),
    "a choice by key": (
        "P = {'en': 'Hello', 'de': 'Hallo'}\ndef f(k):\n    send('> ' + P[k])",
        ["> [cond k: Hello][cond k/1: Hallo]"],
    ),
    "with": ("def f(q):\n    with q.open() as h:\n        send(h)", ["{q.open,q}"]),
    "a context manager": (
        "from contextlib import contextmanager\n@contextmanager\ndef c(q):\n    yield 'c' + q\ndef f(q):\n"
        "    with c(q) as h:\n        send(h)",
        ["c{q}"],
    ),
    "await": ("async def g(q):\n    return 'g' + q\nasync def f(q):\n    send(await g(q))", ["g{q}"]),
    "an unknown decorator": ("@app.post('/x')\ndef g(q):\n    return 'g' + q\ndef f(q):\n    send(g(q))", ["g{q}"]),
    "a cut of a list": ("send(['a', 'b', 'c'][1:])", ["list(b, c)"]),
    "a cut of the part of a list that is known": (
        "def f(history):\n    m = ['s', *history]\n    send(m[:1])\n    send(m[1:])\n    send(m[-2:])",
        ["list(s)", "list(*{history})", "list(s, *{history})"],
    ),
    "a cut of what is not known": ("def f(history):\n    send(['s', *history[-5:]])", ["list(s, *{history})"]),
    "a conditional expression": ("def f(q):\n    send('y' if q.ok else 'n')", ["[cond q.ok: y][cond q.ok/1: n]"]),
    "or": ("def f(q):\n    send(f\"{q.a or 'none'}\")", ["[cond q.a: {q.a}][cond q.a/1: none]"]),
    "and": ("def f(q):\n    send(f\"{q.a and 'yes'}\")", ["[cond q.a: yes]"]),
    "a comparison": ("def f(q):\n    send(f'{q.a > q.b}')", ["{q.a,q.b}"]),
}


@pytest.mark.parametrize(("code", "wanted"), FLOWS.values(), ids=FLOWS.keys())
def test_value_is_followed_to_where_it_is_sent(code: str, wanted: list[str]) -> None:
    """What is sent is known as far as the program tells it."""
    assert [shape(value) for value in run(code).sent()] == wanted


OBJECTS = {
    "a builder": (
        "class B:\n    def __init__(self):\n        self.p = []\n    def add(self, x):\n"
        "        self.p.append(x)\n        return self\n"
        "    def build(self):\n        return '|'.join(self.p)\nsend(B().add('1').add('2').build())",
        ["1|2"],
    ),
    "two objects": (
        "class B:\n    def __init__(self):\n        self.p = []\na, b = B(), B()\na.p.append('1')\nsend(a.p)\nsend(b.p)",
        ["list(1)", "list()"],
    ),
    "a base class": (
        "class A:\n    X = 'a'\n    def __init__(self, t):\n        self.t = t\n"
        "    def text(self):\n        return self.X + self.t\n"
        "class B(A):\n    X = 'b'\n    def __init__(self, t):\n        super().__init__(t + '!')\nsend(B('t').text())",
        ["bt!"],
    ),
    "a property": ("class A:\n    @property\n    def p(self):\n        return 'p'\nsend(A().p)", ["p"]),
    "a static method": (
        "class A:\n    @staticmethod\n    def s(a):\n        return a + 's'\nsend(A.s('a') + A().s('b'))",
        ["asbs"],
    ),
    "a class method": (
        "class A:\n    def __init__(self, t):\n        self.t = t\n    @classmethod\n    def of(cls, t):\n        return cls(t)\n"
        "send(A.of('t').t)",
        ["t"],
    ),
    "__str__": ("class A:\n    def __str__(self):\n        return 'me'\nsend(f'{A()}')", ["me"]),
    "__call__": ("class A:\n    def __call__(self, x):\n        return x + '!'\na = A()\nsend(a('x'))", ["x!"]),
    "__enter__": ("class A:\n    def __enter__(self):\n        return 'in'\nwith A() as a:\n    send(a)", ["in"]),
    "a dataclass": (
        "from dataclasses import dataclass, field\n@dataclass\nclass M:\n    role: str\n    content: str = 'hi'\n"
        "    tags: list = field(default_factory=list)\nm = M('user')\nm.tags.append('t')\nsend(m.role + m.content)\nsend(m.tags)",
        ["userhi", "list(t)"],
    ),
    "asdict": (
        "from dataclasses import dataclass, asdict\n@dataclass\nclass M:\n    role: str\n    content: str\n"
        "send(asdict(M('user', content='c')))",
        ["<role: user, content: c>"],
    ),
    "a model of pydantic": (
        "from pydantic import BaseModel\nclass M(BaseModel):\n    role: str = 'user'\n    content: str\n"
        "send(M(content='c').model_dump())",
        ["<role: user, content: c>"],
    ),
    "a TypedDict": (
        "from typing import TypedDict\nclass M(TypedDict):\n    role: str\n    content: str\nsend(M(role='user', content='c'))",
        ["<role: user, content: c>"],
    ),
    "an enumeration": ("from enum import Enum\nclass R(Enum):\n    USER = 'user'\nsend(R.USER.value)", ["user"]),
    "a method of what a parameter is annotated as": (
        "class A:\n    def text(self):\n        return 'a' + self.name\ndef f(a: A):\n    send(a.text())",
        ["a{a.name}"],
    ),
    "a field of what a parameter is annotated as": (
        "from dataclasses import dataclass\n@dataclass\nclass A:\n    name: str = ''\ndef f(a: A):\n    send(a.name)",
        ["{a.name}"],
    ),
    "getattr": ("def f(q):\n    send(getattr(q, 'name'))", ["{q.name}"]),
    "an attribute of an argument": ("def f(q):\n    q.text = 'known'\n    send(q.text)", ["known"]),
    "__name__": ("def g():\n    pass\nsend(g.__name__)", ["g"]),
}


@pytest.mark.parametrize(("code", "wanted"), OBJECTS.values(), ids=OBJECTS.keys())
def test_objects_keep_what_they_are_given(code: str, wanted: list[str]) -> None:
    """What is sent from attributes and methods of objects is known as far as the program tells it."""
    assert [shape(value) for value in run(code).sent()] == wanted


BRANCHES = {
    "if": ("def f(q):\n    s = 'a'\n    if q.x:\n        s += 'b'\n    send(s + 'c')", ["a[cond q.x: b]c"]),
    "if and else": (
        "def f(q):\n    if q.x:\n        s = 'a'\n    else:\n        s = 'b'\n    send(s)",
        ["[cond q.x: a][cond q.x/1: b]"],
    ),
    "elif": (
        "def f(q):\n    s = ['0']\n    if q.x:\n        s.append('a')\n    elif q.y:\n        s.append('b')\n    else:\n"
        "        s.append('c')\n    send(s)",
        ["list(0, [cond q.x: a], [cond q.y/1: b], [cond q.y/2: c])"],
    ),
    "inside of a branch": ("def f(q):\n    s = 'a'\n    if q.x:\n        s += 'b'\n        send(s)", ["ab"]),
    "a prefix": ("def f(q):\n    s = 'z'\n    if q.x:\n        s = 'b' + s\n    send(s)", ["[cond q.x: b]z"]),
    "equal values": ("def f(q):\n    if q.x:\n        s = 'a'\n    else:\n        s = 'a'\n    send(s)", ["a"]),
    "an early return": (
        "def g(q):\n    if not q.x:\n        return 'none'\n    return 'a' + q.y\ndef f(q):\n    send(g(q))",
        ["[cond not q.x: none][cond not q.x/1: a][cond not q.x/1: {q.y}]"],
    ),
    "returns with a common beginning": (
        "HEAD = 'head'\ndef g(q):\n    if q.x:\n        return HEAD + 'a'\n    return HEAD + 'b'\ndef f(q):\n    send(g(q))",
        ["head[cond q.x: a][cond q.x/1: b]"],
    ),
    "a branch that raises": (
        "def f(q):\n    if not q:\n        raise ValueError\n    else:\n        s = 'a'\n    send(s)",
        ["a"],
    ),
    "a decided branch of a call": (
        "def g(more):\n    s = 'a'\n    if more:\n        s += 'b'\n    return s\nsend(g(True))\nsend(g(None))",
        ["ab", "a"],
    ),
    "for": ("def f(q):\n    s = 'a'\n    for x in q:\n        s += x.n\n    send(s)", ["a[loop q: {q.n}]"]),
    "continue": (
        "def f(q):\n    s = []\n    for x in q:\n        if x.no:\n            continue\n        s.append(x.n)\n    send(s)",
        ["list([loop q: [cond x.no/1: {q.n}]])"],
    ),
    "break": (
        "def f(q):\n    s = []\n    for x in q:\n        s.append('a')\n        if x.no:\n"
        "            break\n        s.append('b')\n"
        "    send(s)",
        ["list([loop q: a], [loop q: [cond x.no/1: b]])"],
    ),
    "while": ("def f(q):\n    s = ''\n    while q.more():\n        s += q.line\n    send(s)", ["[loop q.more(): {q.line}]"]),
    "while True": ("def f(q):\n    while True:\n        s = q.x\n        break\n    send(s)", ["{q.x}"]),
    "a loop that changes messages": (
        "def f(q):\n    m = [{'role': 'user', 'content': 'x'}]\n    for x in q:\n"
        "        m.append({'role': 'tool', 'content': x})\n"
        "    send(m)",
        ["list(<role: user, content: x>, [loop q: <role: tool, content: {q}>])"],
    ),
    "a message changed under a condition": (
        "def f(q):\n    m = [{'role': 'system', 'content': 'a'}]\n    if q.x:\n        m[0]['content'] += 'b'\n    send(m)",
        ["list(<role: system, content: a[cond q.x: b]>)"],
    ),
    "try": (
        "def f(q):\n    try:\n        s = q.load()\n    except Exception:\n        s = 'none'\n"
        "    finally:\n        t = 't'\n    send(s)\n    send(t)",
        ["[cond try: {q.load,q}]|[cond try/1: none]", "t"],
    ),
    "match": (
        "def f(q):\n    match q.kind:\n        case 'a':\n            s = 'A'\n        case _:\n            s = 'B'\n    send(s)",
        ["[cond 'a': A][cond 'a'/1: B]"],
    ),
    "a return that leaves a list changed": (
        "def add(s, q):\n    if q.x:\n        s.append('a')\n        return\n    s.append('b')\n"
        "def f(q):\n    s = []\n    add(s, q)\n    send(s)",
        ["list([cond q.x: a], [cond q.x/1: b])"],
    ),
    "unlike values": (
        "def f(q):\n    s = None\n    if q.x:\n        s = ['a']\n    send(s)",
        ["[cond q.x: list(a)]|[cond q.x/1: #None]"],
    ),
}


@pytest.mark.parametrize(("code", "wanted"), BRANCHES.values(), ids=BRANCHES.keys())
def test_branches_and_loops_are_merged(code: str, wanted: list[str]) -> None:
    """What every way has in common stays without condition; the rest has the condition or loop that decides over it."""
    assert [shape(value) for value in run(code).sent()] == wanted
