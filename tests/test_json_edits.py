"""Two JSON texts: equal as values in other bytes, or where the first value differs."""

from __future__ import annotations

import json
import random

import pytest

from radixlint.explain.json_edits import json_edit
from radixlint.result.cause import Cause


def _schema(seed: int) -> dict[str, object]:
    draw = random.Random(seed)
    names = draw.sample(["order_id", "branch", "limit", "query", "caf\u00e9", "page", "format"], 5)
    fields = {
        n: {"type": "string", "description": f"{n} {draw.random()}", "maximum": draw.randrange(9), "e": "caf\u00e9"}
        for n in names
    }
    return {"name": "find", "description": "Finds", "parameters": {"type": "object", "properties": fields, "required": names}}


@pytest.mark.parametrize("seed", range(20))
def test_keys_in_another_order_name_the_first_object(seed: int) -> None:
    """Equal JSON with the keys of one object in another order is key order, at that object."""
    value = _schema(seed)
    before = json.dumps(value)
    fields = value["parameters"]["properties"]  # type: ignore[index]
    value["parameters"]["properties"] = dict(reversed(fields.items()))  # type: ignore[index]
    found = json_edit(before, json.dumps(value))
    spaced = json_edit(before, json.dumps(value, indent=1))

    assert found is not None
    assert spaced is not None
    assert (found.cause, found.path, found.changed) == (Cause.KEY_ORDER, "parameters.properties", 0)
    assert spaced.cause is Cause.KEY_ORDER
    assert "another form" in spaced.what
    assert "another form" not in found.what


@pytest.mark.parametrize("seed", range(20))
def test_other_bytes_of_equal_values_are_a_form(seed: int) -> None:
    """White space, escapes and number forms are told apart."""
    text = json.dumps(_schema(seed))
    others = {
        "blanks": json.dumps(_schema(seed), separators=(",", ":")),
        "escapes": json.dumps(_schema(seed), ensure_ascii=False),
        "number-form": text.replace('"maximum": 0', '"maximum": 0.0').replace('"maximum": 1', '"maximum": 1e0'),
    }
    for detail, other in others.items():
        found = json_edit(text, other)

        assert (found is None) == (text == other)
        assert found is None or (found.cause, found.detail) == (Cause.TEXT_FORM, detail)


@pytest.mark.parametrize("seed", range(20))
def test_first_value_that_differs_is_named(seed: int) -> None:
    """A value that changed, is new or is gone has its path; names that are no plain identifiers are hidden."""
    value = _schema(seed)
    before = json.dumps(value)
    fields = value["parameters"]["properties"]  # type: ignore[index]
    name = next(iter(fields))
    fields[name]["description"] = "another text"
    found = json_edit(before, json.dumps(value))
    shown = name if name.isascii() else "*"

    assert found is not None
    assert (found.cause, found.path, found.changed) == (None, f"parameters.properties.{shown}.description", 1)
    gone = json_edit(json.dumps(value), before.replace(', "description": "Finds"', ""))
    assert gone is not None
    assert gone.path == "description"


def test_hidden_names() -> None:
    """A name with other characters, or longer than 40, is not shown, nor is one that would forge a path."""
    for name in ("a" * 41, "a.b", "x\u202e", "", "\x1b[31m"):
        found = json_edit(json.dumps({"k": 1, name: 1}), json.dumps({"k": 1, name: 2}))

        assert found is not None
        assert found.path == "*"


def test_words_in_another_form_are_a_form() -> None:
    """JSON whose strings differ in white space alone is text form."""
    found = json_edit('{"description": "two\\nlines"}', '{"description": "two\\r\\nlines"}')

    assert found is not None
    assert (found.cause, found.detail, found.path) == (Cause.TEXT_FORM, "line-ends", "description")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("{", "{}"),
        ("no JSON", "no  JSON"),
        ("1", "1.0"),
        ('{"a": 1}', "[1]"),
        ("[1, 2]", "[2, 1]"),
        ('{"q": "x"}', '{"q": "y"}'),
        ('{"a": NaN}', '{"a":NaN}'),
        ('{"a": true, "b": 0}', '{"a": true, "b": 0}'),
        ("[" * 5000 + "]" * 5000, "[ " + "[" * 4999 + "]" * 5000),
        ("[" * 100 + "]" * 100, "[ " + "[" * 99 + "]" * 100),
        ('{"a": 1e99999999999999999999}', '{"a":1e99999999999999999999}'),
    ],
)
def test_no_json_or_little_in_common_is_no_edit(before: str, after: str) -> None:
    """Bad JSON, other values, scalars, equal texts and nesting without end give nothing, and raise nothing."""
    assert json_edit(before, after) is None


def test_long_numbers_and_booleans_are_compared_as_such() -> None:
    """A number of 6,000 digits is read, a boolean is no number, and large integers are not rounded."""
    long = "9" * 6000
    form = json_edit(f'{{"a": {long}}}', f'{{"a":{long}}}')
    truth = json_edit('{"k": 0, "a": 1}', '{"k": 0, "a": true}')
    large = json_edit('{"k": 0, "a": 90071992547409931}', '{"k": 0, "a": 90071992547409930}')

    assert form is not None
    assert form.cause is Cause.TEXT_FORM
    assert truth is not None
    assert truth.path == "a"
    assert large is not None
    assert large.cause is None
