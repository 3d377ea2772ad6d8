"""Tell a broken JSON or YAML file from one that is sound but no prompt."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from radixlint.errors import SourceError
from radixlint.prompt import SourceText
from radixlint.sources._passage import Ground

# JSON with comments (settings of editors and compilers), and one value a line, are formats of their own.
_OTHER_JSON = re.compile(r"^[ \t]*(?://|/\*)|[,{\[][ \t]*//|^[{\[][^\n]*[}\]][ \t]*\n[{\[]", re.MULTILINE)
# A template of YAML is YAML only when it is rendered.
_TEMPLATE = re.compile(r"\{\{|\{%|<%")


def syntax_fault(source: SourceText) -> SourceError | None:
    """Return where JSON or YAML does not parse, None if it does, if it is empty, or if it is another format by its look."""
    path = source.path.lower()
    if not source.text.strip():
        return None
    if path.endswith(".json"):
        return _json_fault(source)
    return _yaml_fault(source) if path.endswith((".yaml", ".yml")) else None


def _json_fault(source: SourceText) -> SourceError | None:
    from radixlint.sources._json_tree import parse_json

    if _OTHER_JSON.search(source.text):
        return None
    try:
        json.loads(source.text)
    except ValueError:
        return _raised(lambda: parse_json(Ground(source)))
    except RecursionError:
        return None
    return None


def _yaml_fault(source: SourceText) -> SourceError | None:
    import yaml

    from radixlint.sources._yaml_tree import LOADER, parse_yaml

    if _TEMPLATE.search(source.text):
        return None
    try:
        for _ in yaml.parse(source.text, Loader=LOADER):
            pass
    except yaml.YAMLError:
        return _raised(lambda: parse_yaml(Ground(source)))
    return None


def _raised(parse: Callable[[], object]) -> SourceError | None:
    try:
        parse()
    except SourceError as error:
        return error
    return None
