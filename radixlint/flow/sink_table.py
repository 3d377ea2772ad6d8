"""The table of calls that send a prompt, and of classes that make a message, as YAML says it."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from importlib import resources

import msgspec

from radixlint.prompt import Role


class TextArgument(msgspec.Struct, frozen=True, rename={"form": "as"}, forbid_unknown_fields=True):
    """An argument that is text for the model: where it may stand, its form, and who speaks in it."""

    at: tuple[str, ...]
    form: str
    role: Role = Role.TEXT


class Sink(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A form of call that sends a prompt; see the head of ``sinks.yaml``."""

    name: str
    calls: tuple[str, ...]
    needs: tuple[str, ...]
    shape: str
    texts: tuple[TextArgument, ...]
    libraries: tuple[str, ...] = ()
    provider: str | None = None
    left_out: tuple[str, ...] = ()
    is_post: bool = False
    items: tuple[str, ...] = ()
    is_kept: bool = False

    def is_named_in(self, code: str) -> bool:
        """Whether the last word of one of the calls stands in ``code``."""
        return any(call.rsplit(".", 1)[-1] in code for call in self.calls)


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    sinks: tuple[Sink, ...]
    messages: dict[str, tuple[str, ...]]


class SinkTable:
    """Finds sinks by the dotted name of a call."""

    def __init__(self, sinks: tuple[Sink, ...], messages: dict[str, tuple[str, ...]]) -> None:
        self._by_last: dict[str, list[tuple[tuple[str, ...], Sink]]] = defaultdict(list)
        for sink in sinks:
            for call in sink.calls:
                words = tuple(call.split("."))
                self._by_last[words[-1]].append((words, sink))
        self._speakers = {
            tuple(name.split(".")): Role.TEXT if word == "any" else Role(word)
            for word, names in messages.items()
            for name in names
        }
        self._speaking = {words[-1] for words in self._speakers}

    def sinks(self, name: str) -> list[Sink]:
        """Return the sinks whose call ``name`` may be, those with the longest known end first."""
        words = tuple(name.replace("()", "").split("."))
        found = [(len(end), sink) for end, sink in self._by_last.get(words[-1], ()) if words[-len(end) :] == end]
        return [sink for _, sink in sorted(found, key=lambda pair: -pair[0])]

    def speaker(self, made: str) -> Role | None:
        """Return who speaks in a message made by ``made`` (``TEXT`` if an argument says it), None if it makes none."""
        words = made.replace("()", "").strip("<>").split(".")
        if words[-1] not in self._speaking:
            return None
        return next((role for end, role in self._speakers.items() if tuple(words[-len(end) :]) == end), None)


@cache
def sink_table(own: tuple[Sink, ...] = ()) -> SinkTable:
    """Return the table that comes with radixlint, ``own`` sinks ahead of those in it."""
    import yaml

    text = resources.files(__package__).joinpath("sinks.yaml").read_text(encoding="utf-8")
    loaded = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - both are safe
    found = msgspec.convert(loaded, _File)
    return SinkTable((*own, *found.sinks), found.messages)
