"""What ``check --log`` says about requests and templates as a whole; it names files of the user's, and no text of requests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from radixlint.api.joined_template import Template
from radixlint.api.log_tokens import LogTokens
from radixlint.plural import counted
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
            f"The log has ids or usage alone, for all {counted(whole, 'request')}: templates are found by their text, so "
            "nothing is measured."
        )
        return
    known = [template for template in templates if template.can_be_told]
    yield f"{_made(whole, made, textless, sum(map(bool, requests)), len(known))} ({_basis(tokens)})."
    if textless:
        yield f"Passed over {counted(textless, 'request')} without text: templates are found by their text."
    if ambiguous:
        yield f"In {counted(ambiguous, 'request')} several templates fit equally well; there none of them counts."
    idle = [template.prompt.path for template, some in zip(templates, requests, strict=True) if template.can_be_told and not some]
    if idle:
        yield f"No request in the log is recognised as made by {_listed(idle)}."
    short = [template.prompt.path for template in templates if not template.can_be_told]
    if short:
        yield f"Too little fixed text to know requests by: {_listed(short)}."


def _made(whole: int, made: int, textless: int, making: int, known: int) -> str:
    """Return how many of ``whole`` requests were made by how many of ``known`` templates, as a sentence without its end."""
    if not known:
        return f"Of {counted(whole, 'request')} in the log none can be told: no template has enough fixed text"
    if not made:
        which = "the template" if known == 1 else f"any of the {known:,} templates"
        return f"Of {counted(whole, 'request')} in the log none was made by {which}"
    which = "the template" if known == 1 else f"{making:,} of {known:,} templates"
    others = whole - made - textless
    more = f", {others:,} by {'another' if known == 1 else 'none of them'}" if others else ""
    return f"Of {counted(whole, 'request')} in the log {'all' if made == whole else f'{made:,}'} were made by {which}{more}"


def _basis(tokens: LogTokens) -> str:
    return f"counted by {tokens.tokenizer}, laid out {tokens.layout_name}"


def _has_text(request: Request) -> bool:
    return bool(request.messages or request.rendered)


def _listed(paths: Sequence[str]) -> str:
    names = list(dict.fromkeys(paths))
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more:,} more" if more > 0 else "")
