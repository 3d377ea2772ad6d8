"""JSX that makes a prompt: elements for messages, or text in fragments and elements of its own; never the markup of a page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from radixlint.flow.unit_layout import is_message, segment_of
from radixlint.flow.values import Instance, Listed, Part, Several, Unknown, Value, Written
from radixlint.prompt import Control, Segment, Span

_FRAGMENTS: Final = frozenset({"<>", "<Fragment>", "<React.Fragment>"})
_PAGE: Final = frozenset(
    f"<{tag}>"
    for tag in (
        *("html", "body", "main", "div", "span", "button", "input", "textarea", "form", "label", "select", "img", "svg", "nav"),
        *("header", "footer", "section", "article", "a", "table", "ul", "Link", "Image", "Button", "Input", "Card", "Dialog"),
    )
)
_PAGE_ATTRIBUTES: Final = frozenset({"className", "onClick", "onChange", "onSubmit", "href", "style", "css", "sx"})
_DEPTH_MAX: Final = 12
_PARTS_MAX: Final = 2_000

Controls = tuple[Control, ...]


def is_element(value: Value) -> bool:
    """Whether a value is a JSX element."""
    return isinstance(value, Instance) and value.made.startswith("<")


def is_of_page(name: str) -> bool:
    """Whether an element of this name is part of a page, for people to see."""
    return f"<{name}>" in _PAGE


def messages_in(value: Instance) -> Listed | None:
    """Return the messages that an element is or holds, None if it holds none or is part of a page."""
    parts = tuple(_flat(value, value.span, (), 0))
    if any(_is_page(part.value) for part in parts) or not any(is_message(part.value) for part in parts):
        return None
    return Listed(tuple(part for part in parts if not isinstance(part.value, Written) or part.value.parts), value.span)


def text_in(value: Instance) -> Written | None:
    """Return the text of an element and of all in it, None if it is part of a page."""
    found: list[Segment] = []
    is_read = _collect(value, (), found, 0)
    return Written(tuple(found)) if is_read and found else None


def _is_page(value: Value) -> bool:
    if not isinstance(value, Instance):
        return False
    return value.made in _PAGE or any(name in _PAGE_ATTRIBUTES for name, _ in value.given)


def _children(value: Instance) -> tuple[Part, ...]:
    found = dict(value.given).get("children")
    return found.parts if isinstance(found, Listed) else ()


def _flat(value: Value, around: Span, controls: Controls, depth: int) -> Iterator[Part]:
    """Yield what stands side by side in fragments and lists."""
    if depth > _DEPTH_MAX:
        return
    if isinstance(value, Instance) and value.made in _FRAGMENTS:
        items = _children(value)
    elif isinstance(value, Listed):
        items = value.parts
    elif isinstance(value, Several):
        for inner, choice in value.choices:
            yield from _flat(choice, around, (*controls, *inner), depth + 1)
        return
    else:
        yield Part(value, around, controls)
        return
    for item in items:
        yield from _flat(item.value, item.span, (*controls, *item.controls), depth + 1)


def _collect(value: Value, controls: Controls, found: list[Segment], depth: int) -> bool:
    """Add the text of ``value`` to ``found``; whether none of it is part of a page."""
    if depth > _DEPTH_MAX or len(found) > _PARTS_MAX:
        return True
    if isinstance(value, Written):
        found.extend(replace(part, controls=(*controls, *part.controls)) if controls else part for part in value.parts)
    elif isinstance(value, Unknown):
        found.append(replace(segment_of(value), controls=controls))
    elif isinstance(value, Several):
        return all(_collect(choice, (*controls, *inner), found, depth + 1) for inner, choice in value.choices)
    elif isinstance(value, Listed | Instance):
        items = value.parts if isinstance(value, Listed) else _children(value)
        return not _is_page(value) and all(_collect(i.value, (*controls, *i.controls), found, depth + 1) for i in items)
    return True
