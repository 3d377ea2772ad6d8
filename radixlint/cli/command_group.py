"""The command group: names and one-line helps only; a command's module is imported when it is called."""

from __future__ import annotations

import importlib

import click

from radixlint.spelling import guess

# command -> (module, function, one-line help); kept here so that --help imports no command module.
_COMMANDS: dict[str, tuple[str, str, str]] = {
    "check": ("check_command", "check", "Lint prompt templates and request bodies for what breaks the prefix."),
    "render": ("render_command", "render_prompts", "Show a prompt laid flat: parts, lifetimes, tokens, where its prefix ends."),
    "rules": ("rules_command", "rules", "List the rules."),
    "rule": ("rules_command", "rule", "Explain one rule, with examples."),
    "test-rules": ("rule_test_command", "test_rules", "Try your own rules on examples and marked prompts."),
    "schema": ("schema_command", "schema", "Print the JSON Schema of the config file, for editors."),
    "analyze": ("analyze_command", "analyze", "Measure prefix sharing in request logs."),
    "why": ("why_command", "why", "Explain one request of a log: where it broke, and by what."),
    "check-log": ("check_log_command", "check_log", "Hold request logs against limits and an earlier state, for CI."),
    "diff": ("diff_command", "diff", "Say what changed between two logs, requests or templates, and whose fault it is."),
    "simulate": ("simulate_command", "simulate", "Replay requests under scheduling policies and cache sizes."),
    "formats": ("formats_command", "formats", "List the log formats."),
    "demo": ("demo_command", "demo", "Show why order and cache size decide the hit rate."),
    "kv": ("kv_command", "kv", "Work out the KV-cache memory of a prefix."),
    "advise": ("advise_command", "advise", "Write the go/no-go report from templates, log and workload."),
}


class LazyGroup(click.Group):
    """A click group whose commands live in modules that are imported on use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module, function, _ = _COMMANDS[cmd_name]
        command = getattr(importlib.import_module(f"radixlint.cli.{module}"), function)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in _COMMANDS and not name.startswith("-"):
            ctx.fail(f"no command {name!r} ({guess(name, _COMMANDS)}{ctx.command_path} --help lists them)")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, _, text) in _COMMANDS.items()])


def _say_version(context: click.Context, _: click.Parameter, is_asked: bool) -> None:
    if is_asked and not context.resilient_parsing:
        from radixlint import __version__  # looked up for this alone

        click.echo(f"radixlint, version {__version__}")
        context.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_say_version, help="Show the version and exit."
)
def cli() -> None:
    """Find what breaks prompt-prefix caching, measure it in logs, and decide what to do.

    Nothing is sent anywhere: radixlint opens no network connection and never executes a prompt.
    """
