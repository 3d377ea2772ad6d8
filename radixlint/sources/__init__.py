"""A source plug-in reads one prompt format into prompts with exact places; ``read_prompts`` asks them in turn.

A plug-in module has ``NAME``, ``SUFFIXES`` and ``read(source, includes) -> SourceRead | None``, and may have ``RANK`` (default
50): of two that know a suffix the one of lower rank is asked first, so that what is told by a sure sign comes ahead of what
takes any text. One with ``HAS_DELIMITERS`` takes the user's delimiters as a third argument, ``usual``; one with ``HAS_SINKS``
takes ``sinks``, the user's own calls that send prompts. Modules that start with an underscore are pieces that plug-ins share.
Nothing here compiles, renders or evaluates what it reads.
"""

from __future__ import annotations

import sys
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, cast

import msgspec
from msgspec import Struct

from radixlint.errors import SourceError
from radixlint.plugins import load_plugin, plugin_names
from radixlint.prompt import Prompt, SourceText
from radixlint.sources._jinja_delimiters import USUAL
from radixlint.sources._jinja_delimiters import Delimiters as Delimiters

if TYPE_CHECKING:
    from radixlint.flow.sink_table import Sink

SUFFIXES: frozenset[str]
_RANK = 50


class Includes(Protocol):
    """Opens the files that a prompt names; decides which paths may be read."""

    def open(self, name: str, from_path: str) -> SourceText | None:
        """Return the file ``name`` as named in ``from_path``, or None if there is no such file.

        Raises:
            SourceError: there may be one, but it is not read; the message says why.
        """


class SourceRead(Struct, frozen=True):
    """What one file holds: its prompts, and notes (one line each) on what could not be followed.

    A note on a file that was not read starts with ``line 3: ``, or ``path:3: `` where another file names it, and ends in
    ``read without it`` or ``not followed``. ``faults`` are where parts of the file do not parse while others were read.
    """

    dialect: str
    prompts: tuple[Prompt, ...]
    notes: tuple[str, ...] = ()
    faults: tuple[SourceError, ...] = ()


class SourcePlugin(Protocol):
    """The shape of a plug-in module; suffixes are lower case ends of paths (``.j2``, ``/skill.md``, ``skprompt.txt``)."""

    NAME: str
    SUFFIXES: frozenset[str]

    def read(self, source: SourceText, includes: Includes) -> SourceRead | None:
        """Return the prompts of ``source``, None if it is no prompt of this format.

        Raises:
            SourceError: the file is of this format and does not parse.
        """


@cache
def source_plugins() -> tuple[SourcePlugin, ...]:
    """Return every plug-in by rank and name."""
    package = sys.modules[__name__]
    plugins = [_checked(load_plugin(package, name)) for name in plugin_names(package)]
    return tuple(sorted(plugins, key=lambda plugin: (getattr(plugin, "RANK", _RANK), plugin.NAME)))


@cache
def _by_suffixes() -> tuple[tuple[tuple[str, ...], SourcePlugin], ...]:
    return tuple((tuple(plugin.SUFFIXES), plugin) for plugin in source_plugins())


def _checked(module: ModuleType) -> SourcePlugin:
    missing = [name for name in ("NAME", "SUFFIXES", "read") if not hasattr(module, name)]
    if missing:
        raise TypeError(f"{module.__name__} is no source plug-in: it lacks {', '.join(missing)}")
    return cast("SourcePlugin", module)


def read_prompts(
    source: SourceText, includes: Includes, usual: Delimiters = USUAL, sinks: tuple[Sink, ...] = ()
) -> SourceRead | None:
    """Return the prompts of one file, by the first plug-in that knows its suffix and recognises it; None if none does.

    Args:
        source: the file.
        includes: opens the files that it names.
        usual: the delimiters of Jinja files that name no others.
        sinks: people's own calls that send prompts, for programs.

    Raises:
        SourceError: the file is of a known format and does not parse; carries line and column.
    """
    path = source.path.lower()
    for suffixes, plugin in _by_suffixes():
        if path.endswith(suffixes):
            more: dict[str, Any] = {"usual": usual} if usual != USUAL and getattr(plugin, "HAS_DELIMITERS", False) else {}
            if sinks and getattr(plugin, "HAS_SINKS", False):
                more["sinks"] = sinks
            found = plugin.read(source, includes, **more)
            if found is not None:
                found = _with_tags(found, source, includes)
                prompts = tuple(_from(source, prompt) for prompt in found.prompts)
                return SourceRead(found.dialect, prompts, found.notes, found.faults)
    return None


def _from(source: SourceText, prompt: Prompt) -> Prompt:
    """Return a prompt with the text of its file; one that a call in another file sends is none of this text."""
    return msgspec.structs.replace(prompt, source=source) if prompt.path == source.path else prompt


def _with_tags(found: SourceRead, source: SourceText, includes: Includes) -> SourceRead:
    """Return prompts of a template of YAML or JSON with its tags around them."""
    if "{%" not in source.text or not source.path.lower().endswith((".yaml", ".yml", ".json")):
        return found
    from radixlint.sources._documents import parse_documents
    from radixlint.sources._templated_yaml import with_tags

    try:
        is_templated = parse_documents(source).is_templated
    except SourceError:
        return found
    return msgspec.structs.replace(found, prompts=with_tags(found.prompts, source, includes)) if is_templated else found


def syntax_fault(source: SourceText) -> SourceError | None:
    """Return where a file of JSON or YAML that no plug-in took does not parse; None if that is not why."""
    from radixlint.sources._syntax import syntax_fault as found

    return found(source)


def unknown_kind(path: str) -> str:
    """Return why a file that no plug-in took is none that can be checked, with what there is."""
    name = path.lower()
    asked = [plugin.NAME for plugin in source_plugins() if name.endswith(tuple(plugin.SUFFIXES))]
    if asked:
        return f"not a prompt file that radixlint knows: what it holds is none of {', '.join(asked)}"
    suffixes = sorted(frozenset().union(*(plugin.SUFFIXES for plugin in source_plugins())))
    return f"not a prompt file that radixlint knows: its name ends in none of {', '.join(suffixes)}"


def __getattr__(name: str) -> frozenset[str]:
    # The set of all suffixes needs every plug-in imported, so it is built when it is first asked for.
    if name == "SUFFIXES":
        return frozenset().union(*(plugin.SUFFIXES for plugin in source_plugins()))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
