"""What ``check --log`` says about requests and templates as a whole; it names files of the user's, and no text of requests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from radixlint.api.joined_template import Template
from radixlint.api.log_tokens import LogTokens
from radixlint.traffic import LogRead, Request

_NAMED: Final = 5


def notes_of(
    read: LogRead, tokens: LogTokens, templates: Sequence[Template], requests: Sequence[int], ambiguous: int, made: int
) -> tuple[str, ...]:
    """Return full sentences.

    Args:
        read: the log.
        tokens: its prompts.
        templates: what was looked for.
        requests: how many requests each of them made.
        ambiguous: how many requests several of them fit alike.
        made: how many requests were made by any.
    """
    return tuple(_notes(read, tokens, templates, requests, ambiguous, made))


def _notes(
    read: LogRead, tokens: LogTokens, templates: Sequence[Template], requests: Sequence[int], ambiguous: int, made: int
) -> Iterator[str]:
    whole = len(read.requests)
    textless = whole - sum(_has_text(request) for request in read.requests)
    if textless == whole:
        yield (
            f"The log has ids or usage alone, for all {_counted(whole, 'request')}: templates are found by their text, so "
            "nothing is measured."
        )
        return
    known = [template for template in templates if template.can_be_told]
    yield (
        f"Of {_counted(whole, 'request')} in the log, {made:,} were made by "
        f"{sum(map(bool, requests)):,} of {_counted(len(known), 'template')}, {whole - made - textless:,} by none of them "
        f"(counted by {tokens.tokenizer}, laid out {tokens.layout_name})."
    )
    if textless:
        yield f"Passed over {_counted(textless, 'request')} without text: templates are found by their text."
    if ambiguous:
        yield f"In {_counted(ambiguous, 'request')} several templates fit equally well; there none of them counts."
    idle = [template.prompt.path for template, some in zip(templates, requests, strict=True) if template.can_be_told and not some]
    if idle:
        yield f"No request in the log was made by {_listed(idle)}."
    short = [template.prompt.path for template in templates if not template.can_be_told]
    if short:
        yield f"Too little fixed text to know requests by: {_listed(short)}."


def _has_text(request: Request) -> bool:
    return bool(request.messages or request.rendered)


def _listed(paths: Sequence[str]) -> str:
    names = list(dict.fromkeys(paths))
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more:,} more" if more > 0 else "")


def _counted(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"
