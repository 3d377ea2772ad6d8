"""Follow a list or mapping that is filled in place: what was put in becomes part of what its name stands for."""

from __future__ import annotations

from jinja2 import nodes

from radixlint.prompt import Span
from radixlint.sources._jinja_scope import Binding, Callback, Fields, Scope
from radixlint.sources._jinja_values import Facts, Value, dynamic, union


def fill(receiver: nodes.Node, put_in: Facts, tag: tuple[Span, str], scope: Scope) -> bool:
    """Add ``put_in``, and what decides whether the call is made, to the name behind ``receiver``.

    Args:
        receiver: what the method is called on: ``parts``, ``ns.parts``, ``parts['x']``.
        put_in: the facts of the arguments.
        tag: the place and content of the tag that calls.
        scope: where the tag stands.

    Returns whether there is a name.
    """
    attribute: str | None = None
    while isinstance(receiver, nodes.Getattr | nodes.Getitem):
        key = receiver.attr if isinstance(receiver, nodes.Getattr) else getattr(receiver.arg, "value", None)
        attribute, receiver = key if isinstance(key, str) else None, receiver.node
    if not isinstance(receiver, nodes.Name):
        return False
    owner, conditions = scope.owner(receiver.name)
    told = union((put_in, *conditions))
    bound = owner.bound.get(receiver.name)
    if isinstance(bound, Fields):
        if attribute is not None:
            bound.values[attribute] = _with(bound.values.get(attribute), f"{bound.name}.{attribute}", told, tag)
    else:
        owner.bound[receiver.name] = _with(bound, receiver.name, told, tag)
    return True


def _with(old: Binding | None, name: str, told: Facts, tag: tuple[Span, str]) -> Binding:
    if isinstance(old, Callback | Fields):
        return old
    # A name that is bound nowhere is the caller's, and stays what it is beside what is put in.
    known = old or Value((), name)
    facts = known.facts if old is not None else Facts(names=(name,))
    if old is not None and set(told.names) <= set(facts.names) and set(told.calls) <= set(facts.calls):
        return old
    span, text = tag
    return dynamic(union((facts, told)), span, text, known.path)
