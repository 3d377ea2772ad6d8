"""What the listener is told: names of calls, callers, places of sources, entries, and imports of the linted tree."""

from __future__ import annotations

import pytest
from flow_fakes import module_of, run, shape

from radixlint.flow.program import Define, Function, Module
from radixlint.flow.scope_signs import Signs
from radixlint.flow.values import Listed, Unknown, Written
from radixlint.prompt import Chance, Span

NAMES = {
    "an alias": ("from datetime import datetime as dt\ndt.now()", "datetime.datetime.now"),
    "a module": ("import os.path\nos.path.join('a')", "os.path.join"),
    "a module under another name": ("import numpy as np\nnp.random.rand()", "numpy.random.rand"),
    "an object": (
        "from openai import OpenAI\nc = OpenAI()\nc.chat.completions.create()",
        "openai.OpenAI().chat.completions.create",
    ),
    "an object in an attribute": (
        "import openai\nclass A:\n    def __init__(self):\n        self.c = openai.OpenAI()\n    def go(self):\n"
        "        self.c.chat.create()",
        "openai.OpenAI().chat.create",
    ),
    "a parameter": ("def f(client):\n    client.chat.create()", "client.chat.create"),
    "a result": ("import requests\nrequests.get('x').json()", "requests.get().json"),
    "a text": ("'a'.format(1)", ".format"),
    "a list": ("[].append(1)", ".append"),
    "a builtin": ("len('a')", "len"),
    "a name that is not known": ("shout('a')", "shout"),
    "a base from a library": (
        "from lib import Base\nclass A(Base):\n    pass\nA().go()",
        "lib.Base().go",
    ),
}


@pytest.mark.parametrize(("code", "name"), NAMES.values(), ids=NAMES.keys())
def test_call_is_told_by_its_full_name(code: str, name: str) -> None:
    """A call has the dotted name of the library's function, whatever it is called here."""
    assert name in run(code).names()


def test_receiver_of_a_chain_is_the_object_at_its_root() -> None:
    """A sink is told with the client, which knows what it was made with."""
    notes = run("from openai import OpenAI\nOpenAI(base_url='u').chat.completions.create(model='m')")
    site = next(site for site, _ in notes.calls if site.name.endswith("create"))
    assert shape(site.receiver) == "@openai.OpenAI"
    assert shape(site.argument("model")) == "m"


def test_function_is_told_as_entry_and_through_its_callers() -> None:
    """A function is reported with parameters that are not known, and with what each caller gives, the call among its callers."""
    notes = run("def g(a):\n    return a\ndef f():\n    return g('x')")
    told = [(name, shape(value), [span.line for span in callers]) for name, value, callers in notes.returns]
    assert told == [("g", "{a}", []), ("g", "x", [4]), ("f", "x", [])]


def test_source_is_where_a_parameter_is_read() -> None:
    """The place of a parameter is where it goes into the text, also by way of another name."""
    notes = run("def f(tenant):\n    name = tenant.name\n    send(f'{name}')\n    send(f'{tenant}')")
    first, second = notes.sent()
    assert isinstance(first, Written)
    assert isinstance(second, Written)
    assert first.parts[0].span == Span("app.py", 2, 12, 2, 23)
    assert second.parts[0].span == Span("app.py", 4, 13, 4, 19)


def test_source_is_where_the_clock_is_called() -> None:
    """The place of a call stays with what it gives, and the calls it comes through are related places."""
    notes = run("import time\ndef now():\n    return time.time()\ndef f():\n    send(f'{now()}')")
    value = notes.sent()[0]
    assert isinstance(value, Written)
    assert value.parts[0].span == Span("app.py", 3, 12, 3, 23)
    assert Span("app.py", 5, 13, 5, 18) in value.parts[0].related


def test_attribute_of_a_result_is_part_of_its_text() -> None:
    """What is taken of a clock says how fine it is."""
    notes = run("import datetime\nnow = datetime.datetime.now()\nsend(now.year)")
    value = notes.sent()[0]
    assert isinstance(value, Unknown)
    assert value.text == "datetime.datetime.now().year"
    assert value.span.line == 2


def test_order_of_a_set_taints_a_comprehension_over_it() -> None:
    """A list made over a set has the set's order; a set made over it has its own."""
    notes = run("def f(q):\n    send([x for x in set(q)])\n    send({x for x in set(q)})")
    made, again = notes.sent()
    assert isinstance(made, Listed)
    assert [taint.chance for taint in made.taints] == [Chance.SET]
    assert isinstance(again, Listed)
    assert again.taints == ()


def test_answer_of_a_model_is_not_made_of_the_messages() -> None:
    """What a call gives that was sent messages depends on the call alone."""
    notes = run("def f(q):\n    r = chat([{'role': 'user', 'content': q}])\n    send(r.text)")
    assert shape(notes.sent()[0]) == "{chat}"


