"""Make a prompt of a call that sends one: its texts in wire order, its parameters and marks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from radixlint.flow.calls import Site
from radixlint.flow.format_fields import jinja_fields_in, with_fields
from radixlint.flow.keeping import CACHES, OBJECT, PROCESS, kept_part
from radixlint.flow.merging_facts import facts_of
from radixlint.flow.program import Call, Function, Import, Mapping, Module, Name, Node, Text
from radixlint.flow.program_walk import source_of, span_of
from radixlint.flow.sink_table import Sink, TextArgument, sink_table
from radixlint.flow.unit_layout import Layout, is_message, is_messages
from radixlint.flow.unit_rounds import of_round
from radixlint.flow.values import Field, Instance, Listed, Mapped, Several, Unknown, Value, Written
from radixlint.prompt import Evidence, Parameter, Prompt, RequestFacts, Role, Segment

_ENDPOINTS: Final = (
    "/chat/completions",
    "/v1/messages",
    "/responses",
    "/completions",
    "generateContent",
    "/api/chat",
    "/api/generate",
    "/generate",
    "/converse",
    "/invoke",
)
_DEPTH_MAX: Final = 3
_MAKERS: Final = frozenset(("__init__", "constructor"))
_MODEL_KEYS: Final = ("model", "modelId", "model_id", "model_name")


def sink_of(site: Site, own: tuple[Sink, ...] = ()) -> Sink | None:
    """Return the sink that a call is, None if it sends no prompt."""
    for sink in sink_table(own).sinks(site.name):
        if sink.libraries and not _is_of(site, sink.libraries):
            continue
        if not any(_argument(site, name) is not None for name in sink.needs):
            continue
        if sink.is_post and not _is_chat_post(site, sink):
            continue
        return sink
    return None


def given_back(function: Function, value: Value, node: Node, module: Module, own: tuple[Sink, ...]) -> Iterator[Prompt | None]:
    """Yield the prompt that a function gives at ``node``, where its decorator hands it to a library that asks it for a text."""
    for word in function.decorators:
        call = Call(node.start, node.end, Name(node.start, node.end, word), ())
        site = Site(call, module, word, None, (value,), (), span_of(node, module), source_of(node, module), function)
        sink = sink_of(site, own)
        if sink is not None:
            yield request_of(site, sink)


def request_of(site: Site, sink: Sink) -> Prompt | None:
    """Return the prompt that a call sends, None if nothing of it is known."""
    layout = Layout()
    used = []
    for text in sink.texts:
        found = next(((at, value) for at in text.at if (value := _argument(site, at)) is not None), None)
        if found is not None:
            used.append(found[0])
            _lay_out(layout, text, found[1])
    if not any(segment.text or segment.taints for segment in layout.segments):
        return None
    segments = _kept(site, layout.segments, sink) if sink.is_kept else _of_rounds(site, layout.segments)
    first = next((s for s in segments if s.role is not Role.TOOLS and s.text), segments[0])
    facts = RequestFacts(
        sink.provider,
        _model(site),
        tuple(layout.marks),
        tuple(_parameters(site, sink, used)),
        layout.blocks,
        first.span,
        sink.shape,
    )
    return Prompt(
        site.module.path,
        site.name.replace("()", "").rsplit(".", 2)[-1]
        if "." not in site.name
        else ".".join(site.name.replace("()", "").split(".")[-3:]),
        site.module.language,
        segments,
        has_breakpoints=bool(layout.marks),
        request=facts,
        evidence=Evidence.SINK,
    )


def _of_rounds(site: Site, segments: list[Segment]) -> tuple[Segment, ...]:
    return tuple(of_round(segment, site.loop) for segment in segments) if site.loop is not None else tuple(segments)


def _kept(site: Site, segments: list[Segment], sink: Sink) -> tuple[Segment, ...]:
    """Return the text of what keeps it for many requests: it is drawn as often as that is made.

    An object of a provider's cache outlives the process, so one that is made again is another one.
    """
    owner, keeper = site.owner, ""
    if sink.shape == "gemini-cache":
        return tuple(segments)
    if owner is None:
        keeper = PROCESS if not site.callers and site.loop is None else ""
    elif owner.name in _MAKERS:
        keeper = OBJECT
    else:
        keeper = next((found for word in owner.decorators if (found := CACHES.get(word.rpartition(".")[2]))), "")
    return tuple(kept_part(segment, keeper) for segment in segments) if keeper in (PROCESS, OBJECT) else tuple(segments)


def _lay_out(layout: Layout, text: TextArgument, value: Value) -> None:
    if text.form == "tools":
        layout.tools(value)
    elif text.form in ("template", "templates", "jinja"):
        filled = jinja_fields_in(value) if text.form == "jinja" else with_fields(value)
        if text.form == "templates" or is_messages(filled):
            layout.messages(filled)
        else:
            layout.message += 1
            layout.text(filled, text.role)
    elif text.form == "messages":
        layout.messages(value)
    else:
        layout.message += 1
        layout.blocks += not isinstance(value, Listed)
        layout.text(value, text.role)


def _argument(site: Site, path: str) -> Value | None:
    """Return the argument at ``path``: a name or position, and fields of it."""
    first, *rest = path.split(".")
    value = site.argument(first, int(first)) if first.isdigit() else site.argument(first)
    if value is None and not first.isdigit() and site.module.language == "script" and site.positional:
        # Functions of JavaScript take their arguments by name as fields of one object.
        value = field_of(site.positional[0], first)
    for key in rest:
        value = field_of(value, key)
    return value


def field_of(value: Value | None, key: str) -> Value | None:
    """Return a field of a mapping or of an object by what it was made with."""
    if isinstance(value, Mapped):
        return value.get(key)
    if isinstance(value, Instance):
        return dict(value.given).get(key)
    if isinstance(value, Written) and value.data is not None:
        return field_of(value.data, key)
    if isinstance(value, Several):
        return next((found for _, choice in value.choices if (found := field_of(choice, key)) is not None), None)
    return None


def _is_of(site: Site, libraries: tuple[str, ...]) -> bool:
    roots = tuple(f"{name}{sign}" for name in libraries for sign in (".", "/"))
    if f"{site.name}.".startswith(roots):
        return True
    return any(f"{name}.".startswith(roots) for name in imported(site.module))


def imported(module: Module) -> Iterator[str]:
    """Yield the modules that a file imports at its top."""
    return (node.module for node in module.body if isinstance(node, Import))


def _is_chat_post(site: Site, sink: Sink) -> bool:
    """Whether a post goes to an endpoint of a model, or carries messages."""
    address = site.argument("url", 0)
    words = "".join(part.text for part in address.parts) if isinstance(address, Written) else getattr(address, "text", "")
    texts = [value for text in sink.texts for at in text.at if (value := _argument(site, at)) is not None]
    if any(word in words for word in _ENDPOINTS):
        return bool(texts)
    return any(is_messages(value) or is_message(value) for value in texts)


def _model(site: Site) -> str | None:
    for key in (*_MODEL_KEYS, "0.model", "json.model"):
        value = _argument(site, key)
        if isinstance(value, Written) and value.fixed:
            return value.fixed
    return None


def _parameters(site: Site, sink: Sink, used: list[str]) -> Iterator[Parameter]:
    taken = {path.split(".")[0] for path in used if "." not in path} | set(sink.left_out)
    texts = {at for text in sink.texts for at in text.at}
    written = {argument.name: argument.value for argument in site.node.arguments if argument.name}
    for name, value in site.named:
        if name not in taken and not name.startswith("*"):
            yield from _flat(name, value, texts, 0, site.module, written.get(name))
    for position, value in enumerate(site.positional):
        if str(position) not in taken and isinstance(value, Mapped):
            node = site.node.arguments[position].value if position < len(site.node.arguments) else None
            yield from _fields(str(position), value, texts, 0, "", site.module, node)


def _flat(name: str, value: Value, texts: set[str], depth: int, module: Module, node: Node | None) -> Iterator[Parameter]:
    """Yield a parameter, or those that a mapping holds; ``node`` is how the value is written in the call, if that is known."""
    if name in texts:
        return
    if isinstance(value, Instance) and not value.identity:
        # Settings of a library, given by name.
        fields = tuple(Field(key, given, value.span) for key, given in value.given if not key.isdigit())
        value = Mapped(fields, value.span)
    if isinstance(value, Mapped) and depth < _DEPTH_MAX:
        yield from _fields(name, value, texts, depth, f"{name}.", module, node)
        return
    facts = facts_of(value)
    span = getattr(value, "span", None)
    if isinstance(value, Written) and value.parts:
        span = next((part.span for part in value.parts if part.expression is not None), value.parts[0].span)
    if span is None and node is not None:
        span = span_of(node, module)
    if span is None:
        return
    if facts.names or facts.calls:
        # What is chosen of several values, or put together, is told as it is written in the call.
        shown = "" if node is None else source_of(node, module).strip("`")
        text = value.text if isinstance(value, Unknown) else shown or name.rpartition(".")[2]
        yield Parameter(name, text, span, facts.of(text))
    else:
        yield Parameter(name, _written(value), span)


def _fields(
    path: str, value: Mapped, texts: set[str], depth: int, prefix: str, module: Module, node: Node | None
) -> Iterator[Parameter]:
    entries = node.entries if isinstance(node, Mapping) else ()
    written = {entry.key.passage.text: entry.value for entry in entries if isinstance(entry.key, Text)}
    for field in value.fields:
        if field.key is not None and not {f"{path}.{field.key}", f"{prefix}{field.key}"} & texts:
            yield from _flat(f"{prefix}{field.key}", field.value, texts, depth + 1, module, written.get(field.key))


def _written(value: Value) -> str:
    if isinstance(value, Written):
        return "".join(part.text for part in value.parts)
    number = getattr(value, "value", None)
    return "" if number is None else str(number)


def has_text(segments: tuple[Segment, ...]) -> bool:
    """Whether any part is text."""
    return any(segment.text.strip() for segment in segments)
