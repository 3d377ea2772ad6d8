"""Files of described formats that are broken, share text by YAML aliases, or are made to blow up."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from template_reading import Shelf, place

from radixlint.errors import SourceError
from radixlint.prompt import SourceText
from radixlint.sources import SourceRead, read_prompts


def read(text: str, path: str, files: dict[str, str] | None = None) -> SourceRead:
    found = read_prompts(SourceText(path, text), Shelf(files or {}))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("path", "text", "line"),
    [
        ("p.yaml", "_type: prompt\ntemplate: 'x\n", 3),
        ("p.json", '{"_type": "prompt",\n "template": }', 2),
        ("d.yml", "kind: app\nworkflow: {prompt_template: [\n", 3),
        ("flow.dag.yaml", "nodes:\n- name: [\n", 3),
    ],
)
def test_broken_file_of_a_known_format(path: str, text: str, line: int) -> None:
    """A file that is surely of a format and does not parse raises at the line."""
    with pytest.raises(SourceError) as caught:
        read_prompts(SourceText(path, text), Shelf({}))

    assert caught.value.line == line


def test_anchors_and_merge_keys_keep_places() -> None:
    """An alias stands for the text at its anchor; a merged key counts where the mapping has none of its own."""
    text = (
        "base: &base\n  _type: prompt\n  template: 'a {x}'\n---\nd: &d {_type: prompt, template: 'no'}\n---\n"
        "common: &c\n  template_format: f-string\n  template: 'Hi {y}'\n<<: *c\n_type: prompt\n"
    )
    (found,) = read(text, "p.yaml").prompts

    assert [(s.text, place(s)[:2]) for s in found.segments] == [("Hi ", (9, 14)), ("{y}", (9, 17))]


@pytest.mark.parametrize(
    "text",
    [
        "_type: prompt\na: &a [x, x, x, x, x, x, x, x, x]\n"
        + "".join(f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)),
        "_type: prompt\na0: &a0 [x]\n" + "".join(f"a{n + 1}: &a{n + 1} [*a{n}]\n" for n in range(2_000)),
        "_type: prompt\ntemplate: " + "[" * 50_000,
    ],
    ids=["bomb", "chain", "brackets"],
)
def test_hostile_yaml_is_refused_at_once(text: str) -> None:
    """Aliases that repeat or nest without end, and deep nesting, are one fault, found in a moment."""
    start = time.perf_counter()
    with pytest.raises(SourceError):
        read_prompts(SourceText("p.yaml", text), Shelf({}))

    assert time.perf_counter() - start < 2


def test_file_that_names_itself_is_read_once() -> None:
    """A configuration that names itself as a prompt file ends with a note."""
    text = "nodes:\n- {name: a, type: llm, source: {path: flow.dag.yaml}}\n"
    found = read(text, "flow.dag.yaml", {"flow.dag.yaml": text})

    assert found.prompts == ()
    assert "cycle" in found.notes[0]


SOUND = {
    "promptfooconfig.yaml": (
        "prompts:\n- |\n  - role: system\n    content: >\n      a\n      b {{ c }}\n"
        '- \'[{"role": "user", "content": "{{x}}"}]\'\n'
    ),
    "dify.yml": (
        "kind: app\nmodel_config:\n  pre_prompt: &p |\n    Hi {{x}}\n  chat_prompt_config: {prompt: [{role: user, text: *p}]}\n"
    ),
    "l.json": '{"_type": "prompt", "template": "a \\u00e9\\n{x}", "input_variables": ["x"]}',
    "CLAUDE.md": "now 2026-03-04 05:06 `x` @CLAUDE.md\n```\nsession 3b241101-e2bb-4255-8caf-4136c566a962\n",
}
SIGNS = [
    "{",
    "}",
    "[",
    "]",
    "\n",
    "  ",
    "- ",
    ": ",
    "'",
    '"',
    "*p",
    "&a ",
    "<<: *p",
    "|\n",
    "{{",
    "{%",
    "#",
    "\\u12",
    "\u00e9",
    "\t",
    "@",
    "```",
]


@given(
    st.sampled_from(sorted(SOUND)),
    st.lists(st.tuples(st.integers(0, 200), st.integers(0, 8), st.sampled_from(SIGNS)), min_size=1, max_size=4),
)
def test_damaged_files_are_read_or_refused(path: str, edits: list[tuple[int, int, str]]) -> None:
    """Whatever is done to a file, it is read with every place inside it, or refused by a fault with a place."""
    text = SOUND[path]
    for at, length, sign in edits:
        text = text[:at] + sign + text[at + length :]
    lines = text.split("\n")
    try:
        found = read_prompts(SourceText(path, text), Shelf({}))
    except SourceError as error:
        fault, found = error, None
    else:
        fault = None
    assert fault is None or 1 <= fault.line <= len(lines)
    for segment in (s for p in (found.prompts if found else ()) for s in p.segments):
        span = segment.span
        assert 1 <= span.line <= span.end_line <= len(lines)
        assert span.column <= len(lines[span.line - 1]) + 1
        assert len(segment.offsets) in (0, len(segment.text))