def test_listener_is_told_of_assignments_and_displays() -> None:
    """Targets are told as written, lists where they stand."""
    notes = run(
        "class A:\n    def f(self, m):\n        self.system = 'x'\n"
        "        m[0]['content'] = 'y'\n        for t in [1]:\n            pass"
    )
    assert [name for name, _ in notes.bounds] == ["self.system", "m[0]['content']", "t"]
    assert [shape(value) for value in notes.shown] == ["list(#1)"]


TREE = {
    "pkg/__init__.py": "from .parts import helper\nfrom .parts import TEXT as RULES\n",
    "pkg/parts.py": "TEXT = 'rules'\ndef helper(x):\n    return TEXT + x\n",
    "pkg/sub/__init__.py": "",
    "pkg/sub/deep.py": "from ..parts import TEXT\nX = TEXT + '!'\nclass Base:\n    T = X\n"
    "    def hi(self):\n        return 'hi ' + self.T\n",
    "clock.py": "import time\nSEEN = []\ndef stamp():\n    return f'{time.time()}'\n",
    "star.py": "STAR = 's'\n_PRIVATE = 'p'\n",
    "loop_a.py": "from loop_b import B\nA = 'a'\n",
    "loop_b.py": "from loop_a import A\nB = 'b' + A\n",
}
IMPORTS = {
    "a name": ("from pkg.parts import TEXT\nsend(TEXT)", "rules"),
    "a name under another": ("from pkg.parts import helper as h\nsend(h('x'))", "rulesx"),
    "what a package hands on": ("from pkg import RULES, helper\nsend(RULES + helper('x'))", "rulesrulesx"),
    "a module": ("import pkg.sub.deep as d\nsend(d.X)", "rules!"),
    "a dotted module": ("import pkg.sub.deep\nsend(pkg.sub.deep.X)", "rules!"),
    "a neighbour": ("from . import clock\nsend(clock.stamp())", "{time.time}"),
    "a name of a neighbour": ("from .clock import stamp\nsend(stamp())", "{time.time}"),
    "all names": ("from star import *\nsend(STAR)", "s"),
    "a base class": ("from pkg.sub.deep import Base\nclass A(Base):\n    T = 't'\nsend(A().hi())", "hi t"),
    "in a function": ("def f():\n    from pkg.parts import TEXT\n    send(TEXT)", "rules"),
    "modules that import each other": ("from loop_b import B\nsend(B)", "ba"),
    "a module that is not there": ("from .gone import TEXT\nsend(TEXT)", "Library"),
}


@pytest.mark.parametrize(("code", "wanted"), IMPORTS.values(), ids=IMPORTS.keys())
def test_imports_lead_to_files_of_the_tree(code: str, wanted: str) -> None:
    """What an import gives is read in the file it comes from."""
    assert shape(run(code, TREE).sent()[0]) == wanted


def test_imported_module_is_not_told_of() -> None:
    """What stands at the top of another file is told when that file is read for itself."""
    notes = run("from other import A\nuse(A)", {"other.py": "A = send('x')\ndef f():\n    send('y')\n"})
    assert notes.names() == ["use"]


def test_function_without_a_trace_is_evaluated_only_where_it_is_called() -> None:
    """Given a test for traces, functions that neither have one nor name what has one are left out as entries."""
    code = """
RULES = "prompt"
def a():
    return RULES
def b():
    return c()
def c():
    return 1
def d():
    return "prompt" + b()
"""
    module = module_of(code)
    signs = Signs(module, lambda text: "prompt" in text)
    assert [name for name in "abcd" if signs.has(_function(module, name))] == ["a", "d"]


def test_methods_are_named_by_their_dot_and_makers_by_their_class() -> None:
    """Given a method with a trace, other code that names it behind a dot counts, not a name of its own that is the same."""
    code = """
class Desk:
    def __init__(self):
        self.text = "prompt"
    def __lt__(self, other):
        return "prompt"
    def ask(self):
        return "prompt"
def a(desk):
    return desk.ask()
def b():
    return Desk()
def c(ask):
    return ask + __init__ + __lt__
def d(x):
    return 1
"""
    module = module_of(code)
    signs = Signs(module, lambda text: "prompt" in text)
    assert [name for name in "abcd" if signs.has(_function(module, name))] == ["a", "b"]


def test_what_a_neighbour_gives_counts_if_the_neighbour_may_hold_prompts() -> None:
    """A name of a neighbour counts unless the file that defines it is known and has no trace; what it hands on counts."""
    code = """
from .sizes import width, height
from .texts import RULES
from . import tables
def a():
    return width
def b():
    return height
def c():
    return RULES
def d():
    return tables
"""
    files = {".sizes": "from .texts import height\nwidth = 1\n", ".texts": "RULES = 'prompt'\n", ".tables": "rows = 1\n"}
    module = module_of(code)
    signs = Signs(module, lambda text: "prompt" in text, lambda name, path: files.get(name))
    assert [name for name in "abcd" if signs.has(_function(module, name))] == ["b", "c"]


def _function(module: Module, name: str) -> Function:
    return next(node.function for node in module.body if isinstance(node, Define) and node.function.name == name)


def test_nothing_is_told_of_an_empty_file() -> None:
    """An empty file is no program, and no fault."""
    assert run("").names() == []
