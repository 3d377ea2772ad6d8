"""Programs made to hang an evaluator: each ends in a value, or in one clear error."""

from __future__ import annotations

import pytest
from flow_fakes import FakeModels, Notes, module_of, run, shape

from radixlint.errors import SourceError
from radixlint.flow.evaluator import Budget, evaluate
from radixlint.flow.merging import PARTS_MAX
from radixlint.flow.program import Argument, Binary, Call, Collection, Display, Evaluate, Member, Module, Name, Node, Text
from radixlint.flow.values import Listed, Unknown, Written
from radixlint.passage import whole
from radixlint.prompt import SourceText

_CODE = "send(x)"
_PASSAGE = whole(SourceText("app.py", _CODE))


def _sent(node: Node) -> Notes:
    """Evaluate ``send(node)``, where the node is made by hand, deeper than a parser would."""
    call = Call(0, 7, Name(0, 4, "send"), (Argument(5, 6, None, node),))
    notes = Notes()
    evaluate(Module("app.py", _PASSAGE, "python", (Evaluate(0, 7, call),)), FakeModels(), notes, lambda name, path: None)
    return notes


def _sum(left: Node, count: int) -> Node:
    for _ in range(count):
        left = Binary(5, 6, "+", left, Text(5, 6, _PASSAGE.part(5, 6)))
    return left


def test_sum_of_a_few_thousand_terms_is_their_text() -> None:
    """A long sum is walked without nesting."""
    value = _sent(_sum(Text(5, 6, _PASSAGE.part(5, 6)), 3_000)).sent()[0]
    assert isinstance(value, Written)
    assert len(value.parts) == 3_001


def test_sum_of_a_hundred_thousand_terms_is_unknown() -> None:
    """Beyond the parts that any prompt has, a text is one unknown value."""
    assert isinstance(_sent(_sum(Name(5, 6, "x"), 100_000)).sent()[0], Unknown)


def test_chain_of_ten_thousand_names_is_followed() -> None:
    """A chain of attributes is walked without nesting."""
    node: Node = Name(5, 6, "x")
    for _ in range(10_000):
        node = Member(5, 6, node, "y")
    value = _sent(node).sent()[0]
    assert isinstance(value, Unknown)
    assert value.path == "x" + ".y" * 10_000


def test_lists_that_nest_too_deeply_are_unknown_inside() -> None:
    """Nesting beyond what any program has ends in an unknown value, not in a fault."""
    node: Node = Name(5, 6, "x")
    for _ in range(5_000):
        node = Display(5, 6, Collection.LIST, (node,))
    assert isinstance(_sent(node).sent()[0], Listed)


def test_function_that_calls_itself_is_unknown_there() -> None:
    """Recursion ends at the second call."""
    notes = run("def f(x):\n    return g(x) + 'a'\ndef g(x):\n    return f(x) + 'b'\nsend(f('q'))")
    assert shape(notes.sent()[0]) == "{}ba"


def test_calls_that_multiply_stop_at_the_budget_of_an_entry() -> None:
    """Functions that call the next one twice are followed only so far."""
    chain = "".join(f"def f{i}(x):\n    return f{i + 1}(x) + f{i + 1}(x)\n" for i in range(30))
    notes = run(chain + "def f30(x):\n    return x\n", budget=Budget(per_entry=500))
    assert len(notes.calls) < 30 * 500


def test_calls_that_are_not_followed_for_want_of_budget_are_told() -> None:
    """A note names the function whose calls were not followed to the end, and its line; a file that is followed has none."""
    chain = "".join(f"def f{i}(x):\n    return f{i + 1}(x) + f{i + 1}(x)\n" for i in range(8)) + "def f8(x):\n    return x\n"

    def told(budget: Budget) -> tuple[str, ...]:
        return evaluate(module_of(chain), FakeModels(), Notes(), lambda name, path: None, budget)

    assert told(Budget(per_entry=5_000)) == ()
    notes = told(Budget(per_entry=1_200))
    assert len(notes) == 1
    assert "f0 (line 1)" in notes[0]
    assert "f8" not in notes[0]


def test_work_beyond_the_budget_is_an_error() -> None:
    """A file that asks for too much is given up with one clear text."""
    with pytest.raises(SourceError, match="not checked"):
        run("x = 1\n" * 100, budget=Budget(left=50))


def test_list_that_grows_without_end_is_unknown() -> None:
    """A table of data that is appended row by row is one unknown value."""
    notes = run("x = []\n" + "x.append('a')\n" * (PARTS_MAX + 10) + "send(x)")
    assert isinstance(notes.sent()[0], Unknown)


def test_display_of_data_is_cut() -> None:
    """Of a long list only the first items are kept."""
    value = run("send([" + "'a'," * (PARTS_MAX + 10) + "])").sent()[0]
    assert isinstance(value, Listed)
    assert len(value.parts) == PARTS_MAX


def test_text_that_doubles_is_unknown_in_the_end() -> None:
    """A text that doubles with each line does not fill the memory."""
    assert isinstance(run("x = 'a'\n" + "x = x + x\n" * 60 + "send(x)").sent()[0], Unknown)


def test_long_chain_of_branches_is_one_choice() -> None:
    """Hundreds of branches are merged in one step, each part under its own."""
    chain = "".join(f"    elif a == {i}:\n        s = 'a{i}'\n" for i in range(400))
    value = run("def f(a):\n    if a:\n        s = 'x'\n" + chain + "    send(s)").sent()[0]
    assert isinstance(value, Written)
    assert len(value.parts) == 401
    assert {len(part.controls) for part in value.parts} == {1}


def test_classes_that_are_their_own_bases_are_walked_once() -> None:
    """A circle of bases ends."""
    assert run("class A(A): pass\nclass B(C): pass\nclass C(B): pass\nsend(A().x)").names() == ["A", "send"]
