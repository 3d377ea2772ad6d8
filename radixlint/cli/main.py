"""``radixlint``: where the command starts; what it needs is imported when an interrupt can end it properly."""

from __future__ import annotations

import gc
import sys

from radixlint.cli.early_stop import EarlyStop

# Modules are made to stay: while they load, visits of the collector find nothing.
_OBJECTS_BETWEEN_VISITS = 50_000


def main() -> None:
    """Run the command line and exit with the documented code."""
    gc.set_threshold(_OBJECTS_BETWEEN_VISITS)
    with EarlyStop():
        from radixlint.cli import kept_run

        kept_run.current = kept_run.begun(sys.argv[1:])
        code = kept_run.current.answer() if kept_run.current else None
        if code is not None:
            sys.exit(code)
        from radixlint.cli.boundary import run_guarded
        from radixlint.cli.command_group import cli

        try:
            run_guarded(cli)
        finally:
            gc.freeze()  # what is left goes with the process; to visit all of it once more takes longer than a small run
