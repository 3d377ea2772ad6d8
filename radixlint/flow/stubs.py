"""Functions whose body says nothing of what they give: those of a protocol, abstract ones, and those that are not written yet."""

from __future__ import annotations

from typing import Final

from radixlint.flow.evaluator_frames import Closure
from radixlint.flow.program import Assign, Constant, Evaluate, Function, Name, Node, Other, Stop
from radixlint.flow.values import Callback, Facts, Instance, Unknown, Value

_NOTHING: Final = frozenset({"None", "NoReturn", "Never", "void", "undefined", "never", "Promise<void>"})
_PROPERTIES: Final = frozenset({"property", "cached_property", "get", "getter"})
_FILLED_MAX: Final = 4


def stub_of(value: Value | None) -> Closure | None:
    """Return the function that ``value`` stands for if its body says nothing of what it gives, else None."""
    target = value.target if isinstance(value, Callback) else None
    return target if isinstance(target, Closure) and is_stub(target) else None


def is_stub(closure: Closure) -> bool:
    """Whether the body is ``...``, a docstring, ``pass`` or a mere ``raise``, where the function is to give something.

    A body that is empty otherwise is one that gives nothing, as a hook does which few classes fill in.
    """
    function = closure.function
    if len(function.body) > 2 or not function.name or function.returns in _NOTHING:
        return False
    if not all(map(_is_idle, function.body)):
        return False
    if any(not isinstance(node, Assign) for node in function.body):
        return True
    return _is_open(function) or (closure.owner is not None and closure.owner.is_protocol)


def filled(stub: Closure) -> list[Closure]:
    """Return the functions of classes below that stand in the place of ``stub``, none if these are too many to follow."""
    found: dict[int, Closure] = {}
    for each in stub.owner.heirs() if stub.owner is not None else ():
        held = each.find(stub.function.name)
        target = held[1].target if held is not None and isinstance(held[1], Callback) else None
        if isinstance(target, Closure) and not is_stub(target):
            found[id(target.function)] = Closure(target.function, target.space, target.home, target.owner, stub.receiver)
    return list(found.values()) if len(found) <= _FILLED_MAX else []


def unsaid(stub: Closure) -> Facts:
    """Return what the name of a function without a body of its own tells of what it gives."""
    receiver, function = stub.receiver, stub.function
    of = receiver.path if isinstance(receiver, Unknown) else "self" if isinstance(receiver, Instance) else ""
    path = f"{of}.{function.name}" if of else function.name
    is_property = any(word.rpartition(".")[2] in _PROPERTIES for word in function.decorators)
    return Facts(names=(path,)) if is_property else Facts(calls=(path,))


def _is_open(function: Function) -> bool:
    return bool(function.returns) or any("abstract" in word for word in function.decorators)


def _is_idle(node: Node) -> bool:
    if isinstance(node, Assign):
        target = node.targets[0]
        return isinstance(target, Name) and target.name == "__doc__"
    if isinstance(node, Evaluate):
        return isinstance(node.value, Constant) or (isinstance(node.value, Other) and not node.value.children)
    return isinstance(node, Stop) and node.word in ("raise", "throw")
