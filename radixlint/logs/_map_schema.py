"""What a map file may say: the keys, what each takes, and the form in which they are used."""

from __future__ import annotations

from pathlib import Path as FilePath
from typing import Final

from msgspec import Struct

from radixlint.logs._map_bodies import BODY_KINDS, WITH_SYSTEM
from radixlint.logs._map_messages import MessageShape
from radixlint.logs._map_nodes import Node, Scalar, read_nodes
from radixlint.logs._map_paths import Paths, parse_path

NAMED: Final = ("id", "model", "session", "user", "tenant", "tags", "template", "host", "time", "metadata")
PROMPT: Final = ("messages", "system", "tools", "prompt", "token_ids")
COUNTS: Final = ("prompt", "cached", "written", "output")
_REPLY: Final = "reply"
KEYS: Final = (
    *("name", "accepts", "gives", "rank", "wrapped", "detect", "each", "where", "skip", "body", "paths", "messages"),
    *("roles", "expand", "usage", "lack", "merge", "join", "notes"),
)
CONDITION: Final = ("path", "equals", "unless", "starts", "is", "reason", "note")
TYPES: Final = ("text", "list", "object", "number", "flag", "repr")
_NAME: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_")
_RANKS: Final = range(1, 100)
_USUAL_RANK: Final = 50


class Condition(Struct, frozen=True):
    """What a row may meet: ``paths`` lead to something, of a type, with a value; no paths for every row.

    ``reason`` is why a row is skipped or gives usage alone, ``note`` a sentence on what to log instead.
    """

    paths: Paths
    equals: tuple[Scalar, ...] = ()
    unless: tuple[Scalar, ...] = ()
    starts: str | None = None
    type: str | None = None
    reason: str = ""
    note: str = ""


Conditions = tuple[Condition, ...]


class Detect(Struct, frozen=True):
    """How a record is told: all of these, any of those (if there are any), none of the others."""

    all: Conditions
    any: Conditions
    none: Conditions


class UsageShape(Struct, frozen=True):
    """Where usage stands: as an object (``paths``), or count by count (``counts``); ``when`` it holds for the row."""

    paths: Paths
    counts: dict[str, Paths]
    is_inclusive: bool | None
    when: Condition | None


class Map(Struct, frozen=True, eq=False):
    """A log format as a file describes it; see docs/log-maps.md for the keys."""

    name: str
    accepts: str
    gives: str
    rank: int
    is_wrapped: bool
    detect: tuple[Detect, ...]
    each: Paths
    where: Conditions
    skip: Conditions
    body: Paths
    body_kind: str
    paths: dict[str, Paths]
    shape: MessageShape
    is_expanded: bool
    usage: tuple[UsageShape, ...]
    lack: Conditions
    merge: dict[str, Paths]
    join: Paths
    notes: Conditions


def read_map(path: FilePath) -> Map:
    """Return the map in the file ``path``.

    Raises:
        ConfigError: it cannot be read, or says what no map can say; with the line.
    """
    root = read_nodes(path)
    given = root.mapping(KEYS)
    missing = next((key for key in ("name", "accepts", "detect") if key not in given), None)
    if missing is not None:
        raise root.fault(f"{missing} is missing", "a map needs name, accepts and detect")
    body = _sub(given, "body", ("path", "as"))
    body_kind = body["as"].word(BODY_KINDS) if "as" in body else "auto"
    return Map(
        name=_name(given["name"]),
        accepts=given["accepts"].text(),
        gives=given["gives"].text() if "gives" in given else given["accepts"].text(),
        rank=_rank(given["rank"]) if "rank" in given else _USUAL_RANK,
        is_wrapped=given["wrapped"].flag() if "wrapped" in given else False,
        detect=tuple(_detect(node) for node in given["detect"].nodes()),
        each=_paths(given["each"]) if "each" in given else (),
        where=_conditions(given, "where"),
        skip=_conditions(given, "skip", "reason"),
        body=_paths(body["path"]) if "path" in body else (),
        body_kind=body_kind,
        paths=_parts(given, body_kind),
        shape=_shape(given),
        is_expanded="expand" in given and given["expand"].word(("replies", "none")) == "replies",
        usage=tuple(_usage(node) for node in given["usage"].nodes()) if "usage" in given else (),
        lack=_conditions(given, "lack", "reason", "note"),
        merge={key: _paths(node) for key, node in _sub(given, "merge", ("trace", "id", "parent")).items()},
        join=_paths(given["join"]) if "join" in given else (),
        notes=_conditions(given, "notes", "path", "note"),
    )


