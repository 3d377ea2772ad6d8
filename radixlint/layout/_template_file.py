"""Chat templates as model repositories keep them: a Jinja file, or a field of ``tokenizer_config.json``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct

from radixlint.errors import ConfigError

_WHERE: Final = "--chat-template"
_CONFIG: Final = "tokenizer_config.json"
_TEMPLATE: Final = "chat_template.jinja"
_LARGEST_BYTES: Final = 64 << 20


class TemplateFile(Struct, frozen=True):
    """A chat template: ``text``, the one for requests with tools (often the same), and the special tokens it may print."""

    name: str
    text: str
    tool_text: str
    variables: dict[str, str]


def read_template(path: str) -> TemplateFile:
    """Read a Jinja file, a ``tokenizer_config.json``, or a folder that holds one of them.

    The config's special tokens are used for a Jinja file beside it too; ``chat_template.jinja`` goes before the config's own
    template, as in Hugging Face transformers.

    Raises:
        ConfigError: there is no template in it.
    """
    file = Path(path)
    folder = file if file.is_dir() else file.parent
    config_path = file if file.suffix == ".json" else folder / _CONFIG
    config = _config(config_path) if file.suffix == ".json" or config_path.is_file() else {}
    template_path = folder / _TEMPLATE if file.is_dir() or file.suffix == ".json" else file
    variables = _special_tokens(config)
    # A file that was named is the one that is meant, there or not; a folder or a config may do without one.
    if template_path == file or template_path.is_file() or not config:
        text = _read(template_path)
        return TemplateFile(template_path.name, text, text, variables)
    named = _named_templates(config.get("chat_template"))
    text = named.get("default") or next(iter(named.values()), "")
    if not text:
        raise ConfigError(f"no chat_template in {config_path}", where=_WHERE, hint=f"give the model's {_TEMPLATE}")
    return TemplateFile(config_path.name, text, named.get("tool_use", text), variables)


def _named_templates(field: object) -> dict[str, str]:
    if isinstance(field, str):
        return {"default": field}
    entries = field if isinstance(field, list) else []
    pairs = [(entry.get("name"), entry.get("template")) for entry in entries if isinstance(entry, dict)]
    return {name: text for name, text in pairs if isinstance(name, str) and isinstance(text, str)}


def _special_tokens(config: Mapping[str, object]) -> dict[str, str]:
    """Return the texts of ``bos_token`` and its like, given as text or as an object with ``content``."""
    found: dict[str, str] = {}
    for key, value in config.items():
        content = value.get("content") if isinstance(value, dict) else value
        if key.endswith("_token") and isinstance(content, str):
            found[key] = content
    return found


def _config(path: Path) -> dict[str, object]:
    try:
        config = json.loads(_read(path))
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"no JSON: {error}", where=str(path)) from error
    if not isinstance(config, dict):
        raise ConfigError("no JSON object", where=str(path), hint=f"a {_CONFIG} is meant")
    return config


def _read(path: Path) -> str:
    try:
        # A device has no size of its own: what counts is what comes.
        with path.open("rb") as stream:
            data = stream.read(_LARGEST_BYTES + 1)
        if len(data) > _LARGEST_BYTES:
            raise ConfigError(f"larger than {_LARGEST_BYTES >> 20} MiB", where=str(path))
        return data.decode("utf-8-sig")
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", where=str(path)) from error
    except UnicodeDecodeError as error:
        raise ConfigError("no UTF-8 text", where=str(path)) from error
