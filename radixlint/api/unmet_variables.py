"""Note the variables of the settings that no checked prompt holds: a misspelt name changes nothing, and nobody would see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from radixlint.api.check_options import CheckOptions
from radixlint.prompt import Expression, Prompt
from radixlint.spelling import nearest

_MOST_NAMED: Final = 8


def unmet_variables(options: CheckOptions, prompts: Iterable[Prompt]) -> tuple[str, ...]:
    """Return one note on the names of ``variables`` that are met nowhere; none if only a part of the project was checked."""
    settings = options.settings
    if not settings.variables or not _is_whole(options):
        return ()
    known = {name for prompt in prompts for expression in _expressions(prompt) for name in (*expression.names, *expression.calls)}
    met = {prefix for name in known for prefix in _keys(name)}
    unmet = [name for name in settings.variables if name not in met]
    if not known or not unmet:
        return ()
    named = [_named(name, met) for name in unmet[:_MOST_NAMED]]
    more = f" and {len(unmet) - _MOST_NAMED:,} more" if len(unmet) > _MOST_NAMED else ""
    return (f"{settings.place('variables')}: no checked prompt holds {', '.join(named)}{more}",)


def _is_whole(options: CheckOptions) -> bool:
    """Whether the folder of the config file was checked, and not a part of it, which need not hold every variable."""
    root = options.settings.root
    return root is not None and any(root.is_relative_to((options.start / given).resolve()) for given in options.arguments)


def _named(name: str, met: Iterable[str]) -> str:
    near = nearest(name, met)
    return f"`{name}`" + (f" (did you mean `{near}`?)" if near is not None else "")


def _expressions(prompt: Prompt) -> Iterator[Expression]:
    for segment in prompt.segments:
        if segment.expression is not None:
            yield segment.expression
        for control in segment.controls:
            yield control.expression
    for parameter in prompt.request.parameters if prompt.request is not None else ():
        if parameter.expression is not None:
            yield parameter.expression


def _keys(name: str) -> Iterator[str]:
    """Yield what a setting may call the value ``name``: the whole, each dotted start, and the last part."""
    parts = name.split(".")
    yield from (".".join(parts[:length]) for length in range(1, len(parts) + 1))
    yield parts[-1]