def _sub(given: dict[str, Node], key: str, known: tuple[str, ...]) -> dict[str, Node]:
    return given[key].mapping(known) if key in given else {}


def _parts(given: dict[str, Node], body_kind: str) -> dict[str, Paths]:
    nodes = _sub(given, "paths", (*NAMED, *PROMPT, "output_ids", _REPLY))
    other = next((key for key in ("prompt", "token_ids") if key in nodes), None)
    if "system" in nodes and other is not None:
        raise nodes["system"].fault(
            f"system and {other} exclude each other: {other} is the whole prompt",
            "give the question as messages: a text there is one user message",
        )
    if "system" in nodes and body_kind not in WITH_SYSTEM:
        raise nodes["system"].fault(
            f"a body read as {body_kind} has its own place for system", f"read it as one of {', '.join(WITH_SYSTEM)}"
        )
    return {key: _paths(node) for key, node in nodes.items()}


def _name(node: Node) -> str:
    name = node.text()
    if not set(name) <= _NAME:
        raise node.fault("name takes lower-case letters, digits, - and _ only")
    return name


def _rank(node: Node) -> int:
    if not isinstance(node.value, int) or isinstance(node.value, bool) or node.value not in _RANKS:
        raise node.fault(f"rank must be a whole number from {_RANKS.start} to {_RANKS.stop - 1}")
    return node.value


def _detect(node: Node) -> Detect:
    given = node.mapping(("all", "any", "none"))
    if "all" not in given and "any" not in given:
        raise node.fault("detect needs all or any: the keys that tell this format")
    return Detect(*(_conditions(given, key) for key in ("all", "any", "none")))


def _conditions(given: dict[str, Node], key: str, *needed: str) -> Conditions:
    return tuple(_condition(node, needed) for node in given[key].nodes()) if key in given else ()


def _condition(node: Node, needed: tuple[str, ...] = ("path",)) -> Condition:
    if isinstance(node.value, str) and not needed:
        return Condition(paths=_paths(node))
    given = node.mapping(CONDITION)
    missing = next((key for key in (needed or ("path",)) if key not in given), None)
    if missing is not None:
        raise node.fault(f"{missing} is missing")
    return Condition(
        paths=_paths(given["path"]) if "path" in given else (),
        equals=_scalars(given, "equals"),
        unless=_scalars(given, "unless"),
        starts=given["starts"].text() if "starts" in given else None,
        type=given["is"].word(TYPES) if "is" in given else None,
        reason=given["reason"].text() if "reason" in given else "",
        note=given["note"].text().rstrip(".") if "note" in given else "",
    )


def _scalars(given: dict[str, Node], key: str) -> tuple[Scalar, ...]:
    return tuple(node.scalar() for node in given[key].nodes()) if key in given else ()


def _paths(node: Node) -> Paths:
    paths = []
    for one in node.nodes():
        try:
            paths.append(parse_path(one.text()))
        except ValueError:
            raise one.fault(
                f"{one.text()[:60]!r} is no path", "write a.b[0].c[*].d, names with dots as ['a.b'], the record itself as ."
            ) from None
    if not paths:
        raise node.fault("needs a path")
    return tuple(paths)


def _shape(given: dict[str, Node]) -> MessageShape:
    keys = _sub(given, "messages", ("role", "content", "text"))
    roles = given["roles"].mapping(given["roles"].value) if "roles" in given and isinstance(given["roles"].value, dict) else None
    if "roles" in given and roles is None:
        raise given["roles"].fault("must be a mapping: a role of the log to user, assistant, system or tool")
    names = {key: tuple(one.text() for one in node.nodes()) for key, node in keys.items()}
    return MessageShape(
        role_keys=names.get("role", ("role",)),
        content_keys=names.get("content", ("content",)),
        text_keys=names.get("text", ()),
        roles={role: node.text() for role, node in (roles or {}).items()},
    )


def _usage(node: Node) -> UsageShape:
    given = node.mapping(("path", "inclusive", "when", *COUNTS))
    counts: dict[str, Paths] = {key: _paths(given[key]) for key in COUNTS if key in given}
    is_inclusive = given["inclusive"].flag() if "inclusive" in given else None
    if bool(counts) == ("path" in given):
        raise node.fault("usage needs path, or counts one by one: prompt, cached, written, output")
    if "cached" in counts and is_inclusive is None:
        raise node.fault("inclusive is missing", "true if the prompt tokens include the cached ones, else false")
    return UsageShape(
        paths=_paths(given["path"]) if "path" in given else (),
        counts=counts,
        is_inclusive=is_inclusive,
        when=_condition(given["when"]) if "when" in given else None,
    )
