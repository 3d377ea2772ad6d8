"""Tools in one order, JSON in one form."""

from __future__ import annotations

import json
import random

from hypothesis import given
from hypothesis import strategies as st

from radixlint.rewrites import first_seen_json, sorted_keys, sorted_tools
from radixlint.traffic import CacheMark, Message, Request, ToolCall

NAMES = st.lists(st.sampled_from("abcde"), max_size=5)
VALUES = st.recursive(
    st.integers() | st.text(max_size=3) | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=4),
    max_leaves=12,
)


def tool(name: str, note: str = "") -> str:
    return json.dumps({"type": "function", "function": {"note": note, "name": name}}, separators=(",", ":"))


def called(arguments: str, *, index: int = 0, reply: str | None = None) -> Request:
    message = Message("assistant", "", (ToolCall("look", arguments, "c1"),))
    answer = None if reply is None else Message("assistant", "", (ToolCall("look", reply, "c1"),))
    return Request(index=index, messages=(Message("user", "Hi"), message), reply=answer)


def arguments_of(request: Request) -> str:
    return request.messages[1].tool_calls[0].arguments


def shuffled(value: object, seed: int) -> object:
    """Return ``value`` with the keys of all its objects in another order."""
    if isinstance(value, list):
        return [shuffled(item, seed) for item in value]
    if not isinstance(value, dict):
        return value
    items = [(key, shuffled(item, seed)) for key, item in value.items()]
    random.Random(seed).shuffle(items)
    return dict(items)


@given(NAMES, st.randoms(use_true_random=False))
def test_any_order_of_the_same_tools_becomes_one(names: list[str], chance: random.Random) -> None:
    """Every order of the same tools, equal names included, gives the same list, with nothing lost."""
    tools = [tool(name, str(i)) for i, name in enumerate(names)]
    other = chance.sample(tools, len(tools))
    first, second = sorted_tools([Request(index=0, tools=tuple(tools)), Request(index=1, tools=tuple(other))])

    assert first.tools == second.tools
    assert sorted(first.tools) == sorted(tools)
    assert [json.loads(text)["function"]["name"] for text in first.tools] == sorted(names)
    assert sorted_tools([first])[0] is first


def test_tools_of_every_api_are_sorted_by_their_name() -> None:
    """The name is found in OpenAI's, Anthropic's and Bedrock's form; text that is no JSON object comes first."""
    tools = ('{"toolSpec":{"name":"a"}}', '{"name":"b"}', tool("c"), "no JSON", "[1]")

    assert sorted_tools([Request(index=0, tools=tools[::-1])])[0].tools == ("[1]", "no JSON", *tools[:3])


def test_marks_behind_tools_keep_their_place() -> None:
    """A cache mark behind the last tool stands behind the last tool afterwards."""
    request = Request(index=0, tools=(tool("b"), tool("a")), marks=(CacheMark(tool=1),))

    assert sorted_tools([request])[0].marks == request.marks


@given(VALUES, st.integers(0, 9))
def test_equal_json_gets_the_bytes_seen_first(value: object, seed: int) -> None:
    """Tools and arguments that differ in key order and white space alone become the bytes of the first."""
    one, other = json.dumps(value), json.dumps(shuffled(value, seed), indent=1)
    requests = [
        Request(index=0, tools=(one,), messages=called(one).messages),
        Request(index=1, tools=(other,), messages=called(other).messages),
    ]
    first, second = first_seen_json(requests)

    assert first is requests[0]
    assert second.tools == (one,)
    assert arguments_of(second) == one
    assert first_seen_json((first, second)) == (first, second)


def test_what_is_not_equal_json_stays() -> None:
    """Other values, text that is no JSON and objects that repeat a key are left alone, the same objects."""
    texts = ('{"a":1}', '{"a":true}', '{"a":"1"}', '{"a":1', '{"a":1 ', '{"a":2,"a":1}', "[" * 100_000)
    requests = tuple(called(text, index=i) for i, text in enumerate(texts))

    assert all(a is b for a, b in zip(first_seen_json(requests), requests, strict=True))
    assert all(a is b for a, b in zip(sorted_keys(requests), requests, strict=True))


def test_the_reply_is_seen_before_the_history_that_repeats_it() -> None:
    """A call that comes back from a store in other bytes gets those that the model wrote; replies stay."""
    wrote, stored = '{"b": 1, "a": 2}', '{"a": 2, "b": 1}'
    first, second = first_seen_json([called("{}", reply=wrote), called(stored, index=1, reply=stored)])

    assert arguments_of(second) == wrote
    assert second.reply is not None
    assert second.reply.tool_calls[0].arguments == stored
    assert first.reply is not None


@given(VALUES, st.integers(0, 9), st.sampled_from([(",", ":"), (", ", ": ")]), st.booleans())
def test_sorted_keys_are_one_form_of_a_value(value: object, seed: int, style: tuple[str, str], is_ascii: bool) -> None:
    """Both orders become the same text, of the same value and the same style, and stay so."""
    one, other = (called(json.dumps(form, separators=style, ensure_ascii=is_ascii)) for form in (value, shuffled(value, seed)))
    first, second = sorted_keys([one, other])

    assert json.loads(arguments_of(first)) == value
    assert arguments_of(first) == arguments_of(second)
    assert sorted(arguments_of(first)) == sorted(arguments_of(one))
    assert sorted_keys([first])[0] is first


def test_numbers_are_not_written_in_another_way() -> None:
    """Where sorting would change how a number is written, the text stays as it is."""
    request = called('{"b":1.50,"a":1e400}')

    assert sorted_keys([request])[0] is request
