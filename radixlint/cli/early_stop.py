"""Ctrl-C before there is a command to interrupt, while modules are imported, ends as it does in the middle of one.

This module imports nothing but what the interpreter has loaded anyway, so that as little as possible comes before it.
"""

from __future__ import annotations

import sys

EXIT_INTERRUPTED = 130


class EarlyStop:
    """Wraps the imports and the run of a command; an interrupt that nobody caught inside is one word and exit code 130."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if kind is not None and issubclass(kind, KeyboardInterrupt):
            if sys.stderr is not None:
                sys.stderr.write("stopped\n")
            raise SystemExit(EXIT_INTERRUPTED) from None
