"""Render one template for several conversations, and say which place of the template printed each character.

One child serves all templates of a run; one that was killed is replaced when the next template comes.
"""

from __future__ import annotations

import json
import os
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from radixlint.errors import ConfigError
from radixlint.sandbox._template_process import TemplateProcess


@dataclass(frozen=True, slots=True)
class Rendering:
    """What a template printed: ``text``; ``ends[k]`` is the end in it of the part that offset ``places[k]`` printed.

    ``refusal`` is the exception's name and message where the template raised.
    """

    text: str = ""
    ends: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    refusal: str | None = None

    def place_at(self, index: int) -> int:
        """Return the offset in the template of what printed character ``index``; of the last one behind the end."""
        return self.places[min(bisect_right(self.ends, index), len(self.places) - 1)]


_LATEST: dict[int, TemplateProcess] = {}


def render_traced(text: str, conversations: Sequence[Mapping[str, object]], where: str) -> tuple[Rendering, ...]:
    """Return one rendering a conversation.

    Args:
        text: the template, its lines ended by LF.
        conversations: the variables of each, as plain JSON values.
        where: the file, for messages.

    Raises:
        ConfigError: the child cannot be started, or the template did not come to an end within 2 s.
        TemplateRaisedError: the template does not compile.
    """
    # A forked worker must neither share its parent's pipes nor end its parent's child.
    process = _LATEST.get(os.getpid())
    if process is None:
        process = _LATEST[os.getpid()] = TemplateProcess(where)
    try:
        answer, _ = process.ask({"traced": text, "conversations": list(conversations)})
    except ConfigError as error:
        del _LATEST[os.getpid()]
        raise ConfigError(error.message, where=where, hint=error.hint) from None
    return tuple(_rendering(found) for found in json.loads(answer))


def _rendering(found: dict[str, object]) -> Rendering:
    if "error" in found:
        return Rendering(refusal=str(found["error"]))
    runs = found["runs"]
    assert isinstance(runs, list)
    return Rendering(str(found["text"]), tuple(accumulate(run[0] for run in runs)), tuple(run[1] for run in runs))
