"""Try a fix by rendering: the template before and after it, with stand-ins for all values, in the limited child process.

Each mapping is filled in two orders, which is what another hash seed or process does to it. A template that needs more than
stand-ins (an include, a filter of its own) is not rendered, and then nothing is said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from radixlint.api.fix_checks import is_move
from radixlint.errors import ConfigError
from radixlint.files.edited_bytes import EditableText
from radixlint.prompt import ControlKind, Prompt
from radixlint.result.finding import Edit, Finding
from radixlint.sandbox import Rendering, TemplateRaisedError, render_traced

_DIALECT: Final = "jinja-template"
_KEYS: Final = ("alpha", "beta", "gamma")


def render_fault(before: Sequence[Prompt], after: Sequence[Prompt], fixed: Sequence[Finding]) -> str | None:
    """Return why what is rendered speaks against the fix, as a sentence's end; None if nothing does, or it cannot be rendered."""
    if not fixed or any(p.dialect != _DIALECT or p.source is None or p.kind != "template" for p in (*before, *after)):
        return None
    old, new = _rendered(before[0], before[0]), _rendered(after[0], before[0])
    if not old or any(one.refusal is not None for one in old):
        return None
    if not new or any(one.refusal is not None for one in new):
        return "the template would not render any more"
    if any(map(is_move, fixed)) and any(_lines(one) != _lines(other) for one, other in zip(old, new, strict=True)):
        return "rendered with stand-ins, other lines would come out"
    if old[0].text == old[1].text and new[0].text != new[1].text:
        return "rendered with stand-ins, the text would depend on the order in which mappings are filled"
    return None


def _rendered(prompt: Prompt, names_of: Prompt) -> tuple[Rendering, ...]:
    """Return the template rendered with two fillings of stand-ins, nothing if it does not come to an end."""
    assert prompt.source is not None
    printed = {s.span: s for s in prompt.segments if s.expression and s.span.path == prompt.path}
    # A call cannot be stood in for by a value: what it prints can.
    edits = [Edit(span, f'{{{{ "{_word(s.text)}" }}}}') for span, s in printed.items() if "(" in s.text]
    text = EditableText(prompt.source.text.encode()).edited(edit for edit in edits if _is_tag(printed[edit.span].text)).decode()
    fillings = [_stand_ins(names_of, keys) for keys in (_KEYS, _KEYS[::-1])]
    try:
        return render_traced(text, fillings, prompt.path)
    except (ConfigError, TemplateRaisedError):
        return ()


def _is_tag(text: str) -> bool:
    return text.startswith("{{") and text.endswith("}}")


def _word(text: str) -> str:
    return "".join(char if char.isalnum() else " " for char in text).strip()


def _stand_ins(prompt: Prompt, keys: Iterable[str]) -> dict[str, object]:
    """Return a value for each name the prompt uses: text, a mapping where it has attributes, or is looped over."""
    looped = {name for s in prompt.segments for c in s.controls if c.kind is ControlKind.LOOP for name in c.expression.names}
    values: dict[str, object] = {}
    for segment in prompt.segments:
        expressions = [c.expression for c in segment.controls] + ([segment.expression] if segment.expression else [])
        for name in (name for expression in expressions for name in expression.names):
            _put(values, name.split("."), {key: f"{name} {key}" for key in keys} if name in looped else f"a {name}")
    return values


def _put(values: dict[str, object], path: Sequence[str], leaf: object) -> None:
    for part in path[:-1]:
        inner = values.get(part)
        if not isinstance(inner, dict):
            inner = values[part] = {}
        values = inner
    if not isinstance(values.get(path[-1]), Mapping):
        values[path[-1]] = leaf


def _lines(rendering: Rendering) -> Counter[str]:
    return Counter(stripped for line in rendering.text.split("\n") if (stripped := line.strip()))
