"""What changed among the tools of two requests: the first difference in wire order decides."""

from __future__ import annotations

import json
import random

import pytest

from radixlint.explain.tool_edits import ToolEdit, tool_edit
from radixlint.result.cause import Cause
from tests.edited_requests import ItemMaker

SEEDS = range(20)


def _tools(seed: int, *, wrapped: bool) -> list[dict[str, object]]:
    draw = random.Random(seed)
    tools: list[dict[str, object]] = []
    for at in range(draw.randint(5, 9)):
        fields = {name: {"type": "string", "description": f"{name} of {at}"} for name in ("order_id", "branch", "limit")}
        key = "parameters" if wrapped else "input_schema"
        tool = {"name": f"tool_{at}", "description": f"Does {draw.random()}", key: {"type": "object", "properties": fields}}
        tools.append({"type": "function", "function": tool} if wrapped else tool)
    return tools


def _edit(before: list[dict[str, object]], after: list[dict[str, object]], **style: object) -> ToolEdit | None:
    maker = ItemMaker()
    old = [maker.tool(json.dumps(tool)) for tool in before]
    return tool_edit(old, [maker.tool(json.dumps(tool, **style)) for tool in after])  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", SEEDS)
def test_shuffled_tools_are_tool_order(seed: int) -> None:
    """Equal tools in another order are told by how many stand elsewhere and the first such place."""
    before = _tools(seed, wrapped=True)
    after = list(before)
    random.Random(seed).shuffle(after)
    found = _edit(before, after)
    apart = [at for at, (a, b) in enumerate(zip(before, after, strict=True)) if a != b]

    assert found is not None
    assert (found.cause, found.detail) == (Cause.TOOL_ORDER, "order")
    assert (found.item, found.moved, found.place) == (apart[0], len(apart), f"tools[{apart[0]}]")
    assert (found.added, found.removed, found.changed) == (0, 0, 0)


@pytest.mark.parametrize("seed", SEEDS)
def test_added_and_removed_tools_are_tool_set(seed: int) -> None:
    """A tool that is new or gone is told by its place."""
    tools = _tools(seed, wrapped=False)
    at = seed % len(tools)
    less = tools[:at] + tools[at + 1 :]
    gone, new = _edit(tools, less), _edit(less, tools)

    assert gone is not None
    assert new is not None
    assert (gone.cause, gone.detail, gone.item, gone.removed, gone.added) == (Cause.TOOL_SET, "removed", at, 1, 0)
    assert (new.cause, new.detail, new.item, new.removed, new.added) == (Cause.TOOL_SET, "added", at, 0, 1)
    assert gone.moved == new.moved == 0


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("wrapped", [True, False])
def test_changed_description_and_schema_name_their_place(seed: int, wrapped: bool) -> None:
    """A tool of the same name with another description or schema is tool set, at that field."""
    before = _tools(seed, wrapped=wrapped)
    at = seed % len(before)
    for field in ("description", "schema"):
        after = json.loads(json.dumps(before))
        tool = after[at]["function"] if wrapped else after[at]
        schema = "parameters" if wrapped else "input_schema"
        holder = tool if field == "description" else tool[schema]["properties"]["branch"]
        holder["description"] = "Something else altogether"
        found = _edit(before, after)
        path = "description" if field == "description" else f"{schema}.properties.branch.description"

        assert found is not None
        assert (found.cause, found.detail, found.item) == (Cause.TOOL_SET, field, at)
        assert (found.place, found.changed, found.added, found.removed) == (f"tools[{at}].{path}", 1, 0, 0)


@pytest.mark.parametrize("seed", SEEDS)
def test_tools_equal_as_json_are_key_order_or_form(seed: int) -> None:
    """Tools with their keys in another order, or written with other blanks, are equal tools in another form."""
    before = _tools(seed, wrapped=True)
    at = seed % len(before)
    after = [*before[:at], dict(reversed(before[at].items())), *before[at + 1 :]]
    keys, form = _edit(before, after), _edit(before, before, separators=(",", ":"))

    assert keys is not None
    assert form is not None
    assert (keys.cause, keys.detail, keys.item) == (Cause.KEY_ORDER, "key-order", at)
    assert (form.cause, form.detail, form.item, form.changed) == (Cause.TEXT_FORM, "blanks", 0, len(before))


@pytest.mark.parametrize("seed", SEEDS)
def test_first_difference_decides_and_the_detail_names_both(seed: int) -> None:
    """Where order and set both change, the first difference in wire order is the cause."""
    tools = _tools(seed, wrapped=True)
    swapped_then_less = [tools[1], tools[0], *tools[2:-1]]
    less_then_swapped = [*tools[1:-2], tools[-1], tools[-2]]
    order, less = _edit(tools, swapped_then_less), _edit(tools, less_then_swapped)

    assert order is not None
    assert less is not None
    assert (order.cause, order.detail) == (Cause.TOOL_ORDER, "order-and-removed")
    assert (less.cause, less.detail) == (Cause.TOOL_SET, "removed-and-order")


def test_equal_tools_are_no_edit() -> None:
    """The same tools, or none, are no change."""
    tools = _tools(1, wrapped=True)

    assert _edit(tools, tools) is None
    assert _edit([], []) is None


def test_tools_without_a_name_or_json_are_compared_by_place() -> None:
    """A tool that has no name, or is no JSON, neither fails nor is shown."""
    maker = ItemMaker()
    odd = tool_edit([maker.tool("{"), maker.tool('{"a": 1, "b": 2}')], [maker.tool("}"), maker.tool('{"b": 2, "a": 1}')])
    doubled = tool_edit([maker.tool("{}"), maker.tool("{}"), maker.tool("[]")], [maker.tool("{}"), maker.tool("[]")])

    assert odd is not None
    assert (odd.item, odd.changed) == (0, 2)
    assert doubled is not None
    assert (doubled.detail, doubled.item, doubled.removed) == ("removed", 1, 1)
