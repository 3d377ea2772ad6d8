"""Go ``text/template`` prompts: ``.tmpl``, ``.gotmpl``, ``.tpl``."""

from __future__ import annotations

import re

from radixlint.late_pattern import late_pattern
from radixlint.passage import whole
from radixlint.prompt import Prompt, SourceText
from radixlint.sources import Includes, SourceRead
from radixlint.sources._prompt_signs import judge_template

NAME = "go-template"
SUFFIXES = frozenset((".tmpl", ".gotmpl", ".tpl"))

_JINJA = late_pattern(r"\{%[-+]?\s*[a-z]+")
# Pages, scripts and manifests are written in this language too, and are no prompts.
_OTHER_NAME = late_pattern(r"\.(?:html?|xml|svg|ya?ml|json|toml|conf|cfg|ini|sh|env|py|js|ts|css|sql|service|tf)\.[a-z]+$")
_OTHER_START = late_pattern(r"\s*(?:<!doctype|<html|<\?xml|#!|apiVersion:)", re.IGNORECASE)
# In C and other code whose braces are doubled for str.format none of these follows them.
_GO_TAG = late_pattern(r"\{\{-?[ \t]*(?:[.$\"`(]|/\*|[A-Za-z_]\w*(?![\w,])[^{}\n]*\}\})")
_CHART = late_pattern(r"\.(?:Values|Chart|Release)\.[A-Za-z]")


def read(source: SourceText, includes: Includes) -> SourceRead | None:
    """Return the template as one prompt, and a file that only defines templates as one prompt each; None for other files.

    Raises:
        SourceError: the template does not parse.
    """
    text = source.text
    if not _GO_TAG.search(text) or _JINJA.search(text) or _is_other(source):
        return None
    judged = judge_template(source)
    if judged.is_other:
        return None
    from radixlint.sources._go_read import read_go

    name = source.path.replace("\\", "/").rsplit("/", 1)[-1]
    parts, notes = read_go(whole(source), includes)
    prompts = [Prompt(source.path, f"{name}:{part}" if part else name, NAME, segments) for part, segments in parts.items()]
    return SourceRead(NAME, judged.told(prompts), notes)


def _is_other(source: SourceText) -> bool:
    path = source.path.lower()
    return bool(_OTHER_NAME.search(path) or _OTHER_START.match(source.text) or _CHART.search(source.text))
