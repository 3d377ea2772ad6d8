"""``skill-radix-scheduler-advisor``: where that command starts, as in ``main``."""

from __future__ import annotations

from radixlint.cli.early_stop import EarlyStop


def main() -> None:
    """Run the command line and exit with the documented code."""
    with EarlyStop():
        from radixlint.cli.boundary import run_guarded
        from radixlint.cli.skill_group import skill

        run_guarded(skill)
