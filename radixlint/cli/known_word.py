"""The value of an option that is one of a few words; a mistyped one is answered with the nearest."""

from __future__ import annotations

from typing import Any

import click

from radixlint.spelling import guess


class KnownWord(click.Choice[str]):
    """One of ``choices``, upper and lower case alike."""

    def __init__(self, choices: tuple[str, ...]) -> None:
        super().__init__(choices, case_sensitive=False)

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """Return what is wrong, the nearest word and all there are."""
        return f"{str(value)!r} is not known ({guess(str(value), self.choices)}known: {', '.join(self.choices)})"
