"""Two values where branches meet or a loop ends: what both begin and end with stays, the rest gets its condition or loop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec.structs import replace

from radixlint.flow.merging_facts import joined
from radixlint.flow.values import Absent, Field, Listed, Mapped, Number, Part, Several, Unknown, Value, Written
from radixlint.prompt import Control, ControlKind, Segment

# A prompt of more parts than this is none that a person reads; it is then one unknown value.
PARTS_MAX: Final = 4_000
_CHOICES_MAX: Final = 16
_CONTROLS_MAX: Final = 8
_PAIRED_MAX: Final = 3

Controls = tuple[Control, ...]
Branch = tuple[Controls, Value]


def other_branch(control: Control) -> Control:
    """Return the condition under which the branch of ``control`` is not taken."""
    kind = ControlKind.CONDITION
    return replace(control, kind=kind, branch=0 if control.branch and control.kind is kind else 1)


def under(value: Value, controls: Controls) -> Value:
    """Return ``value`` as it is when it is there only under ``controls``."""
    if not controls:
        return value
    if isinstance(value, Written):
        return replace(value, parts=tuple(_under_part(part, controls) for part in value.parts))
    if isinstance(value, Several):
        return Several(tuple((_around(controls, inner), choice) for inner, choice in value.choices))
    return Several(((controls, value),))


def _under_part(part: Segment, controls: Controls) -> Segment:
    around = _around(controls, part.controls)
    return part if around is part.controls else replace(part, controls=around)


def _around(controls: Controls, inner: Controls) -> Controls:
    if not inner:
        return controls[:_CONTROLS_MAX]
    if len(inner) >= _CONTROLS_MAX:
        return inner
    # One branch of an ``if`` says that the others are not taken.
    if len(controls) == 1:
        outermost = controls[0]
        for control in inner:
            if control.node == outermost.node and control.kind is outermost.kind:
                return inner
        return (outermost, *inner)
    known = {(control.kind, control.node) for control in inner}
    outer = tuple(c for c in controls if (c.kind, c.node) not in known)
    return (outer + inner)[:_CONTROLS_MAX] if outer else inner


def merged(first: Branch, second: Branch) -> Value:
    """Return the value that is the first or the second, each under its conditions."""
    (controls, one), (others, two) = first, second
    if one is two or one == two:
        return one
    if isinstance(one, Written) and isinstance(two, Written):
        if one.fixed is not None and one.fixed == two.fixed:
            return one
        parts = _merged_items(one.parts, controls, two.parts, others)
        return _bounded(replace(one, parts=parts), one, two)
    if isinstance(one, Listed) and isinstance(two, Listed) and one.kind == two.kind:
        items = _merged_items(one.parts, controls, two.parts, others)
        taints = tuple(dict.fromkeys(one.taints + two.taints))
        return _bounded(replace(one, parts=items, taints=taints), one, two)
    if isinstance(one, Mapped) and isinstance(two, Mapped):
        entries = _merged_items(one.fields, controls, two.fields, others)
        taints = tuple(dict.fromkeys(one.taints + two.taints))
        return _bounded(replace(one, fields=entries, taints=taints), one, two)
    return several([*_choices(one, controls), *_choices(two, others)])


def _bounded(value: Value, *made_of: Value) -> Value:
    items: Sequence[Any] = getattr(value, "parts", None) or getattr(value, "fields", None) or ()
    if len(items) <= PARTS_MAX:
        return value
    span = getattr(value, "span", None) or items[0].span
    return joined(made_of, span, "")


def _choices(value: Value, controls: Controls) -> list[Branch]:
    if isinstance(value, Several):
        return [(_around(controls, inner), choice) for inner, choice in value.choices]
    return [(controls, value)]


def several(choices: Sequence[Branch]) -> Value:
    """Return the value that is one of ``choices``; equal ones are one."""
    kept: list[Branch] = []
    for controls, value in choices:
        if not any(value is known or value == known for _, known in kept):
            kept.append((controls, value))
    if len(kept) == 1:
        return kept[0][1]
    if len(kept) > _CHOICES_MAX:
        unknown = next((value for _, value in kept if isinstance(value, Unknown)), None)
        span = unknown.span if unknown else next((s for _, v in kept if (s := place_of(v)) is not None), None)
        if span is not None:
            return joined([value for _, value in kept], span, unknown.text if unknown else "")
    return Several(tuple(kept[: _CHOICES_MAX * 4]))


def holds_data(value: Several) -> bool:
    """Whether some choice is text or a collection, whose methods the models know for all choices together."""
    return any(isinstance(choice, Written | Listed | Mapped) for _, choice in value.choices)


def size_of(value: Value | None) -> int:
    """Return the number of parts, entries or choices of a value."""
    if isinstance(value, Written | Listed):
        return len(value.parts)
    if isinstance(value, Mapped):
        return len(value.fields)
    return len(value.choices) if isinstance(value, Several) else 1


def place_of(value: Value) -> Any:
    """Return where ``value`` was made, None if that is not known."""
    if isinstance(value, Written):
        return value.parts[0].span if value.parts else None
    return getattr(value, "span", None)


def _ends(one: Sequence[Any], two: Sequence[Any]) -> tuple[int, int]:
    """Return how many items both begin with, and end with."""
    most = min(len(one), len(two))
    head = 0
    while head < most and _is_same(one[head], two[head]):
        head += 1
    tail = 0
    while tail < most - head and _is_same(one[-1 - tail], two[-1 - tail]):
        tail += 1
    return head, tail


def _is_same(one: Any, two: Any) -> bool:
    if one is two:
        return True
    if isinstance(one, Segment):
        # The way a part came (``related``) does not make it another part.
        is_same = one.span == two.span and one.text == two.text and one.controls == two.controls
        return bool(is_same and one.expression == two.expression)
    return bool(one == two)


def _merged_items(one: Sequence[Any], controls: Controls, two: Sequence[Any], others: Controls) -> tuple[Any, ...]:
    head, tail = _ends(one, two)
    middle, other = one[head : len(one) - tail], two[head : len(two) - tail]
    if len(middle) == len(other) and all(map(_is_changed_in_place, middle, other)):
        changed = [replace(a, value=merged((controls, a.value), (others, b.value))) for a, b in zip(middle, other, strict=True)]
    else:
        changed = [*(_controlled(item, controls) for item in middle), *(_controlled(item, others) for item in other)]
    return (*one[:head], *changed, *one[len(one) - tail :])


def _is_changed_in_place(one: Any, two: Any) -> bool:
    """Whether both are the same entry of a mapping, or the same message of a list, with other content."""
    if isinstance(one, Field):
        return one.key is not None and one.key == two.key and one.controls == two.controls
    if isinstance(one, Part):
        a, b = one.value, two.value
        return isinstance(a, Mapped) and isinstance(b, Mapped) and a.span == b.span and one.controls == two.controls
    return False


def _controlled(item: Any, controls: Controls) -> Any:
    if not controls:
        return item
    if isinstance(item, Segment):
        return _under_part(item, controls)
    return replace(item, controls=_around(controls, item.controls))


def one_of(branches: Sequence[Branch]) -> Value:
    """Return the value that is one of ``branches``, whose conditions exclude each other."""
    if len(branches) <= _PAIRED_MAX:
        return either(branches)
    kinds = {type(value) for _, value in branches}
    name = {Written: "parts", Listed: "parts", Mapped: "fields"}.get(kinds.pop()) if len(kinds) == 1 else None
    if name is None:
        return several([choice for controls, value in branches for choice in _choices(value, controls)])
    items = [getattr(value, name) for _, value in branches]
    ends = [_ends(items[0], each) for each in items[1:]]
    head = min(first for first, _ in ends)
    tail = min(min(last for _, last in ends), min(map(len, items)) - head)
    middle = [
        _controlled(item, controls)
        for (controls, _), each in zip(branches, items, strict=True)
        for item in each[head : len(each) - tail]
    ]
    first = branches[0][1]
    made = replace(first, **{name: (*items[0][:head], *middle, *items[0][len(items[0]) - tail :])})
    return _bounded(made, *(value for _, value in branches))


def either(branches: Sequence[Branch]) -> Value:
    """Return the value that is one of ``branches``, of which the first whose conditions hold is taken."""
    (rest_controls, rest), *earlier = reversed(branches)
    is_first = True
    for controls, value in earlier:
        if not controls:
            rest, rest_controls, is_first = value, controls, False
            continue
        others: Controls = (other_branch(controls[-1]),)
        if is_first and rest_controls:
            others = rest_controls
        rest, is_first = merged((controls, value), (others, rest)), False
    return rest


def looped(before: Value | None, after: Value | None, control: Control) -> Value | None:
    """Return what stands after a loop where ``before`` stood ahead of it and ``after`` stands behind one round."""
    if before is None or after is None or before is after or before == after:
        return after if after is not None else before
    items: Any = None
    if (isinstance(before, Written) and isinstance(after, Written)) or (isinstance(before, Listed) and isinstance(after, Listed)):
        items = {"parts": _looped_items(before.parts, after.parts, control)}
    elif isinstance(before, Mapped) and isinstance(after, Mapped):
        items = {"fields": _looped_items(before.fields, after.fields, control)}
    if items is not None:
        return _bounded(replace(after, **items), before, after)
    if isinstance(before, Number | Absent):
        return after
    return several([*_choices(after, (control,)), *_choices(before, (other_branch(control),))])


def _looped_items(before: Sequence[Any], after: Sequence[Any], control: Control) -> tuple[Any, ...]:
    head, tail = _ends(before, after)
    gone = [_controlled(item, (other_branch(control),)) for item in before[head : len(before) - tail]]
    made = after[head : len(after) - tail]
    if len(gone) == len(made) and all(map(_is_changed_in_place, before[head : len(before) - tail], made)):
        return tuple(after)
    return (*after[:head], *gone, *(_controlled(item, (control,)) for item in made), *after[len(after) - tail :])
