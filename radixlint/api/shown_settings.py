"""The settings of a run as a config file would say them, each with the place it comes from."""

from __future__ import annotations

import json
from collections.abc import Mapping

from radixlint.api.check_options import CheckOptions, chosen_rules, every_rule_of
from radixlint.prompt import Lifetime
from radixlint.safe_text import safe, safe_line


def shown_settings(options: CheckOptions) -> str:
    """Return TOML: what is set, by whom, and under ``select`` every rule that runs.

    Raises:
        ConfigError: a selector or a size names no rule.
        RuleError: a rule of the user's own is malformed.
    """
    settings = options.settings
    values: dict[str, object] = {
        "select": [rule.id for rule in chosen_rules(every_rule_of(options), options)],
        "exclude": [*settings.exclude, *(glob for _, globs in settings.inherited_excludes for glob in globs), *options.exclude],
        "respect-gitignore": settings.respect_gitignore,
        "rules": [*map(str, settings.rules), *options.own_rules],
        "sinks": [*map(str, settings.sinks)],
        "fail-on": settings.fail_on.value,
        "max-warnings": settings.max_warnings,
        "output-format": settings.output_format,
        "tokenizer": settings.tokenizer,
        "one-tenant": settings.one_tenant,
        "one-user": settings.one_user,
        "per-file-ignores": {item.glob: list(item.value) for item in settings.per_file_ignores},
        "variables": _labels(settings.variables),
        "per-file-variables": {item.glob: _labels(item.value) for item in settings.per_file_variables},
        "jinja": {name.replace("_", "-"): value for name, value in settings.jinja.items()},
        "rule": {word: {"min-tokens": tokens} for word, tokens in settings.min_tokens.items()},
    }
    source = settings.source or "no config file"
    rows = [_row(key, value, settings.places.get(key)) for key, value in values.items() if value is not None]
    return "\n".join((f"# {safe_line(source)}", *rows, ""))


def _row(key: str, value: object, place: str | None) -> str:
    return f"{key} = {_toml(value)}" + (f"  # {safe_line(place)}" if place else "")


def _labels(variables: Mapping[str, Lifetime]) -> dict[str, str]:
    return {name: lifetime.label for name, lifetime in sorted(variables.items())}


def _toml(value: object) -> str:
    """Return a value as TOML on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_toml(key)} = {_toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, str):
        quoted = json.dumps(value, ensure_ascii=False)
        return "".join(char if safe(char) == char else f"\\U{ord(char):08x}" for char in quoted)
    return json.dumps(value)
