"""All source plug-ins together: their shape, which file is whose, faults, hostile input, and places for any text."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from radixlint import sources
from radixlint.errors import SourceError
from radixlint.passage import Ground
from radixlint.prompt import Segment, SourceText
from radixlint.sources import SourceRead, read_prompts, source_plugins
from radixlint.sources._json_tree import parse_json
from radixlint.sources._tree import Leaf, Listing, Tree

FIXTURES = Path(__file__).parent / "fixtures" / "sources"
SAID = "prompt.j2"  # read whatever it holds


class Nothing:
    """Opens no file."""

    def open(self, name: str, from_path: str) -> SourceText | None:
        return None


def read(text: str, path: str = "t.j2") -> SourceRead | None:
    return read_prompts(SourceText(path, text), Nothing())


def segments(text: str, path: str = "t.j2") -> tuple[Segment, ...]:
    found = read(text, path)
    assert found is not None
    return found.prompts[0].segments


def cut(text: str, segment: Segment) -> str:
    """The source text at a segment's span."""
    lines = [line + "\n" for line in text.split("\n")]
    span = segment.span
    before = sum(map(len, lines[: span.line - 1])) + span.column - 1
    return text[before : sum(map(len, lines[: span.end_line - 1])) + span.end_column - 1]


def at(text: str, place: tuple[int, int]) -> str:
    return (text.split("\n")[place[0] - 1] + "\n")[place[1] - 1]


def test_plugins_have_the_shape() -> None:
    """Every plug-in is found by its module, stands by rank and name, and reads suffixes of lower case with a dot."""
    names = [plugin.NAME for plugin in source_plugins()]
    ranks = [(getattr(plugin, "RANK", 50), plugin.NAME) for plugin in source_plugins()]

    assert {"chat-messages", "field-text", "jinja-template", "request-body"} <= set(names)
    assert ranks == sorted(ranks)
    assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in sources.SUFFIXES)
    assert {suffix for plugin in source_plugins() for suffix in plugin.SUFFIXES} == sources.SUFFIXES


@pytest.mark.parametrize(
    ("path", "dialect"),
    [
        ("child.j2", "jinja-template"),
        ("order.yaml", "chat-messages"),
        ("prompt.yaml", "described-format"),
        ("marked.json", "request-body"),
        ("fields.md", "field-text"),
    ],
)
def test_each_fixture_has_its_plugin(path: str, dialect: str) -> None:
    """A file is read by the plug-in of its format, and every prompt says so."""
    found = read((FIXTURES / path).read_text(encoding="utf-8"), path)

    assert found is not None
    assert {found.dialect, *(prompt.dialect for prompt in found.prompts)} == {dialect}
    assert all(prompt.path == path and prompt.segments for prompt in found.prompts)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("package.json", '{"name": "x", "version": "1", "files": ["a"]}'),
        ("tsconfig.json", '{ // comment\n "a": 1, }'),
        ("schema.json", '{"messages": {"type": "array"}, "role": "x"}'),
        ("ci.yml", "jobs:\n  test:\n    steps: [{run: 'echo ${{ x }}'}]\n"),
        ("deploy.yaml", "kind: Deployment\nspec:\n  template:\n    name: {{ .Values.name }}\n"),
        ("README.md", "Use `{name}` here.\n"),
        ("notes.txt", "Nothing {} to {0} fill {'a': 1} in.\n"),
        ("code.py", "print('{x}')\n"),
        ("empty.json", ""),
        ("empty.yaml", ""),
        ("empty.md", ""),
    ],
)
def test_other_files_are_no_prompts(path: str, text: str) -> None:
    """Files of a known suffix that hold no prompt, also broken ones, are left alone."""
    assert read(text, path) is None


def test_light_imports() -> None:
    """The package and its plug-in modules import neither Jinja nor YAML before a file needs them."""
    code = "import sys, radixlint.sources as s; s.SUFFIXES; print(sorted({'jinja2', 'yaml', 'numpy'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "[]\n"


