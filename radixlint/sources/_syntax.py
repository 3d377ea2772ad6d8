"""Tell a broken file of JSON, YAML or Python from one that is sound but no prompt."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from radixlint.errors import SourceError
from radixlint.late_pattern import late_pattern
from radixlint.passage import Ground
from radixlint.prompt import SourceText

_STRING_OR_COMMENT = late_pattern(r'("(?:[^"\\\n]|\\.)*+")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_STRING_OR_LAST_COMMA = late_pattern(r'("(?:[^"\\\n]|\\.)*+")|,(?=\s*[}\]])')
# A template of YAML or JSON is that only when it is rendered.
_TEMPLATE = late_pattern(r"\{\{|\{%|<%")


def syntax_fault(source: SourceText) -> SourceError | None:
    """Return where JSON, YAML or Python does not parse; None if it does, is empty, or is another format by its look."""
    path = source.path.lower()
    if not source.text.strip():
        return None
    if path.endswith(".json"):
        return _json_fault(source)
    if path.endswith(".py"):
        from radixlint.flow.python_lowering import lower_python
        from radixlint.passage import whole

        return _raised(lambda: lower_python(whole(source), source.path))
    return _yaml_fault(source) if path.endswith((".yaml", ".yml")) else None


def _json_fault(source: SourceText) -> SourceError | None:
    from radixlint.sources._json_tree import parse_json

    text = source.text
    if _is_json(text) or _TEMPLATE.search(text) or _is_other_json(text):
        return None
    return _raised(lambda: parse_json(Ground(source)))


def _is_other_json(text: str) -> bool:
    """Whether this is JSON with comments or trailing commas (settings of editors and compilers), or one value a line."""
    bare = _STRING_OR_COMMENT.sub(lambda found: found[1] or " ", text)
    if _is_json(_STRING_OR_LAST_COMMA.sub(lambda found: found[1] or "", bare)):
        return True
    lines = [line for line in text.split("\n") if line.strip()]
    return len(lines) > 1 and all(map(_is_json, lines))


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    except RecursionError:
        return True
    return True


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
