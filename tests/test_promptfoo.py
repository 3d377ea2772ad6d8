"""promptfoo configurations: prompts in strings, in messages inside strings and in files; the tests say what varies."""

from __future__ import annotations

import pytest
from template_reading import Shelf, cut, place

from radixlint.errors import SourceError
from radixlint.lifetime import classify
from radixlint.prompt import Lifetime, Role, SourceText
from radixlint.sources import SourceRead, read_prompts

TESTS = "providers: [any]\ntests:\n  - vars: {company: Acme, tone: dry, q: a}\n  - vars: {company: Acme, tone: warm, q: b}\n"


def read(text: str, files: dict[str, str] | None = None, path: str = "promptfooconfig.yaml") -> SourceRead:
    found = read_prompts(SourceText(path, text), Shelf(files or {}))
    assert found is not None
    assert found.dialect == "promptfoo"
    return found


def test_prompts_of_all_kinds() -> None:
    """Strings, labelled texts, messages in JSON and YAML inside a string: each is a prompt with places in the file."""
    text = (
        "prompts:\n"
        "  - 'Answer {{ q }}'\n"
        "  - {label: b, raw: 'Say {{ q }}'}\n"
        '  - \'[{"role": "system", "content": "S \\u00e9 {{ x }}"}, {"role": "user", "content": "{{ q }}"}]\'\n'
        "  - |\n    - role: system\n      content: Rules\n    - role: user\n      content: Ask {{ q }}\n"
    )
    prompts = read(text).prompts

    assert [p.name for p in prompts] == [f"promptfooconfig.yaml:{number}" for number in (1, 2, 3, 4)]
    assert [cut(text, s) for p in prompts for s in p.segments if s.expression] == [
        "{{ q }}",
        "{{ q }}",
        "{{ x }}",
        "{{ q }}",
        "{{ q }}",
    ]
    assert [(s.text, s.role) for s in prompts[2].segments] == [
        ("S é ", Role.SYSTEM),
        ("{{ x }}", Role.SYSTEM),
        ("{{ q }}", Role.USER),
    ]
    assert [(s.text, s.role, place(s)[:2]) for s in prompts[3].segments] == [
        ("Rules", Role.SYSTEM, (7, 16)),
        ("Ask ", Role.USER, (9, 16)),
        ("{{ q }}", Role.USER, (9, 20)),
    ]


def test_prompt_in_a_file() -> None:
    """A named file is read in the place of its name; code and missing files are notes."""
    text = "prompts:\n  - file://chat.json\n  - file://make.py:build\n  - file://gone.txt\n  - prompts/*.txt of old\n"
    found = read(text, {"chat.json": '[{"role": "system", "content": "S {{ x }}"}]'})

    assert [(s.text, s.role, place(s)[0], s.related[0].path) for s in found.prompts[0].segments] == [
        ("S ", Role.SYSTEM, 2, "chat.json"),
        ("{{ x }}", Role.SYSTEM, 2, "chat.json"),
    ]
    assert [note.split(":")[0] for note in found.notes] == ["line 3", "line 4"]


def test_values_of_the_tests() -> None:
    """What every test gives alike is fixed text at its tag; what differs is an input of the call."""
    text = (
        "prompts:\n  - 'Work for {{ company }}, be {{ tone }}. {% if company %}yes{% endif %} {{ company | upper }} {{ q }}'\n"
        + TESTS
    )
    (found,) = read(text).prompts
    fixed = found.segments[1]

    assert (fixed.text, fixed.is_literal, cut(text, fixed)) == ("Acme", True, "{{ company }}")
    assert next(cut(text, s) for s in found.segments if s.related) == "{{ company }}"
    assert [place.line for place in fixed.related] == [5]
    assert [(s.text, s.lifetime) for s in classify(found, {}).segments if s.expression] == [
        ("{{ tone }}", Lifetime.TURN),
        ("{{ company | upper }}", Lifetime.STATIC),
        ("{{ q }}", Lifetime.TURN),
    ]


def test_defaults_count_and_one_test_says_nothing() -> None:
    """A default is given to every test; from a single test nothing is concluded."""
    default = "prompts: ['A {{ company }}']\nproviders: [x]\n"
    default += "defaultTest: {vars: {company: Acme}}\ntests: [{vars: {q: a}}, {vars: {q: b}}]\n"
    single = "prompts: ['A {{ company }}']\nproviders: [x]\ntests: [{vars: {company: Acme}}]\n"

    assert [s.text for s in read(default).prompts[0].segments] == ["A ", "Acme"]
    assert [s.text for s in read(single).prompts[0].segments] == ["A ", "{{ company }}"]


def test_recognised_by_its_parts() -> None:
    """Under another name a file needs prompts, providers and tests; a list of prompts alone is none."""
    assert read("prompts: ['Say {{ q }}']\n" + TESTS, path="eval.yaml").prompts
    found = read_prompts(SourceText("other.yaml", "prompts: ['Say {{ q }}']\ntests: [a]\n"), Shelf({}))
    assert found is None


def test_broken_configuration() -> None:
    """A file of promptfoo's name that does not parse raises at its line."""
    with pytest.raises(SourceError) as caught:
        read("prompts:\n  - 'a\n")

    assert caught.value.line == 3