@pytest.mark.parametrize(
    ("template", "line", "column"),
    [
        ("ab\n {{ x y }}", 2, 7),
        ("a\n{{ b }", 2, 6),
        ("x {# open", 1, 3),
        ("x\n{% endfor %}", 2, 4),
        ("{% if a %}\n{{ ? }}", 2, 4),
        ("{% for x in %}", 1, 13),
        ("a\n {% if b %}\n{% for c in d %}{% endfor %}\n{{ e }}\n", 2, 2),
        ("{% set a = 1 %}\n{% set b %}\ntext", 2, 1),
        ("{% if a %}\n{% else %}\n  {%- for c in d -%}\nx", 3, 3),
    ],
)
def test_faults_have_a_place(template: str, line: int, column: int) -> None:
    """A template that does not parse raises at the line and column of the fault."""
    with pytest.raises(SourceError) as caught:
        read(template)

    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize(
    "template",
    [
        "{{ " + "(" * 1000 + ")" * 1000 + " }}",
        "{% if x %}" * 2000 + "{% endif %}" * 2000,
        "{{ " + "{" * 50_000,
        "{{ " + "+".join(["a"] * 5000) + " }}",
        "{{ " + "9" * 5000 + " }}",
        "{% set a = 'xxxxxxxx' %}" + "{% set a = a ~ a %}" * 60 + "{{ a }}",
        "".join(f"{{% macro m{i}() %}}{f'{{{{ m{i - 1}() }}}}' * 10}{{% endmacro %}}" for i in range(1, 20)) + "{{ m19() }}",
    ],
    ids=["parentheses", "blocks", "braces", "sums", "digits", "doubling", "macros"],
)
def test_hostile_templates_are_refused(template: str) -> None:
    """Deep nesting and text that repeats itself end in one clear error within seconds."""
    start = time.monotonic()
    with pytest.raises(SourceError):
        read(template)

    assert time.monotonic() - start < 30


def test_nothing_is_folded() -> None:
    """Constant powers and products that would not end are values without names, and are never computed."""
    found = segments("{{ 9**(9**9) }}{{ 'a' * 4000000000 }}")

    assert [s.expression and (s.expression.names, s.expression.calls) for s in found] == [((), ()), ((), ())]


def _nest(parts: tuple[str, str, str]) -> str:
    before, block, inside = parts
    return before + block.replace("*", inside)


PIECES = st.sampled_from(
    ["text ", "a\nb", "\n", "  ", "é😀", "{{ x }}", "{{ f(y) | trim }}", "{# c #}", "{% raw %}{{ r }}{% endraw %}"]
)
BLOCKS = st.sampled_from(
    ["{%- if a -%}*{%- else %}*{% endif -%}", "{% for i in b %}*{%- endfor %}", "{% with %}*{% endwith %}", "{{- z -}}*"]
)


@given(st.recursive(st.lists(PIECES).map("".join), lambda inner: st.tuples(inner, BLOCKS, inner).map(_nest), max_leaves=8))
def test_every_piece_stands_where_its_span_says(text: str) -> None:
    """For any template, the source at a literal's span is the literal, and at a value's span its tag."""
    for segment in segments(text, SAID):
        assert segment.offsets == ()
        assert cut(text, segment) == segment.text


@given(st.lists(st.sampled_from(["text ", "a\nb", "\n", "}", "{", "%", "{{ x }}", "{{ f(y) }}"])).map("".join))
def test_untrimmed_pieces_add_up_to_the_source(text: str) -> None:
    """Where nothing is trimmed or left out, the pieces in order are the source."""
    try:
        found = segments(text, SAID)
    except SourceError:
        return

    assert "".join(s.text for s in found) == text


TEXTS = st.text(st.sampled_from("ab \n\t'\"\\:#-é😀{}\u2028|>"), max_size=40)


@given(TEXTS, st.booleans())
def test_json_strings_know_every_place(text: str, ascii_only: bool) -> None:
    """For any text, the body gives it back, and each character that is not escaped stands at its place."""
    text = text.replace("{", "").replace("}", "") + "%"
    source = json.dumps({"model": "m", "messages": [{"role": "user", "content": text}]}, ensure_ascii=ascii_only)
    (found,) = segments(source, "t.json")

    assert found.text == text
    assert len(found.offsets) in (0, len(text))
    assert found.offsets or cut(source, found) == text
    assert all(at(source, place) in (c, "\\") for c, place in zip(text, found.offsets, strict=False))


@given(TEXTS, st.sampled_from(["|", ">", '"', "'", None]), st.sampled_from([20, 1000]))
def test_yaml_scalars_know_every_place(text: str, style: str | None, width: int) -> None:
    """For any text and way to write it, each visible character that is not escaped stands at its place."""
    text = text.replace("{", "").replace("}", "") + "%"
    source = yaml.dump({"messages": [{"role": "user", "content": text}]}, default_style=style, width=width, allow_unicode=True)
    found = segments(source, "t.yaml")

    assert "".join(s.text for s in found) == text
    for segment in found:
        if not segment.offsets:
            assert cut(source, segment) == segment.text
        for character, place in zip(segment.text, segment.offsets, strict=False):
            assert at(source, place) in (character, "\\") or character.isspace()


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner),
    max_leaves=15,
)


@given(VALUES, st.sampled_from([None, 2]))
def test_json_reader_agrees_with_json(value: object, indent: int | None) -> None:
    """Our parser with places reads what the standard one reads."""
    assert _plain(parse_json(Ground(SourceText("t.json", json.dumps(value, indent=indent))))[0]) == value


def _plain(tree: Tree) -> object:
    if isinstance(tree, Leaf):
        return tree.passage.text if tree.is_text else json.loads(tree.passage.text)
    return [_plain(item) for item in tree.items] if isinstance(tree, Listing) else {key: _plain(item) for key, item in tree.pairs}
